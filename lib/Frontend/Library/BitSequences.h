//===- BitSequences.h - Bits counted and moved by operations ---*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an unsigned integer in raw IR; to count in, of 32 or 64 bits. Out: shifts, masks
// and sums that count or move its bits, without a branch, the same in every back end.
//
// Invariant: a result has the type of the value, and is defined for every value: a
// count of zeros of 0 is the width.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LIBRARY_BITSEQUENCES_H
#define COLONNADE_FRONTEND_LIBRARY_BITSEQUENCES_H

#include "Frontend/Lowering/RawBuilder.h"

namespace colonnade::frontend::library {

ValueId populationCount(RawBuilder &builder, ValueId value);
ValueId leadingZeros(RawBuilder &builder, ValueId value);
ValueId trailingZeros(RawBuilder &builder, ValueId value);
/// Of 16, 32 or 64 bits.
ValueId swapBytes(RawBuilder &builder, ValueId value);
/// Of any width; `count` is an integer of any type, taken modulo the width.
ValueId rotate(RawBuilder &builder, ValueId value, ValueId count, bool left);

} // namespace colonnade::frontend::library

#endif // COLONNADE_FRONTEND_LIBRARY_BITSEQUENCES_H
