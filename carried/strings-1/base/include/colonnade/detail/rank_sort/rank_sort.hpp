//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rank_sort.hpp: sorts few items in one launch of many blocks that need nothing of each
// other: an item's place is the number of items that come before it, and is counted.
//
// A row is sorted by itself: the whole input, or a segment. A block has a share of a row:
// 64 items, two a lane, the same in all its warps. The row's words are cut into lines of 32,
// which the warps deal out among themselves; every lane counts how many words of a line come
// before its items. The sums over the warps are the places. Comparisons grow with the square
// of a row's length, but the whole GPU makes them at once: up to some thousand items that
// takes less time than the passes or merges of one block, or of a cluster.
//
// In: keys, their order as words, and where rows lie. Out: the rows sorted, stable. Outputs
// are other arrays than inputs, since blocks read items while others write. Invariant: of two
// items of a row exactly one counts the other, so that no two have the same place.
//
// Source: D. E. Knuth, The Art of Computer Programming 3, section 5.2, algorithm C
// (comparison counting).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace colonnade::detail {

constexpr uint32_t line_items = 32;
constexpr uint32_t share_items = 2 * line_items;
constexpr uint32_t most_rank_warps = 16; // of a block

/// What a block has: of the row [begin, begin + length) the items from `first` on. No
/// length: nothing.
struct row_share {
  uint64_t begin = 0;
  uint32_t length = 0, first = 0;
};

/// The whole input is one row.
struct one_row {
  uint32_t num_items;
  template <class Machine> COLONNADE_KERNEL_CODE row_share find(const Machine &machine) const {
    return {0, num_items, machine.block() * share_items};
  }
};

/// Order: order.word(key) is an unsigned integer of 32 or 64 bits; Rows: as one_row.
/// Value: nothing if there are none; computed values are places in the row.
template <class Key, class Order, class ValuesIn, class Value, class Rows>
struct rank_sort_arguments {
  using key = Key;
  using value = Value;
  using word = std::decay_t<decltype(std::declval<Order>().word(Key{}))>;
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;

  const Key *keys_in;
  Key *keys_out; // null: not wanted
  ValuesIn values_in;
  Value *values_out;
  Order order;
  Rows rows;
};

template <class Arguments, class Machine> class rank_sort_block {
public:
  using key = typename Arguments::key;
  using value = typename Arguments::value;
  using word = typename Arguments::word;
  static constexpr uint32_t lines_at_once = 4; // that a warp loads together
  struct alignas(16) pack {
    word at[16 / sizeof(word)];
  };
  static constexpr uint32_t packs = line_items * sizeof(word) / sizeof(pack);
  struct warp_storage {
    pack lines[lines_at_once][packs];
    uint32_t counts[2][32];
  };
  static constexpr size_t shared_bytes(uint32_t threads) {
    return threads / 32 * sizeof(warp_storage);
  }

  COLONNADE_KERNEL_CODE rank_sort_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), of_warps_(reinterpret_cast<warp_storage *>(shared)),
        mine_(of_warps_[machine.warp()]), warps_(machine.num_threads() / 32) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.wait_for_previous_kernel();
    row_ = a_.rows.find(machine_);
    if (row_.first >= row_.length)
      return;
    if (row_.length <= few_items)
      return sort_few();
    num_lines_ = (row_.length + line_items - 1) / line_items;
    load_lines(machine_.warp());
    load_own();
    for (uint32_t line = machine_.warp(); line < num_lines_; line += lines_at_once * warps_) {
      machine_.warp_sync(); // the lines before are counted
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < lines_at_once; ++k)
        reinterpret_cast<word *>(mine_.lines[k])[machine_.lane()] = next_[k];
      machine_.warp_sync();
      if (line + lines_at_once * warps_ < num_lines_)
        load_lines(line + lines_at_once * warps_);
      for (uint32_t k = 0; k < lines_at_once && line + k * warps_ < num_lines_; ++k)
        count(mine_.lines[k], line + k * warps_);
    }
    write(add_up());
  }

