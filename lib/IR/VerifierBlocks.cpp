//===- VerifierBlocks.cpp - Rules for what a block does together ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That all threads reach a barrier is no rule of the text: the values that decide it are equal
// in some threads and not in others. The interpreter finds it (BlockInterpreter.h).
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"
#include "IR/VerifierRules.h"

namespace colonnade::ir {

/// Each subscript counts in its own dimension: rows are apart by the pitch.
Breach Rules::sharedCell(const Array &array, const AccessOperands &parts) const {
  if (op_.masked)
    return "masked access to a shared array";
  if (parts.subscripts.size() != array.extents.size())
    return "needs a subscript for each dimension of the shared array";
  for (size_t d = 1; d < array.extents.size(); ++d) {
    const Scalar *radix = f_.constant(parts.radices[d - 1]);
    if (!radix || int64_t(radix->bits) != array.extents[d].asConstant())
      return "the radices must be the shared array's extents";
  }
  return std::nullopt;
}

Breach Rules::blockOp() {
  const auto *threads = f_.launch ? std::get_if<ThreadShape>(&*f_.launch) : nullptr;
  if (!threads)
    return "needs a kernel of threads";
  if (threads->perBlock % LanesPerWarp != 0)
    return "needs whole warps";
  switch (op_.opcode) {
  case Opcode::Lane:
  case Opcode::Warp:
  case Opcode::Member:
    if (auto wrong = counts(0, 1))
      return wrong;
    return require(result() == ScalarType::S64 && f_.varying(op_.results[0]),
                   "the result must be a varying s64");
  case Opcode::HasInstance:
    if (auto wrong = counts(0, 1))
      return wrong;
    return require(result() == ScalarType::Bool && f_.varying(op_.results[0]),
                   "the result must be a varying bool");
  default:
    if (!threads->together)
      return "needs threads that run together";
    if (op_.opcode == Opcode::Stage)
      return stage();
    if (auto wrong = counts(0, 0))
      return wrong;
    if (op_.opcode == Opcode::Barrier)
      return require(op_.among != Sharing::Uniform, "waits for an instance, a warp or a block");
    return std::nullopt;
  }
}

Breach Rules::stage() {
  const auto &threads = std::get<ThreadShape>(*f_.launch);
  if (threads.layouts == Layouts::Any)
    return "needs a kernel for instances that lie in rows, or in columns";
  if (op_.arrays.size() != 2)
    return "copies from an array to another";
  const Array *to = &f_.array(op_.arrays[0]), *from = &f_.array(op_.arrays[1]);
  const bool isLoad = to->space == Space::Shared;
  const Array &shared = isLoad ? *to : *from, &memory = isLoad ? *from : *to;
  if (shared.space != Space::Shared || memory.space != Space::Memory)
    return "copies between shared memory and the caller's";
  if (!isLoad && (memory.isConst || !memory.writes))
    return "stores to an array that is only read";
  const uint64_t rows =
      (shared.sharing == Sharing::Warp ? LanesPerWarp : threads.perBlock) / threads.team;
  const std::optional<uint64_t> cells = memory.constantCells();
  if (shared.cell != memory.cell || shared.extents.size() != 2 ||
      shared.extents[0].asConstant() != int64_t(rows))
    return "needs a row of cells for each instance";
  if (!areRanges(op_.live, uint64_t(shared.extents[1].asConstant().value_or(0))))
    return "the cells that are copied do not ascend, or lie beyond the row";
  static constexpr uint64_t SectorBytes = 32;
  const uint64_t inSector = SectorBytes / sizeBytes(shared.cell);
  if (threads.isForRows() && llvm::any_of(op_.live, [&](const CellRange &range) {
        return range.first % inSector != 0 || (range.last + 1) % inSector != 0;
      }))
    return "of rows whole sectors are copied";
  if (!cells)
    return require(op_.operands.empty() && op_.live.empty() && threads.isForRows() &&
                       threads.team == 1 && !shared.skew,
                   "of a number of cells that is not known, a row holds all, and is a thread's");
  return row(*cells, shared.extents[1].asConstant());
}

/// The cells of an instance that a row holds: all, or as many from the operand on.
Breach Rules::row(uint64_t cells, std::optional<int64_t> width) {
  if (auto wrong = counts(op_.operands.empty() ? 0 : 1, 0))
    return wrong;
  if (op_.operands.empty())
    return require(width == int64_t(cells), "the rows hold all cells, or those from 'at' on");
  const ValueId at = op_.operands[0];
  if (f_.value(at).type != ScalarType::S64 || f_.varying(at))
    return "'at' is an s64 that does not vary";
  const Scalar *first = f_.constant(at);
  const bool fits =
      width && *width <= int64_t(cells) &&
      (!first || (asInt64(*first) >= 0 && asInt64(*first) <= int64_t(cells) - *width));
  return require(fits, "the rows hold cells that the array does not have");
}

} // namespace colonnade::ir
