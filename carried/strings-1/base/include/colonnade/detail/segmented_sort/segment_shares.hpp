//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segment_shares.hpp: which share of which segment a block of a rank sort has
// (rank_sort.hpp), where the device alone knows how long segments are.
//
// Shares are numbered segment by segment. Every warp looks for its block's by itself, so
// that nobody waits: lanes sum up stretches of segments, then those of the stretch in which
// the share lies. In: segments, most_segments at most. Out: the share; none, if there are
// fewer. The first bad segment is in the status. Invariant: every share of every segment is one
// block's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/rank_sort/rank_sort.hpp>
#include <colonnade/detail/segmented_sort/given_segments.hpp>

namespace colonnade::detail {

template <class Segments> struct segment_shares {
  static constexpr uint32_t most_segments = 32 * 32;

  Segments segments;
  device_status *status;

  /// At least as many as there are: segments share no items.
  uint32_t most_shares() const { return segments.num_items / share_items + segments.count; }

  template <class Machine> COLONNADE_KERNEL_CODE row_share find(const Machine &machine) const {
    const uint32_t block = machine.block();
    if (segments.count == 1)
      return share(segments.row(machine, 0, reporter(machine, block == 0)), block);
    if (segments.num_items <= share_items) // no segment has two shares
      return share(segments.row(machine, block, reporter(machine, true)), 0);
    return search(machine, block);
  }

private:
  template <class Machine>
  COLONNADE_KERNEL_CODE device_status *reporter(const Machine &machine, bool reports) const {
    return reports && machine.thread() == 0 ? status : nullptr;
  }
  static COLONNADE_KERNEL_CODE row_share share(const row_span &row, uint32_t number) {
    return {row.begin, row.length, number * share_items};
  }
  static COLONNADE_KERNEL_CODE uint32_t num_shares(const row_span &row) {
    return (row.length + share_items - 1) / share_items;
  }
  /// The first lane in which the sum up to it is greater than `block`; less: in lanes before.
  template <class Machine>
  static COLONNADE_KERNEL_CODE uint32_t lane_of(const Machine &machine, uint32_t shares,
                                                uint32_t block, uint32_t &before) {
    const uint32_t sum = before + warp_inclusive_sum(machine, shares);
    const uint32_t lane = Machine::first_one(machine.ballot(sum > block));
    before = machine.shuffle(sum - shares, lane);
    return lane;
  }

  template <class Machine>
  COLONNADE_KERNEL_CODE row_share search(const Machine &machine, uint32_t block) const {
    const uint32_t stretch = (segments.count + 31) / 32; // at most 32: a segment a lane
    device_status *const to = block == 0 && machine.warp() == 0 ? status : nullptr;
    row_span row;
    uint32_t shares = 0, before = 0;
    for (uint32_t i = 0; i < stretch; ++i) {
      row = segments.row(machine, machine.lane() * stretch + i, to);
      shares += num_shares(row);
    }
    uint32_t lane = lane_of(machine, shares, block, before);
    if (lane == 32)
      return {};
    if (stretch > 1) {
      row = machine.lane() < stretch
                ? segments.row(machine, lane * stretch + machine.lane(), nullptr)
                : row_span{};
      lane = lane_of(machine, num_shares(row), block, before);
    }
    return {machine.shuffle(row.begin, lane), machine.shuffle(row.length, lane),
            (block - before) * share_items};
  }
};

} // namespace colonnade::detail
