//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_peer.cu: CUB's radix sorts, with 32-bit num_items; the 64-bit ones are apart.
//
//===----------------------------------------------------------------------===//

#include "radix_sort_peer.hpp"

namespace bench {

cudaError_t wide_peer_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &, sort_kind);

cudaError_t peer_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &a, sort_kind kind,
                      bool wide) {
  return wide ? wide_peer_sort(d_temp, temp_bytes, a, kind)
              : cub_sort<uint32_t>(d_temp, temp_bytes, a, kind);
}

} // namespace bench
