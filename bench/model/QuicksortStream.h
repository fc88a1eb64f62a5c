//===- QuicksortStream.h - Quicksort on the K-model -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The quicksort of Cederman and Tsigas ("A practical quicksort algorithm for graphics processors")
// as section VI of the K-model's paper describes it, written from that description. It is not
// oblivious, so its cost comes from the addresses of a run. A level has three kernels for a
// sequence of keys:
//
//   1  each thread counts its keys below the pivot, and the others
//   2  prefix sums of both sets of counters
//   3  each thread writes its keys to both ends of an auxiliary array, from its own places on
//
// Sequences of sigma keys or fewer are leaves: bitonic sort in shared memory.
//
// In: distinct keys, k, sigma. Out: the keys in order, and the cost of each kernel.
// Invariant: a thread has at most k keys; the k threads of an element read consecutive ones.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_BENCH_MODEL_QUICKSORTSTREAM_H
#define COLONNADE_BENCH_MODEL_QUICKSORTSTREAM_H

#include "BitonicStream.h"

namespace colonnade::bench {

/// The paper's formulas, for log n levels (its row of sums has them in the wrong columns).
struct QuicksortForms {
  double transactions; // (n + 2n/k + 4n/k^2 + 2) log n
  double length;       // (2n + 2n/k) log n
  double latency;      // (2n/k + 4 log(n/k)) log n
};
QuicksortForms quicksortForms(unsigned log2Keys, unsigned log2Units);

struct QuicksortCost {
  StreamCost count, scan, scatter, leaves;
  uint64_t levels = 0;
  uint64_t split = 0;     // keys that were split, over all levels
  uint64_t sequences = 0; // that they were in
  uint64_t divergent = 0; // instructions whose units take both ways

  explicit QuicksortCost(int64_t k) : count(k), scan(k), scatter(k), leaves(k) {}
  uint64_t transactions() const {
    return count.transactions + scan.transactions + scatter.transactions + leaves.transactions;
  }
};

/// `shape`: k, and sigma above k; the number of keys is that of `keys`.
QuicksortCost quicksort(std::vector<uint32_t> &keys, const SortShape &shape);

} // namespace colonnade::bench

#endif // COLONNADE_BENCH_MODEL_QUICKSORTSTREAM_H
