//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convex_hull_peer.hpp: what stands beside a hull of points that all survive: CUB's radix sort of x
// with the points' indices.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bench.hpp"

namespace bench {

/// Storage, and the words of x and indices, are there before.
class peer_sort {
public:
  /// coordinate_bytes, floating: of the points' coordinates.
  peer_sort(uint64_t n, size_t coordinate_bytes, bool floating);
  ~peer_sort();
  peer_sort(const peer_sort &) = delete;
  /// x is taken from the first half of the points' numbers: as random as the others.
  void queue(const void *numbers) const;

private:
  cudaError_t sort(void *d_temp, size_t &bytes, const void *numbers) const;
  uint64_t n_;
  size_t coordinate_bytes_, bytes_ = 0;
  bool floating_;
  void *d_temp_ = nullptr, *d_sorted_ = nullptr;
  uint32_t *d_indices_ = nullptr, *d_order_ = nullptr;
};

} // namespace bench
