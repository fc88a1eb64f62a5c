//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// range_count.hpp: one warp counts what the runs have between two keys.
//
// No order is needed to count, only which elements of a window are equal to one of a newer run. A
// hash says for most that they are equal to none: an element that is the first in its cell has won
// it, and of two equal ones at most one has. Those that have lost are few, mostly less than a warp,
// and compare themselves with who has won and with each other. Where they are more, since keys are
// repeated, each element searches in the older runs.
//
// In: as range_walk.hpp. Out: how many elements there are. Invariant: called by whole warps; which
// of the elements of a cell wins it makes no difference.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/range_walk.hpp>

namespace colonnade::detail {

/// A warp's, in shared memory. Of full windows of different keys 15 elements lose, on average.
template <class Raw> struct lsm_count_window {
  static constexpr uint32_t log2_cells = 11, most_losers = 32, rows = lsm_window_size / 32;
  Raw words[lsm_window_size + 1];
  uint32_t won[(1 << log2_cells) / 32]; // a bit for each cell
  uint32_t hidden[rows];                // a bit for each element that a newer one hides
  uint32_t ends[rows];                  // or that is the last that its run has given
  uint8_t winner[1 << log2_cells], losers[most_losers];

  static COLONNADE_KERNEL_CODE uint32_t cell(uint32_t word) {
    return word * 0x9e3779b1u >> (32 - log2_cells);
  }
  static COLONNADE_KERNEL_CODE uint32_t cell(uint64_t word) {
    return cell(static_cast<uint32_t>(word) ^ static_cast<uint32_t>(word >> 32) * 0x85ebca6bu);
  }
};
static_assert(lsm_window_size <= 256); // places have 8 bits

template <lsm_search Search, class Table, class Machine>
class lsm_range_count
    : lsm_range_walk<Search, Table, Machine, lsm_count_window<typename Table::raw>> {
public:
  using window_type = lsm_count_window<typename Table::raw>;
  using walk = lsm_range_walk<Search, Table, Machine, window_type>;
  using raw = typename Table::raw;
  using walk::walk;

  /// The number of elements.
  COLONNADE_KERNEL_CODE uint64_t count(raw first_key, raw last_key) {
    walk::begin(first_key, last_key);
    while (walk::is_left())
      window();
    return found_;
  }

private:
  using part = typename walk::part;
  using walk::begin_;
  using walk::end_;
  using walk::erased_;
  using walk::found_;
  using walk::lane_;
  using walk::machine_;
  using walk::owner;
  using walk::s_;

  COLONNADE_KERNEL_CODE void window() {
    const uint32_t runs = machine_.ballot(begin_ < end_);
    const bool several = runs & (runs - 1);
    uint32_t losers = 0;
    begin_window();
    const auto w = walk::next_window([&](uint32_t i, bool is_there, raw word) {
      if (several)
        compete(i, is_there, word, losers);
    });
    if (w.limited && !machine_.ballot(w.below > 0)) {
      uint64_t at;
      found_ += walk::pass_limit(w.limit, at) != 0;
      return;
    }
    if (w.given.count)
      set_bit(s_.ends, w.given.begin + w.given.count - 1);
    machine_.warp_sync();
    if (several && losers <= window_type::most_losers)
      compare_losers(w.given, losers);
    else if (several)
      search_all(w.given, w.below);
    add_up(w);
    machine_.warp_sync(); // before the next window is loaded
    begin_ += w.below;
  }
  COLONNADE_KERNEL_CODE void begin_window() const {
    for (uint32_t i = lane_; i < sizeof s_.won / sizeof(uint32_t); i += 32)
      s_.won[i] = 0;
    if (lane_ < window_type::rows)
      s_.hidden[lane_] = s_.ends[lane_] = 0;
    machine_.warp_sync();
  }
  /// Of element i.
  COLONNADE_KERNEL_CODE void set_bit(uint32_t *words, uint32_t i) const {
    machine_.or_shared(words + i / 32, 1u << i % 32);
  }
  /// 32 elements: those that lose are listed in their order.
  COLONNADE_KERNEL_CODE void compete(uint32_t i, bool is_there, raw word, uint32_t &losers) const {
    constexpr uint32_t words = sizeof s_.won / sizeof(uint32_t);
    const uint32_t cell = s_.cell(word), bit = 1u << cell / words;
    bool lost = false;
    if (is_there) {
      lost = machine_.or_shared(s_.won + cell % words, bit) & bit;
      if (!lost)
        s_.winner[cell] = static_cast<uint8_t>(i);
    }
    const uint32_t all = machine_.ballot(lost),
                   place = losers + Machine::count_ones(all & ((1u << lane_) - 1));
    if (lost && place < window_type::most_losers)
      s_.losers[place] = static_cast<uint8_t>(i);
    losers += Machine::count_ones(all);
  }
  /// All elements that are equal to a loser have won its cell or lost.
  COLONNADE_KERNEL_CODE void compare_losers(const part &given, uint32_t losers) const {
    const bool is = lane_ < losers;
    const uint32_t i = is ? s_.losers[lane_] : 0;
    const raw word = s_.words[i];
    const uint32_t winner = is ? s_.winner[s_.cell(word)] : 0, own = owner(given.begin, i),
                   of_winner = owner(given.begin, winner);
    const bool equal = is && s_.words[winner] == word;
    uint32_t same = machine_.match(static_cast<uint32_t>(word)) & machine_.ballot(is);
    if constexpr (sizeof(raw) == 8)
      same &= machine_.match(static_cast<uint32_t>(word >> 32));
    // They stand in the order of their runs.
    const uint32_t newest = machine_.shuffle(own, same ? Machine::first_one(same) : 0);
    if (is && (newest < own || (equal && of_winner < own)))
      set_bit(s_.hidden, i);
    if (equal && own < of_winner)
      set_bit(s_.hidden, winner);
    machine_.warp_sync();
  }
  /// Elements below the limit, 32 at a time, in all older runs.
  COLONNADE_KERNEL_CODE void search_all(const part &given, uint32_t below) const {
    const uint32_t runs = machine_.ballot(below > 0),
                   searching = machine_.shuffle(given.begin, log2_below(runs));
    for (uint32_t first = 0; first < searching; first += 32) {
      const uint32_t i = first + lane_, own = owner(given.begin, i),
                     newest = machine_.shuffle(own, 0);
      const bool there = i < searching;
      const raw word = there ? s_.words[i] : raw{};
      for (uint32_t older = runs & ~((2u << newest) - 1); older; older &= older - 1) {
        const uint32_t run = Machine::first_one(older);
        const part of_run{machine_.shuffle(given.begin, run), machine_.shuffle(below, run)};
        const uint32_t before = there && own < run ? walk::words_up_to(of_run, word) : 0;
        const uint32_t last = of_run.begin + before - 1;
        if (before > 0 && s_.words[last] == word)
          set_bit(s_.hidden, last);
      }
    }
    machine_.warp_sync();
  }
  /// What is below the limit, and not stale.
  COLONNADE_KERNEL_CODE void add_up(const typename walk::shares &w) {
    for (uint32_t first = 0; first < w.used; first += 32) {
      const uint32_t i = first + lane_, at = i < w.used ? i : 0, bit = 1u << lane_;
      const raw word = s_.words[at];
      bool counts = i < w.used && !(s_.hidden[first / 32] & bit) &&
                    !(w.limited && word >= w.limit) &&
                    ((s_.ends[first / 32] & bit) || s_.words[at + 1] != word);
      if (erased_) { // the same for all lanes
        const uint32_t from = owner(w.given.begin, i),
                       place = i - machine_.shuffle(w.given.begin, from);
        counts = !walk::is_tombstone(counts, from, place) && counts;
      }
      found_ += Machine::count_ones(machine_.ballot(counts));
    }
  }
};

} // namespace colonnade::detail
