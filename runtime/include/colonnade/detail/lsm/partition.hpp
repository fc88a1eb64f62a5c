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
// The tombstones of what is staged are 0 afterwards. Invariant: of equal keys those of the older
// run come first.
//
// Source: T. Hagerup and C. Rüb, Optimal merging and sorting on the EREW PRAM (1989).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/plan.hpp>
#include <colonnade/detail/lsm/search.hpp>

namespace colonnade::detail {

template <class Table> struct lsm_partition_arguments {
  using table_type = Table;
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  const plan_type *plan;
  uint64_t *splits;
  typename Table::format_type format;
  uint32_t *staged_tombstones; // null: nothing is staged, or no tombstones
};

template <uint32_t Stride, class Arguments, class Machine> class lsm_partition_thread {
public:
  using table = typename Arguments::table_type;
  using raw = typename table::raw;
  static constexpr uint32_t threads = 128;

  COLONNADE_KERNEL_CODE lsm_partition_thread(const Machine &machine, const Arguments &a)
      : machine_(machine), a_(a), plan_(*a.plan) {}

  COLONNADE_KERNEL_CODE void run() const {
    machine_.wait_for_previous_kernel();
    machine_.let_next_kernel_start();
    const uint64_t step = uint64_t{machine_.num_blocks()} * machine_.num_threads();
    clear_staged(step);
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

  COLONNADE_KERNEL_CODE void place(uint64_t sample) const {
    uint32_t own = 0;
    while (sample >= plan_.first_sample[own + 1])
      ++own;
    const uint64_t own_sample = sample - plan_.first_sample[own];
    const raw word = a_.format.word(plan_.runs[own].keys[own_sample * Stride]);
    uint64_t rank = own_sample;
    for (uint32_t first = 0; first < plan_.num_runs; first += at_once) {
      uint64_t before[at_once];
      count_samples(own, word, first, before);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        rank += before[k];
    }
    if (rank % plan_.samples_per_tile == 0)
      split(rank / plan_.samples_per_tile, own, own_sample, word);
  }
  /// Of runs first, first + 1, ... but not the own: how many samples come before this thread's.
  COLONNADE_KERNEL_CODE void count_samples(uint32_t own, raw word, uint32_t first,
                                           uint64_t (&low)[at_once]) const {
    const raw *keys[at_once];
    uint64_t room[at_once], most = 0;
    raw limit[at_once];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < at_once; ++k) {
      const uint32_t r = first + k;
      const bool none = r >= plan_.num_runs || r == own || !limit_of(r, own, word, limit[k]);
      keys[k] = none ? nullptr : plan_.runs[r].keys;
      room[k] = none ? 0 : plan_.first_sample[r + 1] - plan_.first_sample[r];
      most = room[k] > most ? room[k] : most;
      low[k] = 0;
    }
    uint64_t step = 1;
    while (step <= most / 2)
      step *= 2;
    for (; step > 0 && most > 0; step /= 2) {
      raw found[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        found[k] = step <= room[k] ? keys[k][(low[k] + step - 1) * Stride] : raw{};
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        if (step <= room[k] && a_.format.word(found[k]) <= limit[k]) {
          low[k] += step;
          room[k] -= step;
        }
    }
  }
  /// The largest word that, in run r, comes before this thread's key; false if there is none.
  static COLONNADE_KERNEL_CODE bool limit_of(uint32_t r, uint32_t own, raw word, raw &limit) {
    limit = r < own ? word : static_cast<raw>(word - 1);
    return r < own || word > 0;
  }
  COLONNADE_KERNEL_CODE void split(uint64_t tile, uint32_t own, uint64_t own_sample,
                                   raw word) const {
    uint64_t *splits = a_.splits + tile * plan_.num_runs;
    for (uint32_t r = 0; r < plan_.num_runs; ++r) {
      raw limit;
      if (r == own)
        splits[r] = own_sample * Stride;
      else if (!limit_of(r, own, word, limit))
        splits[r] = 0;
      else
        splits[r] = count_items(r, limit);
    }
  }
  /// By the samples first, then between two of them.
  COLONNADE_KERNEL_CODE uint64_t count_items(uint32_t r, raw limit) const {
    const auto &run = plan_.runs[r];
    const uint64_t samples = plan_.first_sample[r + 1] - plan_.first_sample[r],
                   up_to = count_by_halves(run.keys, 0, samples, Stride, a_.format, limit);
    if (up_to == 0)
      return 0;
    const uint64_t low = (up_to - 1) * Stride + 1, high = up_to * Stride;
    return count_by_halves(run.keys, low, high < run.count ? high : run.count, 1, a_.format, limit);
  }

  const Machine &machine_;
  const Arguments &a_;
  const typename Arguments::plan_type &plan_;
};

} // namespace colonnade::detail
