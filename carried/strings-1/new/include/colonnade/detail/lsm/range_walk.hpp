//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// range_walk.hpp: what counting and listing of ranges share: one warp looks at windows of what the
// runs have between two keys.
//
// Every run has its own lane, the newest the lowest. Each finds its part of the range. Then the
// warp looks at windows: each run gives elements in proportion to what it has left, and a few more.
// The smallest of the last keys of runs that have not given all is the limit: below it nothing is
// missing. Words of the window's keys stand in shared memory. If nothing is below the limit, the
// limit itself is next: every run searches for the end of its equal keys, however many they are.
//
// In: a table and its state, two keys, both inclusive, shared memory for a window. Out: to
// range_count.hpp and range_list.hpp, windows. Invariant: called by whole warps; of equal keys that
// of the newest run counts, and in it the last.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/lsm/search.hpp>

namespace colonnade::detail {

/// Elements of a window. A few of a run are soon used up, which ends the window: each gives some
/// more than its share.
constexpr uint32_t lsm_window_size = 256, lsm_least_share = 4;
static_assert(32 * lsm_least_share <= lsm_window_size);

/// Window: a warp's, in shared memory, with `words` for those of the runs' shares, the newest
/// first.
template <lsm_search Search, class Table, class Machine, class Window> class lsm_range_walk {
public:
  using raw = typename Table::raw;
  using value = typename Table::value;
  using run = typename Table::run;

  COLONNADE_KERNEL_CODE lsm_range_walk(const Machine &machine, const Table &table,
                                       const lsm_state &state, Window &shared)
      : machine_(machine), format_(table.format), s_(shared), lane_(machine.lane()),
        run_(run_of(table, state, lane_)) {
    erased_ = machine_.ballot(run_.tombstones != nullptr) != 0;
  }

protected:
  /// Each run finds its part of the range.
  COLONNADE_KERNEL_CODE void begin(raw first_key, raw last_key) {
    const raw first = format_.word(first_key), last = format_.word(last_key);
    begin_ = end_ = found_ = 0;
    if (run_.count && first <= last) {
      begin_ = count_below<Search>(run_, format_, first);
      end_ = count_up_to<Search>(run_, format_, last);
    }
  }
  COLONNADE_KERNEL_CODE bool is_left() const { return machine_.ballot(begin_ < end_) != 0; }

  /// Of a lane's run in the window: elements begin to begin + count - 1 of it.
  struct part {
    uint32_t begin, count;
  };
  /// Of a window: what each run gives, of which so many are below the limit.
  struct shares {
    part given;
    uint32_t used, below;
    bool limited; // by `limit`; else the window has all that is left
    raw limit;
  };

  /// Elements that this lane's run gives to the window.
  COLONNADE_KERNEL_CODE uint32_t share() const {
    const uint64_t left = end_ - begin_;
    const uint32_t runs = Machine::count_ones(machine_.ballot(left > 0));
    uint64_t all = left;
    COLONNADE_UNROLL
    for (uint32_t mask = 16; mask > 0; mask /= 2)
      all += machine_.shuffle_xor(all, mask);
    if (all <= lsm_window_size)
      return static_cast<uint32_t>(left);
    // Rounded down, so not more than the window has in total.
    const uint32_t shared = lsm_window_size - lsm_least_share * runs;
    const float own =
        static_cast<float>(shared) * static_cast<float>(left) / static_cast<float>(all);
    const uint64_t wanted = lsm_least_share + static_cast<uint32_t>(own);
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

  /// The next window. loaded(i, is_there, word): element i is.
  template <class Loaded> COLONNADE_KERNEL_CODE shares next_window(Loaded loaded) const {
    shares w{};
    w.given = part_of(share(), w.used);
    load(w.given.begin, w.used, loaded);
    const bool gives_all = begin_ + w.given.count == end_;
    w.below = w.given.count;
    w.limited = machine_.ballot(!gives_all) != 0;
    if (w.limited) {
      const raw last = w.given.count ? s_.words[w.given.begin + w.given.count - 1] : raw{};
      w.limit = smallest(gives_all ? static_cast<raw>(~raw{0}) : last);
      w.below = w.limit ? words_up_to(w.given, static_cast<raw>(w.limit - 1)) : 0;
    }
    return w;
  }
  template <class Loaded>
  COLONNADE_KERNEL_CODE void load(uint32_t given_begin, uint32_t used, Loaded loaded) const {
    const raw *const own = run_.keys + begin_;
    for (uint32_t first = 0; first < used; first += 32) {
      const uint32_t i = first + lane_, from = owner(given_begin, i),
                     place = i - machine_.shuffle(given_begin, from);
      const raw *const keys = pointer_of(own, from);
      raw word{};
      if (i < used) {
        word = format_.word(keys[place]);
        s_.words[i] = word;
      }
      loaded(i, i < used, word);
    }
    machine_.warp_sync();
  }
  /// How many of a part's words, which are in order, are not above the limit.
  COLONNADE_KERNEL_CODE uint32_t words_up_to(const part &p, raw limit) const {
    uint32_t low = 0;
    for (uint32_t step = p.count ? 1u << log2_below(p.count) : 0; step > 0; step /= 2)
      if (low + step <= p.count && s_.words[p.begin + low + step - 1] <= limit)
        low += step;
    return low;
  }
  COLONNADE_KERNEL_CODE raw smallest(raw own) const {
    COLONNADE_UNROLL
    for (uint32_t mask = 16; mask > 0; mask /= 2) {
      const raw other = machine_.shuffle_xor(own, mask);
      own = other < own ? other : own;
    }
    return own;
  }
  /// The key `limit` is the smallest that is left: every run goes on behind it. The lane whose run
  /// has it where it counts, as a bit, or 0; `at`: where.
  COLONNADE_KERNEL_CODE uint32_t pass_limit(raw limit, uint64_t &at) {
    uint64_t up_to = begin_;
    bool here = false;
    if (begin_ < end_ && format_.word(run_.keys[begin_]) == limit) {
      here = true;
      up_to = count_up_to<Search>(run_, format_, limit);
    }
    const uint32_t newest = Machine::first_one(machine_.ballot(here));
    begin_ = up_to;
    at = up_to - 1;
    return machine_.ballot(lane_ == newest && !run_.is_tombstone(at));
  }
  /// For a lane with element `place` of what run `from` has from begin_ on; `wants` to know.
  COLONNADE_KERNEL_CODE bool is_tombstone(bool wants, uint32_t from, uint32_t place) const {
    const uint32_t *const tombstones = pointer_of(run_.tombstones, from);
    const uint64_t in_run = machine_.shuffle(begin_, from) + place;
    return wants && tombstones && (tombstones[in_run / 32] >> in_run % 32 & 1);
  }

  const Machine &machine_;
  const typename Table::format_type &format_;
  Window &s_;
  uint32_t lane_;
  run run_;             // of this lane
  bool erased_ = false; // some run may have tombstones
  uint64_t begin_ = 0, end_ = 0, found_ = 0;
};

} // namespace colonnade::detail
