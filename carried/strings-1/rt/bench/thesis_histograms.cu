//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// thesis_histograms.cu: the histograms of the thesis's last table.
//
//===----------------------------------------------------------------------===//

#include "thesis_bench.hpp"

#include <colonnade/histogram.cuh>

namespace bench {

cudaError_t count_floats(void *d_temp, size_t &temp_bytes, const float *samples,
                         const float *levels, uint64_t *counts, uint64_t num_samples,
                         uint32_t num_bins) {
  if (levels)
    return colonnade::histogram_range(d_temp, temp_bytes, samples, counts, num_samples, num_bins,
                                      levels);
  return colonnade::histogram_even(d_temp, temp_bytes, samples, counts, num_samples, num_bins, 0.0f,
                                   1.0f);
}

} // namespace bench
