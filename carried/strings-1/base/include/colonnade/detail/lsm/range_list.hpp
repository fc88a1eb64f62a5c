//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// range_list.hpp: one warp lists what the runs have between two keys, in order.
//
// Each element below a window's limit searches in the older runs; those of the oldest, mostly half
// of all, search nowhere. So each knows how many older elements come before it; and what it comes
// before in an older run moves on by one, which a prefix sum adds up. An equal element there is
// hidden.
//
// In: as range_walk.hpp, and what is done with an element. Out: each element with its number, in
// order. Invariant: called by whole warps; the merged window has the older first of equal keys.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/range_walk.hpp>

namespace colonnade::detail {

/// A warp's, in shared memory.
template <class Raw> struct lsm_list_window {
  Raw words[lsm_window_size];
  uint16_t merged[lsm_window_size];    // where the elements are that come first, second, ...
  uint32_t marks[lsm_window_size + 1]; // of the elements below the limit: see lsm_range_mark
};
/// Numbers in a word, each of which is added to alone.
struct lsm_range_mark {
  static constexpr uint32_t bits = 9, moves_on = 1, // it and all behind it, by one each
      is_behind = 1u << bits,                       // elements of older runs
      is_hidden = 1u << 2 * bits;                   // by a newer run
  static COLONNADE_KERNEL_CODE uint32_t moved(uint32_t mark) { return mark & (is_behind - 1); }
  static COLONNADE_KERNEL_CODE uint32_t behind(uint32_t mark) {
    return mark >> bits & ((1u << bits) - 1);
  }
  static COLONNADE_KERNEL_CODE bool hidden(uint32_t mark) { return mark >= is_hidden; }
};
static_assert(lsm_window_size < 1u << lsm_range_mark::bits);

/// write(number, key, value)
template <lsm_search Search, class Table, class Machine, class Write>
class lsm_range_list
    : lsm_range_walk<Search, Table, Machine, lsm_list_window<typename Table::raw>> {
public:
  using window_type = lsm_list_window<typename Table::raw>;
  using walk = lsm_range_walk<Search, Table, Machine, window_type>;
  using raw = typename Table::raw;
  using value = typename Table::value;

  COLONNADE_KERNEL_CODE lsm_range_list(const Machine &machine, const Table &table,
                                       const lsm_state &state, const Write &write,
                                       window_type &shared)
      : walk(machine, table, state, shared), write_(write) {}

  COLONNADE_KERNEL_CODE void list(raw first_key, raw last_key) {
    walk::begin(first_key, last_key);
    while (walk::is_left())
      window();
  }

private:
  using part = typename walk::part;
  using walk::begin_;
  using walk::erased_;
  using walk::found_;
  using walk::lane_;
  using walk::machine_;
  using walk::owner;
  using walk::pointer_of;
  using walk::run_;
  using walk::s_;

  /// An element of the window: element `place` of what a run gave.
  struct origin {
    static constexpr uint32_t place_bits = 8;
    static constexpr uint16_t none = 0xffff; // stale
    uint32_t from, place;

    COLONNADE_KERNEL_CODE uint16_t packed() const {
      return static_cast<uint16_t>(from << place_bits | place);
    }
    static COLONNADE_KERNEL_CODE origin of(uint16_t packed) {
      return {static_cast<uint32_t>(packed >> place_bits), packed & ((1u << place_bits) - 1)};
    }
  };
  static_assert(lsm_window_size <= 1u << origin::place_bits);

  COLONNADE_KERNEL_CODE void window() {
    const auto w = walk::next_window([&](uint32_t i, bool, raw) { s_.marks[i] = 0; });
    if (w.limited && !machine_.ballot(w.below > 0))
      return take_limit(w.limit);
    uint32_t all_below;
    const part taken = walk::part_of(w.below, all_below);
    hide(w.given, taken);
    merge(w.given, taken, all_below);
    list_merged(all_below);
    machine_.warp_sync(); // before the next window is loaded
    begin_ += w.below;
  }
  COLONNADE_KERNEL_CODE void take_limit(raw limit) {
    uint64_t at;
    const uint32_t counts = walk::pass_limit(limit, at);
    if (counts >> lane_ & 1)
      write_(found_, run_.keys[at], run_.values[at]);
    found_ += counts != 0;
  }

  /// Elements below the limit, 32 at a time; those of the oldest run have nobody to search in.
  COLONNADE_KERNEL_CODE void hide(const part &given, const part &taken) const {
    const uint32_t runs = machine_.ballot(taken.count > 0),
                   searching = runs ? machine_.shuffle(taken.begin, log2_below(runs)) : 0;
    for (uint32_t first = 0; first < searching; first += 32) {
      const uint32_t i = first + lane_, own = owner(taken.begin, i),
                     at = machine_.shuffle(given.begin, own) + i -
                          machine_.shuffle(taken.begin, own);
      const bool there = i < searching;
      const raw word = there ? s_.words[at] : raw{};
      const uint32_t newest = machine_.shuffle(own, 0);
      uint32_t behind = 0;
      for (uint32_t older = runs & ~((2u << newest) - 1); older; older &= older - 1) {
        const uint32_t run = Machine::first_one(older);
        const part of_run{machine_.shuffle(given.begin, run), machine_.shuffle(taken.count, run)};
        const uint32_t marks_begin = machine_.shuffle(taken.begin, run);
        if (there && own < run)
          behind += search(of_run, marks_begin, word);
      }
      if (there)
        machine_.add_shared(s_.marks + i, behind * lsm_range_mark::is_behind);
    }
    machine_.warp_sync();
  }
  /// How many of a run's elements come before an element of a newer one, which marks what it finds.
  COLONNADE_KERNEL_CODE uint32_t search(const part &of_run, uint32_t marks_begin, raw word) const {
    const uint32_t before = walk::words_up_to(of_run, word);
    uint32_t *const mark = s_.marks + marks_begin + before;
    if (before > 0 && s_.words[of_run.begin + before - 1] == word)
      machine_.add_shared(mark - 1, lsm_range_mark::is_hidden);
    machine_.add_shared(mark, lsm_range_mark::moves_on);
    return before;
  }
  /// Where all elements below the limit come in the merged window.
  COLONNADE_KERNEL_CODE void merge(const part &given, const part &taken, uint32_t all_below) {
    // Every element has moved something of each older run, or the first behind it.
    const uint32_t newer = taken.count ? taken.begin : 0,
                   moved_before = warp_inclusive_sum(machine_, newer) - newer;
    uint32_t moved = 0;
    for (uint32_t first = 0; first < all_below; first += 32) {
      const uint32_t i = first + lane_, from = owner(taken.begin, i),
                     place = i - machine_.shuffle(taken.begin, from),
                     at = machine_.shuffle(given.begin, from) + place,
                     count = machine_.shuffle(taken.count, from);
      const bool there = i < all_below;
      const uint32_t mark = there ? s_.marks[i] : 0;
      bool stale = !there || lsm_range_mark::hidden(mark) ||
                   (place + 1 < count && s_.words[at + 1] == s_.words[at]);
      if (erased_) // the same for all lanes
        stale = walk::is_tombstone(!stale, from, place) || stale;
      const uint32_t up_to = moved + warp_inclusive_sum(machine_, lsm_range_mark::moved(mark));
      moved = machine_.shuffle(up_to, 31);
      const uint32_t rank =
          place + lsm_range_mark::behind(mark) + up_to - machine_.shuffle(moved_before, from);
      if (there)
        s_.merged[rank] = stale ? origin::none : origin{from, place}.packed();
    }
  }
  /// Writes what is not stale of the merged window.
  COLONNADE_KERNEL_CODE void list_merged(uint32_t all_below) {
    machine_.warp_sync();
    const raw *const own_keys = run_.keys + begin_;
    const value *const own_values = run_.values + begin_;
    for (uint32_t first = 0; first < all_below; first += 32) {
      const uint32_t i = first + lane_;
      const uint16_t packed = i < all_below ? s_.merged[i] : origin::none;
      const bool counts = packed != origin::none;
      const origin at = origin::of(packed);
      const raw *const keys = pointer_of(own_keys, at.from);
      const value *const values = pointer_of(own_values, at.from);
      const uint32_t all = machine_.ballot(counts);
      if (counts)
        write_(found_ + Machine::count_ones(all & ((1u << lane_) - 1)), keys[at.place],
               values[at.place]);
      found_ += Machine::count_ones(all);
    }
  }

  const Write &write_;
};

} // namespace colonnade::detail
