//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_order_launch.cuh: launches one block that sorts a whole input by a comparator.
//
// In: joined arrays of at most most_in_block_order() items. Out: the output array sorted, stably,
// in one launch. Invariant: the output may be the input.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/merging/block_order.hpp>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Block>
__global__ void __launch_bounds__(1024)
    block_order_kernel(const __grid_constant__ typename Block::arguments a) {
  extern __shared__ __align__(16) char block_order_shared[];
  Block::run(device_machine{}, a, block_order_shared);
}

/// The most items that one block sorts.
template <class In> constexpr uint64_t most_in_block_order() {
  return 1024 * order_items_per_thread(sizeof(typename std::iterator_traits<In>::value_type));
}

/// In, Out: joined arrays.
template <class In, class Out, class Compare>
cudaError_t launch_block_order(In in, Out out, uint64_t num_items, const Compare &compare,
                               int device, cudaStream_t stream) {
  constexpr uint32_t items =
      order_items_per_thread(sizeof(typename std::iterator_traits<In>::value_type));
  using block = block_order<items, In, Out, Compare, device_machine>;
  static allowed_devices allowed;
  const auto kernel = block_order_kernel<block>;
  if (const cudaError_t error =
          allow_shared_memory(kernel, block::shared_bytes(1024), device, allowed))
    return error;
  const uint32_t threads = order_threads(num_items, items);
  return launch(kernel, {1, threads, block::shared_bytes(threads), stream, false},
                typename block::arguments{in, out, static_cast<uint32_t>(num_items), compare});
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
