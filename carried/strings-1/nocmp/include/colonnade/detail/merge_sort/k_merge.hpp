//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// k_merge.hpp: one warp merges Ways sorted streams in its registers.
//
// In: sorted streams, which `read` reads. Out: the merged sequence, which `write` writes.
// The registers of the warp hold Rows rows of 32 items. A block is the next 32 items of a
// stream; the rank of a stream is the last item read from it, and smaller than every item at
// first. While a row is free, a block is read from the stream of the smallest rank. Then all
// rows are sorted, and all but the last Ways - 1 rows are written.
// Invariant: these are final. What is still to be read is not smaller than the smallest rank,
// and of every other stream at most one block in the registers is greater than that rank.
// Lanes that the last block of a stream leaves empty count as greater than every item, and
// as part of that block.
//
// Source: the thesis on virtual address translation and hulls, algorithm 9.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/merge_sort/two_dimensional.hpp>

namespace colonnade::detail {

/// read(stream, index) gives an item, write(index, item) writes one; any lane calls them.
template <class Item, uint32_t Ways, uint32_t Rows, bool Stable, class Machine, class Read,
          class Write, class Less>
class k_merge {
public:
  static_assert(Ways >= 2 && Ways <= 32 && (Ways & (Ways - 1)) == 0, "a power of two, a lane each");
  static_assert(Rows >= Ways, "Ways - 1 rows are kept, one at least moves on");

  /// Lane s < Ways: how many items stream s has.
  COLONNADE_KERNEL_CODE k_merge(const Machine &machine, uint32_t stream_items, const Read &read,
                                const Write &write, const Less &less)
      : machine_(machine), read_(read), write_(write), order_{less},
        items_(machine.lane() < Ways ? stream_items : 0) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t up_to = warp_inclusive_sum(machine_, items_);
    first_place_ = up_to - items_;
    const uint32_t total = machine_.shuffle(up_to, 31);
    placed rows[Rows];
    uint32_t written = 0, room = Rows;
    while (true) {
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < Rows; ++r)
        if (r < room)
          rows[r] = next_block();
      sort_two_dimensional(machine_, rows, order_);
      const bool more = machine_.ballot(taken_ < items_) != 0;
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < Rows; ++r) {
        const uint32_t index = written + r * 32 + machine_.lane();
        if ((r < moves_on || !more) && index < total)
          write_(index, rows[r].item);
      }
      if (!more)
        return;
      written += moves_on * 32;
      room = moves_on; // the other rows are kept
    }
  }

private:
  using placed = placed_item<Item>;
  static constexpr uint32_t moves_on = Rows - (Ways - 1);

  enum state : uint32_t { unread, begun, exhausted };
  struct candidate {
    placed rank;
    uint32_t at;
    uint32_t stream;
  };

  /// The stream of the smallest rank; the same in all lanes.
  COLONNADE_KERNEL_CODE candidate smallest_rank() const {
    candidate best{rank_,
                   taken_ >= items_ ? exhausted
                   : taken_ == 0    ? unread
                                    : begun,
                   machine_.lane()};
    COLONNADE_UNROLL
    for (uint32_t mask = Ways / 2; mask > 0; mask /= 2) {
      const candidate other = take_from_lane_xor(machine_, best, mask);
      const bool earlier = other.at != best.at ? other.at < best.at
                                               : best.at == begun && order_(other.rank, best.rank);
      best = select_item(earlier, other, best);
    }
    return take_from_lane(machine_, best, 0);
  }

  COLONNADE_KERNEL_CODE placed next_block() {
    const candidate from = smallest_rank();
    placed block;
    block.item = Item{};
    block.place = absent_place;
    if (from.at == exhausted)
      return block;
    const uint32_t begin = machine_.shuffle(taken_, from.stream),
                   left = machine_.shuffle(items_, from.stream) - begin,
                   first = machine_.shuffle(first_place_, from.stream) + begin;
    const uint32_t size = left < 32 ? left : 32;
    if (machine_.lane() < size) {
      block.item = read_(from.stream, begin + machine_.lane());
      block.place = first + machine_.lane();
    }
    const placed last = take_from_lane(machine_, block, size - 1);
    const bool own = machine_.lane() == from.stream;
    rank_ = select_item(own, last, rank_);
    taken_ += own ? size : 0;
    return block;
  }

  const Machine &machine_;
  const Read &read_;
  const Write &write_;
  placed_order<Less, Stable> order_;
  uint32_t items_, taken_ = 0, first_place_ = 0; // of this lane's stream
  placed rank_{};
};

} // namespace colonnade::detail
