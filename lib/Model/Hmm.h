//===- Hmm.h - A kernel on the hierarchical memory machine ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HMM(d, w, l), by our definition (docs/models/hmm.md): d DMMs of width w and latency 1, whose
// warps share one UMM of width w and latency l. The warps are dealt out to the DMMs in stretches of
// equal length. Stepwise, an access to the UMM takes the stages of all warps and l - 1; one to the
// shared memories the stages of the DMM that takes longest, since they work side by side.
//
// In: the addresses that warps ask for; or the profile of one instance, a kernel that says where
// arrays are, a layout. Out: what all instances cost, each access made by all of them.
// Invariant: with d = 1 and nothing in shared memory, the stepwise time of the UMM.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_HMM_H
#define COLONNADE_MODEL_HMM_H

#include "Model/BulkCost.h"

namespace colonnade::model {

struct HmmMachine {
  int64_t dmms = 132;     // d
  int64_t width = 32;     // w
  int64_t latency = 600;  // l
  bool broadcast = false; // on a DMM, requests of one warp for one address are one request
};

using WarpAddresses = std::vector<int64_t>;

/// One step: what each warp asks of the UMM; 0 if nothing.
uint64_t globalTime(const HmmMachine &machine, llvm::ArrayRef<WarpAddresses> warps);
/// One step: what the warps of each DMM ask of its memory.
uint64_t sharedTime(const HmmMachine &machine, llvm::ArrayRef<std::vector<WarpAddresses>> dmms);

/// How many of the threads the DMM with the most has.
int64_t threadsOfFullestDmm(const HmmMachine &machine, int64_t count);

struct HmmCost {
  uint64_t globalSteps = 0, sharedSteps = 0; // of an instance
  uint64_t stepwise = 0;
  uint64_t lowerBound = 0; // of any layout: bandwidth of either memory, or latency
  /// Where teams run instances, and it is not counted which banks their members ask for: if all of
  /// a warp's lanes ask for one each time.
  std::optional<uint64_t> stepwiseMost = {};
};

/// Error: the numbers do not fit 64 bits.
/// stagedAccesses: of an instance to rows that its warp stages, with their copies.
llvm::Expected<HmmCost> hmmCost(const HmmMachine &machine, const ir::Function &kernel,
                                Layout layout, const BulkInput &input, uint64_t stagedAccesses = 0);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_HMM_H