private:
  static constexpr uint32_t few_items = 8;
  struct counts {
    uint32_t of[2];
  };

  /// Words behind the row are the greatest there are.
  COLONNADE_KERNEL_CODE void load_lines(uint32_t line) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < lines_at_once; ++k) {
      const uint32_t i = (line + k * warps_) * line_items + machine_.lane();
      next_[k] = i < row_.length ? a_.order.word(a_.keys_in[row_.begin + i]) : greatest;
    }
  }
  COLONNADE_KERNEL_CODE uint32_t own(uint32_t i) const {
    return row_.first + i * line_items + machine_.lane();
  }
  COLONNADE_KERNEL_CODE void load_own() {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 2; ++i)
      if (own(i) < row_.length) {
        keys_[i] = a_.keys_in[row_.begin + own(i)];
        words_[i] = a_.order.word(keys_[i]);
        if constexpr (Arguments::has_values)
          if (machine_.warp() == 0)
            values_[i] = a_.values_in[static_cast<std::ptrdiff_t>(
                (are_computed<ValuesIn> ? 0 : row_.begin) + own(i))];
      }
  }

  /// A row so short that shared memory would only delay it.
  COLONNADE_KERNEL_CODE void sort_few() {
    load_own();
    machine_.let_next_kernel_start(); // not in longer ones: its blocks would crowd some SMs
    uint32_t place = 0;
    for (uint32_t i = 0; i < row_.length; ++i) {
      const word other = machine_.shuffle(words_[0], i);
      place += other < words_[0] || (other == words_[0] && i < machine_.lane());
    }
    write({{place, 0}});
  }

  /// Of a line before an item's own, the words that are at most the item's come before it;
  /// of others those below. Both are one comparison with a limit, but for the word 0, below
  /// which there is none: it counts all, and forgets them.
  COLONNADE_KERNEL_CODE void count(const pack *line, uint32_t number) {
    word limits[2];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 2; ++i) {
      const bool before = number < row_.first / line_items + i;
      limits[i] = before ? words_[i] : words_[i] - 1;
      if (!before && words_[i] == 0)
        counts_[i] -= line_items;
    }
    COLONNADE_UNROLL
    for (uint32_t p = 0; p < packs; ++p) {
      const pack some = line[p];
      COLONNADE_UNROLL
      for (const word w : some.at)
        COLONNADE_UNROLL
      for (uint32_t i = 0; i < 2; ++i)
        if (w <= limits[i])
          counts_[i] += 1;
    }
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 2; ++i)
      if (number == row_.first / line_items + i)
        counts_[i] += static_cast<float>(equals_before(words_[i]));
  }
  /// In lanes below.
  COLONNADE_KERNEL_CODE uint32_t equals_before(word w) const {
    uint32_t equal = machine_.match(static_cast<uint32_t>(w));
    if constexpr (sizeof(word) > 4)
      equal &= machine_.match(static_cast<uint32_t>(w >> 32));
    return Machine::count_ones(equal & ((1u << machine_.lane()) - 1));
  }
  /// The places, in the first warp.
  COLONNADE_KERNEL_CODE counts add_up() const {
    counts sums{{static_cast<uint32_t>(counts_[0]), static_cast<uint32_t>(counts_[1])}};
    if (warps_ == 1)
      return sums;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 2; ++i)
      mine_.counts[i][machine_.lane()] = sums.of[i];
    machine_.block_sync();
    if (machine_.warp() == 0)
      for (uint32_t w = 1; w < warps_; ++w)
        COLONNADE_UNROLL
    for (uint32_t i = 0; i < 2; ++i)
      sums.of[i] += of_warps_[w].counts[i][machine_.lane()];
    return sums;
  }
  COLONNADE_KERNEL_CODE void write(const counts &places) const {
    if (machine_.warp() > 0)
      return;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 2; ++i)
      if (own(i) < row_.length) {
        const uint64_t to = row_.begin + places.of[i];
        if (a_.keys_out)
          a_.keys_out[to] = keys_[i];
        if constexpr (Arguments::has_values)
          a_.values_out[to] = values_[i];
      }
  }

  using ValuesIn = decltype(Arguments::values_in);
  static constexpr word greatest = static_cast<word>(~word{0});

  const Machine &machine_;
  const Arguments &a_;
  warp_storage *of_warps_;
  warp_storage &mine_;
  uint32_t warps_, num_lines_ = 0;
  row_share row_;
  word next_[lines_at_once];     // of the lines to be counted next
  float counts_[2] = {0.f, 0.f}; // exact; added by other units than those that compare
  word words_[2] = {0, 0};
  key keys_[2];
  value values_[2];
};

} // namespace colonnade::detail
