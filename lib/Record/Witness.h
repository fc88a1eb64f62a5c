//===- Witness.h - Two inputs whose addresses differ ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   groups of inputs with the same uniform values ─▶ record each ─▶ compare by name
//
// In: a function that is refused, and a recorder of its original that names accesses. Out: two
// inputs for which one access (the same place, calls and iterations) has different addresses, or
// a loop a different number of iterations.
//
// Invariant: that one input accesses where the other does not is no witness: a function may do
// that. The uniform scalars and arrays of the two inputs are the same. Inputs on which the
// interpreter finds undefined behaviour are not used.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_WITNESS_H
#define COLONNADE_RECORD_WITNESS_H

#include "Record/Validation.h"

namespace colonnade::record {

struct WitnessSubject {
  const ir::Module &module;
  const ir::Function &canonical;
  const ir::Function &unreduced;
  const TracedArrays &arrays;
  Recorder &recorder;
  size_t caller = 0;
  /// Places of loops whose number of iterations is what is refused.
  std::vector<Site> loops = {};
};

/// What the step with the same name does for one of the inputs.
struct WitnessStep {
  Instance input;
  size_t rank = 0;    // among the steps of its run
  std::string access; // "load table[7]"; of a loop: how often its head was come to
};

struct Witness {
  uint32_t site = 0;
  bool isLoop = false;
  WitnessStep first, second;
};

struct WitnessOptions {
  double seconds = 5;
  uint64_t seed = 1;
  /// Cells behind a pointer whose extent is unknown.
  int64_t unknownCells = 4096;
};

struct WitnessSearch {
  std::optional<Witness> witness;
  unsigned numInputs = 0; // recorded
};

llvm::Expected<WitnessSearch> findWitness(const WitnessSubject &subject, const GivenInputs &given,
                                          const WitnessOptions &options);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_WITNESS_H
