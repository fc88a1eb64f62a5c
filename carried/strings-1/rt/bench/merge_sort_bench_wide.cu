//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_bench_wide.cu: our merge sorts of 64-bit keys and 16-byte records by
// merging, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "merge_sort_bench.hpp"

#include <colonnade/merge_sort.cuh>

namespace bench {

cudaError_t our_wide_merge_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &a,
                                merge_kind kind) {
  using namespace colonnade;
  if (kind == merge_kind::keys_64)
    return merge_sort_keys(d_temp, temp_bytes, static_cast<const uint64_t *>(a.keys_in),
                           static_cast<uint64_t *>(a.keys_out), a.num_items, ascending{}, {},
                           merging_policy{});
  return stable_merge_sort_keys(d_temp, temp_bytes, static_cast<const record_16 *>(a.keys_in),
                                static_cast<record_16 *>(a.keys_out), a.num_items, by_two_members{},
                                {}, merging_policy{});
}

} // namespace bench
