//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// partition.hpp: finds where the tiles of a merge begin in every run.
//
// In: a plan. Out: splits[tile * num_runs + r], the place in run r where the tile begins. Every
// run's keys at multiples of the stride are samples. One thread for each sample: it counts the
// samples of the other runs that come before its own, which gives the sample's rank among all
// samples. If a tile begins at that rank, it searches the runs themselves, each within one stride.
// Where many runs are merged, the samples of a warp, which follow each other in one run, have a
// range in each other run between those of the first and the last of them: these are found first,
// one a lane, and each sample searches there. A single run needs no splits; if it stands where it
// belongs already, it gets its index. The tombstones of what is staged are 0 afterwards. Invariant:
// of equal keys those of the older run come first.
//
// Source: T. Hagerup and C. Rüb, Optimal merging and sorting on the EREW PRAM (1989).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/rows.hpp>

namespace colonnade::detail {

template <class Table> struct lsm_partition_arguments {
  using table_type = Table;
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  uint64_t *splits;
  typename Table::format_type format;
  uint32_t *staged_tombstones; // null: nothing is staged, or no tombstones
};

constexpr uint32_t lsm_partition_threads = 128;

template <class Arguments, class Machine> class lsm_partition_thread {
public:
  using table = typename Arguments::table_type;
  using raw = typename table::raw;
  using plan_type = typename Arguments::plan_type;

  COLONNADE_KERNEL_CODE lsm_partition_thread(const Machine &machine, const Arguments &a,
                                             const plan_type &plan)
      : machine_(machine), a_(a), plan_(plan) {}

  /// When the plan has been made.
  COLONNADE_KERNEL_CODE void run() const {
    const uint64_t step = uint64_t{machine_.num_blocks()} * machine_.num_threads();
    clear_staged(step);
    if (plan_.in_place)
      index_whole(machine_, a_.format, plan_.slices[0]);
    if (plan_.num_runs == 1)
      return;
    for (uint64_t s = uint64_t{machine_.block()} * machine_.num_threads() + machine_.thread();
         s < plan_.num_samples; s += step)
      place(s);
  }

private:
  static constexpr uint32_t at_once = 4; // runs that are searched at the same time

  /// Tiles change single bits of words that they share, so these must have a value before.
  COLONNADE_KERNEL_CODE void clear_staged(uint64_t step) const {
    if (!a_.staged_tombstones)
      return;
    const uint64_t words = (plan_.staged_end - plan_.staged_begin + 31) / 32;
    for (uint64_t i = uint64_t{machine_.block()} * machine_.num_threads() + machine_.thread();
         i < words; i += step)
      a_.staged_tombstones[i] = 0;
  }

  /// Runs first, first + 1, ... whose keys are searched at the same time for the last that comes
  /// before this thread's sample.
  struct searches {
    const raw *keys[at_once];
    uint32_t room[at_once], low[at_once];
    raw limit[at_once];
  };

  /// The run that a sample is of.
  COLONNADE_KERNEL_CODE uint32_t run_of(uint64_t sample) const {
    uint32_t own = 0;
    while (sample >= plan_.first_sample[own + 1])
      ++own;
    return own;
  }
  /// Whether all lanes have samples, of one run; the same for all.
  COLONNADE_KERNEL_CODE bool bounds(uint64_t sample) const {
    const uint64_t first = sample - machine_.lane(), last = first + 31;
    return plan_.bounds_searches && last < plan_.num_samples && run_of(first) == run_of(last);
  }
  /// How many samples of run r come before one of run `own` with this word.
  COLONNADE_KERNEL_CODE uint32_t samples_before(uint32_t r, uint32_t own, raw word) const {
    raw limit;
    uint32_t low = 0;
    if (!is_searched(r, own, word, limit))
      return 0;
    const raw *const keys = plan_.runs[r].keys;
    const uint32_t count = num_samples(r);
    for (uint32_t step = 1u << log2_below(count); step > 0; step /= 2)
      if (low + step <= count &&
          a_.format.word(keys[uint64_t{low + step - 1} * plan_.stride]) <= limit)
        low += step;
    return low;
  }
  /// Of 16 runs from `first` on: lane 2k and the next one have where run first + k is searched
  /// from, and up to.
  COLONNADE_KERNEL_CODE uint32_t bound_of_warp(uint32_t first, uint32_t own, raw word) const {
    const raw edge = machine_.shuffle(word, machine_.lane() % 2 ? 31u : 0u);
    return samples_before(first + machine_.lane() / 2, own, edge);
  }

  COLONNADE_KERNEL_CODE void place(uint64_t sample) const {
    const uint32_t own = run_of(sample);
    const bool bounded = bounds(sample);
    uint32_t bound = 0;
    const uint32_t own_sample = static_cast<uint32_t>(sample - plan_.first_sample[own]);
    const raw word = a_.format.word(plan_.runs[own].keys[uint64_t{own_sample} * plan_.stride]);
    uint32_t before[(most_lsm_runs + at_once - 1) / at_once * at_once]; // samples of each run
    uint32_t rank = own_sample;
    for (uint32_t first = 0; first < plan_.num_runs; first += at_once) {
      if (bounded && first % 16 == 0)
        bound = bound_of_warp(first, own, word);
      searches s;
      uint32_t from[at_once] = {};
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        s.room[k] = is_searched(first + k, own, word, s.limit[k]) ? num_samples(first + k) : 0;
      if (bounded) {
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < at_once; ++k) {
          const uint32_t lane = 2 * (first % 16 + k), low = machine_.shuffle(bound, lane),
                         high = machine_.shuffle(bound, lane + 1);
          from[k] = s.room[k] ? low : 0;
          s.room[k] = s.room[k] ? high - low : 0;
        }
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        s.keys[k] =
            s.room[k] ? plan_.runs[first + k].keys + uint64_t{from[k]} * plan_.stride : nullptr;
      search(s, plan_.stride);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k) {
        before[first + k] = from[k] + s.low[k];
        rank += from[k] + s.low[k];
      }
    }
    if (rank % plan_.samples_per_tile == 0)
      split(rank / plan_.samples_per_tile, own, own_sample, word, before);
  }
  /// Fewer than 2^32: so many strides are more than any memory holds.
  COLONNADE_KERNEL_CODE uint32_t num_samples(uint32_t r) const {
    return static_cast<uint32_t>(plan_.first_sample[r + 1] - plan_.first_sample[r]);
  }
  /// limit: the largest word that, in run r, comes before this thread's sample.
  COLONNADE_KERNEL_CODE bool is_searched(uint32_t r, uint32_t own, raw word, raw &limit) const {
    limit = r < own ? word : static_cast<raw>(word - 1);
    return r < plan_.num_runs && (r < own || (r > own && word > 0));
  }
  /// low: how many of `room` keys, of which every `apart`-th counts, are not above the limit.
  COLONNADE_KERNEL_CODE void search(searches &s, uint32_t apart) const {
    uint32_t most = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < at_once; ++k) {
      most = s.room[k] > most ? s.room[k] : most;
      s.low[k] = 0;
    }
    if (most == 0)
      return;
    for (uint32_t step = 1u << log2_below(most); step > 0; step /= 2) {
      raw found[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        found[k] =
            s.low[k] + step <= s.room[k] ? s.keys[k][uint64_t{s.low[k] + step - 1} * apart] : raw{};
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        if (s.low[k] + step <= s.room[k] && a_.format.word(found[k]) <= s.limit[k])
          s.low[k] += step;
    }
  }
  /// Between the last sample that comes before and the next one.
  COLONNADE_KERNEL_CODE void split(uint64_t tile, uint32_t own, uint32_t own_sample, raw word,
                                   const uint32_t *before) const {
    uint64_t *splits = a_.splits + tile * plan_.num_runs;
    for (uint32_t first = 0; first < plan_.num_runs; first += at_once) {
      searches s;
      uint64_t begin[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k) {
        const uint32_t r = first + k;
        begin[k] = s.room[k] = 0;
        if (is_searched(r, own, word, s.limit[k]) && before[r]) {
          const uint64_t end = uint64_t{before[r]} * plan_.stride, count = plan_.runs[r].count;
          begin[k] = end - plan_.stride + 1;
          s.room[k] = static_cast<uint32_t>((end < count ? end : count) - begin[k]);
        }
        s.keys[k] = s.room[k] ? plan_.runs[r].keys + begin[k] : nullptr;
      }
      search(s, 1);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        if (const uint32_t r = first + k; r < plan_.num_runs)
          splits[r] = r == own ? uint64_t{own_sample} * plan_.stride : begin[k] + s.low[k];
    }
  }

  const Machine &machine_;
  const Arguments &a_;
  const plan_type &plan_;
};

} // namespace colonnade::detail
