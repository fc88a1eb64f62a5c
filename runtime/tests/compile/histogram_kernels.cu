//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of histogram.cuh, under the default policy.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/histogram.cuh>

namespace colonnade::testing {

template <detail::count_in Where, class Sample, class Bins>
kernel_record counting(const char *name, size_t shared_bytes) {
  using namespace detail;
  using tunings = histogram_tunings<histogram_policy, sizeof(Sample)>;
  return record_on<bin_counts_kernel<tunings, Where, const Sample *, Bins>>(
      name, [&](gpu_architecture architecture) {
        const uint32_t threads = histogram_policy::tuning(architecture, sizeof(Sample)).threads;
        return block_of_bytes{threads, bin_counts_head_bytes + shared_bytes};
      });
}

kernel_records histogram_kernels() {
  using namespace detail;
  using floats = even_float_bins<float, float>;
  using words = even_integer_bins<uint32_t, uint32_t>;
  using small_words = even_integer_bins<uint8_t, int32_t>;
  using ranges = range_bins<float, float, float>;
  const size_t counters = 256 * 4, table = 256 * sizeof(float);
  return {
      counting<count_in::registers, float, floats>("even, floats, 8 bins", 8 * 4),
      counting<count_in::registers, uint32_t, words>("even, 32-bit integers, 8 bins", 8 * 4),
      counting<count_in::shared, uint8_t, byte_bins<uint8_t, small_words>>("even, bytes",
                                                                           256 * 33 * 4),
      counting<count_in::shared, float, floats>("even, floats, 256 bins", counters),
      counting<count_in::global, float, floats>("even, floats, in global memory", 0),
      counting<count_in::shared, uint32_t, words>("even, 32-bit integers, 256 bins", counters),
      counting<count_in::registers, float, ranges>("range, floats, 8 bins",
                                                   8 * sizeof(float) + 8 * 4),
      record<block_counts_kernel<const float *, floats>>("one block, floats, 256 bins",
                                                         most_block_counts_threads, 32 * 1024),
      counting<count_in::shared, float, ranges>("range, floats, 256 bins", table + counters),
  };
}

} // namespace colonnade::testing
