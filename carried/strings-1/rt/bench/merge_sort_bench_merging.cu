//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_bench_merging.cu: our merge sorts of 32-bit keys and pairs by merging,
// compiled apart.
//
//===----------------------------------------------------------------------===//

#include "merge_sort_bench.hpp"

#include <colonnade/merge_sort.cuh>

namespace bench {

cudaError_t our_merge_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &a, merge_kind kind,
                           merge_method method) {
  using namespace colonnade;
  if (method == merge_method::by_default)
    return our_default_sort(d_temp, temp_bytes, a, kind);
  if (method == merge_method::in_registers)
    return our_register_sort(d_temp, temp_bytes, a);
  const auto *keys_in = static_cast<const uint32_t *>(a.keys_in);
  auto *keys_out = static_cast<uint32_t *>(a.keys_out);
  switch (kind) {
  case merge_kind::keys_32:
    return merge_sort_keys(d_temp, temp_bytes, keys_in, keys_out, a.num_items, ascending{}, {},
                           merging_policy{});
  case merge_kind::pairs_32:
    return stable_merge_sort_pairs(d_temp, temp_bytes, keys_in, keys_out,
                                   static_cast<const uint32_t *>(a.values_in), a.values_out,
                                   a.num_items, ascending{}, {}, merging_policy{});
  default:
    return our_wide_merge_sort(d_temp, temp_bytes, a, kind);
  }
}

} // namespace bench
