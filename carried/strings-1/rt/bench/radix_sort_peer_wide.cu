//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_peer_wide.cu: CUB's radix sorts with 64-bit num_items.
//
//===----------------------------------------------------------------------===//

#include "radix_sort_peer.hpp"

namespace bench {

cudaError_t wide_peer_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &a, sort_kind kind) {
  return cub_sort<uint64_t>(d_temp, temp_bytes, a, kind);
}

} // namespace bench
