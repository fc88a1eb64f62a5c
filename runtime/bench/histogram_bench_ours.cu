//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_bench_ours.cu: our histograms, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "count_bench.hpp"

#include <colonnade/histogram.cuh>

namespace bench {

cudaError_t our_counts(void *d_temp, size_t &temp_bytes, const count_arrays &a) {
  uint64_t *counts = static_cast<uint64_t *>(a.counts);
  if (a.levels)
    return colonnade::histogram_range(d_temp, temp_bytes, a.samples, counts, a.num_samples,
                                      a.num_bins, a.levels);
  return colonnade::histogram_even(d_temp, temp_bytes, a.samples, counts, a.num_samples,
                                   a.num_bins, 0.0f, 1.0f);
}

} // namespace bench
