//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// comparison_sorts.hpp: what the bitonic sort is measured and profiled against, each
// compiled in a file of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace bench {

enum class peer_sort_kind { merge, radix };

/// CUB's, of 32-bit keys, not in place.
cudaError_t peer_sort(peer_sort_kind kind, void *d_temp, size_t &temp_bytes,
                      const uint32_t *keys_in, uint32_t *keys_out, uint64_t num_items);

} // namespace bench
