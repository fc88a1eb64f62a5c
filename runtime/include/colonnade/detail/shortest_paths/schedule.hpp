//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// schedule.hpp: what comes next, decided by the first warp of every block.
//
// Lane p knows how many items pile p holds. After each step the new items are
// added; then, in this order:
//   pieces of heavy vertices are expanded, if there are any;
//   the near pile is expanded, if it is not empty;
//   when it is empty, or dwindling and small, the next bucket is opened, and those
//   after it as long as all of them together are few;
//   when all buckets are empty, the window moves on and the far pile is split.
// With two piles (near and far) there are no buckets, and every opening is a split.
//
// All blocks compute the same from the same numbers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/shortest_paths/state.hpp>

#include <colonnade/detail/block_scan.hpp>

namespace colonnade::detail {

template <class Machine, class Distance> class path_schedule {
  using words = path_word<Distance>;
  using word_type = typename words::type;

public:
  struct limits {
    Distance delta;
    uint32_t open_early, merge_up_to;
  };

  /// One item waits: the source, in near queue 0.
  COLONNADE_KERNEL_CODE path_schedule(const Machine &machine, limits l, uint32_t num_piles)
      : machine_(machine), limits_(l), total_(machine.lane() == near_pile) {
    window_.base = 0;
    window_.buckets_per_unit = 1 / static_cast<float>(l.delta);
    window_.num_piles = num_piles;
    window_.open = 0;
  }

  /// After a step: the new items of each pile, of heavy pieces, and the least word gone far.
  COLONNADE_KERNEL_CODE void add(uint32_t count, uint32_t pieces, word_type nearest_far) {
    total_ += count;
    pieces_ = pieces;
    nearest_far_ = nearest_far < nearest_far_ ? nearest_far : nearest_far_;
  }

  COLONNADE_KERNEL_CODE void plan_next(path_plan<Distance> &plan) {
    const uint32_t lane = machine_.lane();
    const path_window<Distance> before = window_;
    uint32_t items = pieces_, first = 0;
    path_step step = path_step::expand_pieces;
    if (!pieces_) {
      step = choose(first);
      if (step == path_step::expand)
        items = take_opened(first, plan);
      else if (step == path_step::split_far)
        items = take_far();
    }
    if (step != path_step::done)
      set_ = (set_ + 1) % 3;
    plan.totals[lane] = total_;
    if (lane != 0)
      return;
    plan.step = step;
    plan.set = set_;
    plan.num_items = items;
    plan.near_in = near_ ^ 1;
    plan.near_out = near_;
    plan.far_in = far_ ^ 1;
    plan.far_out = far_;
    plan.first_opened = first;
    plan.window = window_;
    plan.window_before = before;
  }

  /// The set that the step that has been planned adds to.
  COLONNADE_KERNEL_CODE uint32_t set() const { return set_; }

private:
  COLONNADE_KERNEL_CODE path_step choose(uint32_t &first) {
    const uint32_t near = machine_.shuffle(total_, near_pile);
    const uint32_t far = machine_.shuffle(total_, window_.far_pile());
    const bool dwindling = near <= limits_.open_early && near < last_;
    const bool open = near == 0 || dwindling || has_split_;
    if (!open || open_buckets(near, first))
      return expand_near();
    if (far && (near == 0 || !has_split_))
      return path_step::split_far;
    return near ? expand_near() : path_step::done;
  }

  COLONNADE_KERNEL_CODE path_step expand_near() {
    has_split_ = false;
    return path_step::expand;
  }

  /// Opens the next bucket that is not empty, and more while they hold few vertices.
  COLONNADE_KERNEL_CODE bool open_buckets(uint32_t near, uint32_t &first) {
    const uint32_t lane = machine_.lane();
    const bool closed = lane > window_.open && lane < window_.far_pile() && total_;
    const uint32_t sum = warp_inclusive_sum(machine_, closed ? total_ : 0);
    uint32_t lanes = machine_.ballot(closed);
    if (!lanes)
      return false;
    first = Machine::first_one(lanes);
    lanes = machine_.ballot(closed && (lane == first || sum + near <= limits_.merge_up_to));
    for (uint32_t distance = 1; distance < 32; distance *= 2)
      lanes |= lanes >> distance;
    window_.open = Machine::count_ones(lanes) - 1;
    return true;
  }

  /// The near pile and the buckets from `first` to the highest open one, if first is not 0.
  COLONNADE_KERNEL_CODE uint32_t take_opened(uint32_t first, path_plan<Distance> &plan) {
    const uint32_t lane = machine_.lane();
    const bool taken = lane == near_pile || (first && lane >= first && lane <= window_.open);
    const uint32_t end = warp_inclusive_sum(machine_, taken ? total_ : 0);
    plan.ends[lane] = end;
    if (taken)
      total_ = 0;
    near_ ^= 1;
    last_ = machine_.shuffle(end, 31);
    return last_;
  }

  /// Moves the window on, at least to the nearest vertex of the far pile.
  COLONNADE_KERNEL_CODE uint32_t take_far() {
    const uint32_t items = machine_.shuffle(total_, window_.far_pile());
    if (machine_.lane() == window_.far_pile())
      total_ = 0;
    const Distance next = words::raise(window_.base, limits_.delta, window_.far_pile());
    const Distance nearest = words::distance(nearest_far_);
    window_.base = nearest_far_ != words::unreached && nearest > next ? nearest : next;
    window_.open = 0;
    nearest_far_ = words::unreached;
    far_ ^= 1;
    has_split_ = true;
    return items;
  }

  const Machine &machine_;
  limits limits_;
  uint32_t total_;      // of this lane's pile
  uint32_t pieces_ = 0; // of heavy vertices
  uint32_t last_ = 0;   // items of the last expansion
  uint32_t set_ = 0;
  uint32_t near_ = 0, far_ = 0; // the queues that are being filled
  bool has_split_ = false;      // since the last expansion
  word_type nearest_far_ = words::unreached;
  path_window<Distance> window_;
};

} // namespace colonnade::detail
