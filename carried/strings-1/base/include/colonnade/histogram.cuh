//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram.cuh: counts how many samples fall into each bin, on the GPU.
//
//   histogram_even    bins of equal width between two levels
//   histogram_range   bins between levels of the caller's
//
// Common to both, n samples and m bins:
//   samples      integers of 8 to 64 bits, float, double, __half, __nv_bfloat16; a
//                random-access iterator
//   levels       integers or floats. Integers of one signedness with the samples, or
//                signed and wider; if either is a float, both are compared as float, or
//                as double if one is
//   outside      a sample below the first level, at or above the last, or NaN is not
//                counted, as in CUB
//   counts       d_counts: m counts of 64 bits, overwritten
//   work         O(n), a range O(n log m); depth O(n / (threads * blocks) + m)
//   traffic      every sample is read once; m counts a block are added by atomics
//   temporary    512 bytes; the first call, with d_temp_storage null, computes it
//   where        up to 4096 samples: one block, in shared memory. 8-bit samples, m <= 256: in
//                shared memory, by value; m <= 8: in registers; as many bins as fit in a
//                block's shared memory (about 56,000 on sm_90, 24,000 where it has 99 KB): in
//                shared memory; more: by atomics in global memory, far slower
//   stability    samples are only read
//   determinism  the same counts on every run, GPU and policy
//   aliasing     samples, levels and counts are distinct
//   synchronises never; graph-capturable; all work is queued on options.stream
//   n = 0        valid; counts are zero
//   returns      cudaErrorInvalidValue, before any CUDA call, for m = 0, m > 2^31, null
//                or unaligned arrays, counts that overlap the input, lower >= upper, NaN
//                or infinite levels of an even histogram, too little storage; else what
//                CUDA calls return
//
// Source: privatised counters as in CUB's histogram; for the search for a sample's bin among
// levels see detail/histogram/level_bins.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/counting/count_bins.cuh>
#include <colonnade/detail/histogram/level_bins.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

namespace colonnade {

namespace detail {

constexpr uint32_t max_bins = 1u << 31;

/// Arithmetic types and classes that convert to float: __half and __nv_bfloat16.
template <class T> constexpr bool is_sample = sizeof(T) <= 8 && std::is_constructible_v<float, T>;

/// Both functions, once the bins are known.
template <class Policy, class SamplesIn, class Bins>
cudaError_t histogram(void *d_temp, size_t &temp_bytes, SamplesIn samples, uint64_t *counts,
                      uint64_t num_samples, uint32_t num_bins, const Bins &bins,
                      const run_options &options) {
  temp_storage storage;
  const size_t ticket_at = storage.add<uint64_t>(1), bytes = storage.bytes();
  if (!d_temp) {
    temp_bytes = bytes;
    return cudaSuccess;
  }
  bool overlap = false;
  if constexpr (std::is_pointer_v<SamplesIn>)
    overlap = ranges_overlap(samples, num_samples * sizeof(*samples), counts,
                             num_bins * sizeof(uint64_t));
  if (temp_bytes < bytes || overlap || !valid_array(samples, num_samples) ||
      !valid_array(counts, 1))
    return cudaErrorInvalidValue;
  return count_bins<Policy>(samples, bins, num_samples, num_bins, counts,
                            temp_storage::at<uint64_t>(d_temp, ticket_at), options);
}

} // namespace detail

/// Bin i counts the samples s with floor((s - lower) * m / (upper - lower)) = i. That is exact for
/// integers. For floats, (s - lower) * (m / (upper - lower)) is computed in float (in double if
/// either is double), rounded after each operation; results above m - 1 count as m - 1.
template <class SamplesIn, class Level, class Policy = histogram_policy>
[[nodiscard]] cudaError_t histogram_even(void *d_temp_storage, size_t &temp_storage_bytes,
                                         SamplesIn d_samples, uint64_t *d_counts,
                                         uint64_t num_samples, uint32_t num_bins, Level lower,
                                         Level upper, run_options options = {}, Policy = {}) {
  using namespace detail;
  using sample = std::remove_cv_t<typename std::iterator_traits<SamplesIn>::value_type>;
  static_assert(is_sample<sample> && is_sample<Level>,
                "histogram: samples and levels are integers or floats of 8 to 64 bits");
  using value = compared_as<sample, Level>;
  const value low = static_cast<value>(lower), high = static_cast<value>(upper);
  if (num_bins == 0 || num_bins > max_bins || !(low < high))
    return cudaErrorInvalidValue;
  if constexpr (std::is_floating_point_v<value>) {
    if (!std::isfinite(high - low))
      return cudaErrorInvalidValue;
    return histogram<Policy>(d_temp_storage, temp_storage_bytes, d_samples, d_counts, num_samples,
                             num_bins, even_float_bins<sample, value>(low, high, num_bins),
                             options);
  } else {
    return histogram<Policy>(d_temp_storage, temp_storage_bytes, d_samples, d_counts, num_samples,
                             num_bins, even_integer_bins<sample, value>(low, high, num_bins),
                             options);
  }
}

/// Bin i counts the samples s with d_levels[i] <= s < d_levels[i + 1]. d_levels: num_bins + 1
/// levels in device memory, in ascending order, which may be equal; in another order the counts are
/// unspecified.
template <class SamplesIn, class Level, class Policy = histogram_policy>
[[nodiscard]] cudaError_t
histogram_range(void *d_temp_storage, size_t &temp_storage_bytes, SamplesIn d_samples,
                uint64_t *d_counts, uint64_t num_samples, uint32_t num_bins, const Level *d_levels,
                run_options options = {}, Policy = {}) {
  using namespace detail;
  using sample = std::remove_cv_t<typename std::iterator_traits<SamplesIn>::value_type>;
  static_assert(is_sample<sample> && is_sample<Level>,
                "histogram: samples and levels are integers or floats of 8 to 64 bits");
  using value = compared_as<sample, Level>;
  if (num_bins == 0 || num_bins > max_bins ||
      (d_temp_storage && (!valid_array(d_levels, 1) ||
                          ranges_overlap(d_levels, (uint64_t{num_bins} + 1) * sizeof(Level),
                                         d_counts, uint64_t{num_bins} * 8))))
    return cudaErrorInvalidValue;
  return histogram<Policy>(d_temp_storage, temp_storage_bytes, d_samples, d_counts, num_samples,
                           num_bins, range_bins<sample, Level, value>(d_levels, num_bins), options);
}

} // namespace colonnade
