//===- FloatCalls.cpp - Functions of <cmath> that take floats apart -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ldexp, frexp, modf, ilogb and the classifications, from comparisons, products
// and bits: exact, without a branch, and the same in every back end.
//
// Invariant: float is widened to double where that is exact, and every result is
// rounded once.
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace colonnade::frontend {

using clang::Expr;
using ir::MathFn;
using ir::Opcode;
using ir::ScalarType;
using llvm::StringRef;

static constexpr unsigned FractionBits = 52; // of a double
static constexpr int ExponentBias = 1023;
static constexpr uint64_t ExponentMask = 0x7ff;
static constexpr uint64_t Infinity64 = ExponentMask << FractionBits;
static constexpr uint64_t Infinity32 = 0x7f800000;

ValueId FunctionLowering::bitcast(ValueId value, ScalarType to) {
  ir::Op op;
  op.opcode = Opcode::Bitcast;
  op.operands = {value};
  return builder_.result(builder_.append(std::move(op), {to}));
}

static ir::Scalar float64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return {ScalarType::F64, bits};
}

//===----------------------------------------------------------------------===//
// isnan and its kin
//===----------------------------------------------------------------------===//

bool FunctionLowering::lowerClassification(const clang::CallExpr &call, StringRef name,
                                           ValueId &result) {
  enum Kind { None, Nan, Inf, InfSign, Finite, Normal, Sign };
  Kind kind = llvm::StringSwitch<Kind>(name)
                  .Cases("isnan", "isnanf", "__isnan", "__isnanf", Nan)
                  .Cases("isinf", "isinff", "__isinf", "__isinff", Inf)
                  .Case("isinf_sign", InfSign) // what isinf of <math.h> is
                  .Cases("isfinite", "finite", "finitef", "__finite", "__finitef", Finite)
                  .Case("isnormal", Normal)
                  .Cases("signbit", "signbitf", "__signbit", "__signbitf", Sign)
                  .Default(None);
  std::optional<ScalarType> type = scalarType(call.getType());
  if (kind == None || call.getNumArgs() != 1 || !type)
    return lowerFloatComparison(call, name, result);
  std::optional<ScalarType> argType = scalarType(call.getArg(0)->getType());
  if (!argType || !isFloat(*argType))
    return false;
  ValueId value = lowerScalar(*call.getArg(0));
  at(call.getExprLoc());
  bool isFloat32 = *argType == ScalarType::F32;
  auto magnitude = [&] { return builder_.math(MathFn::Fabs, {value}); };
  auto constant = [&](uint64_t bits32, uint64_t bits64) {
    return builder_.constant({*argType, isFloat32 ? bits32 : bits64});
  };
  auto isNegative = [&] {
    ScalarType bits = isFloat32 ? ScalarType::S32 : ScalarType::S64;
    return builder_.binary(Opcode::Lt, bitcast(value, bits), builder_.zero(bits));
  };
  ValueId truth;
  if (kind == Nan) {
    truth = builder_.binary(Opcode::Ne, value, value);
  } else if (kind == Sign) {
    truth = isNegative();
  } else {
    bool infinite = kind == Inf || kind == InfSign;
    truth = builder_.binary(infinite ? Opcode::Eq : Opcode::Lt, magnitude(),
                            constant(Infinity32, Infinity64));
    if (kind == Normal)
      truth = builder_.binary(Opcode::And, truth,
                              builder_.binary(Opcode::Ge, magnitude(),
                                              constant(0x00800000, uint64_t(1) << FractionBits)));
  }
  result = convert(truth, *type);
  if (kind == InfSign) // -1, 0 or 1
    result = builder_.select(isNegative(), builder_.unary(Opcode::Neg, result), result);
  return true;
}

/// isless and its kin: comparisons that a NaN makes false, without a signal.
bool FunctionLowering::lowerFloatComparison(const clang::CallExpr &call, StringRef name,
                                            ValueId &result) {
  // islessgreater is a < b or b < a; isunordered is a != a or b != b.
  Opcode opcode = llvm::StringSwitch<Opcode>(name)
                      .Case("isgreater", Opcode::Gt)
                      .Case("isgreaterequal", Opcode::Ge)
                      .Cases("isless", "islessgreater", Opcode::Lt)
                      .Case("islessequal", Opcode::Le)
                      .Case("isunordered", Opcode::Ne)
                      .Default(Opcode::Undef);
  std::optional<ScalarType> type = scalarType(call.getType());
  if (opcode == Opcode::Undef || call.getNumArgs() != 2 || !type)
    return false;
  ValueId args[2];
  for (unsigned i : {0u, 1u}) {
    std::optional<ScalarType> argType = scalarType(call.getArg(i)->getType());
    if (!argType || !isFloat(*argType))
      return false;
    args[i] = lowerScalar(*call.getArg(i));
  }
  at(call.getExprLoc());
  ScalarType wide = builder_.typeOf(args[0]) == ScalarType::F32 ? builder_.typeOf(args[1])
                                                                : builder_.typeOf(args[0]);
  ValueId a = convert(args[0], wide), b = convert(args[1], wide);
  ValueId truth;
  if (opcode == Opcode::Ne)
    truth = builder_.binary(Opcode::Or, builder_.binary(Opcode::Ne, a, a),
                            builder_.binary(Opcode::Ne, b, b));
  else
    truth = builder_.binary(opcode, a, b);
  if (name == "islessgreater")
    truth = builder_.binary(Opcode::Or, truth, builder_.binary(Opcode::Gt, a, b));
  result = convert(truth, *type);
  return true;
}

