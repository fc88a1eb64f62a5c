//===- MapBits.h - Numbers whose bits are those of others -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a number, and what each of its bits stands for. Out: the exclusive or of what those stand for
// that are set: as few operations as possible, where bits stay side by side.
//
//   mapBits(x, {1, 4, 8})     (x & 1) | (x >> 1 << 2)
//
// Invariant: for numbers that have no bits beyond those.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_MAPBITS_H
#define COLONNADE_TRANSFORM_TEAMS_MAPBITS_H

#include "IR/Builder.h"

#include <map>
#include <optional>

namespace colonnade {

/// number: an S64; images: by bit.
ValueId mapBits(ir::Builder &builder, ValueId number, llvm::ArrayRef<uint64_t> images);

/// a xor b, of which a has no bits but ofA, and b none but ofB.
ValueId joinBits(ir::Builder &builder, ValueId a, uint64_t ofA, ValueId b, uint64_t ofB);

/// A function of a number's bits.
struct BitMap {
  uint64_t first = 0;           // of 0
  std::vector<uint64_t> images; // by bit: what it changes
  uint64_t of(uint64_t number) const;
};
/// The function that has such values, by number: of 0, and of each bit that numbers have.
std::optional<BitMap> bitMapOf(const std::map<uint64_t, uint64_t> &values);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_MAPBITS_H
