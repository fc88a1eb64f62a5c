//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// batch.hpp: work that few lanes have at a time is gathered until there is some for all 32, so that
// none waits for the others.
//
// In: items, of some lanes. Out: batches of 32, and what is left at the end. Invariant: every item
// is in one batch; at most 31 wait, one a lane, in registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// In shared memory, of a warp: which lanes have the items that are being added. Batches of one
/// warp share it.
struct batch_stage {
  uint8_t lanes[32];
};

/// Item: what lanes can shuffle.
template <class Item, class Machine> class warp_batch {
public:
  COLONNADE_KERNEL_CODE warp_batch(const Machine &machine, batch_stage &stage)
      : machine_(machine), stage_(stage) {}

  /// Adds the items of those lanes that have one. Whether there is a batch now: 32 items, or, if
  /// `all`, any that wait; then each lane has item(), if has(). Called by all lanes.
  COLONNADE_KERNEL_CODE bool add(bool has, Item item, bool all = false) {
    const uint32_t having = machine_.ballot(has), lane = machine_.lane(),
                   added = Machine::count_ones(having), total = waiting_ + added;
    Item mine = item;
    if (added) {
      if (has)
        stage_.lanes[Machine::count_ones(having & ((1u << lane) - 1))] = static_cast<uint8_t>(lane);
      machine_.warp_sync();
      // Items go to the lanes behind those that wait, and on from lane 0.
      const uint32_t place = (lane - waiting_) % 32;
      const uint32_t from = place < added ? stage_.lanes[place] : lane;
      machine_.warp_sync(); // all have read
      mine = machine_.shuffle(item, from);
    }
    const Item first = lane < waiting_ ? kept_ : mine;
    kept_ = total < 32 ? first : mine;
    const bool batch = total >= 32 || (all && total);
    in_batch_ = total < 32 ? total : 32;
    item_ = first;
    waiting_ = total >= 32 ? total - 32 : batch ? 0 : total;
    return batch;
  }
  COLONNADE_KERNEL_CODE bool has() const { return machine_.lane() < in_batch_; }
  COLONNADE_KERNEL_CODE Item item() const { return item_; }
  COLONNADE_KERNEL_CODE uint32_t waiting() const { return waiting_; }

private:
  const Machine &machine_;
  batch_stage &stage_;
  Item kept_{}, item_{};
  uint32_t waiting_ = 0, in_batch_ = 0; // the same in all lanes
};

} // namespace colonnade::detail
