//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_bench_pairs.cu: our sort of 32-bit pairs, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "sort_bench.hpp"

#include <colonnade/radix_sort.cuh>

namespace bench {

cudaError_t our_pair_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &a) {
  return colonnade::sort_pairs(d_temp, temp_bytes, static_cast<const uint32_t *>(a.keys_in),
                               static_cast<uint32_t *>(a.keys_out),
                               static_cast<const uint32_t *>(a.values_in), a.values_out,
                               a.num_items, {}, {}, narrow_policy{});
}

} // namespace bench
