//===- CachedSectors.h - What the L1 caches ask L2 for ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the accesses of one instance in their order, the kernel, a layout, the number of instances,
// and the caches of a machine. Out: the sectors that are read from L2 and written to it, and those
// of DRAM.
//
//   block's instances, step by step ─▶ sectors of each warp ─▶ L1 ─▶ L2 ─▶ DRAM
//
// Rows that a warp stages are read before and written after, side by side.
//
// The blocks that are resident on an SM share what its cache has beside their shared memory evenly,
// and all resident ones share L2; the line that was not used for longest goes first. What the
// kernel does not say makes figures intervals, from the case that asks for least to the one that
// asks for most:
//
//                              least                          most
//   resident blocks            a quarter (registers; some     all that threads allow
//                              run ahead)
//   caches                     twice their size               half of it (blocks drift apart)
//   accesses under a mask      made by no lane                made by all
//   local arrays               in registers                   in memory
//   what all instances share   is read once                   is read by every block
//   a store of part of a       leaves the sector in L1        drops it (so does the H200, but the
//   sector                                                    compiler may load before it stores)
//   what two warps share,      is read once                   is read by both
//   in one access
//   a store to the sectors     is merged with it              is written by itself
//   of one of the four before
//   what L2 lacks              is read by sectors             by pairs of sectors; also what a
//                                                             store writes part of
//   what was written           stays in L2, as far as there   is in DRAM in the end
//                              is room
//
// What is likely of DRAM: a warp makes what is together before others come (`batch`, `run`), half
// of the lanes make what data decides, and L2 is what PairCache says (BlockCaches.h), of several
// sizes.
//
// Where only that is not known, and not how much the caches hold, the sectors that are read are
// likely those of the most resident blocks whose sectors stay in L1 when they are stored to, with
// local arrays in registers where all of their subscripts are constants.
//
// Invariant: every store is written to L2, and what was written is in DRAM when its line has left
// L2. Only full blocks are alike: the last one is simulated by itself.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_CACHEDSECTORS_H
#define COLONNADE_MODEL_CACHEDSECTORS_H

#include "Model/BulkCost.h"

namespace colonnade::model {

struct CacheMachine {
  int64_t l1 = 0; // bytes of an SM
  int64_t residentThreads = 0;
  int64_t sms = 0;
  std::optional<int64_t> l2;           // bytes; nullopt: not known, so nothing is said of DRAM
  std::optional<int64_t> l2Holds = {}; // of them, data; nullopt: all
};

/// An access of an instance, in its order.
struct OrderedAccess {
  ArrayId array;
  int64_t cell;
  bool isStore = false;
  bool isConditional = false; // it is made only where the data says so
  uint32_t run = 0;           // stores of one number are issued one right after the other
  uint32_t batch = 0;         // loads of one number are in flight together
};

struct CachedSectors {
  Interval read, written; // L2
  Interval dramRead, dramWritten;
  /// Read from L2, where the size of L1 does not decide it: reuse distances of all resident warps
  /// are below half of it or above twice. nullopt: they are not, or data decides accesses.
  std::optional<uint64_t> likelyRead = {};
  /// Likewise, written to L2.
  std::optional<uint64_t> likelyWritten = {};
  /// nullopt: L2 is not known.
  std::optional<uint64_t> likelyDramRead = {}, likelyDramWritten = {};
};

constexpr uint64_t MaxCachedRequests = 50'000'000; // of lanes, in one block

/// Error: the block's requests are more than `maxRequests`.
llvm::Expected<CachedSectors> cachedSectors(const CacheMachine &machine, const ir::Function &kernel,
                                            Layout layout, llvm::ArrayRef<OrderedAccess> accesses,
                                            const BulkInput &input,
                                            uint64_t maxRequests = MaxCachedRequests);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_CACHEDSECTORS_H