//===----------------------------------------------------------------------===//
// Scaling by a power of two
//===----------------------------------------------------------------------===//

ValueId FunctionLowering::clampInt(ValueId value, int64_t low, int64_t high) {
  ScalarType type = builder_.typeOf(value);
  ValueId least = builder_.constantInt(type, low), most = builder_.constantInt(type, high);
  value = builder_.select(builder_.binary(Opcode::Lt, value, least), least, value);
  return builder_.select(builder_.binary(Opcode::Gt, value, most), most, value);
}

/// 2^exponent of a normal double.
ValueId FunctionLowering::powerOfTwo(ValueId exponent) {
  ScalarType type = builder_.typeOf(exponent);
  ValueId biased = builder_.binary(Opcode::Add, exponent, builder_.constantInt(type, ExponentBias));
  return bitcast(builder_.binary(Opcode::Shl, builder_.cast(biased, ScalarType::U64),
                                 builder_.constantInt(ScalarType::U64, FractionBits)),
                 ScalarType::F64);
}

/// value * 2^exponent, rounded once. Large exponents take two products first. The
/// downward ones stop 2^53 short of the smallest normal number, so that a product
/// that is rounded there is one whose result is zero in the end.
ValueId FunctionLowering::scaleByPower(ValueId value, ValueId exponent) {
  ScalarType type = builder_.typeOf(exponent);
  if (builder_.typeOf(value) == ScalarType::F32) {
    ValueId exact = builder_.binary(Opcode::Mul, builder_.cast(value, ScalarType::F64),
                                    powerOfTwo(clampInt(exponent, -400, 400)));
    return builder_.cast(exact, ScalarType::F32);
  }
  exponent = clampInt(exponent, -4000, 4000);
  auto scaleIf = [&](Opcode beyond, int limit, int part) {
    ValueId far = builder_.binary(beyond, exponent, builder_.constantInt(type, limit));
    ValueId scaled =
        builder_.binary(Opcode::Mul, value, builder_.constant(float64(std::ldexp(1.0, part))));
    ValueId left = builder_.binary(Opcode::Sub, exponent, builder_.constantInt(type, part));
    value = builder_.select(far, scaled, value);
    exponent = builder_.select(far, left, exponent);
  };
  for (int i = 0; i < 2; ++i)
    scaleIf(Opcode::Gt, 1023, 1023);
  for (int i = 0; i < 2; ++i)
    scaleIf(Opcode::Lt, -1022, -1022 + 53);
  return builder_.binary(Opcode::Mul, value, powerOfTwo(clampInt(exponent, -1022, 1023)));
}

//===----------------------------------------------------------------------===//
// Fraction and exponent
//===----------------------------------------------------------------------===//

/// value = fraction * 2^exponent with 0.5 <= |fraction| < 1, of a finite number
/// that is not zero; else the value itself, and 0.
FunctionLowering::FloatParts FunctionLowering::splitFloat(ValueId value) {
  auto u64 = [&](uint64_t bits) { return builder_.constant({ScalarType::U64, bits}); };
  auto exponentOf = [&](ValueId v) {
    ValueId shifted = builder_.binary(Opcode::Shr, bitcast(v, ScalarType::U64), u64(FractionBits));
    return builder_.cast(builder_.binary(Opcode::And, shifted, u64(ExponentMask)), ScalarType::S32);
  };
  ScalarType own = builder_.typeOf(value);
  value = builder_.cast(value, ScalarType::F64);
  ValueId smallest = builder_.constant({ScalarType::F64, uint64_t(1) << FractionBits});
  ValueId subnormal = builder_.binary(Opcode::Lt, builder_.math(MathFn::Fabs, {value}), smallest);
  ValueId raised = builder_.binary(Opcode::Mul, value, builder_.constant(float64(0x1p54)));
  ValueId normal = builder_.select(subnormal, raised, value);
  ValueId regular = builder_.binary(
      Opcode::And, builder_.binary(Opcode::Ne, value, builder_.zero(ScalarType::F64)),
      builder_.binary(Opcode::Lt, builder_.math(MathFn::Fabs, {value}),
                      builder_.constant({ScalarType::F64, Infinity64})));
  ValueId bits = builder_.binary(Opcode::And, bitcast(normal, ScalarType::U64), u64(~Infinity64));
  bits = builder_.binary(Opcode::Or, bits, u64(uint64_t(ExponentBias - 1) << FractionBits));
  ValueId lifted = builder_.select(subnormal, builder_.constantInt(ScalarType::S32, 54),
                                   builder_.zero(ScalarType::S32));
  ValueId exponent = builder_.binary(Opcode::Sub, exponentOf(normal), lifted);
  exponent = builder_.binary(Opcode::Sub, exponent,
                             builder_.constantInt(ScalarType::S32, ExponentBias - 1));
  FloatParts parts;
  parts.isRegular = regular;
  parts.fraction =
      builder_.cast(builder_.select(regular, bitcast(bits, ScalarType::F64), value), own);
  parts.exponent = builder_.select(regular, exponent, builder_.zero(ScalarType::S32));
  return parts;
}

