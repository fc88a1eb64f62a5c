//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_bench_registers.cu: our merge sort of 32-bit keys in registers, compiled
// apart.
//
//===----------------------------------------------------------------------===//

#include "merge_sort_bench.hpp"

#include <colonnade/merge_sort.cuh>

namespace bench {

cudaError_t our_register_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &a) {
  using namespace colonnade;
  return merge_sort_keys(d_temp, temp_bytes, static_cast<const uint32_t *>(a.keys_in),
                         static_cast<uint32_t *>(a.keys_out), a.num_items, ascending{}, {},
                         in_registers_policy{});
}

} // namespace bench
