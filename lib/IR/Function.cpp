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

std::vector<CellRange> rangesOf(const std::vector<bool> &cells) {
  std::vector<CellRange> ranges;
  for (uint64_t cell = 0; cell < cells.size(); ++cell)
    if (cells[cell] && cell > 0 && cells[cell - 1])
      ranges.back().last = cell;
    else if (cells[cell])
      ranges.push_back({cell, cell});
  return ranges;
}

bool areRanges(llvm::ArrayRef<CellRange> ranges, uint64_t cells) {
  uint64_t next = 0; // cells before it are in no further range
  return llvm::all_of(ranges, [&](const CellRange &range) {
    const bool isNext = range.first >= next && range.first <= range.last && range.last < cells;
    next = range.last + 1;
    return isNext;
  });
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

std::vector<uint64_t> copiedCells(const Op &stage, uint64_t width) {
  std::vector<uint64_t> cells;
  const auto add = [&](uint64_t first, uint64_t end) {
    for (uint64_t cell = first; cell < end; ++cell)
      cells.push_back(cell);
  };
  if (stage.live.empty())
    add(0, width);
  for (const CellRange &range : stage.live)
    add(range.first, range.last + 1);
  return cells;
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
