//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// two_way_bench.hpp: the peer of the two-way multisplit, compiled apart.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace bench {

/// Keys below 2^31 to the front; wide: 64-bit num_items.
cudaError_t partition(void *d_temp, size_t &temp_bytes, const uint32_t *keys_in, uint32_t *keys_out,
                      uint64_t num_items, uint64_t *d_num_selected, bool wide);

} // namespace bench
