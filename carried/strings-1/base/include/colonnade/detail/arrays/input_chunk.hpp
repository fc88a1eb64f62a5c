//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// input_chunk.hpp: how a block reads the input in chunks, where the order of items is free.
//
// In: an iterator and a number of items. Out: items by chunk, thread and number, and those outside
// of all chunks one by one. Plain arrays of items whose size divides 16 are read 16 bytes at a time
// from the first 16-byte boundary on; the items before it and after the last whole chunk are
// outside. Other iterators are read item by item. Invariant: every item is read once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <iterator>
#include <type_traits>

namespace colonnade::detail {

struct alignas(16) sixteen_bytes {
  uint32_t word[4];
};

template <class In, uint32_t Threads, uint32_t Loads> struct input_chunk {
  using item = typename std::iterator_traits<In>::value_type;
  static constexpr bool wide =
      std::is_pointer_v<In> && 16 % sizeof(item) == 0 && alignof(item) == sizeof(item);
  static constexpr uint32_t per_load = wide ? 16 / sizeof(item) : 1;
  static constexpr uint32_t items = wide ? Loads * per_load : Loads * 4;
  static constexpr uint32_t items_per_chunk = items * Threads;

  In in;
  uint64_t num_items, first, num_chunks; // chunks begin at item `first`

  COLONNADE_KERNEL_CODE input_chunk(In input, uint64_t count)
      : in(input), num_items(count), first(items_before_boundary(input, count)),
        num_chunks((count - first) / items_per_chunk) {}

  /// Items of chunk `c` of one thread, all loads in flight at once.
  COLONNADE_KERNEL_CODE void load(uint64_t c, uint32_t thread, item (&out)[items]) const {
    const uint64_t begin = first + c * items_per_chunk;
    if constexpr (wide) {
      const sixteen_bytes *from = reinterpret_cast<const sixteen_bytes *>(in + begin) + thread;
      union {
        sixteen_bytes wide_word[Loads];
        item narrow[items];
      } loaded;
      COLONNADE_UNROLL
      for (uint32_t l = 0; l < Loads; ++l)
        loaded.wide_word[l] = from[l * Threads];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        out[k] = loaded.narrow[k];
    } else {
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        out[k] = in[begin + k * Threads + thread];
    }
  }
  COLONNADE_KERNEL_CODE uint64_t index_of(uint64_t c, uint32_t thread, uint32_t k) const {
    return first + c * items_per_chunk + (uint64_t{k / per_load} * Threads + thread) * per_load +
           k % per_load;
  }
  template <class Visit>
  COLONNADE_KERNEL_CODE void for_each_outside(uint32_t thread, Visit visit) const {
    for (uint64_t i = thread; i < first; i += Threads)
      visit(i);
    for (uint64_t i = first + num_chunks * items_per_chunk + thread; i < num_items; i += Threads)
      visit(i);
  }

private:
  static COLONNADE_KERNEL_CODE uint64_t items_before_boundary(In input, uint64_t count) {
    if constexpr (wide) {
      const uint64_t items_to = (16 - reinterpret_cast<uintptr_t>(input) % 16) % 16 / sizeof(item);
      return items_to < count ? items_to : count;
    }
    return 0;
  }
};

} // namespace colonnade::detail
