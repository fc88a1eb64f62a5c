//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// range_walk.hpp: one warp merges what the runs have between two keys.
//
// Every run has its own lane, the newest the lowest. Each finds its part of the range. Then the
// warp looks at windows: each run gives elements in proportion to what it has left, and a few more.
// The smallest of the last keys of runs that have not given all is the limit: below it nothing is
// missing. Words of the window's keys stand in shared memory. Each element below the limit searches
// in the older runs; those of the oldest, mostly half of all, search nowhere. So each knows how
// many older elements come before it; and what it comes before in an older run moves on by one,
// which a prefix sum adds up. An equal element there is hidden: of equal keys that of the newest
// run counts, and in it the last. If nothing is below the limit, the limit itself is next: every
// run searches for the end of its equal keys, however many they are.
//
// In: a table and its state, two keys, both inclusive, shared memory for a window. Out: how many
// elements there are, and in `write` each with its number, in order. Invariant: called by whole
// warps; the merged window has the older first of equal keys. Where elements are only counted,
// their places are not computed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/lsm/search.hpp>

namespace colonnade::detail {

/// A warp's, in shared memory.
template <class Raw> struct lsm_range_window {
  // A few elements of a run are soon used up, which ends the window: each gives some more than its
  // share.
  static constexpr uint32_t size = 256, least = 4;
  Raw words[size];          // of the runs' shares, the newest first
  uint16_t merged[size];    // where the elements are that come first, second, ...
  uint32_t marks[size + 1]; // of the elements below the limit: see lsm_range_mark
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
static_assert(lsm_range_window<uint32_t>::size < 1u << lsm_range_mark::bits);
static_assert(32 * lsm_range_window<uint32_t>::least <= lsm_range_window<uint32_t>::size);

struct lsm_no_write {
  static constexpr bool writes = false;
  template <class Key, class Value>
  COLONNADE_KERNEL_CODE void operator()(uint64_t, Key, Value) const {}
};

template <lsm_search Search, class Table, class Machine, class Write> class lsm_range_walk {
public:
  using raw = typename Table::raw;
  using value = typename Table::value;
  using run = typename Table::run;
  using window_type = lsm_range_window<raw>;

  COLONNADE_KERNEL_CODE lsm_range_walk(const Machine &machine, const Table &table,
                                       const lsm_state &state, const Write &write,
                                       window_type &shared)
      : machine_(machine), format_(table.format), write_(write), s_(shared), lane_(machine.lane()) {
    if (lane_ == 0)
      run_ = table.buffer(state);
    else if (lane_ <= table.num_levels && (state.batches >> (lane_ - 1) & 1))
      run_ = table.level(state, lane_ - 1);
    erased_ = machine_.ballot(run_.tombstones != nullptr) != 0;
  }

  /// The number of elements.
  COLONNADE_KERNEL_CODE uint64_t walk(raw first_key, raw last_key) {
    const raw first = format_.word(first_key), last = format_.word(last_key);
    begin_ = end_ = found_ = 0;
    if (run_.count && first <= last) {
      begin_ = count_below<Search>(run_, format_, first);
      end_ = count_up_to<Search>(run_, format_, last);
    }
    while (machine_.ballot(begin_ < end_))
      window();
    return found_;
  }

private:
  /// Of a lane's run in the window: elements begin to begin + count - 1 of it.
  struct part {
    uint32_t begin, count;
  };
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
  static_assert(window_type::size <= 1u << origin::place_bits);

  /// Elements that this lane's run gives to the window.
  COLONNADE_KERNEL_CODE uint32_t share() const {
    const uint64_t left = end_ - begin_;
    const uint32_t runs = Machine::count_ones(machine_.ballot(left > 0));
    uint64_t all = left;
    COLONNADE_UNROLL
    for (uint32_t mask = 16; mask > 0; mask /= 2)
      all += machine_.shuffle_xor(all, mask);
    if (all <= window_type::size)
      return static_cast<uint32_t>(left);
    // Rounded down, so not more than the window has in total.
    const uint32_t shared = window_type::size - window_type::least * runs;
    const float own =
        static_cast<float>(shared) * static_cast<float>(left) / static_cast<float>(all);
    const uint64_t wanted = window_type::least + static_cast<uint32_t>(own);
    return static_cast<uint32_t>(wanted < left ? wanted : left);
  }
  /// This lane's part, where each lane has so many; `all`: of all lanes.
  COLONNADE_KERNEL_CODE part part_of(uint32_t count, uint32_t &all) const {
    const uint32_t up_to = warp_inclusive_sum(machine_, count);
    all = machine_.shuffle(up_to, 31);
    return {up_to - count, count};
  }
  /// The lane whose part has place i; the lanes' parts begin at `begin`, which rises.
  COLONNADE_KERNEL_CODE uint32_t owner(uint32_t begin, uint32_t i) const {
    uint32_t low = 0;
    COLONNADE_UNROLL
    for (uint32_t step = 16; step > 0; step /= 2)
      low += machine_.shuffle(begin, low + step) <= i ? step : 0;
    return low;
  }
  template <class T> COLONNADE_KERNEL_CODE const T *pointer_of(const T *own, uint32_t lane) const {
    return reinterpret_cast<const T *>(static_cast<uintptr_t>(
        machine_.shuffle(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(own)), lane)));
  }

  COLONNADE_KERNEL_CODE void window() {
    uint32_t used, all_below;
    const part given = part_of(share(), used);
    load(given.begin, used);
    const bool gives_all = begin_ + given.count == end_;
    uint32_t below = given.count;
    if (machine_.ballot(!gives_all)) {
      const raw last = given.count ? s_.words[given.begin + given.count - 1] : raw{},
                limit = smallest(gives_all ? static_cast<raw>(~raw{0}) : last);
      below = limit ? words_up_to(given.begin, given.count, static_cast<raw>(limit - 1)) : 0;
      if (!machine_.ballot(below > 0))
        return take_limit(limit);
    }
    const part taken = part_of(below, all_below);
    hide(given, taken);
    merge(given, taken, all_below);
    if constexpr (Write::writes)
      list(all_below);
    machine_.warp_sync(); // before the next window is loaded
    begin_ += below;
  }
  COLONNADE_KERNEL_CODE void load(uint32_t given_begin, uint32_t used) const {
    const raw *const own = run_.keys + begin_;
    for (uint32_t first = 0; first < used; first += 32) {
      const uint32_t i = first + lane_, from = owner(given_begin, i),
                     place = i - machine_.shuffle(given_begin, from);
      const raw *const keys = pointer_of(own, from);
      if (i < used)
        s_.words[i] = format_.word(keys[place]);
      s_.marks[i] = 0;
    }
    machine_.warp_sync();
  }
  /// How many of these words in order are not above the limit.
  COLONNADE_KERNEL_CODE uint32_t words_up_to(uint32_t begin, uint32_t count, raw limit) const {
    uint32_t low = 0;
    for (uint32_t step = count ? 1u << log2_below(count) : 0; step > 0; step /= 2)
      if (low + step <= count && s_.words[begin + low + step - 1] <= limit)
        low += step;
    return low;
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
        const uint32_t run = Machine::first_one(older), begin = machine_.shuffle(given.begin, run),
                       count = machine_.shuffle(taken.count, run),
                       marks_begin = machine_.shuffle(taken.begin, run);
        if (there && own < run)
          behind += search(begin, count, marks_begin, word);
      }
      if (Write::writes && there)
        machine_.add_shared(s_.marks + i, behind * lsm_range_mark::is_behind);
    }
    machine_.warp_sync();
  }
  /// How many of a run's elements come before an element of a newer one, which marks what it finds.
  COLONNADE_KERNEL_CODE uint32_t search(uint32_t begin, uint32_t count, uint32_t marks_begin,
                                        raw word) const {
    const uint32_t before = words_up_to(begin, count, word);
    uint32_t *const mark = s_.marks + marks_begin + before;
    if (before > 0 && s_.words[begin + before - 1] == word)
      machine_.add_shared(mark - 1, lsm_range_mark::is_hidden);
    if constexpr (Write::writes)
      machine_.add_shared(mark, lsm_range_mark::moves_on);
    return before;
  }
  /// Where all elements below the limit come in the merged window; or how many are not stale.
  COLONNADE_KERNEL_CODE void merge(const part &given, const part &taken, uint32_t all_below) {
    // Every element has moved something of each older run, or the first behind it.
    uint32_t moved = 0, moved_before = 0;
    if constexpr (Write::writes) {
      const uint32_t newer = taken.count ? taken.begin : 0;
      moved_before = warp_inclusive_sum(machine_, newer) - newer;
    }
    for (uint32_t first = 0; first < all_below; first += 32) {
      const uint32_t i = first + lane_, from = owner(taken.begin, i),
                     place = i - machine_.shuffle(taken.begin, from),
                     at = machine_.shuffle(given.begin, from) + place,
                     count = machine_.shuffle(taken.count, from);
      const bool there = i < all_below;
      const uint32_t mark = there ? s_.marks[i] : 0;
      bool stale = !there || lsm_range_mark::hidden(mark) ||
                   (place + 1 < count && s_.words[at + 1] == s_.words[at]);
      if (erased_) { // the same for all lanes
        const uint32_t *const tombstones = pointer_of(run_.tombstones, from);
        const uint64_t in_run = machine_.shuffle(begin_, from) + place;
        if (!stale && tombstones)
          stale = tombstones[in_run / 32] >> in_run % 32 & 1;
      }
      if constexpr (!Write::writes) {
        found_ += Machine::count_ones(machine_.ballot(!stale));
      } else {
        const uint32_t up_to = moved + warp_inclusive_sum(machine_, lsm_range_mark::moved(mark));
        moved = machine_.shuffle(up_to, 31);
        const uint32_t rank =
            place + lsm_range_mark::behind(mark) + up_to - machine_.shuffle(moved_before, from);
        if (there)
          s_.merged[rank] = stale ? origin::none : origin{from, place}.packed();
      }
    }
  }
  /// Writes what is not stale of the merged window.
  COLONNADE_KERNEL_CODE void list(uint32_t all_below) {
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
  COLONNADE_KERNEL_CODE raw smallest(raw own) const {
    COLONNADE_UNROLL
    for (uint32_t mask = 16; mask > 0; mask /= 2) {
      const raw other = machine_.shuffle_xor(own, mask);
      own = other < own ? other : own;
    }
    return own;
  }
  /// The key `limit` is the smallest that is left.
  COLONNADE_KERNEL_CODE void take_limit(raw limit) {
    uint64_t up_to = begin_;
    bool here = false;
    if (begin_ < end_ && format_.word(run_.keys[begin_]) == limit) {
      here = true;
      up_to = count_up_to<Search>(run_, format_, limit);
    }
    const uint32_t newest = Machine::first_one(machine_.ballot(here));
    const bool counts = lane_ == newest && !run_.is_tombstone(up_to - 1);
    if (counts)
      write_(found_, run_.keys[up_to - 1], run_.values[up_to - 1]);
    found_ += machine_.ballot(counts) ? 1 : 0;
    begin_ = up_to;
  }

  const Machine &machine_;
  const typename Table::format_type &format_;
  const Write &write_;
  window_type &s_;
  uint32_t lane_;
  run run_;             // of this lane
  bool erased_ = false; // some run may have tombstones
  uint64_t begin_ = 0, end_ = 0, found_ = 0;
};

} // namespace colonnade::detail
