//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_types_peer.cu: CUB's even histograms of all types of samples, as in
// histogram_peer.cu.
//
//===----------------------------------------------------------------------===//

#include "count_bench.hpp"

#include <cub/device/device_histogram.cuh>

namespace bench {

cudaError_t peer_even_counts(void *d_temp, size_t &temp_bytes, const typed_samples &a) {
  return with_sample_type(a.type, [&](auto sample, auto upper) {
    return cub::DeviceHistogram::HistogramEven(
        d_temp, temp_bytes, static_cast<const decltype(sample) *>(a.samples),
        static_cast<uint32_t *>(a.counts), static_cast<int>(a.num_bins) + 1, decltype(upper){0},
        upper, static_cast<int>(a.num_samples));
  });
}

} // namespace bench
