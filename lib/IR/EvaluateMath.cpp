//===- EvaluateMath.cpp - Functions of <cmath> on scalars ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All by the host's functions of the operand type: the exact ones are correctly
// rounded there, the others define what the CPU back end must reproduce.
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"

#include "llvm/ADT/bit.h"

#include <cmath>

namespace colonnade::ir {

namespace {
template <class Float> Float callExact(MathFn fn, Float a, Float b, Float c) {
  switch (fn) {
  case MathFn::Sqrt:
    return std::sqrt(a);
  case MathFn::Fma:
    return std::fma(a, b, c);
  case MathFn::Fabs:
    return std::fabs(a);
  case MathFn::Floor:
    return std::floor(a);
  case MathFn::Ceil:
    return std::ceil(a);
  case MathFn::Trunc:
    return std::trunc(a);
  case MathFn::Rint:
    return std::rint(a);
  case MathFn::Copysign:
    return std::copysign(a, b);
  case MathFn::Fmin:
    return std::fmin(a, b);
  case MathFn::Fmax:
    return std::fmax(a, b);
  case MathFn::Round:
    return std::round(a);
  case MathFn::Fmod:
    return std::fmod(a, b);
  default:
    return a;
  }
}

template <class Float> Float callInexact(MathFn fn, Float a, Float b) {
  switch (fn) {
  case MathFn::Sin:
    return std::sin(a);
  case MathFn::Cos:
    return std::cos(a);
  case MathFn::Tan:
    return std::tan(a);
  case MathFn::Asin:
    return std::asin(a);
  case MathFn::Acos:
    return std::acos(a);
  case MathFn::Atan:
    return std::atan(a);
  case MathFn::Atan2:
    return std::atan2(a, b);
  case MathFn::Sinh:
    return std::sinh(a);
  case MathFn::Cosh:
    return std::cosh(a);
  case MathFn::Tanh:
    return std::tanh(a);
  case MathFn::Exp:
    return std::exp(a);
  case MathFn::Exp2:
    return std::exp2(a);
  case MathFn::Expm1:
    return std::expm1(a);
  case MathFn::Log:
    return std::log(a);
  case MathFn::Log2:
    return std::log2(a);
  case MathFn::Log10:
    return std::log10(a);
  case MathFn::Log1p:
    return std::log1p(a);
  case MathFn::Pow:
    return std::pow(a, b);
  case MathFn::Cbrt:
    return std::cbrt(a);
  case MathFn::Hypot:
    return std::hypot(a, b);
  case MathFn::Erf:
    return std::erf(a);
  case MathFn::Erfc:
    return std::erfc(a);
  default:
    return a;
  }
}

template <class Float, class Bits>
Scalar callOn(MathFn fn, ScalarType type, llvm::ArrayRef<Scalar> args) {
  Float values[3] = {};
  for (size_t i = 0; i < args.size(); ++i)
    values[i] = llvm::bit_cast<Float>(static_cast<Bits>(args[i].bits));
  Float result = isExact(fn) ? callExact(fn, values[0], values[1], values[2])
                             : callInexact(fn, values[0], values[1]);
  return {type, llvm::bit_cast<Bits>(result)};
}
} // namespace

Evaluation evaluateMath(MathFn fn, llvm::ArrayRef<Scalar> args) {
  ScalarType type = args[0].type;
  if (type == ScalarType::F32)
    return {callOn<float, uint32_t>(fn, type, args)};
  return {callOn<double, uint64_t>(fn, type, args)};
}

} // namespace colonnade::ir
