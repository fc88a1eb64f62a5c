//===- DemandedBits.h - How much of an integer is ever looked at -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function. Out: for every integer value a number of low bits.
// Invariant: the other bits can change nothing that is stored, compared, divided or
// addressed. Sums, products and bitwise operations need no more bits of their operands
// than are needed of their result.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LANES_DEMANDEDBITS_H
#define COLONNADE_TRANSFORM_LANES_DEMANDEDBITS_H

#include "IR/Function.h"

namespace colonnade {

/// Add, Sub, Mul, Neg, Not, And, Or, Xor, Shl: bit i of the result depends on no
/// higher bit of an operand (the count of a shift aside).
bool worksOnLowBits(const ir::Op &op);

/// Of values below 2^n the result is below 2^n: And, Or, Xor.
bool staysWithin(const ir::Op &op);

/// By value; 0 for values that are never used, and for floats.
std::vector<unsigned> demandedBits(const ir::Function &function);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LANES_DEMANDEDBITS_H
