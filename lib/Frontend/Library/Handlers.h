//===- Handlers.h - The handlers that the table names ----------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a call of a function that the table knows. Out: its value, or none if the call
// is of a form that has to be lowered like any other.
//
// Invariant: a handler relies on the number of arguments that its rows give.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LIBRARY_HANDLERS_H
#define COLONNADE_FRONTEND_LIBRARY_HANDLERS_H

#include "Frontend/Library/Table.h"

namespace colonnade::frontend::library {

// Math.cpp
CallResult lowerMath(const LibraryCall &call, ir::MathFn fn);
CallResult lowerRounding(const LibraryCall &call, ir::MathFn fn);
template <ir::MathFn Fn> CallResult math(const LibraryCall &call) { return lowerMath(call, Fn); }
/// lround, lrint: rounds, then converts.
template <ir::MathFn Fn> CallResult roundToInteger(const LibraryCall &call) {
  return lowerRounding(call, Fn);
}
CallResult longDouble(const LibraryCall &call);      // sinl
CallResult absolute(const LibraryCall &call);        // std::abs
CallResult integerAbsolute(const LibraryCall &call); // labs
CallResult interpolate(const LibraryCall &call);     // std::lerp

// FloatClasses.cpp
CallResult isNan(const LibraryCall &call);
CallResult isInfinite(const LibraryCall &call);
CallResult signOfInfinity(const LibraryCall &call);
CallResult isFinite(const LibraryCall &call);
CallResult isNormal(const LibraryCall &call);
CallResult signBit(const LibraryCall &call);
CallResult compareFloats(const LibraryCall &call, ir::Opcode opcode);
/// isless: false for NaNs, without a signal.
template <ir::Opcode Op> CallResult comparison(const LibraryCall &call) {
  return compareFloats(call, Op);
}
CallResult isLessOrGreater(const LibraryCall &call);
CallResult isUnordered(const LibraryCall &call);

// FloatParts.cpp
CallResult scaleByPowerOfTwo(const LibraryCall &call);   // ldexp
CallResult fractionAndExponent(const LibraryCall &call); // frexp
CallResult fractionAndWhole(const LibraryCall &call);    // modf
CallResult exponentOf(const LibraryCall &call);          // ilogb
CallResult positiveDifference(const LibraryCall &call);  // fdim

// Bits.cpp
CallResult countOnes(const LibraryCall &call);
CallResult countLeadingZeros(const LibraryCall &call);
CallResult countTrailingZeros(const LibraryCall &call);
CallResult parity(const LibraryCall &call);
CallResult findFirstSet(const LibraryCall &call);
CallResult reverseBytes(const LibraryCall &call);
CallResult rotateLeft(const LibraryCall &call);
CallResult rotateRight(const LibraryCall &call);
CallResult countRedundantSignBits(const LibraryCall &call); // __builtin_clrsb

// Overflow.cpp
CallResult lowerOverflow(const LibraryCall &call, ir::Opcode opcode);
/// __builtin_add_overflow.
template <ir::Opcode Op> CallResult overflowing(const LibraryCall &call) {
  return lowerOverflow(call, Op);
}

// Memory.cpp, MemoryCompare.cpp
CallResult copyMemory(const LibraryCall &call); // memcpy
CallResult moveMemory(const LibraryCall &call); // memmove
CallResult fillMemory(const LibraryCall &call); // memset
CallResult zeroMemory(const LibraryCall &call); // bzero
CallResult compareMemory(const LibraryCall &call);
CallResult compareElements(const LibraryCall &call); // libstdc++'s memcmp of elements: std::equal

// Extremes.cpp
CallResult leastOfList(const LibraryCall &call); // std::min({a, b, c})
CallResult greatestOfList(const LibraryCall &call);
CallResult readLeast(const LibraryCall &call); // the value of std::min(a, b)
CallResult readGreatest(const LibraryCall &call);
CallResult readClamped(const LibraryCall &call);

// Objects.cpp
CallResult placeOfArgument(const LibraryCall &call); // std::move, std::addressof
CallResult castBits(const LibraryCall &call);

// StdArrays.cpp
CallResult arraySize(const LibraryCall &call);
CallResult arrayIsEmpty(const LibraryCall &call);
CallResult arrayFirst(const LibraryCall &call);
CallResult arrayEnd(const LibraryCall &call);
CallResult arrayLast(const LibraryCall &call);
CallResult arrayElement(const LibraryCall &call);
CallResult arrayCheckedElement(const LibraryCall &call);
CallResult arrayGet(const LibraryCall &call);

// Builtins.cpp
CallResult annotation(const LibraryCall &call);
CallResult firstArgument(const LibraryCall &call); // __builtin_expect
CallResult prefetch(const LibraryCall &call);      // its operands alone
CallResult hint(const LibraryCall &call);          // __builtin_assume: never evaluated
CallResult trap(const LibraryCall &call);
/// Any builtin that no row has taken: a constant of the language, or outside the subset.
CallResult otherBuiltin(const LibraryCall &call);

} // namespace colonnade::frontend::library

#endif // COLONNADE_FRONTEND_LIBRARY_HANDLERS_H
