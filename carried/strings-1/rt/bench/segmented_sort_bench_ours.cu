//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_bench_ours.cu: our segmented sorts of keys, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "segmented_sort_bench.hpp"
#include "sort_bench.hpp"

#include <colonnade/segmented_sort.cuh>

namespace bench {

struct narrow_segmented_policy : colonnade::segmented_sort_policy {
  static constexpr uint64_t max_items = 0xffffffff;
};

cudaError_t our_equal_sort(void *d_temp, size_t &temp_bytes, const segmented_arrays &a) {
  return colonnade::segmented_sort_keys(d_temp, temp_bytes, a.keys_in, a.keys_out,
                                        colonnade::equal_segments{a.num_segments, a.length}, {}, {},
                                        narrow_segmented_policy{});
}
cudaError_t our_listed_sort(void *d_temp, size_t &temp_bytes, const segmented_arrays &a) {
  return colonnade::segmented_sort_keys(
      d_temp, temp_bytes, a.keys_in, a.keys_out,
      colonnade::segments_between(a.num_segments, a.offsets, a.num_items), {}, {},
      narrow_segmented_policy{});
}

} // namespace bench
