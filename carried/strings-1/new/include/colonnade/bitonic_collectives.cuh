//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bitonic_collectives.cuh: sorts the items that a thread, a warp or a block has in registers,
// for users' own kernels.
//
//   thread_sort          the items of one thread, any number of them
//   warp_bitonic_sort    those of a warp
//   block_bitonic_sort   those of a block
//
//   uint32_t keys[8];                              // item r of thread t: number 8 t + r
//   __shared__ colonnade::block_bitonic_storage<256, 8, uint32_t> storage;
//   ...
//   colonnade::block_bitonic_sort<256>(keys, storage);
//
// Common to all, n items of a warp or block in all:
//   called by    all 32 lanes of a warp, or all threads of a one-dimensional block
//   n            a power of two, as are the items of a thread, 2 at least; item r of thread t
//                is number t * Items + r, before and after. For thread_sort any number
//   work         n log2 n (log2 n + 1) / 4 comparators, without branches, bank conflicts
//                or global memory; depth log2 n (log2 n + 1) / 2
//   memory       `storage`, in shared memory: the bytes of n keys and values, each rounded up to
//                4. Nobody else may use it from the first thread's call on until, after the
//                call, a __syncwarp() (warp) or __syncthreads() (block). thread_sort needs none
//   values       an array of as many values, which move with their keys; may be left out
//   stability    unstable; deterministic
//   synchronises the warp or the block; thread_sort nothing
//   less         as in bitonic_sort.cuh
//
// Source: as for bitonic_sort.cuh; thread_sort is Batcher's odd-even merge sort.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/bitonic_sort/collective.cuh>
#include <colonnade/order.hpp>

namespace colonnade {

/// Shared memory for the sort of a warp (Threads = 32) or a block.
template <uint32_t Threads, uint32_t Items, class Key, class Value = detail::no_value>
struct block_bitonic_storage {
  uint32_t words[Threads * Items * detail::collective_words<Key, Value>];
};
template <uint32_t Items, class Key, class Value = detail::no_value>
using warp_bitonic_storage = block_bitonic_storage<32, Items, Key, Value>;

template <class Key, uint32_t Items, class Less = ascending>
__device__ __forceinline__ void thread_sort(Key (&keys)[Items], Less less = {}) {
  detail::with_items(keys, [&](auto &items) {
    detail::sort_registers<detail::odd_even_network>(items, detail::exchange_by_key<Less>{less});
  });
}
template <class Key, class Value, uint32_t Items, class Less = ascending>
__device__ __forceinline__ void thread_sort(Key (&keys)[Items], Value (&values)[Items],
                                            Less less = {}) {
  detail::with_items(keys, values, [&](auto &items) {
    detail::sort_registers<detail::odd_even_network>(items, detail::exchange_by_key<Less>{less});
  });
}

template <class Key, uint32_t Items, class Less = ascending>
__device__ __forceinline__ void
warp_bitonic_sort(Key (&keys)[Items], warp_bitonic_storage<Items, Key> &storage, Less less = {}) {
  detail::with_items(keys, [&](auto &items) {
    detail::sort_collectively<32>(detail::lanes_as_threads{}, items, storage.words, less);
  });
}
template <class Key, class Value, uint32_t Items, class Less = ascending>
__device__ __forceinline__ void warp_bitonic_sort(Key (&keys)[Items], Value (&values)[Items],
                                                  warp_bitonic_storage<Items, Key, Value> &storage,
                                                  Less less = {}) {
  detail::with_items(keys, values, [&](auto &items) {
    detail::sort_collectively<32>(detail::lanes_as_threads{}, items, storage.words, less);
  });
}

template <uint32_t Threads, class Key, uint32_t Items, class Less = ascending>
__device__ __forceinline__ void
block_bitonic_sort(Key (&keys)[Items], block_bitonic_storage<Threads, Items, Key> &storage,
                   Less less = {}) {
  detail::with_items(keys, [&](auto &items) {
    detail::sort_collectively<Threads>(detail::device_machine{}, items, storage.words, less);
  });
}
template <uint32_t Threads, class Key, class Value, uint32_t Items, class Less = ascending>
__device__ __forceinline__ void
block_bitonic_sort(Key (&keys)[Items], Value (&values)[Items],
                   block_bitonic_storage<Threads, Items, Key, Value> &storage, Less less = {}) {
  detail::with_items(keys, values, [&](auto &items) {
    detail::sort_collectively<Threads>(detail::device_machine{}, items, storage.words, less);
  });
}

} // namespace colonnade
