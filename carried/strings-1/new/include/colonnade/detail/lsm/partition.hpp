//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// partition.hpp: finds where the tiles of a merge begin in every run.
//
// In: a plan. Out: splits[tile * num_runs + r], the place in run r where the tile begins: all tiles
// but the last have the same number of elements. Every run's keys at multiples of the stride are
// samples. A group of lanes for each sample, a lane for each run: they search their runs for the
// sample, and for the one that comes next of all runs'. The sums of what they find are the places
// of the two in the merged sequence; where tiles begin from the one to before the other, the group
// looks for these places between the two, where no run has more than a stride. A single run needs
// no splits; if it stands where it belongs already, it gets its index. The tombstones of what is
// staged are 0 afterwards. Invariant: of equal keys those of the older run come first.
//
// Source: T. Hagerup and C. Rüb, Optimal merging and sorting on the EREW PRAM (1989), for the
// samples; P. J. Varman, S. D. Scheufler, B. R. Iyer and G. R. Ricard, Merging multiple lists on
// hierarchical-memory multiprocessors (1991), for places in the merged sequence of many.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/rows.hpp>
#include <colonnade/detail/lsm/search.hpp>

namespace colonnade::detail {

template <class Table> struct lsm_partition_arguments {
  using table_type = Table;
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  uint64_t *splits;
  typename Table::format_type format;
  uint32_t *staged_tombstones; // null: nothing is staged, or no tombstones
};

constexpr uint32_t lsm_partition_threads = 128, lsm_partition_blocks = 10; // an SM, at once

template <class Arguments, class Machine> class lsm_partition_thread {
public:
  using table = typename Arguments::table_type;
  using raw = typename table::raw;
  using plan_type = typename Arguments::plan_type;

  COLONNADE_KERNEL_CODE lsm_partition_thread(const Machine &machine, const Arguments &a,
                                             const plan_type &plan)
      : machine_(machine), a_(a), plan_(plan), lanes_(1u << lsm_log2_group(plan.num_runs)),
        r_(machine.lane() & (lanes_ - 1)), first_(machine.lane() - r_) {}

  /// When the plan has been made.
  COLONNADE_KERNEL_CODE void run() const {
    clear_staged();
    if (plan_.in_place)
      index_level();
    if (plan_.num_runs == 1)
      return;
    const uint32_t groups = 32 / lanes_;
    const uint64_t warps = uint64_t{machine_.num_blocks()} * (machine_.num_threads() / 32),
                   warp =
                       uint64_t{machine_.block()} * (machine_.num_threads() / 32) + machine_.warp();
    for (uint64_t s = warp * groups; s < plan_.num_samples; s += warps * groups)
      split_after(s + machine_.lane() / lanes_);
  }

private:
  /// By all blocks but the first, which makes all of the plan meanwhile.
  COLONNADE_KERNEL_CODE void index_level() const {
    const uint32_t block = machine_.block(), num_blocks = machine_.num_blocks();
    if (num_blocks == 1)
      index_whole(machine_, a_.format, plan_.slices[0], 0, 1);
    else if (block > 0)
      index_whole(machine_, a_.format, plan_.slices[0], block - 1, num_blocks - 1);
  }
  /// Tiles change single bits of words that they share, so these must have a value before.
  COLONNADE_KERNEL_CODE void clear_staged() const {
    if (!a_.staged_tombstones)
      return;
    const uint64_t words = (plan_.staged_end - plan_.staged_begin + 31) / 32,
                   step = uint64_t{machine_.num_blocks()} * machine_.num_threads();
    for (uint64_t i = uint64_t{machine_.block()} * machine_.num_threads() + machine_.thread();
         i < words; i += step)
      a_.staged_tombstones[i] = 0;
  }

  /// A key, and the lane of the group whose run it is of.
  struct key {
    raw word;
    uint32_t lane;
  };
  /// Of the tiles that begin behind a sample, but not behind the next one. By whole warps; some
  /// groups may have no sample.
  COLONNADE_KERNEL_CODE void split_after(uint64_t sample) const {
    const bool has_run = sample < plan_.num_samples && r_ < plan_.num_runs;
    const uint64_t count = has_run ? plan_.runs[r_].count : 0;
    const key own = sample_key(sample);
    const uint64_t begin = has_run ? place_of(own, sample) : 0,
                   next = rounded_up(begin + (has_run && r_ == own.lane));
    const key after = first_of_group(next < count, next);
    uint64_t end = next < count ? next : count;
    if (after.lane < 32 && r_ != after.lane)
      end = begin + search(begin, 0, static_cast<uint32_t>(end - begin), after);
    split_between(begin, static_cast<uint32_t>(end - begin));
  }

  COLONNADE_KERNEL_CODE raw word_at(uint64_t i) const {
    return a_.format.word(plan_.runs[r_].keys[i]);
  }
  COLONNADE_KERNEL_CODE uint64_t rounded_up(uint64_t place) const {
    return (place + plan_.stride - 1) & ~uint64_t{plan_.stride - 1};
  }
  COLONNADE_KERNEL_CODE key sample_key(uint64_t sample) const {
    if (sample >= plan_.num_samples)
      return {0, 32};
    uint32_t r = 0;
    while (sample >= plan_.first_sample[r + 1])
      ++r;
    return {a_.format.word(plan_.runs[r].keys[(sample - plan_.first_sample[r]) * plan_.stride]), r};
  }
  /// How many elements of the lane's run come before the sample.
  COLONNADE_KERNEL_CODE uint64_t place_of(const key &k, uint64_t sample) const {
    const auto &run = plan_.runs[r_];
    raw last;
    if (r_ == k.lane)
      return (sample - plan_.first_sample[r_]) * plan_.stride;
    if (!comes_before(k, last))
      return 0;
    return run.index ? count_by_index(run, a_.format, last)
                     : count_by_quarters(run.keys, uint64_t{0}, run.count, a_.format, last);
  }
  /// last: the largest word that, in the lane's run, comes before the key; false if none does.
  COLONNADE_KERNEL_CODE bool comes_before(const key &k, raw &last) const {
    last = r_ < k.lane ? k.word : static_cast<raw>(k.word - 1);
    return r_ < k.lane || k.word > 0;
  }
  /// Of the lanes of the group that have an element here the one that comes first; lane 32: none.
  COLONNADE_KERNEL_CODE key first_of_group(bool has, uint64_t at) const {
    key first{has ? word_at(at) : static_cast<raw>(~raw{0}), has ? r_ : 32};
    for (uint32_t mask = lanes_ / 2; mask > 0; mask /= 2) {
      const key other{machine_.shuffle_xor(first.word, mask),
                      machine_.shuffle_xor(first.lane, mask)};
      if (other.word < first.word || (other.word == first.word && other.lane < first.lane))
        first = other;
    }
    return first;
  }
  template <class T> COLONNADE_KERNEL_CODE T sum_of_group(T value) const {
    for (uint32_t mask = lanes_ / 2; mask > 0; mask /= 2)
      value += machine_.shuffle_xor(value, mask);
    return value;
  }
  COLONNADE_KERNEL_CODE uint32_t largest_of_group(uint32_t value) const {
    for (uint32_t mask = lanes_ / 2; mask > 0; mask /= 2) {
      const uint32_t other = machine_.shuffle_xor(value, mask);
      value = other > value ? other : value;
    }
    return value;
  }
  /// Of the lane's run from `begin` on: how many elements come before the key, if those before
  /// `low` do, and those from `high` on do not.
  COLONNADE_KERNEL_CODE uint32_t search(uint64_t begin, uint32_t low, uint32_t high,
                                        const key &k) const {
    raw last;
    if (low == high || !comes_before(k, last))
      return low;
    return count_by_quarters(plan_.runs[r_].keys + begin, low, high, a_.format, last);
  }

  /// The tiles that begin among what each lane has `size` of from `begin` on; none if there is no
  /// sample, and so nothing.
  COLONNADE_KERNEL_CODE void split_between(uint64_t begin, uint32_t size) const {
    const uint64_t merged = sum_of_group(begin);
    const uint32_t all = sum_of_group(size);
    uint64_t tile = (merged + plan_.tile_items - 1) / plan_.tile_items;
    for (;; ++tile) {
      const bool begins = tile * plan_.tile_items < merged + all;
      if (!machine_.ballot(begins))
        return;
      const uint32_t wanted = begins ? static_cast<uint32_t>(tile * plan_.tile_items - merged) : 0,
                     own = select(begin, size, all, wanted);
      if (begins && r_ < plan_.num_runs)
        a_.splits[tile * plan_.num_runs + r_] = begin + own;
    }
  }
  /// How many of the lane's `size` elements from `begin` on are among the first `wanted` of the
  /// group's, which are `all`. Of the run that has the most undecided ones, one is compared with
  /// all others: that where the last one wanted would be if all were spread evenly.
  COLONNADE_KERNEL_CODE uint32_t select(uint64_t begin, uint32_t size, uint32_t all,
                                        uint32_t wanted) const {
    uint32_t low = 0, high = size, all_low = 0, all_high = all;
    for (;;) {
      const bool is_undecided = all_low < wanted && wanted < all_high;
      if (!machine_.ballot(is_undecided))
        return all_low == wanted ? low : high;
      const uint32_t widest = largest_of_group((high - low) << 5 | r_), lane = widest & 31;
      const bool is_own = is_undecided && r_ == lane;
      const uint32_t at =
          is_own ? low + part_of(high - low, wanted - all_low, all_high - all_low) : low;
      const key pivot{machine_.shuffle(is_own ? word_at(begin + at) : raw{0}, first_ + lane), lane};
      uint32_t before = low;
      if (is_undecided)
        before = is_own ? at : search(begin, low, high, pivot);
      const uint32_t all_before = sum_of_group(before);
      if (is_undecided && all_before < wanted) {
        low = before + is_own;
        all_low = all_before + 1;
      } else if (is_undecided) {
        high = before;
        all_high = all_before;
      }
    }
  }
  /// Of 0 to width - 1 about as much as `part` is of `all`; not near an end: else a run whose
  /// elements are not where they are looked for would take a step for each.
  static COLONNADE_KERNEL_CODE uint32_t part_of(uint32_t width, uint32_t part, uint32_t all) {
    const uint32_t at = static_cast<uint32_t>(static_cast<float>(width) * static_cast<float>(part) /
                                              static_cast<float>(all)),
                   least = width / 8, most = width - 1 - least;
    return at < least ? least : at < most ? at : most;
  }

  const Machine &machine_;
  const Arguments &a_;
  const plan_type &plan_;
  uint32_t lanes_, r_, first_; // of the group: how many; which of them, which of the warp is first
};

} // namespace colonnade::detail