/// The exponent as an integer, with the host's values for 0, inf and NaN.
ValueId FunctionLowering::integerLogarithm(ValueId value) {
  FloatParts parts = splitFloat(value);
  auto s32 = [&](int64_t v) { return builder_.constantInt(ScalarType::S32, v); };
  ValueId isZero = builder_.binary(Opcode::Eq, value, builder_.zero(builder_.typeOf(value)));
  ValueId isNan = builder_.binary(Opcode::Ne, value, value);
  ValueId special = builder_.select(isNan, s32(FP_ILOGBNAN), s32(INT32_MAX));
  special = builder_.select(isZero, s32(FP_ILOGB0), special);
  return builder_.select(parts.isRegular, builder_.binary(Opcode::Sub, parts.exponent, s32(1)),
                         special);
}

/// trunc(value), and what is left with the value's sign.
std::pair<ValueId, ValueId> FunctionLowering::splitInteger(ValueId value) {
  ScalarType type = builder_.typeOf(value);
  ValueId whole = builder_.math(MathFn::Trunc, {value});
  ValueId infinite =
      builder_.binary(Opcode::Eq, builder_.math(MathFn::Fabs, {value}),
                      builder_.constant({type, type == ScalarType::F32 ? Infinity32 : Infinity64}));
  ValueId rest =
      builder_.select(infinite, builder_.zero(type), builder_.binary(Opcode::Sub, value, whole));
  return {whole, builder_.math(MathFn::Copysign, {rest, value})};
}

bool FunctionLowering::lowerFloatParts(const clang::CallExpr &call, StringRef name,
                                       ValueId &result) {
  enum Kind { None, Scale, Fraction, Whole, Logarithm, Difference };
  StringRef base = name.ends_with("f") && name != "modf" ? name.drop_back() : name;
  Kind kind = llvm::StringSwitch<Kind>(base)
                  .Cases("ldexp", "scalbn", "scalbln", Scale)
                  .Case("frexp", Fraction)
                  .Case("modf", Whole)
                  .Case("ilogb", Logarithm)
                  .Case("fdim", Difference)
                  .Default(None);
  unsigned arguments = kind == Logarithm ? 1 : 2;
  if (kind == None || call.getNumArgs() != arguments || !scalarType(call.getType()))
    return false;
  // An integer argument is taken as a double, as std::ldexp and its kin do.
  std::optional<ScalarType> type = scalarType(call.getArg(0)->getType());
  if (!type || *type == ScalarType::Pointer)
    return false;
  ValueId value = lowerScalar(*call.getArg(0));
  if (!isFloat(*type))
    value = convert(value, ScalarType::F64);
  if (kind == Logarithm) {
    at(call.getExprLoc());
    result = integerLogarithm(value);
    return true;
  }
  ValueId second = lowerScalar(*call.getArg(1));
  at(call.getExprLoc());
  if (kind == Scale) {
    result = scaleByPower(value, second);
  } else if (kind == Difference) {
    ScalarType wide = *scalarType(call.getType());
    value = convert(value, wide);
    second = convert(second, wide);
    ValueId less = builder_.binary(Opcode::Le, value, second); // neither: a NaN
    ValueId difference = builder_.binary(Opcode::Sub, value, second);
    result = builder_.select(less, builder_.zero(wide), difference);
  } else {
    LValue place = {second, call.getArg(1)->getType()->getPointeeType()};
    if (kind == Fraction) {
      FloatParts parts = splitFloat(value);
      storeTo(place, parts.exponent, call.getExprLoc());
      result = parts.fraction;
    } else {
      auto [whole, rest] = splitInteger(value);
      storeTo(place, whole, call.getExprLoc());
      result = rest;
    }
  }
  return true;
}

} // namespace colonnade::frontend
