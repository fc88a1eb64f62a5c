//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_types_ours.cu: our even histograms of all types of samples, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "count_bench.hpp"

#include <colonnade/histogram.cuh>

namespace bench {

cudaError_t our_even_counts(void *d_temp, size_t &temp_bytes, const typed_samples &a) {
  return with_sample_type(a.type, [&](auto sample, auto upper) {
    return colonnade::histogram_even(
        d_temp, temp_bytes, static_cast<const decltype(sample) *>(a.samples),
        static_cast<uint64_t *>(a.counts), a.num_samples, a.num_bins, decltype(upper){0}, upper);
  });
}

} // namespace bench
