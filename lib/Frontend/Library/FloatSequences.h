//===- FloatSequences.h - Floats taken apart by operations -----*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a float or double in raw IR. Out: operations that take it apart or scale it:
// comparisons, products and bits, without a branch, the same in every back end.
//
// Invariant: exact; float is widened to double where that is exact, and every result
// is rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LIBRARY_FLOATSEQUENCES_H
#define COLONNADE_FRONTEND_LIBRARY_FLOATSEQUENCES_H

#include "Frontend/Lowering/RawBuilder.h"

namespace colonnade::frontend::library {

inline constexpr unsigned FractionBits = 52; // of a double
inline constexpr uint64_t ExponentMask = 0x7ff;
inline constexpr uint64_t Infinity64 = ExponentMask << FractionBits;
inline constexpr uint64_t Infinity32 = 0x7f800000;

/// value = fraction * 2^exponent with 0.5 <= |fraction| < 1, of a finite number
/// that is not zero; else the value itself, and 0.
struct FloatParts {
  ValueId fraction, exponent, isRegular;
};
FloatParts splitFloat(RawBuilder &builder, ValueId value);

/// trunc(value), and what is left with the value's sign.
struct WholeAndRest {
  ValueId whole, rest;
};
WholeAndRest splitInteger(RawBuilder &builder, ValueId value);

/// The exponent as an integer, with the host's values for 0, inf and NaN.
ValueId integerLogarithm(RawBuilder &builder, ValueId value);

/// value * 2^exponent.
ValueId scaleByPower(RawBuilder &builder, ValueId value, ValueId exponent);

} // namespace colonnade::frontend::library

#endif // COLONNADE_FRONTEND_LIBRARY_FLOATSEQUENCES_H
