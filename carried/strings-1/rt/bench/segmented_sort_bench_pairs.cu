//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_bench_pairs.cu: our segmented sort of pairs, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "segmented_sort_bench.hpp"

#include <colonnade/segmented_sort.cuh>

namespace bench {

struct narrow_pairs_policy : colonnade::segmented_sort_policy {
  static constexpr uint64_t max_items = 0xffffffff;
};

cudaError_t our_segmented_pairs(void *d_temp, size_t &temp_bytes, const segmented_arrays &a) {
  return colonnade::segmented_sort_pairs(
      d_temp, temp_bytes, a.keys_in, a.keys_out, a.values_in, a.values_out,
      colonnade::segments_between(a.num_segments, a.offsets, a.num_items), {}, {},
      narrow_pairs_policy{});
}

} // namespace bench
