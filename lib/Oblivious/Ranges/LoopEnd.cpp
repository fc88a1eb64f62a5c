//===- LoopEnd.cpp - Whether a counted loop ends by its counter -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a step of d (either way; an unsigned counter that steps below zero comes
// back at the top) the last value that passes the test is one step away from one
// that fails it, without wrapping past it, if
//
//   i < b, i <= b:   b <= MAX - (d - 1),  b <= MAX - d
//   i > b, i >= b:   b >= MIN + (d - 1),  b >= MIN + d
//   i != b:          the distance is a multiple of d, in the step's direction
//
// A loop that is not entered has ended, whatever its step.
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Ranges/LoopEnd.h"

#include "IR/Evaluate.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;
using ir::Predicate;
using ir::ScalarType;

namespace {

using Wide = __int128;
struct Range {
  Wide low, high;
};

Wide valueOf(const ir::Scalar &scalar) {
  return ir::isSigned(scalar.type) ? Wide(ir::asInt64(scalar)) : Wide(scalar.bits);
}

Range rangeOf(ScalarType type) {
  unsigned bits = ir::bitWidth(type);
  return ir::isSigned(type) ? Range{-(Wide(1) << (bits - 1)), (Wide(1) << (bits - 1)) - 1}
                            : Range{0, (Wide(1) << bits) - 1};
}

/// What a uniform integer can be, by its types and constants alone.
Range rangeOf(const ir::Function &function, ValueId v, unsigned depth = 8) {
  Range whole = rangeOf(function.value(v).type);
  const Op *op = function.definition(v);
  if (!op || depth == 0)
    return whole;
  if (op->opcode == Opcode::Constant)
    return {valueOf(op->scalar), valueOf(op->scalar)};
  if (op->operands.empty() || !ir::isInteger(function.value(op->operands[0]).type))
    return whole;
  Range a = rangeOf(function, op->operands[0], depth - 1);
  if (op->opcode == Opcode::Cast)
    return a.low >= whole.low && a.high <= whole.high ? a : whole;
  const ir::Scalar *constant =
      op->operands.size() == 2 ? function.constant(op->operands[1]) : nullptr;
  Wide b = constant ? valueOf(*constant) : 0;
  if (b <= 0)
    return whole;
  switch (op->opcode) {
  case Opcode::Div:
    return {a.low / b, a.high / b};
  case Opcode::Rem:
    return {a.low < 0 ? 1 - b : 0, b - 1};
  case Opcode::And:
    return {0, b};
  case Opcode::Shr:
    return b < ir::bitWidth(function.value(v).type) ? Range{a.low >> b, a.high >> b} : whole;
  default:
    return whole;
  }
}

bool upwards(Predicate predicate) {
  return predicate == Predicate::Lt || predicate == Predicate::Le;
}
bool strict(Predicate predicate) {
  return predicate == Predicate::Lt || predicate == Predicate::Gt;
}

/// The step as the smaller of its two readings: 4294967295u is -1.
Wide nearest(const ir::Scalar &step) {
  Wide raw = valueOf(step), half = Wide(1) << (ir::bitWidth(step.type) - 1);
  return raw >= half ? raw - 2 * half : raw;
}

/// The farthest bound at which a step of `distance` ends the loop.
Wide farthest(Predicate predicate, ScalarType type, Wide distance) {
  Range whole = rangeOf(type);
  Wide room = strict(predicate) ? distance - 1 : distance;
  return upwards(predicate) ? whole.high - room : whole.low + room;
}

/// What isReached below appends, of constants.
std::optional<bool> isReached(const ir::Function &function, const Op &loop, Wide step) {
  const ir::Scalar *low = function.constant(loop.operands[0]),
                   *high = function.constant(loop.operands[1]);
  if (!low || !high)
    return std::nullopt;
  const Wide way = step > 0 ? valueOf(*high) - valueOf(*low) : valueOf(*low) - valueOf(*high);
  return way >= (loop.postTest ? 1 : 0) && way % step == 0;
}

} // namespace

std::optional<uint64_t> mostCounted(const ir::Function &function, const Op &loop) {
  const ir::Scalar *constant = function.constant(loop.operands[2]);
  Wide step = constant ? nearest(*constant) : 0;
  bool up = upwards(loop.predicate);
  if (step == 0 || (step > 0) != up || loop.predicate == Predicate::Ne)
    return std::nullopt;
  Range start = rangeOf(function, loop.operands[0]), bound = rangeOf(function, loop.operands[1]);
  Wide span = up ? bound.high - start.low : start.high - bound.low;
  if (!strict(loop.predicate))
    span += 1;
  Wide distance = step < 0 ? -step : step;
  return uint64_t(std::max<Wide>(1, (span + distance - 1) / distance));
}

