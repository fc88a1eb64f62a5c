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

CallResult fractionAndExponent(const LibraryCall &call) {
  if (!takesFloat(call))
    return std::nullopt;
  ValueId value = floatArgument(call);
  LValue place = pointedTo(call);
  call.here();
  FloatParts parts = splitFloat(call.builder(), value);
  call.function.storeTo(place, parts.exponent, call.loc());
  return parts.fraction;
}

CallResult fractionAndWhole(const LibraryCall &call) {
  if (!takesFloat(call))
    return std::nullopt;
  ValueId value = floatArgument(call);
  LValue place = pointedTo(call);
  call.here();
  WholeAndRest parts = splitInteger(call.builder(), value);
  call.function.storeTo(place, parts.whole, call.loc());
  return parts.rest;
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
