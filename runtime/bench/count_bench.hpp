//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// count_bench.hpp: what the files of the histogram benchmark share: ours and the
// peer, each compiled in a file of its own. Samples are floats.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace bench {

struct count_arrays {
  const float *samples;
  const float *levels; // of a range; null: even bins between 0 and 1
  void *counts;        // 64-bit ours, 32-bit the peer's
  uint64_t num_samples;
  uint32_t num_bins;
};

/// Tuning 0 is the default.
extern const char *const count_tunings[];
constexpr int num_count_tunings = 6;
cudaError_t our_counts(void *d_temp, size_t &temp_bytes, const count_arrays &, int tuning = 0);
cudaError_t peer_counts(void *d_temp, size_t &temp_bytes, const count_arrays &);

} // namespace bench
