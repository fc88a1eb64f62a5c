//===- StreamCost.h - What a stream programme costs -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the instructions of a programme for the K-model, one after the other, with the addresses that
// its units ask for at once. Out: T, W and G by section IV of "K-model: A New Computational Model
// for Stream Processors".
// Invariant: W <= k * T.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_BENCH_MODEL_STREAMCOST_H
#define COLONNADE_BENCH_MODEL_STREAMCOST_H

#include "Model/KModel.h"

namespace colonnade::bench {

class StreamCost {
public:
  explicit StreamCost(int64_t k) : k(k) {}

  /// Arithmetic or registers.
  void compute(size_t active) { issue(active, 1); }
  void shared(llvm::ArrayRef<int64_t> addresses) {
    issue(addresses.size(), model::longestQueue(k, addresses));
  }
  /// In neither T nor W.
  void external(llvm::ArrayRef<int64_t> addresses) {
    transactions += model::segments(k, addresses);
  }

  const int64_t k;
  uint64_t latency = 0;      // T
  uint64_t length = 0;       // W
  uint64_t transactions = 0; // G
  uint64_t longestQueue = 0;
  uint64_t contention = 0; // requests that wait: the queues' lengths beyond 1, summed up

private:
  void issue(size_t active, uint64_t queue) {
    if (active == 0)
      return;
    latency += queue;
    length += active;
    longestQueue = std::max(longestQueue, queue);
    contention += queue - 1;
  }
};

} // namespace colonnade::bench

#endif // COLONNADE_BENCH_MODEL_STREAMCOST_H
