//===- FloatSequences.cpp - Floats taken apart by operations --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/FloatSequences.h"

#include <cmath>
#include <cstring>

namespace colonnade::frontend::library {

using ir::MathFn;
using ir::Opcode;
using ir::ScalarType;

static constexpr int ExponentBias = 1023;

static ir::Scalar float64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return {ScalarType::F64, bits};
}

static ValueId clampInt(RawBuilder &builder, ValueId value, int64_t low, int64_t high) {
  ScalarType type = builder.typeOf(value);
  ValueId least = builder.constantInt(type, low), most = builder.constantInt(type, high);
  value = builder.select(builder.binary(Opcode::Lt, value, least), least, value);
  return builder.select(builder.binary(Opcode::Gt, value, most), most, value);
}

/// 2^exponent of a normal double.
static ValueId powerOfTwo(RawBuilder &builder, ValueId exponent) {
  ScalarType type = builder.typeOf(exponent);
  ValueId biased = builder.binary(Opcode::Add, exponent, builder.constantInt(type, ExponentBias));
  biased = builder.cast(biased, ScalarType::U64);
  ValueId bits =
      builder.binary(Opcode::Shl, biased, builder.constantInt(ScalarType::U64, FractionBits));
  return builder.bitcast(bits, ScalarType::F64);
}

/// A large exponent takes two products first. Downwards these stop 2^53 short of the
/// smallest normal number: a product that is rounded there is zero in the end.
ValueId scaleByPower(RawBuilder &builder, ValueId value, ValueId exponent) {
  ScalarType type = builder.typeOf(exponent);
  if (builder.typeOf(value) == ScalarType::F32) {
    ValueId power = powerOfTwo(builder, clampInt(builder, exponent, -400, 400));
    ValueId wide = builder.cast(value, ScalarType::F64);
    return builder.cast(builder.binary(Opcode::Mul, wide, power), ScalarType::F32);
  }
  exponent = clampInt(builder, exponent, -4000, 4000);
  auto scaleIf = [&](Opcode beyond, int limit, int part) {
    ValueId far = builder.binary(beyond, exponent, builder.constantInt(type, limit));
    ValueId scaled =
        builder.binary(Opcode::Mul, value, builder.constant(float64(std::ldexp(1.0, part))));
    ValueId left = builder.binary(Opcode::Sub, exponent, builder.constantInt(type, part));
    value = builder.select(far, scaled, value);
    exponent = builder.select(far, left, exponent);
  };
  for (int i = 0; i < 2; ++i)
    scaleIf(Opcode::Gt, 1023, 1023);
  for (int i = 0; i < 2; ++i)
    scaleIf(Opcode::Lt, -1022, -1022 + 53);
  return builder.binary(Opcode::Mul, value,
                        powerOfTwo(builder, clampInt(builder, exponent, -1022, 1023)));
}

FloatParts splitFloat(RawBuilder &builder, ValueId value) {
  auto u64 = [&](uint64_t bits) { return builder.constant({ScalarType::U64, bits}); };
  auto exponentOf = [&](ValueId v) {
    ValueId bits = builder.bitcast(v, ScalarType::U64);
    ValueId shifted = builder.binary(Opcode::Shr, bits, u64(FractionBits));
    return builder.cast(builder.binary(Opcode::And, shifted, u64(ExponentMask)), ScalarType::S32);
  };
  ScalarType own = builder.typeOf(value);
  value = builder.cast(value, ScalarType::F64);
  ValueId smallest = builder.constant({ScalarType::F64, uint64_t(1) << FractionBits});
  ValueId subnormal = builder.binary(Opcode::Lt, builder.math(MathFn::Fabs, {value}), smallest);
  ValueId raised = builder.binary(Opcode::Mul, value, builder.constant(float64(0x1p54)));
  ValueId normal = builder.select(subnormal, raised, value);
  ValueId nonzero = builder.binary(Opcode::Ne, value, builder.zero(ScalarType::F64));
  ValueId magnitude = builder.math(MathFn::Fabs, {value});
  ValueId infinity = builder.constant({ScalarType::F64, Infinity64});
  ValueId regular =
      builder.binary(Opcode::And, nonzero, builder.binary(Opcode::Lt, magnitude, infinity));
  ValueId bits = builder.bitcast(normal, ScalarType::U64);
  bits = builder.binary(Opcode::And, bits, u64(~Infinity64));
  bits = builder.binary(Opcode::Or, bits, u64(uint64_t(ExponentBias - 1) << FractionBits));
  ValueId lifting = builder.constantInt(ScalarType::S32, 54);
  ValueId lifted = builder.select(subnormal, lifting, builder.zero(ScalarType::S32));
  ValueId exponent = builder.binary(Opcode::Sub, exponentOf(normal), lifted);
  exponent =
      builder.binary(Opcode::Sub, exponent, builder.constantInt(ScalarType::S32, ExponentBias - 1));
  FloatParts parts;
  parts.isRegular = regular;
  parts.fraction =
      builder.cast(builder.select(regular, builder.bitcast(bits, ScalarType::F64), value), own);
  parts.exponent = builder.select(regular, exponent, builder.zero(ScalarType::S32));
  return parts;
}

ValueId integerLogarithm(RawBuilder &builder, ValueId value) {
  FloatParts parts = splitFloat(builder, value);
  auto s32 = [&](int64_t v) { return builder.constantInt(ScalarType::S32, v); };
  ValueId isZero = builder.binary(Opcode::Eq, value, builder.zero(builder.typeOf(value)));
  ValueId isNan = builder.binary(Opcode::Ne, value, value);
  ValueId ofNan = s32(FP_ILOGBNAN);
  ValueId special = builder.select(isNan, ofNan, s32(INT32_MAX));
  special = builder.select(isZero, s32(FP_ILOGB0), special);
  ValueId regular = builder.binary(Opcode::Sub, parts.exponent, s32(1));
  return builder.select(parts.isRegular, regular, special);
}

WholeAndRest splitInteger(RawBuilder &builder, ValueId value) {
  ScalarType type = builder.typeOf(value);
  ValueId whole = builder.math(MathFn::Trunc, {value});
  ValueId magnitude = builder.math(MathFn::Fabs, {value});
  ValueId infinity = builder.constant({type, type == ScalarType::F32 ? Infinity32 : Infinity64});
  ValueId infinite = builder.binary(Opcode::Eq, magnitude, infinity);
  ValueId none = builder.zero(type);
  ValueId rest = builder.select(infinite, none, builder.binary(Opcode::Sub, value, whole));
  return {whole, builder.math(MathFn::Copysign, {rest, value})};
}

} // namespace colonnade::frontend::library
