//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sort_bench.hpp: what the files of the radix sort benchmark share: ours and the
// peer, each compiled in a file of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/radix_sort_tuning.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace bench {

/// Fewer than 2^32 items: half the kernels to compile.
struct narrow_policy : colonnade::radix_sort_policy {
  static constexpr uint64_t max_items = 0xffffffff;
};

enum class sort_kind { keys_32, pairs_32, keys_64, floats };

struct sort_arrays {
  void *keys_in, *keys_out;
  uint32_t *values_in, *values_out; // of pairs
  uint64_t num_items;
};

cudaError_t our_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &, sort_kind);
cudaError_t our_pair_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &);
cudaError_t our_wide_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &);

/// CUB's; wide: 64-bit num_items.
cudaError_t peer_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &, sort_kind, bool wide);

} // namespace bench
