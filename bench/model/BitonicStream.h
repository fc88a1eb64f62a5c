//===- BitonicStream.h - The K-model's bitonic sort -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bitonic sort as a stream programme, by section V of "K-model: A New Computational Model for
// Stream Processors": the steps of the network in passes, each pass a stream of parts of sigma
// keys that fit the shared memory; within a part, algorithm 2 (its line 5 has to end at
// sigma/2 - 1).
//
// In: 2^log2Keys keys, k = 2^log2Units, sigma = 2^log2Part. Out: the keys in order, and the cost of
// all instructions. A comparison is one instruction for each k pairs; its latency is the queue at
// the banks of its keys.
// Invariant: both keys of a comparison are in one part.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_BENCH_MODEL_BITONICSTREAM_H
#define COLONNADE_BENCH_MODEL_BITONICSTREAM_H

#include "StreamCost.h"

#include <cstdint>
#include <vector>

namespace colonnade::bench {

struct SortShape {
  unsigned log2Keys;
  unsigned log2Part;  // sigma
  unsigned log2Units; // k; at most sigma, which is at most the keys
};

/// The closed forms.
uint64_t bitonicPasses(const SortShape &shape);       // pi
uint64_t bitonicTransactions(const SortShape &shape); // 2 (n/k) pi
uint64_t bitonicLength(const SortShape &shape);       // n (log^2 n + log n) / 4
uint64_t bitonicLatency(const SortShape &shape);      // (n/2k) (steps + steps with c < log k)

/// Claim 1: the classes of the keys' indices after merging the pairs of the given steps, in bits.
class StepPartition {
public:
  /// `steps`: their c, each once, from the least on.
  explicit StepPartition(std::vector<unsigned> steps) : steps_(std::move(steps)) {}

  uint64_t partSize() const { return uint64_t(1) << steps_.size(); }
  /// Key `place` of part `part`.
  uint64_t index(uint64_t part, uint64_t place) const;

private:
  std::vector<unsigned> steps_;
};

StreamCost bitonicSort(std::vector<uint32_t> &keys, const SortShape &shape);

/// The number n with bit x inserted at position p: (7, 0, 1) is 13.
constexpr uint64_t insertBit(uint64_t n, uint64_t x, unsigned p) {
  const uint64_t low = n & ((uint64_t(1) << p) - 1);
  return (n >> p) << (p + 1) | x << p | low;
}

} // namespace colonnade::bench

#endif // COLONNADE_BENCH_MODEL_BITONICSTREAM_H
