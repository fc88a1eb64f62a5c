//===- Overflow.cpp - __builtin_add_overflow and its kin -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result as if no type had limits, which two words of 64 bits hold; then cut to the type
// that the third argument points to, and stored there. True if that changed it.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"

namespace colonnade::frontend::library {

using ir::Opcode;
using ir::ScalarType;

namespace {

/// In two's complement, modulo 2^128. Both words are U64.
struct TwoWords {
  ValueId low, high;
};

class WideArithmetic {
public:
  explicit WideArithmetic(RawBuilder &builder) : builder_(builder) {}

  TwoWords widened(ValueId value) {
    return {builder_.cast(value, ScalarType::U64), signWord(value)};
  }

  TwoWords sum(TwoWords a, TwoWords b) {
    ValueId low = binary(Opcode::Add, a.low, b.low);
    ValueId carry = builder_.cast(binary(Opcode::Lt, low, a.low), ScalarType::U64);
    return {low, binary(Opcode::Add, binary(Opcode::Add, a.high, b.high), carry)};
  }

  TwoWords difference(TwoWords a, TwoWords b) {
    ValueId borrow = builder_.cast(binary(Opcode::Lt, a.low, b.low), ScalarType::U64);
    ValueId high = binary(Opcode::Sub, binary(Opcode::Sub, a.high, b.high), borrow);
    return {binary(Opcode::Sub, a.low, b.low), high};
  }

  TwoWords product(TwoWords a, TwoWords b) {
    ValueId high = highProduct(a.low, b.low);
    high = binary(Opcode::Add, high, binary(Opcode::Mul, a.low, b.high));
    high = binary(Opcode::Add, high, binary(Opcode::Mul, a.high, b.low));
    return {binary(Opcode::Mul, a.low, b.low), high};
  }

  /// Of numbers of 32 bits at most: one word holds it.
  TwoWords shortProduct(TwoWords a, TwoWords b, bool anySigned) {
    ValueId low = binary(Opcode::Mul, a.low, b.low);
    return {low, anySigned ? signWord(builder_.cast(low, ScalarType::S64)) : word(0)};
  }

  ValueId differ(TwoWords a, TwoWords b) {
    ValueId low = binary(Opcode::Ne, a.low, b.low), high = binary(Opcode::Ne, a.high, b.high);
    return binary(Opcode::Or, low, high);
  }

private:
  ValueId binary(Opcode opcode, ValueId a, ValueId b) { return builder_.binary(opcode, a, b); }
  ValueId word(uint64_t bits) { return builder_.constant({ScalarType::U64, bits}); }

  /// All ones for a number below zero, else zero.
  ValueId signWord(ValueId value) {
    ScalarType type = builder_.typeOf(value);
    if (!isSigned(type))
      return word(0);
    ValueId isNegative = binary(Opcode::Lt, value, builder_.zero(type));
    ValueId ones = word(~uint64_t(0)), none = word(0);
    return builder_.select(isNegative, ones, none);
  }

  /// The upper word of a product, from products of half words.
  ValueId highProduct(ValueId a, ValueId b) {
    ValueId by = builder_.constantInt(ScalarType::S32, 32), mask = word(0xffffffff);
    auto upper = [&](ValueId v) { return binary(Opcode::Shr, v, by); };
    auto lower = [&](ValueId v) { return binary(Opcode::And, v, mask); };
    ValueId aLow = lower(a), aHigh = upper(a), bLow = lower(b), bHigh = upper(b);
    ValueId cross = binary(Opcode::Mul, aHigh, bLow);
    cross = binary(Opcode::Add, cross, upper(binary(Opcode::Mul, aLow, bLow)));
    ValueId crossLow = lower(cross), otherCross = binary(Opcode::Mul, aLow, bHigh);
    ValueId other = binary(Opcode::Add, crossLow, otherCross);
    ValueId highest = binary(Opcode::Mul, aHigh, bHigh), crossHigh = upper(cross);
    ValueId high = binary(Opcode::Add, highest, crossHigh);
    return binary(Opcode::Add, high, upper(other));
  }

  RawBuilder &builder_;
};

} // namespace

static TwoWords computed(const LibraryCall &call, Opcode opcode, ValueId left, ValueId right) {
  WideArithmetic wide(call.builder());
  TwoWords a = wide.widened(left), b = wide.widened(right);
  if (opcode == Opcode::Add)
    return wide.sum(a, b);
  if (opcode == Opcode::Sub)
    return wide.difference(a, b);
  ScalarType x = *call.typeOf(0), y = *call.typeOf(1);
  return bitWidth(x) <= 32 && bitWidth(y) <= 32
             ? wide.shortProduct(a, b, isSigned(x) || isSigned(y))
             : wide.product(a, b);
}

/// Clang evaluates the signed factor first where only one is signed, and one of them is as wide
/// as the result.
static bool evaluatesRightFirst(Opcode opcode, ScalarType left, ScalarType right,
                                ScalarType stored) {
  return opcode == Opcode::Mul && !isSigned(left) && isSigned(right) &&
         std::max(bitWidth(left), bitWidth(right)) >= bitWidth(stored);
}

CallResult lowerOverflow(const LibraryCall &call, Opcode opcode) {
  clang::QualType target = call.arg(2).getType()->getPointeeType();
  std::optional<ScalarType> stored = target.isNull() ? std::nullopt : scalarType(target);
  for (std::optional<ScalarType> type : {call.typeOf(0), call.typeOf(1), stored})
    if (!type || !isInteger(*type))
      return std::nullopt;
  const bool rightFirst = evaluatesRightFirst(opcode, *call.typeOf(0), *call.typeOf(1), *stored);
  ValueId first = call.value(rightFirst), second = call.value(!rightFirst);
  ValueId left = rightFirst ? second : first, right = rightFirst ? first : second;
  LValue place = {call.value(2), target};
  call.here();
  TwoWords exact = computed(call, opcode, left, right);
  ValueId result = call.builder().cast(exact.low, *stored);
  WideArithmetic wide(call.builder());
  ValueId overflows = wide.differ(exact, wide.widened(result));
  call.function.storeTo(place, result, call.loc());
  return call.builder().cast(overflows, *call.type());
}

} // namespace colonnade::frontend::library
