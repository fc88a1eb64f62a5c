//===- FindPasses.h - Passes over all cells of an array ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known. Out: for each operation of its body that consists of *passes*
// and of nothing else, these passes in their order.
//
// A pass is one execution of a loop, or of a nest, whose iterations each have cells of their own:
// the cells of an iteration are those whose numbers differ from its lowest one in certain bits, the
// same for all iterations; and the iterations' counters follow from the bits of their lowest cells:
//
//   for (i = 0; i < 1024; ++i)        lowest cells: all without bit 3; i = lowest
//     if ((i ^ 8) > i)                accessed: lowest, and lowest ^ 8
//       sort(a[i], a[i ^ 8]);
//
//   for (s = 0; s < 1024; s += 16)    lowest cells: all without bit 3;
//     for (k = 0; k < 8; ++k)         s = lowest & ~7, k = lowest & 7
//       butterfly(a[s + k], a[s + k + 8]);
//
// Invariant: found by a walk of all iterations with their values, not by patterns. Two iterations
// of a pass have no cell in common of an array that one of them stores to.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_FINDPASSES_H
#define COLONNADE_TRANSFORM_TEAMS_FINDPASSES_H

#include "IR/Function.h"
#include "Transform/Teams/MapBits.h"
#include "Transform/WalkBudget.h"

#include <map>
#include <optional>
#include <set>

namespace colonnade {

/// What the iterations of a pass that access cells do at a branch.
enum class Decision : uint8_t {
  Then, // all take it
  Else,
  ThenAtZero, // those in whose lowest cell the pass's direction bit is 0 take it, no others:
  ElseAtZero, //   (i & 64) == 0, of cell i
  Known,      // it is known, and not decided by one bit
  Data,
};

struct Pass {
  std::vector<OpId> nest; // the loop, and those in it, each all that the one before does
  std::map<uint32_t, ir::Scalar> known;  // by value from between the operation and the loop
  std::map<uint32_t, Decision> branches; // by If operation
  std::map<uint32_t, uint64_t> apart;    // by access: its cell, xor the lowest one
  uint64_t differ = 0;                   // bits in which cells of an iteration differ
  uint64_t bits = 0;                     // those, and what else no lowest cell has
  std::vector<BitMap> counters;          // of the loops, by lowest cell; its bits alone have images
  std::optional<unsigned> direction;     // the bit that decides branches, of all the same
  std::set<uint32_t> written;            // arrays each of whose cells is stored to before all else
};

/// Of one operation of the kernel's body.
struct PassesOfOperation {
  OpId operation;
  std::vector<uint32_t> arrays; // whose cells these are; of all the same number
  unsigned numBits = 0;         // of a cell's number
  std::vector<Pass> passes;
  std::map<uint32_t, ir::Scalar> results; // of the operation
};

std::vector<PassesOfOperation> findPasses(const ir::Function &kernel, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_FINDPASSES_H
