//===- UncountedLoop.cpp - Loops that end, but are no For -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test compares a carried x with a limit from outside the loop; the body adds a constant to x,
// multiplies it or divides it; or the test is never true. What shrinks ends at a test that zero
// fails. What moves towards the limit passes it, if the step from just before it does not wrap in
// the type of x.
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Ranges/UncountedLoop.h"

#include "IR/Evaluate.h"

#include "llvm/Support/MathExtras.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;
using ir::ScalarType;

namespace {

/// As 64-bit integers; of 64-bit unsigned ones the half that fits.
int64_t largestOf(ScalarType type) {
  unsigned bits = ir::bitWidth(type) - (ir::isSigned(type) || ir::bitWidth(type) == 64 ? 1 : 0);
  return int64_t((uint64_t(1) << bits) - 1);
}
int64_t leastOf(ScalarType type) { return ir::isSigned(type) ? -largestOf(type) - 1 : 0; }

class Matcher {
public:
  Matcher(const ir::Function &function, const Op &loop) : f_(function), loop_(loop) {}

  UncountedEnd match() const {
    ValueId condition = f_.terminator(loop_.regions[0]).operands[0];
    if (const ir::Scalar *known = f_.constant(condition); known && known->bits == 0)
      return {LoopEnd::Always, {}, {}, {}, 1};
    const Op *test = f_.definition(condition);
    if (!test || !ir::isComparison(test->opcode))
      return {};
    ValueId a = test->operands[0], b = test->operands[1];
    UncountedEnd found = match(test->opcode, a, b);
    return found.end == LoopEnd::Never ? match(ir::mirrored(test->opcode), b, a) : found;
  }

private:
  /// The loop goes on where x `opcode` limit.
  UncountedEnd match(Opcode opcode, ValueId x, ValueId limit) const {
    const auto &args = f_.region(loop_.regions[0]).args;
    ValueId tested = withoutWidening(x);
    const bool unsignedTest = dropsSign(tested);
    if (unsignedTest)
      tested = withoutWidening(f_.definition(tested)->operands[0]);
    const Op &head = f_.terminator(loop_.regions[0]), &body = f_.terminator(loop_.regions[1]);
    for (size_t i = 0; i < args.size(); ++i) {
      ValueId inBody = f_.region(loop_.regions[1]).args[i];
      if (!ir::isInteger(f_.value(tested).type))
        continue;
      if (tested == args[i] && head.operands[i + 1] == args[i])
        return decided(
            end(opcode, {i, inBody, body.operands[i + 1]}, withoutWidening(limit), unsignedTest));
      const bool stepsInHead = head.operands[i + 1] == tested && body.operands[i + 1] == inBody;
      if (stepsInHead && shrinksInHead(tested, args[i]))
        return decided(end(opcode, {i, args[i], tested}, withoutWidening(limit), unsignedTest));
    }
    return {};
  }

  /// while (x >>= 1): the test sees what the step has left.
  bool shrinksInHead(ValueId next, ValueId x) const {
    const Op *step = stepOf(next, x);
    return step && (step->opcode == Opcode::Div || step->opcode == Opcode::Shr);
  }

  /// The same value in its own type.
  ValueId withoutWidening(ValueId v) const {
    for (const Op *op = f_.definition(v); op && op->opcode == Opcode::Cast; op = f_.definition(v)) {
      ScalarType from = f_.value(op->operands[0]).type, to = f_.value(v).type;
      if (!ir::isInteger(from) || !ir::isInteger(to) || leastOf(from) < leastOf(to) ||
          ir::bitWidth(to) < ir::bitWidth(from) ||
          (ir::bitWidth(to) == ir::bitWidth(from) && from != to))
        return v;
      v = op->operands[0];
    }
    return v;
  }

  /// A signed value made unsigned for a test: below zero it is beyond every limit here.
  bool dropsSign(ValueId v) const {
    const Op *op = f_.definition(v);
    if (!op || op->opcode != Opcode::Cast)
      return false;
    ScalarType from = f_.value(op->operands[0]).type, to = f_.value(v).type;
    return ir::isInteger(from) && ir::isInteger(to) && ir::isSigned(from) && !ir::isSigned(to) &&
           ir::bitWidth(to) >= ir::bitWidth(from);
  }

  struct Carried {
    size_t position; // among what the loop carries
    ValueId x, next; // before and after the step
  };

  UncountedEnd end(Opcode opcode, const Carried &carried, ValueId limit, bool unsignedTest) const {
    ScalarType type = f_.value(carried.x).type;
    const Op *step = stepOf(carried.next, carried.x);
    const ir::Scalar *by = step ? f_.constant(step->operands[1]) : nullptr;
    if (!by)
      return {};
    int64_t amount = ir::asInt64(*by), most = largestOf(type);
    bool isShift = step->opcode == Opcode::Shl || step->opcode == Opcode::Shr;
    if (isShift && (amount < 1 || amount >= ir::bitWidth(type) - 1))
      return {};
    int64_t factor = isShift ? int64_t(1) << amount : amount;
    // A negative value goes on above a limit, and is no limit that is checked.
    if (unsignedTest && opcode != Opcode::Lt && opcode != Opcode::Le && opcode != Opcode::Ne)
      return {};
    switch (step->opcode) {
    case Opcode::Div:
    case Opcode::Shr:
      return shrinks(opcode, type, limit, factor,
                     step->opcode == Opcode::Div || !ir::isSigned(type));
    case Opcode::Mul:
    case Opcode::Shl:
      return grows(opcode, loop_.operands[carried.position], limit, factor);
    case Opcode::Add:
    case Opcode::Sub:
      if (amount < -most / 2 || amount > most / 2)
        return {};
      return moves(opcode, type, limit, step->opcode == Opcode::Add ? amount : -amount);
    default:
      return {};
    }
  }

