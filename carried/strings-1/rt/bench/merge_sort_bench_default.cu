//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_bench_default.cu: our merge sorts as they come, compiled apart: of numbers,
// radix sorts.
//
//===----------------------------------------------------------------------===//

#include "merge_sort_bench.hpp"

#include <colonnade/merge_sort.cuh>

namespace bench {

namespace {
/// Fewer than 2^32 items: half the kernels to compile.
struct narrow_policy : colonnade::merge_sort_policy {
  struct radix : colonnade::radix_sort_policy {
    static constexpr uint64_t max_items = 0xffffffff;
  };
};
} // namespace

cudaError_t our_default_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &a,
                             merge_kind kind) {
  using namespace colonnade;
  const auto *keys_in = static_cast<const uint32_t *>(a.keys_in);
  auto *keys_out = static_cast<uint32_t *>(a.keys_out);
  switch (kind) {
  case merge_kind::keys_64:
    return merge_sort_keys(d_temp, temp_bytes, static_cast<const uint64_t *>(a.keys_in),
                           static_cast<uint64_t *>(a.keys_out), a.num_items, ascending{}, {},
                           narrow_policy{});
  case merge_kind::pairs_32:
    return stable_merge_sort_pairs(d_temp, temp_bytes, keys_in, keys_out,
                                   static_cast<const uint32_t *>(a.values_in), a.values_out,
                                   a.num_items, ascending{}, {}, narrow_policy{});
  default:
    return merge_sort_keys(d_temp, temp_bytes, keys_in, keys_out, a.num_items, ascending{}, {},
                           narrow_policy{});
  }
}

} // namespace bench
