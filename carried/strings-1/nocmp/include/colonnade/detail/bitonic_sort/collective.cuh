//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// collective.cuh: sorts the items that a block or a warp has in registers.
//
// In: arrays of keys, and of values, of the same power of two of items in every thread. Out: the
// same arrays, sorted over the threads: item r of thread t is number t * Items + r.
// Invariant: no global memory is used; a warp needs no barrier of the block.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bitonic_sort_tuning.hpp>
#include <colonnade/detail/bitonic_sort/block.hpp>
#include <colonnade/detail/device/device_machine.cuh>

namespace colonnade::detail {

template <class Key, class Value>
constexpr uint32_t collective_words =
    item_words<Key>::count + (std::is_same_v<Value, no_value> ? 0 : item_words<Value>::count);

/// A warp as a block of 32 threads: its windows change within the warp, so it needs no barrier of
/// the block.
struct lanes_as_threads : device_machine {
  __device__ __forceinline__ uint32_t thread() const { return lane(); }
};

template <uint32_t Threads, uint32_t Items> struct collective_tuning {
  static_assert(Threads >= 32 && (Threads & (Threads - 1)) == 0,
                "bitonic sort: a power of two of threads, 32 at least");
  static_assert(Items >= 2 && (Items & (Items - 1)) == 0,
                "bitonic sort: a power of two of items a thread, 2 at least");
  static constexpr bitonic_tuning value = [] {
    bitonic_tuning t;
    t.log2_items = ceil_log2(Items);
    t.log2_part = ceil_log2(Threads) + t.log2_items;
    return t;
  }();
};

template <uint32_t Threads, class Machine, class Key, class Value, uint32_t Items, class Less>
__device__ __forceinline__ void sort_collectively(const Machine &machine,
                                                  sort_item<Key, Value> (&items)[Items],
                                                  uint32_t *shared, const Less &less) {
  using arguments = bitonic_arguments<Key, Value, exchange_by_key<Less>>;
  const arguments a{nullptr, nullptr, uint64_t{Threads} * Items, {less}, {}};
  bitonic_block<collective_tuning<Threads, Items>, arguments, Machine>(
      machine, a, reinterpret_cast<char *>(shared))
      .sort_in_registers(items);
}

/// Calls sort(items) with the keys, and values, as items, and writes them back.
template <class Key, uint32_t Items, class Sort>
__device__ __forceinline__ void with_items(Key (&keys)[Items], Sort sort) {
  sort_item<Key, no_value> items[Items];
  COLONNADE_UNROLL
  for (uint32_t r = 0; r < Items; ++r)
    items[r].key = keys[r];
  sort(items);
  COLONNADE_UNROLL
  for (uint32_t r = 0; r < Items; ++r)
    keys[r] = items[r].key;
}
template <class Key, class Value, uint32_t Items, class Sort>
__device__ __forceinline__ void with_items(Key (&keys)[Items], Value (&values)[Items], Sort sort) {
  sort_item<Key, Value> items[Items];
  COLONNADE_UNROLL
  for (uint32_t r = 0; r < Items; ++r)
    items[r] = {keys[r], values[r]};
  sort(items);
  COLONNADE_UNROLL
  for (uint32_t r = 0; r < Items; ++r) {
    keys[r] = items[r].key;
    values[r] = items[r].value;
  }
}

} // namespace colonnade::detail
