//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// schedule.hpp: decides the next step. The first warp of every block does it for its block.
//
// In: the counts of items that the last step added to each pile; lane p keeps those of pile
// p. Out: the plan of the next step:
//   if there are pieces of heavy vertices, they are expanded;
//   else the vertices of the near pile. If they are few (in all, or compared with the next
//   bucket's) and were more before, the next bucket is opened: its vertices are expanded with
//   them. Once fewer and fewer vertices wait, further buckets too, as long as they are few;
//   if the near pile and all buckets are empty, the window moves on and the far pile is split.
// For near and far, which has no buckets, the far pile is split where a bucket is opened.
// Invariant: all blocks compute the same plan from the same numbers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/shortest_paths/state.hpp>

namespace colonnade::detail {

template <class Machine, class Distance> class path_schedule {
  using words = path_word<Distance>;
  using word_type = typename words::type;
  using plan_type = path_plan<Distance>;
  using progress_type = path_progress<Distance>;

public:
  /// Before the first step: one item waits, the source, in the near pile's queue 0.
  static COLONNADE_KERNEL_CODE void begin(const Machine &machine, path_limits<Distance> limits,
                                          uint32_t num_piles, plan_type &plan,
                                          progress_type &progress) {
    plan.totals[machine.lane()] = machine.lane() == near_pile;
    if (machine.lane() != 0)
      return;
    progress = {};
    progress.limits = limits;
    progress.nearest_far = words::unreached;
    progress.window = {0, 1 / static_cast<float>(limits.delta), num_piles, 0};
  }

  COLONNADE_KERNEL_CODE path_schedule(const Machine &machine, plan_type &plan,
                                      progress_type &progress)
      : machine_(machine), plan_(plan), progress_(progress), now_(progress),
        total_(plan.totals[machine.lane()]) {}

  /// After a step. count: new items of this lane's pile; pieces: of heavy vertices; nearest_far:
  /// the least word that was put into the far pile.
  COLONNADE_KERNEL_CODE void add(uint32_t count, uint32_t pieces, word_type nearest_far) {
    total_ += count;
    pieces_ = pieces;
    now_.nearest_far = nearest_far < now_.nearest_far ? nearest_far : now_.nearest_far;
  }

  COLONNADE_KERNEL_CODE void plan_next() {
    const uint32_t lane = machine_.lane();
    uint32_t items = pieces_, first = 0;
    path_step step = path_step::expand_pieces;
    const path_window<Distance> before = now_.window;
    if (!pieces_) {
      step = choose(first);
      if (step == path_step::expand)
        items = take_opened(first);
      else if (step == path_step::split_far)
        items = take_far();
    }
    note(step, items);
    machine_.warp_sync(); // all lanes have read
    plan_.totals[lane] = total_;
    if (lane != 0)
      return;
    plan_.step = step;
    plan_.set = now_.set;
    plan_.num_items = items;
    plan_.near_in = now_.near ^ 1;
    plan_.near_out = now_.near;
    plan_.far_in = now_.far ^ 1;
    plan_.far_out = now_.far;
    plan_.first_opened = first;
    plan_.window = now_.window;
    plan_.window_before = before;
    progress_ = now_;
  }

  /// The set of counters that the last planned step adds to.
  COLONNADE_KERNEL_CODE uint32_t set() const { return now_.set; }

private:
  COLONNADE_KERNEL_CODE void note(path_step step, uint32_t items) {
    if (step == path_step::done)
      return;
    now_.set = (now_.set + 1) % 3;
    if (step == path_step::split_far)
      ++now_.splits, now_.split_items += items;
    else
      ++now_.phases, now_.vertices += step == path_step::expand ? items : 0;
  }

  COLONNADE_KERNEL_CODE path_step choose(uint32_t &first) {
    const uint32_t lane = machine_.lane();
    const uint32_t near = machine_.shuffle(total_, near_pile);
    const uint32_t far = machine_.shuffle(total_, now_.window.far_pile());
    const uint32_t closed =
        machine_.ballot(lane > now_.window.open && lane < now_.window.far_pile() && total_);
    const uint32_t next = machine_.shuffle(total_, Machine::first_one(closed | 1u << 31));
    const bool few =
        near <= now_.limits.open_early || (closed && near <= next / now_.limits.open_ratio);
    const bool open = near == 0 || (few && near < now_.last) || now_.has_split;
    if (open && closed)
      first = open_buckets(near, closed);
    if (!open || closed)
      return expand_near();
    if (far && (near == 0 || !now_.has_split))
      return path_step::split_far;
    return near ? expand_near() : path_step::done;
  }

  COLONNADE_KERNEL_CODE path_step expand_near() {
    now_.has_split = false;
    return path_step::expand;
  }

  /// closed: the buckets that hold vertices, as bits. Opens the first of them and, once fewer
  /// vertices wait than when a bucket was last opened, further ones while they hold few in all.
  /// (While more and more wait, the few are those through which all others are reached, and
  /// expanding them in order of distance saves work.) Gives the first one opened.
  COLONNADE_KERNEL_CODE uint32_t open_buckets(uint32_t near, uint32_t closed) {
    const uint32_t lane = machine_.lane();
    const bool is_closed = closed >> lane & 1;
    const uint32_t sum = warp_inclusive_sum(machine_, is_closed ? total_ : 0);
    const uint32_t waiting = near + machine_.shuffle(sum, 31);
    const uint32_t most = waiting < now_.waiting ? now_.limits.merge_up_to : 0;
    const uint32_t first = Machine::first_one(closed);
    uint32_t lanes = machine_.ballot(is_closed && (lane == first || sum + near <= most));
    for (uint32_t distance = 1; distance < 32; distance *= 2)
      lanes |= lanes >> distance;
    now_.window.open = Machine::count_ones(lanes) - 1;
    now_.waiting = waiting;
    return first;
  }

  /// Empties the near pile and, if `first` is not 0, the buckets from it to the highest open one;
  /// how many items they held.
  COLONNADE_KERNEL_CODE uint32_t take_opened(uint32_t first) {
    const uint32_t lane = machine_.lane();
    const bool taken = lane == near_pile || (first && lane >= first && lane <= now_.window.open);
    const uint32_t end = warp_inclusive_sum(machine_, taken ? total_ : 0);
    plan_.ends[lane] = end;
    if (taken)
      total_ = 0;
    now_.near ^= 1;
    now_.last = machine_.shuffle(end, 31);
    return now_.last;
  }

  /// Empties the far pile, and moves the window on by its width, or to the nearest vertex of that
  /// pile if that is further; how many items it held.
  COLONNADE_KERNEL_CODE uint32_t take_far() {
    const uint32_t far_pile = now_.window.far_pile();
    const uint32_t items = machine_.shuffle(total_, far_pile);
    if (machine_.lane() == far_pile)
      total_ = 0;
    const Distance next = words::raise(now_.window.base, now_.limits.delta, now_.window.width());
    const Distance nearest = words::distance(now_.nearest_far);
    now_.window.base = now_.nearest_far != words::unreached && nearest > next ? nearest : next;
    now_.window.open = 0;
    now_.nearest_far = words::unreached;
    now_.far ^= 1;
    now_.has_split = true;
    return items;
  }

  const Machine &machine_;
  plan_type &plan_;
  progress_type &progress_;
  progress_type now_;
  uint32_t total_;      // of this lane's pile
  uint32_t pieces_ = 0; // of heavy vertices
};

} // namespace colonnade::detail
