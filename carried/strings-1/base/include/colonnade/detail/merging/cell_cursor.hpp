//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cell_cursor.hpp: reads a sorted range of cells, item by item, without branches.
//
// In: a range of cells in shared memory. Out: after each step, the next item in registers.
// Invariant: a step whose condition is false changes nothing; one at the end of the range reads
// the cell after it.
//
// On the GPU a cursor is an address in shared memory, and a step is two predicated instructions
// (inline PTX), the load writing directly to the registers of the item. Compilers make twice as
// many of it, with copies of the item and an index beside the address.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/items.hpp>
#include <colonnade/detail/sort_network/exchange.hpp>

namespace colonnade::detail {

/// first ? a : b, word by word, so that both stay in registers.
template <class Item>
COLONNADE_KERNEL_CODE Item select_item(bool first, const Item &a, const Item &b) {
  if constexpr (std::is_arithmetic_v<Item>) {
    return first ? a : b;
  } else {
    const auto words_a = item_words<Item>::of(a), words_b = item_words<Item>::of(b);
    item_words<Item> words;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < item_words<Item>::count; ++w)
      words.at[w] = first ? words_a.at[w] : words_b.at[w];
    return words.item();
  }
}

#if defined(__CUDA_ARCH__)

template <class Item> class cell_cursor {
public:
  __device__ __forceinline__ cell_cursor(const item_cell<Item> *at, const item_cell<Item> *end)
      : at_(address(at)), end_(address(end)) {}
  __device__ __forceinline__ bool is_left() const { return at_ < end_; }

  /// If `condition`: moves to the next cell and reads it into `item`, also beyond the end.
  __device__ __forceinline__ void step_if(bool condition, Item &item) {
    constexpr uint32_t bytes = sizeof(item_cell<Item>);
    if constexpr (bytes == 4 || bytes == 8 || bytes == 16) {
      auto words = item_words<Item>::of(item);
      const uint32_t moves = condition;
      if constexpr (bytes == 4)
        asm volatile("{\n\t.reg .pred moves;\n\tsetp.ne.u32 moves, %2, 0;\n\t"
                     "@moves add.u32 %0, %0, 4;\n\t@moves ld.shared.b32 %1, [%0];\n\t}"
                     : "+r"(at_), "+r"(words.at[0])
                     : "r"(moves)
                     : "memory");
      if constexpr (bytes == 8)
        asm volatile("{\n\t.reg .pred moves;\n\tsetp.ne.u32 moves, %3, 0;\n\t"
                     "@moves add.u32 %0, %0, 8;\n\t@moves ld.shared.v2.b32 {%1, %2}, [%0];\n\t}"
                     : "+r"(at_), "+r"(words.at[0]), "+r"(words.at[1])
                     : "r"(moves)
                     : "memory");
      if constexpr (bytes == 16)
        asm volatile(
            "{\n\t.reg .pred moves;\n\tsetp.ne.u32 moves, %5, 0;\n\t"
            "@moves add.u32 %0, %0, 16;\n\t@moves ld.shared.v4.b32 {%1, %2, %3, %4}, [%0];\n\t}"
            : "+r"(at_), "+r"(words.at[0]), "+r"(words.at[1]), "+r"(words.at[2]), "+r"(words.at[3])
            : "r"(moves)
            : "memory");
      item = words.item();
    } else if (condition) {
      at_ += bytes;
      item = static_cast<const item_cell<Item> *>(__cvta_shared_to_generic(at_))->item;
    }
  }

private:
  static __device__ __forceinline__ uint32_t address(const void *shared) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  }
  uint32_t at_, end_;
};

#else

template <class Item> class cell_cursor {
public:
  cell_cursor(const item_cell<Item> *at, const item_cell<Item> *end) : at_(at), end_(end) {}
  bool is_left() const { return at_ < end_; }
  void step_if(bool condition, Item &item) {
    if (condition)
      item = (++at_)->item;
  }

private:
  const item_cell<Item> *at_, *end_;
};

#endif

} // namespace colonnade::detail
