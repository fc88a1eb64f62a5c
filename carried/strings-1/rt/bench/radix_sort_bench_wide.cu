//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_bench_wide.cu: our sort of 64-bit keys, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "sort_bench.hpp"

#include <colonnade/radix_sort.cuh>

namespace bench {

cudaError_t our_wide_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &a) {
  return colonnade::sort_keys(d_temp, temp_bytes, static_cast<const uint64_t *>(a.keys_in),
                              static_cast<uint64_t *>(a.keys_out), a.num_items, {}, {},
                              narrow_policy{});
}

} // namespace bench
