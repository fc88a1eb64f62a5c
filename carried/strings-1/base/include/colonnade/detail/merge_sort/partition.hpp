//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// partition.hpp: finds where the tiles of a pass begin in every run.
//
// In: the runs, and their samples. Out: splits[tile * ways + r], the place in run r where the tile
// begins. One thread for each sample: it counts the samples of the group's other runs that come
// before its own, which gives the sample's rank. If a tile begins at that rank, it searches the
// runs themselves, each within one stride. Invariant: the searches of a thread in all runs go on
// at the same time, so that their loads overlap.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/pass_plan.hpp>

#include <cstddef>

namespace colonnade::detail {

template <class Key, class Compare> struct partition_arguments {
  using key = Key;
  const Key *keys, *samples;
  pass_plan plan;
  uint64_t *splits;
  Compare compare;
};

/// Offset: the type of places within a run; 32 bits if num_items is below 2^32.
template <uint32_t Ways, class Offset, class Arguments, class Machine> class partition_thread {
public:
  using key = typename Arguments::key;
  using arguments = Arguments;
  static constexpr uint32_t threads = 128, min_blocks = 1;
  static constexpr uint32_t tiles_per_block = threads; // samples, in fact
  static constexpr size_t shared_bytes = 0;

  COLONNADE_KERNEL_CODE partition_thread(const Machine &machine, const Arguments &a, char *)
      : machine_(machine), a_(a),
        sample_(uint64_t{machine.block()} * machine.num_threads() + machine.thread()) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.wait_for_previous_kernel();
    machine_.let_next_kernel_start();
    if (sample_ >= a_.plan.num_samples())
      return;
    const Offset samples_per_run = static_cast<Offset>(a_.plan.samples_per_run());
    const Offset run = static_cast<Offset>(sample_) / samples_per_run, group = run / Ways;
    own_run_ = static_cast<uint32_t>(run % Ways);
    const Offset own_sample = static_cast<Offset>(sample_) - run * samples_per_run;
    const uint64_t group_begin = group * a_.plan.group_items();
    key_ = a_.samples[sample_];
    count_samples(group_begin, samples_per_run);
    Offset rank = own_sample;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < others; ++r)
      rank += place_[r];
    const uint32_t number = static_cast<uint32_t>(rank / a_.plan.samples_per_tile);
    if (rank != static_cast<Offset>(number) * a_.plan.samples_per_tile)
      return;
    count_items(group_begin);
    uint64_t *splits = a_.splits + (group * a_.plan.tiles_per_group + number) * Ways;
    splits[own_run_] = uint64_t{own_sample} * a_.plan.stride;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < others; ++r)
      splits[run_of(r)] = place_[r];
  }

private:
  static constexpr uint32_t others = Ways - 1; // the group's other runs

  COLONNADE_KERNEL_CODE uint32_t run_of(uint32_t other) const {
    return other < own_run_ ? other : other + 1;
  }
  COLONNADE_KERNEL_CODE Offset items_of(uint32_t other, uint64_t group_begin) const {
    return static_cast<Offset>(
        a_.plan.items_of_run(group_begin + run_of(other) * a_.plan.run_items));
  }
  /// Sets place_ to how many samples of every other run come before this thread's.
  COLONNADE_KERNEL_CODE void count_samples(uint64_t group_begin, Offset samples_per_run) {
    Offset room[others];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < others; ++r) {
      from_[r] = a_.samples + group_begin / a_.plan.stride + run_of(r) * uint64_t{samples_per_run};
      place_[r] = 0;
      room[r] = (items_of(r, group_begin) + a_.plan.stride - 1) / a_.plan.stride;
    }
    Offset step = 1;
    while (step <= samples_per_run / 2)
      step *= 2;
    search(room, step);
  }
  /// Sets place_ to how many items of every other run come before this thread's sample: the last
  /// of the counted samples does, the next one does not.
  COLONNADE_KERNEL_CODE void count_items(uint64_t group_begin) {
    Offset room[others];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < others; ++r) {
      const Offset reach = place_[r] * a_.plan.stride, items = items_of(r, group_begin);
      place_[r] = reach == 0 ? 0 : reach - a_.plan.stride + 1;
      room[r] = (reach < items ? reach : items) - place_[r];
      from_[r] = a_.keys + group_begin + run_of(r) * a_.plan.run_items + place_[r];
    }
    search(room, a_.plan.stride / 2);
  }
  /// Of the room[r] < 2 step keys at from_[r] some at the beginning come before this thread's:
  /// moves from_[r] and place_[r] on by as many. A binary search, two halvings at a time, so that
  /// their keys are loaded at once.
  COLONNADE_KERNEL_CODE void search(Offset (&room)[others], Offset step) {
    for (; step > 0; step /= 4) {
      const Offset half = step / 2;
      key low[others], middle[others], high[others];
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < others; ++r) {
        low[r] = half > 0 && half <= room[r] ? from_[r][half - 1] : key_;
        middle[r] = step <= room[r] ? from_[r][step - 1] : key_;
        high[r] = half > 0 && step + half <= room[r] ? from_[r][step + half - 1] : key_;
      }
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < others; ++r) {
        const bool over = step <= room[r] && before_ours(middle[r], r);
        const bool over_half = half > 0 && (over ? step + half <= room[r] && before_ours(high[r], r)
                                                 : half <= room[r] && before_ours(low[r], r));
        const Offset moved = (over ? step : 0) + (over_half ? half : 0);
        from_[r] += moved;
        place_[r] += moved;
        room[r] -= moved;
      }
    }
  }
  COLONNADE_KERNEL_CODE bool before_ours(const key &key_of_other, uint32_t other) const {
    return other < own_run_ ? !a_.compare(key_, key_of_other) : a_.compare(key_of_other, key_);
  }

  const Machine &machine_;
  const Arguments &a_;
  uint64_t sample_;
  uint32_t own_run_ = 0;
  Offset place_[others];
  const key *from_[others];
  key key_;
};

} // namespace colonnade::detail
