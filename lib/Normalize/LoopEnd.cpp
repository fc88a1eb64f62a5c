//===- LoopEnd.cpp - Where its counter ends a loop -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopEnd.h"

namespace colonnade::canonical {

using ir::Predicate;

static Opcode comparisonOf(Predicate predicate) {
  switch (predicate) {
  case Predicate::Lt:
    return Opcode::Lt;
  case Predicate::Le:
    return Opcode::Le;
  case Predicate::Gt:
    return Opcode::Gt;
  case Predicate::Ge:
    return Opcode::Ge;
  case Predicate::Ne:
    return Opcode::Ne;
  }
  return Opcode::Ne;
}

/// Steps of more than one are those of counters that do not begin anew: overflow of int and long is
/// undefined.
LoopEnd::LoopEnd(Folder &fold, Predicate predicate, ValueId start, ValueId limit, Scalar step)
    : fold_(fold), start_(start), limit_(limit),
      isStrict_(predicate == Predicate::Lt || predicate == Predicate::Gt),
      runs_(fold.binary(comparisonOf(predicate), start, limit)) {
  const ScalarType type = step.type;
  if (step.bits == 0 || !ir::isInteger(type))
    return;
  // Of an unsigned counter, -1 is the largest value of its type.
  const bool isUp = step.bits == 1, isDown = step.bits == ir::makeInt(type, -1).bits;
  const int64_t amount = ir::asInt64(step);
  if (predicate == Predicate::Ne) {
    counter_ = limit;
    if (isUp || isDown)
      iterations_ = distance(/*ascends=*/isUp);
    return;
  }
  const bool ascends = predicate == Predicate::Lt || predicate == Predicate::Le;
  if (ascends ? isUp : isDown)
    countByOne(ascends);
  else if (ir::isSigned(type) && ir::bitWidth(type) >= 32 && (amount > 0) == ascends)
    countBySteps(amount > 0 ? uint64_t(amount) : -uint64_t(amount), ascends);
}

void LoopEnd::countByOne(bool ascends) {
  if (!isStrict_)
    return countBySteps(1, ascends);
  iterations_ = distance(ascends);
  counter_ = fold_.select(runs_, limit_, start_);
}

void LoopEnd::countBySteps(uint64_t size, bool ascends) {
  const ValueId one = fold_.constant({ScalarType::U64, 1});
  const ValueId each = fold_.constant({ScalarType::U64, size});
  ValueId way = distance(ascends);
  if (isStrict_)
    way = fold_.wrapping(Opcode::Sub, way, one);
  iterations_ = fold_.wrapping(Opcode::Add, fold_.binary(Opcode::Div, way, each), one);
  way = fold_.cast(fold_.wrapping(Opcode::Mul, iterations_, each), fold_.typeOf(start_));
  const ValueId end = fold_.wrapping(ascends ? Opcode::Add : Opcode::Sub, start_, way);
  counter_ = fold_.select(runs_, end, start_);
}

/// How far it is from the start to the limit, which may lie around the end of the type.
ValueId LoopEnd::distance(bool ascends) {
  const ScalarType type = fold_.typeOf(start_);
  const ScalarType plain = ir::integerType(ir::bitWidth(type) / 8, /*isSigned=*/false);
  const ValueId from = fold_.cast(ascends ? start_ : limit_, plain);
  const ValueId to = fold_.cast(ascends ? limit_ : start_, plain);
  return fold_.cast(fold_.wrapping(Opcode::Sub, to, from), ScalarType::U64);
}

} // namespace colonnade::canonical
