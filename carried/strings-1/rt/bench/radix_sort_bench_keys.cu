//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_bench_keys.cu: our sorts of 32-bit keys, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "sort_bench.hpp"

#include <colonnade/radix_sort.cuh>

namespace bench {

cudaError_t our_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &a, sort_kind kind) {
  using colonnade::sort_keys;
  switch (kind) {
  case sort_kind::pairs_32:
    return our_pair_sort(d_temp, temp_bytes, a);
  case sort_kind::keys_64:
    return our_wide_sort(d_temp, temp_bytes, a);
  case sort_kind::keys_32:
    return sort_keys(d_temp, temp_bytes, static_cast<const uint32_t *>(a.keys_in),
                     static_cast<uint32_t *>(a.keys_out), a.num_items, {}, {}, narrow_policy{});
  case sort_kind::floats:
    break;
  }
  return sort_keys(d_temp, temp_bytes, static_cast<const float *>(a.keys_in),
                   static_cast<float *>(a.keys_out), a.num_items, {}, {}, narrow_policy{});
}

} // namespace bench