LoopEnd loopEnd(const ir::Function &function, const Op &loop) {
  ScalarType type = function.value(loop.operands[0]).type;
  const ir::Scalar *constant = function.constant(loop.operands[2]);
  if (!constant)
    return loop.predicate == Predicate::Ne ? LoopEnd::Never : LoopEnd::Checked;
  Wide step = nearest(*constant), distance = step < 0 ? -step : step;
  if (step == 0)
    return LoopEnd::Never;
  if (loop.predicate == Predicate::Ne) {
    if (distance == 1 && !ir::isSigned(type))
      return LoopEnd::Always;
    const std::optional<bool> known = isReached(function, loop, step);
    return !known ? LoopEnd::Checked : *known ? LoopEnd::Always : LoopEnd::Never;
  }
  if (ir::isSigned(type) && (step > 0) != upwards(loop.predicate))
    return LoopEnd::Never;
  Range bound = rangeOf(function, loop.operands[1]);
  Wide last = farthest(loop.predicate, type, distance);
  bool up = upwards(loop.predicate);
  if (up ? bound.high <= last : bound.low >= last)
    return LoopEnd::Always;
  return (up ? bound.low > last : bound.high < last) ? LoopEnd::Never : LoopEnd::Checked;
}

/// The bound is one step away from the end of the type's range, at least.
static ValueId hasRoom(ir::Builder &builder, const Op &loop, ScalarType type, ValueId high,
                       ValueId step, const ir::Scalar *constant) {
  bool up = upwards(loop.predicate);
  Opcode inside = up ? Opcode::Le : Opcode::Ge;
  if (constant) {
    Wide distance = nearest(*constant) < 0 ? -nearest(*constant) : nearest(*constant);
    Wide last = farthest(loop.predicate, type, distance);
    return builder.binary(inside, high, builder.constantInt(type, int64_t(last)));
  }
  // step > 0 and high <= MAX - step (+ 1); downwards, with the signs turned
  ValueId zero = builder.constantInt(type, 0);
  ValueId moves =
      builder.binary(ir::isSigned(type) ? (up ? Opcode::Gt : Opcode::Lt) : Opcode::Ne, step, zero);
  Range whole = rangeOf(type);
  ValueId end = builder.constantInt(type, int64_t(up ? whole.high : whole.low));
  auto wrapping = [&](Opcode opcode, ValueId a, ValueId b) { // a step of the wrong sign
    ValueId result = builder.binary(opcode, a, b);
    ir::Function &to = builder.function();
    to.op(to.value(result).def).speculative = true;
    return result;
  };
  ValueId last = wrapping(Opcode::Sub, end, step);
  if (strict(loop.predicate))
    last = wrapping(up ? Opcode::Add : Opcode::Sub, last, builder.constantInt(type, 1));
  return builder.binary(Opcode::And, moves, builder.binary(inside, high, last));
}

/// high - low is a multiple of the step, in its direction.
static ValueId isReached(ir::Builder &builder, const Op &loop, const ir::Scalar &step, ValueId low,
                         ValueId high) {
  if (nearest(step) < 0)
    std::swap(low, high);
  ValueId ahead = builder.binary(loop.postTest ? Opcode::Lt : Opcode::Le, low, high);
  Wide distance = nearest(step) < 0 ? -nearest(step) : nearest(step);
  if (distance == 1)
    return ahead;
  ValueId from = builder.cast(low, ScalarType::U64), to = builder.cast(high, ScalarType::U64);
  ValueId way = builder.binary(Opcode::Sub, to, from);
  ValueId rest =
      builder.binary(Opcode::Rem, way, builder.constantInt(ScalarType::U64, int64_t(distance)));
  return builder.binary(Opcode::And, ahead,
                        builder.binary(Opcode::Eq, rest, builder.constantInt(ScalarType::U64, 0)));
}

/// The test that a loop which is not entered passes.
static Opcode failing(Predicate predicate) {
  if (upwards(predicate))
    return strict(predicate) ? Opcode::Ge : Opcode::Gt;
  return strict(predicate) ? Opcode::Le : Opcode::Lt;
}

ValueId endCondition(ir::Builder &builder, const ir::Function &function, const Op &loop,
                     ValueId low, ValueId high, ValueId step) {
  const ir::Scalar *constant = function.constant(loop.operands[2]);
  if (loop.predicate == Predicate::Ne)
    return isReached(builder, loop, *constant, low, high);
  ValueId room =
      hasRoom(builder, loop, function.value(loop.operands[0]).type, high, step, constant);
  if (loop.postTest)
    return room;
  return builder.binary(Opcode::Or, room, builder.binary(failing(loop.predicate), low, high));
}

} // namespace colonnade
