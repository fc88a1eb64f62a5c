//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_peer.cu: CUB's histograms, compiled once. 32-bit counts, and 32-bit
// offsets below 2^31 samples: its fastest form.
//
//===----------------------------------------------------------------------===//

#include "count_bench.hpp"

#include <cub/device/device_histogram.cuh>

namespace bench {

cudaError_t peer_counts(void *d_temp, size_t &temp_bytes, const count_arrays &a) {
  uint32_t *counts = static_cast<uint32_t *>(a.counts);
  const int levels = static_cast<int>(a.num_bins) + 1, samples = static_cast<int>(a.num_samples);
  if (a.levels)
    return cub::DeviceHistogram::HistogramRange(d_temp, temp_bytes, a.samples, counts, levels,
                                                a.levels, samples);
  return cub::DeviceHistogram::HistogramEven(d_temp, temp_bytes, a.samples, counts, levels, 0.0f,
                                             1.0f, samples);
}

} // namespace bench
