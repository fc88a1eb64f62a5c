//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// queue.hpp: work that lies together in few lanes is handed to all lanes of a warp, by a queue in
// shared memory.
//
// In: bits, each of which is an item of work. Out: batches of 32 items, in any order. Invariant:
// every item is in one batch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/detail/device/block_scan.hpp>

#include <cstdint>

namespace colonnade::detail {

/// In shared memory, of a warp.
template <uint32_t Capacity> struct queue_entries {
  static constexpr uint32_t capacity = Capacity;
  static_assert(capacity >= 32);
  uint16_t items[capacity];
};

/// All calls are by all lanes.
template <class Entries, class Machine> class warp_queue {
public:
  COLONNADE_KERNEL_CODE warp_queue(const Machine &machine, Entries &entries)
      : machine_(machine), entries_(entries) {}

  COLONNADE_KERNEL_CODE uint32_t waiting() const { return waiting_; }

  /// Adds item(bit) for this lane's bits, as many as there is room for; those that are left stay.
  /// Whether any lane has some left.
  template <class ItemOf> COLONNADE_KERNEL_CODE bool put(uint32_t &bits, ItemOf item) {
    const uint32_t mine = Machine::count_ones(bits), up_to = warp_inclusive_sum(machine_, mine),
                   total = waiting_ + machine_.shuffle(up_to, 31);
    const bool fits = total <= Entries::capacity; // in all lanes
    uint16_t *to = entries_.items + waiting_ + up_to - mine;
    uint16_t *const end = entries_.items + Entries::capacity;
    COLONNADE_UNROLL_BY(1)
    for (; bits && (fits || to < end); bits &= bits - 1)
      *to++ = static_cast<uint16_t>(item(Machine::first_one(bits)));
    machine_.warp_sync();
    waiting_ = fits ? total : Entries::capacity;
    return !fits;
  }
  /// The same for up to four bits, for which there is room in any case.
  COLONNADE_KERNEL_CODE void put_four(uint32_t bits, uint32_t first_item) {
    static_assert(Entries::capacity >= 31 + 4 * 32);
    const uint32_t before = (1u << machine_.lane()) - 1;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 4; ++i) {
      const bool mine = bits >> i & 1;
      const uint32_t having = machine_.ballot(mine);
      if (mine)
        entries_.items[waiting_ + Machine::count_ones(having & before)] =
            static_cast<uint16_t>(first_item + i);
      waiting_ += Machine::count_ones(having);
    }
    machine_.warp_sync();
  }
  /// Up to 32 items leave the queue: whether this lane has one, and which.
  COLONNADE_KERNEL_CODE bool take(uint32_t &item) {
    const uint32_t taken = waiting_ < 32 ? waiting_ : 32, lane = machine_.lane();
    waiting_ -= taken;
    const bool has = lane < taken;
    item = has ? entries_.items[waiting_ + lane] : 0;
    machine_.warp_sync(); // all have read
    return has;
  }

private:
  const Machine &machine_;
  Entries &entries_;
  uint32_t waiting_ = 0; // the same in all lanes
};

} // namespace colonnade::detail
