//===- GeometricLoop.cpp - Loops that double or halve ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test compares a carried x with a limit from outside the loop, the body multiplies x or
// divides it. What shrinks ends at a test that zero fails; what grows from a positive constant
// passes the limit, if the step from just below it does not wrap.
//
//===----------------------------------------------------------------------===//

#include "Oblivious/GeometricLoop.h"

#include "IR/Evaluate.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;
using ir::ScalarType;

namespace {

class Matcher {
public:
  Matcher(const ir::Function &function, const Op &loop) : f_(function), loop_(loop) {}

  GeometricEnd match() const {
    const Op *test = f_.definition(f_.terminator(loop_.regions[0]).operands[0]);
    if (!test || !ir::isComparison(test->opcode))
      return {};
    ValueId a = test->operands[0], b = test->operands[1];
    GeometricEnd found = match(test->opcode, a, b);
    return found.end == LoopEnd::Never ? match(ir::mirrored(test->opcode), b, a) : found;
  }

private:
  /// x `opcode` limit goes on.
  GeometricEnd match(Opcode opcode, ValueId x, ValueId limit) const {
    const auto &args = f_.region(loop_.regions[0]).args;
    for (size_t i = 0; i < args.size(); ++i)
      if (withoutWidening(x) == args[i] && ir::isInteger(f_.value(x).type) &&
          f_.terminator(loop_.regions[0]).operands[i + 1] == args[i])
        return end(opcode, i, limit);
    return {};
  }

  ValueId withoutWidening(ValueId v) const {
    for (const Op *op = f_.definition(v); op && op->opcode == Opcode::Cast; op = f_.definition(v)) {
      ScalarType from = f_.value(op->operands[0]).type, to = f_.value(v).type;
      bool keeps =
          ir::isInteger(from) && ir::isInteger(to) &&
          (ir::bitWidth(to) > ir::bitWidth(from) ||
           (ir::bitWidth(to) == ir::bitWidth(from) && ir::isSigned(to) == ir::isSigned(from)));
      if (!keeps || (ir::isSigned(from) && !ir::isSigned(to)))
        return v;
      v = op->operands[0];
    }
    return v;
  }

  GeometricEnd end(Opcode opcode, size_t i, ValueId limit) const {
    ValueId x = f_.region(loop_.regions[1]).args[i];
    const Op *step = f_.definition(f_.terminator(loop_.regions[1]).operands[i + 1]);
    const ir::Scalar *by = step && step->operands.size() == 2 && step->operands[0] == x
                               ? f_.constant(step->operands[1])
                               : nullptr;
    if (!by)
      return {};
    ScalarType type = f_.value(x).type;
    bool shifts = step->opcode == Opcode::Shl || step->opcode == Opcode::Shr;
    int64_t amount = ir::asInt64(*by);
    if (shifts ? amount < 1 || amount >= ir::bitWidth(type) - 1 : amount < 2)
      return {};
    switch (step->opcode) {
    case Opcode::Div:
    case Opcode::Shr:
      return shrinks(opcode, limit, step->opcode == Opcode::Div || !ir::isSigned(type));
    case Opcode::Mul:
    case Opcode::Shl:
      return grows(opcode, loop_.operands[i], limit, shifts ? int64_t(1) << amount : amount);
    default:
      return {};
    }
  }

  /// Towards zero; a negative value too, if `reachesZero`.
  GeometricEnd shrinks(Opcode opcode, ValueId limit, bool reachesZero) const {
    const ir::Scalar *constant = f_.constant(limit);
    if (!constant)
      return {};
    int64_t end = ir::asInt64(*constant);
    bool ends = (opcode == Opcode::Gt && end >= 0) || (opcode == Opcode::Ge && end >= 1) ||
                (opcode == Opcode::Ne && end == 0 && reachesZero);
    return {ends ? LoopEnd::Always : LoopEnd::Never, {}, 0};
  }

  GeometricEnd grows(Opcode opcode, ValueId start, ValueId limit, int64_t factor) const {
    const ir::Scalar *first = f_.constant(start);
    if ((opcode != Opcode::Lt && opcode != Opcode::Le) || !first || ir::asInt64(*first) < 1 ||
        isInside(limit))
      return {};
    ScalarType type = f_.value(start).type;
    unsigned bits = ir::bitWidth(type) - (ir::isSigned(type) || ir::bitWidth(type) == 64 ? 1 : 0);
    int64_t largest = int64_t((uint64_t(1) << bits) - 1) / factor;
    if (const ir::Scalar *constant = f_.constant(limit)) {
      bool beyond = !ir::isSigned(constant->type) && ir::asInt64(*constant) < 0; // 2^63 or more
      bool ends = !beyond && ir::asInt64(*constant) <= largest;
      return {ends ? LoopEnd::Always : LoopEnd::Never, {}, 0};
    }
    return {LoopEnd::Checked, limit, largest};
  }

  /// Of a value that the test uses: computed in the loop, so that the condition could not be
  /// checked before it.
  bool isInside(ValueId v) const {
    if (f_.constant(v))
      return false;
    const ir::Value &value = f_.value(v);
    if (!value.def)
      return value.region == loop_.regions[0];
    return llvm::is_contained(f_.region(loop_.regions[0]).ops, value.def);
  }

  const ir::Function &f_;
  const Op &loop_;
};

} // namespace

GeometricEnd geometricEnd(const ir::Function &function, const Op &loop) {
  return Matcher(function, loop).match();
}

} // namespace colonnade
