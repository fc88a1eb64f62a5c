//===- RememberedLoops.h - What a loop did, for like values -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walked loop runs the loops in it again and again, often with values that differ only by what
// they add to addresses. The first time, such a value is taken as what it is plus a symbol, which
// is 0; what the loop does is recorded with it. The next time, the symbol is the difference of the
// two values: residues are turned by it, and the loop is not run.
//
// Which values are symbols is found by trying: one that has to be known is a part of the key from
// then on; so is one for which most recordings hold with one value only.
//
// Invariant: a recording is only used where its guards hold: there, the loop would have decided all
// as it did.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_REMEMBEREDLOOPS_H
#define COLONNADE_MODEL_REMEMBEREDLOOPS_H

#include "Model/LinearValue.h"
#include "Model/OperationCounts.h"

#include "llvm/Support/MathExtras.h"

#include <map>

namespace colonnade::model {

/// What a part of the run does for good.
struct Tally {
  struct Row {
    uint32_t site;
    LoopTerms symbols; // in its cells
    std::vector<uint64_t> counts;
  };
  std::vector<Row> rows;
  std::vector<uint32_t> rowOf; // by site: of cells without symbols, or rows.size() and more: none
  RegionExecutions executions;
  uint64_t sum = 0;               // of all counts and executions; UINT64_MAX: that, or more
  std::vector<Interval> anywhere; // by site, if there are any: of cells that are not known

  void add(uint64_t times) { sum = llvm::SaturatingAdd(sum, times); }
  /// By residue.
  std::vector<uint64_t> &countsOf(uint32_t site, const LoopTerms &symbols, uint64_t period);
};

/// What a loop uses of what is computed before it. Values that are sums of the same others move
/// together, so only these others, the roots, are symbols.
struct OutsideValues {
  struct Sum {
    ValueId id;
    LoopTerms terms; // by root; what is beside them stays the same
  };
  std::vector<ValueId> roots;
  std::vector<Sum> sums;
};

/// The values of a run that was recorded, where all symbols are 0.
struct LoopOrigin {
  std::vector<int64_t> roots, sums;
  std::vector<size_t> rootOf; // by symbol
};

struct LoopRecording {
  LoopOrigin origin;
  Tally tally;
  std::vector<Guard> guards;
  std::vector<LinearValue> results;
};

/// What is counted again: a tally, perhaps without another that it holds, turned by what its
/// symbols are now.
struct Replay {
  const Tally *tally;
  const Tally *without = nullptr;
  std::vector<LinearValue> turns = {}; // by row
};

/// nullopt: beyond 64 bits.
std::optional<Replay> replayOf(const Tally &tally, const Tally *without,
                               llvm::ArrayRef<LinearValue> symbols);

/// A root has to be known, or sums of several that it is in: these are roots of their own then.
void findKnown(OutsideValues &outside, std::vector<bool> &isKnown, size_t root);

/// Of one loop.
struct LoopMemory {
  OutsideValues outside;
  std::vector<bool> isKnown;    // by root: has to be known
  std::vector<unsigned> pinned; // by root: recordings that hold for one value only
  unsigned recorded = 0;        // recordings with the values that have to be known now
  using Recordings = std::map<std::vector<uint64_t>, std::vector<LoopRecording>>;
  Recordings recordings;
  std::vector<Recordings> former;
  uint64_t operations = 0; // of its latest run
  uint64_t hits = 0, misses = 0;

  static constexpr uint64_t LongRun = 5;
  /// Running it takes long enough, and it was not in vain, or takes so long that recording it is
  /// little beside: hits may come late, as where all of `for j = i … n` come first at i = 0.
  bool isWorthwhile(uint64_t least) const {
    return operations >= least &&
           (misses < 4096 || hits >= misses / 4 || operations >= least * LongRun);
  }
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_REMEMBEREDLOOPS_H
