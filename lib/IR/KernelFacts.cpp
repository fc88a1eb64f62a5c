//===- KernelFacts.cpp - What is known of a kernel's operations -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/KernelFacts.h"

#include "IR/Evaluate.h"

#include "llvm/Support/MathExtras.h"

#include <cstdlib>

namespace colonnade::ir {

bool isRoutine(const Function &kernel, const Op &op) {
  if (!kernel.anyVarying(op.operands))
    return false;
  switch (op.opcode) {
  case Opcode::Math:
    return op.math == MathFn::Sqrt || op.math == MathFn::Fmod || !isExact(op.math);
  case Opcode::Div:
  case Opcode::Rem: {
    const auto type = kernel.value(op.results[0]).type;
    return isFloat(type) || bitWidth(type) == 64;
  }
  default:
    return false;
  }
}

Opcode comparisonOf(Predicate predicate) {
  static constexpr Opcode Comparisons[] = {Opcode::Lt, Opcode::Le, Opcode::Gt, Opcode::Ge,
                                           Opcode::Ne};
  return Comparisons[static_cast<size_t>(predicate)];
}

bool runs(Predicate predicate, Scalar counter, Scalar high) {
  return evaluateBinary(comparisonOf(predicate), counter, high).value.bits != 0;
}

int64_t asStep(const Op &loop, Scalar step) {
  if (loop.predicate == Predicate::Lt || loop.predicate == Predicate::Le)
    return asInt64(step);
  const unsigned unused = 64 - bitWidth(step.type);
  return static_cast<int64_t>(step.bits << unused) >> unused;
}

std::optional<int64_t> constantIterations(const Function &kernel, const Op &loop) {
  if (loop.opcode != Opcode::For)
    return std::nullopt;
  const Scalar *const low = kernel.constant(loop.operands[0]),
                      *const high = kernel.constant(loop.operands[1]),
                      *const step = kernel.constant(loop.operands[2]);
  if (!low || !high || !step || asStep(loop, *step) == 0)
    return std::nullopt;
  if (low->type == ScalarType::U64 && (asInt64(*low) < 0 || asInt64(*high) < 0))
    return std::nullopt;
  const bool rises = asStep(loop, *step) > 0;
  const bool isRising = loop.predicate == Predicate::Lt || loop.predicate == Predicate::Le;
  const bool isInclusive = loop.predicate == Predicate::Le || loop.predicate == Predicate::Ge;
  if (loop.predicate != Predicate::Ne && isRising != rises)
    return std::nullopt; // it ends where the counter begins anew, if at all
  // Bounds of 64 bits may be far from each other.
  int64_t way;
  if (__builtin_sub_overflow(asInt64(*high), asInt64(*low), &way))
    return std::nullopt;
  static constexpr int64_t Most = 1 << 30;
  const int64_t each = std::abs(std::max(asStep(loop, *step), -Most));
  const int64_t apart = rises ? way : way == INT64_MIN ? INT64_MAX : -way;
  if (loop.predicate == Predicate::Ne && (apart < int64_t(loop.postTest) || apart % each != 0))
    return std::nullopt;
  const int64_t whole = apart < 0 ? 0 : apart / each + int64_t(isInclusive || apart % each != 0);
  const int64_t iterations = std::max(whole, int64_t(loop.postTest));
  return iterations < Most ? std::optional(iterations) : std::nullopt;
}

bool isRowStrip(const Function &kernel, const Op &stage) {
  static constexpr uint64_t UnitBytes = 16;
  const bool isLoad = kernel.array(stage.arrays[0]).isShared();
  const Array &rows = kernel.array(stage.arrays[isLoad ? 0 : 1]);
  const std::optional<uint64_t> cells = kernel.array(stage.arrays[isLoad ? 1 : 0]).constantCells();
  const uint64_t bytes = sizeBytes(rows.cell),
                 width = static_cast<uint64_t>(*rows.extents[1].asConstant()) * bytes;
  const ThreadShape &threads = std::get<ThreadShape>(*kernel.launch);
  return stage.live.empty() && threads.team == 1 && !threads.isForColumns() &&
         rows.pitch * bytes % UnitBytes == 0 && cells && *cells * bytes % UnitBytes == 0 &&
         width % UnitBytes == 0 && llvm::isPowerOf2_64(width / UnitBytes);
}

bool isConstantList(const Function &kernel, const Op &stage) {
  return std::get<ThreadShape>(*kernel.launch).isForColumns() &&
         copiedCells(stage, 0).size() <= LongestConstantList;
}

} // namespace colonnade::ir
