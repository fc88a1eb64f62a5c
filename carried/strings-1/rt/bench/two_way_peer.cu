//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// two_way_peer.cu: CUB's partition, compiled once.
//
//===----------------------------------------------------------------------===//

#include "two_way_bench.hpp"

#include <cub/device/device_partition.cuh>

namespace bench {
namespace {

struct is_low {
  __device__ bool operator()(uint32_t key) const { return key >> 31 == 0; }
};

template <class Count>
cudaError_t partition_by(void *d_temp, size_t &temp_bytes, const uint32_t *keys_in,
                         uint32_t *keys_out, uint64_t num_items, uint64_t *d_num_selected) {
  return cub::DevicePartition::If(d_temp, temp_bytes, keys_in, keys_out,
                                  reinterpret_cast<Count *>(d_num_selected),
                                  static_cast<Count>(num_items), is_low{});
}

} // namespace

cudaError_t partition(void *d_temp, size_t &temp_bytes, const uint32_t *keys_in, uint32_t *keys_out,
                      uint64_t num_items, uint64_t *d_num_selected, bool wide) {
  return wide ? partition_by<uint64_t>(d_temp, temp_bytes, keys_in, keys_out, num_items,
                                       d_num_selected)
              : partition_by<uint32_t>(d_temp, temp_bytes, keys_in, keys_out, num_items,
                                       d_num_selected);
}

} // namespace bench
