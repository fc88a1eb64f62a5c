//===- RandomInputs.h - Data for recorded runs ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a type and a seed. Out: the bits of a value: small numbers, limits, or any bits.
//
// Invariant: a value depends on the seed alone, so a run can be repeated anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_RANDOMINPUTS_H
#define COLONNADE_RECORD_RANDOMINPUTS_H

#include "IR/Function.h"

namespace colonnade::record {

/// What values are like. Large ones overflow in many a function, small ones miss its limits.
enum class Temper : uint8_t {
  Small,  // 0 … 7; 0.5 … 8
  Modest, // -4 … 4 and 0 … 199; -20 … 20
  Wild,   // limits, infinities, not a number, any bits
};

/// One of a sequence, of which each element has its own seed.
uint64_t mixed(uint64_t seed, uint64_t element);

uint64_t randomBits(ir::ScalarType type, Temper temper, uint64_t seed);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_RANDOMINPUTS_H
