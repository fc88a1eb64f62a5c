//===- Function.cpp - Questions about arrays, values and accesses ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Function.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace colonnade::ir {

const char *name(Space space) {
  static constexpr const char *Names[] = {"memory",  "uniform",  "registers", "local",
                                          "scratch", "constant", "global",    "shared"};
  static_assert(std::size(Names) == NumSpaces);
  return Names[static_cast<size_t>(space)];
}

bool isSourceName(llvm::StringRef name) { return !name.empty() && name[0] != '%'; }

Op makeOp(Opcode opcode, llvm::ArrayRef<ValueId> operands) {
  Op op;
  op.opcode = opcode;
  op.operands.assign(operands.begin(), operands.end());
  return op;
}

SizeExpr Array::extentAtSizes(size_t d) const {
  const SizeExpr &extent = extents[d];
  if (!extentsDerived || !extent.known() || extent.asConstant())
    return extent;
  return SizeExpr::binary(SizeExpr::Kind::Max, extent, SizeExpr::constant(0));
}

std::optional<uint64_t> Array::constantCells() const {
  uint64_t cells = 1;
  for (const SizeExpr &extent : extents) {
    std::optional<int64_t> value = extent.asConstant();
    if (!value || *value < 0 || __builtin_mul_overflow(cells, uint64_t(*value), &cells))
      return std::nullopt;
  }
  return cells;
}

uint64_t Array::rowPitch() const {
  return pitch ? pitch : static_cast<uint64_t>(extents.back().asConstant().value_or(0));
}

uint64_t Array::rowOf(uint64_t instance) const {
  if (!spread)
    return instance;
  const uint64_t together = uint64_t(extents.front().asConstant().value_or(0)) / spread;
  return instance % together * spread + instance / together;
}

bool Array::isWrittenBack(uint64_t cell) const {
  return stored.empty() || llvm::any_of(stored, [cell](const CellRange &range) {
           return range.first <= cell && cell <= range.last;
         });
}

// Arrays begin where 16 bytes can be moved at once.
static constexpr uint64_t SharedAlignment = 16;

uint64_t Function::sharedBytes(const Array &array) const {
  uint64_t bytes = array.rowPitch() * sizeBytes(array.cell);
  for (const SizeExpr &extent : llvm::drop_end(array.extents))
    bytes *= static_cast<uint64_t>(*extent.asConstant());
  if (array.sharing == Sharing::Warp)
    bytes *= std::get<ThreadShape>(*launch).perBlock / LanesPerWarp;
  return (bytes + SharedAlignment - 1) / SharedAlignment * SharedAlignment;
}

uint64_t Function::sharedBytes() const {
  uint64_t bytes = 0;
  for (const Array &array : arrays)
    if (array.space == Space::Shared)
      bytes += sharedBytes(array);
  return bytes;
}

bool Function::anyVarying(llvm::ArrayRef<ValueId> ids) const {
  return llvm::any_of(ids, [&](ValueId id) { return varying(id); });
}

AccessOperands accessOperands(const Op &op) {
  assert((op.opcode == Opcode::Load || op.opcode == Opcode::Store) && "not an access");
  AccessOperands parts;
  llvm::ArrayRef<ValueId> rest = op.operands;
  if (op.masked) {
    parts.mask = rest.front();
    rest = rest.drop_front();
  }
  if (op.opcode == Opcode::Store) {
    parts.stored = rest.back();
    rest = rest.drop_back();
  }
  assert(rest.size() % 2 == 1 && "k+1 subscripts need k radices");
  size_t numSubscripts = (rest.size() + 1) / 2;
  parts.subscripts = rest.take_front(numSubscripts);
  parts.radices = rest.drop_front(numSubscripts);
  return parts;
}

} // namespace colonnade::ir
