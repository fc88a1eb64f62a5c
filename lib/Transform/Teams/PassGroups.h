//===- PassGroups.h - Passes that are fused ---------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: operations that consist of passes (FindPasses.h), one after the other, and how many bits the
// slots of a unit have. Out: groups of consecutive passes that only combine cells of a unit, and
// which bits these differ in.
//
// Invariant: passes are in their order. A group's slots lie in one way in each unit.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_PASSGROUPS_H
#define COLONNADE_TRANSFORM_TEAMS_PASSGROUPS_H

#include "Transform/Teams/FindPasses.h"

#include "llvm/ADT/ArrayRef.h"

namespace colonnade {

/// A bit of a unit's number that says whether its slots are the other way round: cell r is in slot
/// r xor all ones; or no bit: they never are; or nothing of it matters.
struct Mirror {
  enum class Kind : uint8_t { Any, Never, Bit } kind = Kind::Any;
  unsigned bit = 0;
  bool operator==(const Mirror &) const = default;
};

/// Passes that are fused.
struct PassGroup {
  std::vector<uint32_t> arrays;
  unsigned numBits = 0; // of a cell's number
  uint64_t bits = 0;    // of these, the slot's
  std::vector<const Pass *> passes;
  Mirror mirror;
};

/// No pass needs more bits.
std::vector<PassGroup> passGroups(const ir::Function &kernel,
                                  llvm::ArrayRef<const PassesOfOperation *> operations,
                                  unsigned bits);

/// The numbers of the bits that are set, the lowest first.
std::vector<unsigned> bitsOf(uint64_t set);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_PASSGROUPS_H
