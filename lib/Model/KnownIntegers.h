//===- KnownIntegers.h - Operations on known integers -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where loops are walked, most operations are sums, comparisons and casts of known integers.
//
// In: an operation, prepared once. Out: its result in a few machine instructions, or nullopt.
// Invariant: a result is that of ir::evaluateBinary or ir::evaluateCast, which are asked where
// there is none.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_KNOWNINTEGERS_H
#define COLONNADE_MODEL_KNOWNINTEGERS_H

#include "IR/Evaluate.h"

namespace colonnade::model {

class IntegerOperation {
public:
  IntegerOperation() = default;
  IntegerOperation(const ir::Function &function, const ir::Op &op) {
    if (op.results.size() != 1 || op.operands.empty() || op.operands.size() > 2)
      return;
    a = op.operands[0];
    b = op.operands.back();
    from_ = Width(function.value(a).type);
    to_ = Width(function.value(op.results[0]).type);
    const bool isInteger = ir::isInteger(function.value(a).type);
    const bool isCast = op.opcode == ir::Opcode::Cast && ir::isInteger(to_.type);
    if (isInteger && (isCast || ir::isComparison(op.opcode) || op.opcode == ir::Opcode::Add ||
                      op.opcode == ir::Opcode::Sub || op.opcode == ir::Opcode::Mul))
      opcode_ = op.opcode;
  }

  /// nullopt: not such an operation, or undefined.
  std::optional<ir::Scalar> of(ir::Scalar first, ir::Scalar second) const {
    const int64_t x = from_.extended(first.bits), y = from_.extended(second.bits);
    switch (opcode_) {
    case ir::Opcode::Cast:
      return to_.wrapped(x);
    case ir::Opcode::Eq:
      return to_.wrapped(x == y);
    case ir::Opcode::Ne:
      return to_.wrapped(x != y);
    case ir::Opcode::Lt:
      return to_.wrapped(from_.isSigned ? x < y : first.bits < second.bits);
    case ir::Opcode::Le:
      return to_.wrapped(from_.isSigned ? x <= y : first.bits <= second.bits);
    case ir::Opcode::Gt:
      return to_.wrapped(from_.isSigned ? x > y : first.bits > second.bits);
    case ir::Opcode::Ge:
      return to_.wrapped(from_.isSigned ? x >= y : first.bits >= second.bits);
    default:
      return computed(x, y);
    }
  }

  bool isSome() const { return opcode_ != ir::Opcode::Undef; }

  ValueId a, b; // its operands

private:
  struct Width {
    Width() = default;
    explicit Width(ir::ScalarType type)
        : type(type), unused(64 - ir::bitWidth(type)), isSigned(ir::isSigned(type)) {}
    int64_t extended(uint64_t bits) const {
      return isSigned ? static_cast<int64_t>(bits << unused) >> unused : static_cast<int64_t>(bits);
    }
    ir::Scalar wrapped(int64_t value) const {
      return {type, static_cast<uint64_t>(value) & (~uint64_t(0) >> unused)};
    }
    ir::ScalarType type = ir::ScalarType::S32;
    unsigned unused = 0;
    bool isSigned = false;
  };

  std::optional<ir::Scalar> computed(int64_t x, int64_t y) const {
    int64_t result;
    const bool overflows = opcode_ == ir::Opcode::Add   ? __builtin_add_overflow(x, y, &result)
                           : opcode_ == ir::Opcode::Sub ? __builtin_sub_overflow(x, y, &result)
                                                        : __builtin_mul_overflow(x, y, &result);
    const ir::Scalar wrapped = to_.wrapped(result);
    if (to_.isSigned && (overflows || to_.extended(wrapped.bits) != result))
      return std::nullopt;
    return wrapped;
  }

  ir::Opcode opcode_ = ir::Opcode::Undef;
  Width from_, to_;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_KNOWNINTEGERS_H
