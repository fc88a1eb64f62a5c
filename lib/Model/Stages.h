//===- Stages.h - Pipeline stages of one warp's requests --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the addresses that the threads of a warp request at once. Out: k, how many stages of the
// memory's pipeline they occupy, by section II of "Bulk Execution of Oblivious Algorithms on the
// Unified Memory Machine".
//
//   UMM   distinct address groups: one stage carries one group
//   DMM   the most requests to one bank: one stage carries one request a bank
//
// Invariant: k does not depend on the order of the threads, and is 0 only without requests.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_STAGES_H
#define COLONNADE_MODEL_STAGES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace colonnade::model {

enum class MemoryModel : uint8_t { Umm, Dmm };
const char *name(MemoryModel model); // "UMM"

/// The papers' machine of width w has warps of w threads, w banks and groups of w cells. Those of
/// real machines differ: 32 threads, and sectors of 32 bytes.
struct MemoryMachine {
  MemoryModel model = MemoryModel::Umm;
  int64_t warp = 32;      // threads
  int64_t group = 32;     // cells of an address group (UMM), banks (DMM)
  int64_t latency = 600;  // l
  bool broadcast = false; // requests of one warp for one address are one request
};

uint64_t stages(const MemoryMachine &machine, llvm::ArrayRef<int64_t> addresses);

/// Rounded down, also below zero: a masked access may lie outside its array.
int64_t floorDivide(int64_t a, int64_t b);
/// The remainder of that, from 0 on.
int64_t floorRemainder(int64_t a, int64_t b);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_STAGES_H
