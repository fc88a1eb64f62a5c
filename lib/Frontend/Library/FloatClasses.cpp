//===- FloatClasses.cpp - isnan, isless and their kin ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons with a NaN are false, but for !=; so the classes of a float are a few
// comparisons of its magnitude, without a branch and without a signal.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/FloatSequences.h"
#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"

namespace colonnade::frontend::library {

using ir::MathFn;
using ir::Opcode;
using ir::ScalarType;

namespace {
/// The float that is asked about.
struct Classified {
  RawBuilder &builder;
  ValueId value;
  ScalarType type; // F32 or F64

  ValueId magnitude() const { return builder.math(MathFn::Fabs, {value}); }
  ValueId constant(uint64_t bits32, uint64_t bits64) const {
    return builder.constant({type, type == ScalarType::F32 ? bits32 : bits64});
  }
  /// Also of -0 and of negative NaNs.
  ValueId isNegative() const {
    ScalarType bits = type == ScalarType::F32 ? ScalarType::S32 : ScalarType::S64;
    ValueId pattern = builder.bitcast(value, bits);
    return builder.binary(Opcode::Lt, pattern, builder.zero(bits));
  }
  ValueId compareWithInfinity(Opcode opcode) const {
    ValueId size = magnitude();
    return builder.binary(opcode, size, constant(Infinity32, Infinity64));
  }
};
} // namespace

/// What `test` says of the argument, as the call's type.
static CallResult classify(const LibraryCall &call,
                           llvm::function_ref<ValueId(const Classified &)> test) {
  std::optional<ScalarType> type = call.type(), argType = call.typeOf(0);
  if (!type || !argType || !isFloat(*argType))
    return std::nullopt;
  Classified classified = {call.builder(), call.value(0), *argType};
  call.here();
  return call.builder().convert(test(classified), *type);
}

CallResult isNan(const LibraryCall &call) {
  return classify(
      call, [](const Classified &x) { return x.builder.binary(Opcode::Ne, x.value, x.value); });
}

CallResult isInfinite(const LibraryCall &call) {
  return classify(call, [](const Classified &x) { return x.compareWithInfinity(Opcode::Eq); });
}

CallResult isFinite(const LibraryCall &call) {
  return classify(call, [](const Classified &x) { return x.compareWithInfinity(Opcode::Lt); });
}

CallResult isNormal(const LibraryCall &call) {
  return classify(call, [](const Classified &x) {
    ValueId finite = x.compareWithInfinity(Opcode::Lt);
    ValueId size = x.magnitude();
    ValueId smallest = x.constant(0x00800000, uint64_t(1) << FractionBits);
    return x.builder.binary(Opcode::And, finite, x.builder.binary(Opcode::Ge, size, smallest));
  });
}

CallResult signBit(const LibraryCall &call) {
  return classify(call, [](const Classified &x) { return x.isNegative(); });
}

/// -1, 0 or 1.
CallResult signOfInfinity(const LibraryCall &call) {
  return classify(call, [&](const Classified &x) {
    ValueId infinite = x.builder.convert(x.compareWithInfinity(Opcode::Eq), *call.type());
    ValueId negative = x.isNegative();
    return x.builder.select(negative, x.builder.unary(Opcode::Neg, infinite), infinite);
  });
}

namespace {
struct FloatPair {
  ValueId a, b;
};
} // namespace

/// Both arguments as the wider of their types.
static std::optional<FloatPair> comparedFloats(const LibraryCall &call) {
  for (unsigned i : {0u, 1u}) {
    std::optional<ScalarType> type = call.typeOf(i);
    if (!call.type() || !type || !isFloat(*type))
      return std::nullopt;
  }
  RawBuilder &builder = call.builder();
  ValueId left = call.value(0), right = call.value(1);
  call.here();
  ScalarType wide =
      builder.typeOf(left) == ScalarType::F32 ? builder.typeOf(right) : builder.typeOf(left);
  ValueId a = builder.convert(left, wide), b = builder.convert(right, wide);
  return FloatPair{a, b};
}

CallResult compareFloats(const LibraryCall &call, Opcode opcode) {
  std::optional<FloatPair> pair = comparedFloats(call);
  if (!pair)
    return std::nullopt;
  return call.builder().convert(call.builder().binary(opcode, pair->a, pair->b), *call.type());
}

/// Whether either holds.
static CallResult compareEither(const LibraryCall &call,
                                llvm::function_ref<ValueId(const FloatPair &)> first,
                                llvm::function_ref<ValueId(const FloatPair &)> second) {
  std::optional<FloatPair> pair = comparedFloats(call);
  if (!pair)
    return std::nullopt;
  ValueId one = first(*pair);
  ValueId either = call.builder().binary(Opcode::Or, one, second(*pair));
  return call.builder().convert(either, *call.type());
}

CallResult isLessOrGreater(const LibraryCall &call) {
  RawBuilder &builder = call.builder();
  return compareEither(
      call, [&](const FloatPair &pair) { return builder.binary(Opcode::Lt, pair.a, pair.b); },
      [&](const FloatPair &pair) { return builder.binary(Opcode::Gt, pair.a, pair.b); });
}

CallResult isUnordered(const LibraryCall &call) {
  RawBuilder &builder = call.builder();
  return compareEither(
      call, [&](const FloatPair &pair) { return builder.binary(Opcode::Ne, pair.a, pair.a); },
      [&](const FloatPair &pair) { return builder.binary(Opcode::Ne, pair.b, pair.b); });
}

} // namespace colonnade::frontend::library