  /// The operation on x and a constant, perhaps in a wider type: next == (type of x)(x op c).
  const Op *stepOf(ValueId next, ValueId x) const {
    const Op *op = f_.definition(next);
    if (op && op->opcode == Opcode::Cast && ir::isInteger(f_.value(op->operands[0]).type) &&
        ir::bitWidth(f_.value(op->operands[0]).type) >= ir::bitWidth(f_.value(x).type))
      op = f_.definition(op->operands[0]);
    return op && op->operands.size() == 2 && withoutWidening(op->operands[0]) == x ? op : nullptr;
  }

  /// Towards zero; a negative value too, if `reachesZero`.
  UncountedEnd shrinks(Opcode opcode, ScalarType type, ValueId limit, int64_t factor,
                       bool reachesZero) const {
    if (factor < 2 || !failsAtZero(opcode, limit, reachesZero))
      return {};
    return {LoopEnd::Always, {}, {}, {}, stepsThrough(type, factor)};
  }

  /// So does x > limit for each limit that is not negative, whatever it is computed from.
  bool failsAtZero(Opcode opcode, ValueId limit, bool reachesZero) const {
    const ir::Scalar *constant = f_.constant(limit);
    if (!constant)
      return opcode == Opcode::Gt && !ir::isSigned(f_.value(limit).type);
    int64_t end = ir::asInt64(*constant);
    return (opcode == Opcode::Gt && end >= 0) || (opcode == Opcode::Ge && end >= 1) ||
           (opcode == Opcode::Ne && end == 0 && reachesZero);
  }

  /// From one end of the type to the other by multiplying or dividing.
  static uint64_t stepsThrough(ScalarType type, int64_t factor) {
    return llvm::divideCeil(ir::bitWidth(type), llvm::Log2_64(uint64_t(factor)));
  }

  UncountedEnd grows(Opcode opcode, ValueId start, ValueId limit, int64_t factor) const {
    const ir::Scalar *first = f_.constant(start);
    if ((opcode != Opcode::Lt && opcode != Opcode::Le) || factor < 2 || !first ||
        ir::asInt64(*first) < 1)
      return {};
    ScalarType type = f_.value(start).type;
    return {LoopEnd::Checked, limit, {}, largestOf(type) / factor, stepsThrough(type, factor)};
  }

  UncountedEnd moves(Opcode opcode, ScalarType type, ValueId limit, int64_t step) const {
    int64_t least = leastOf(type), largest = largestOf(type);
    if (opcode == Opcode::Ne && (step == 1 || step == -1))
      return {LoopEnd::Checked, limit, least, largest};
    if (step > 0 && (opcode == Opcode::Lt || opcode == Opcode::Le))
      return {LoopEnd::Checked, limit, {}, largest - step + (opcode == Opcode::Lt ? 1 : 0)};
    if (step < 0 && (opcode == Opcode::Gt || opcode == Opcode::Ge))
      return {LoopEnd::Checked, limit, least - step - (opcode == Opcode::Gt ? 1 : 0), {}};
    return {};
  }

  /// With what is known of the limit here.
  UncountedEnd decided(UncountedEnd found) const {
    if (found.end != LoopEnd::Checked)
      return found;
    if (const ir::Scalar *constant = f_.constant(found.limit)) {
      int64_t value = ir::asInt64(*constant);
      bool beyond = !ir::isSigned(constant->type) && value < 0; // 2^63 or more
      bool ends = !beyond && (!found.least || value >= *found.least) &&
                  (!found.largest || value <= *found.largest);
      return {ends ? LoopEnd::Always : LoopEnd::Never, {}, {}, {}, found.mostIterations};
    }
    return isInside(found.limit) ? UncountedEnd() : found;
  }

  /// Computed by the test, so that nothing can check it before the loop.
  bool isInside(ValueId v) const {
    const ir::Value &value = f_.value(v);
    if (!value.def)
      return value.region == loop_.regions[0];
    return llvm::is_contained(f_.region(loop_.regions[0]).ops, value.def);
  }

  const ir::Function &f_;
  const Op &loop_;
};

} // namespace

UncountedEnd uncountedEnd(const ir::Function &function, const Op &loop) {
  return Matcher(function, loop).match();
}

ValueId endCondition(ir::Builder &builder, const UncountedEnd &end, ValueId limit) {
  ScalarType type = builder.function().value(limit).type;
  ValueId all;
  auto require = [&](Opcode opcode, std::optional<int64_t> bound, bool always) {
    if (!bound || always)
      return;
    ValueId holds = builder.binary(opcode, limit, builder.constantInt(type, *bound));
    all = all ? builder.binary(Opcode::And, all, holds) : holds;
  };
  require(Opcode::Ge, end.least, end.least && *end.least <= leastOf(type));
  bool wide = ir::bitWidth(type) == 64 && !ir::isSigned(type);
  require(Opcode::Le, end.largest, end.largest && !wide && *end.largest >= largestOf(type));
  return all ? all : builder.constantBool(true);
}

} // namespace colonnade
