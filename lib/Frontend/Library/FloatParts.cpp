//===- FloatParts.cpp - ldexp, frexp, modf, ilogb and fdim ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sequences of FloatSequences.h, stored where the second argument points to. An
// integer argument is taken as a double, as std::ldexp and its kin do.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/FloatSequences.h"
#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"

namespace colonnade::frontend::library {

using ir::Opcode;
using ir::ScalarType;

/// The call's first argument can be taken as a float.
static bool takesFloat(const LibraryCall &call) {
  std::optional<ScalarType> type = call.typeOf(0);
  return call.type() && type && *type != ScalarType::Pointer;
}

static ValueId floatArgument(const LibraryCall &call) {
  ValueId value = call.value(0);
  return isFloat(*call.typeOf(0)) ? value : call.builder().convert(value, ScalarType::F64);
}

/// What the pointer in the second argument points to.
static LValue pointedTo(const LibraryCall &call) {
  ValueId pointer = call.value(1);
  return {pointer, call.arg(1).getType()->getPointeeType()};
}

CallResult scaleByPowerOfTwo(const LibraryCall &call) {
  if (!takesFloat(call))
    return std::nullopt;
  ValueId value = floatArgument(call), exponent = call.value(1);
  call.here();
  return scaleByPower(call.builder(), value, exponent);
}

namespace {
struct TwoParts {
  ValueId returned, stored;
};
} // namespace

/// One part is the call's value, the other is stored where the second argument points.
static CallResult storeOnePart(const LibraryCall &call,
                               llvm::function_ref<TwoParts(ValueId)> split) {
  if (!takesFloat(call))
    return std::nullopt;
  ValueId value = floatArgument(call);
  LValue place = pointedTo(call);
  call.here();
  TwoParts parts = split(value);
  call.function.storeTo(place, parts.stored, call.loc());
  return parts.returned;
}

CallResult fractionAndExponent(const LibraryCall &call) {
  return storeOnePart(call, [&](ValueId value) {
    FloatParts parts = splitFloat(call.builder(), value);
    return TwoParts{parts.fraction, parts.exponent};
  });
}

CallResult fractionAndWhole(const LibraryCall &call) {
  return storeOnePart(call, [&](ValueId value) {
    WholeAndRest parts = splitInteger(call.builder(), value);
    return TwoParts{parts.rest, parts.whole};
  });
}

CallResult exponentOf(const LibraryCall &call) {
  if (!takesFloat(call))
    return std::nullopt;
  ValueId value = floatArgument(call);
  call.here();
  return integerLogarithm(call.builder(), value);
}

CallResult positiveDifference(const LibraryCall &call) {
  if (!takesFloat(call))
    return std::nullopt;
  RawBuilder &builder = call.builder();
  ValueId left = floatArgument(call), right = call.value(1);
  call.here();
  ScalarType wide = *call.type();
  left = builder.convert(left, wide);
  right = builder.convert(right, wide);
  ValueId isLess = builder.binary(Opcode::Le, left, right); // with a NaN the difference is one
  ValueId difference = builder.binary(Opcode::Sub, left, right);
  return builder.select(isLess, builder.zero(wide), difference);
}

} // namespace colonnade::frontend::library
