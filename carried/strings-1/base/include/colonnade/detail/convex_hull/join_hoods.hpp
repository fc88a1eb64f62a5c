//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// join_hoods.hpp: joins the hoods of all tiles of each set, in one launch.
//
//   a block joins one half (lower or upper) of some neighbouring tiles' hoods, and goes on with
//   what as many such neighbours became: the block that is the last to come there joins them, and
//   the others end
//
// In: the lists of all tiles (pieces.hpp), each of one piece; the sets' tiles (tile_sets.hpp). Out:
// the list of each set. Invariant: there is a ticket for all siblings, where the second one begins,
// which no others have; it is 0 before, and what the other blocks wrote is seen by the last one.
//
// Complexity: of k tiles, s at once, log_s(k) joinings one after the other (join_siblings.hpp),
// each of some rounds in shared memory, or of one search for a bridge; at most log2(k) searches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/join_siblings.hpp>

#include <bit>

namespace colonnade::detail {

template <class T, class Sets> struct join_hoods_arguments {
  hood_lists<T> lists;
  Sets sets;
};

/// Siblings: hoods that are joined at once; Vertices: as many are joined in shared memory.
template <class T, class Sets, uint32_t Threads, uint32_t Siblings, uint32_t Vertices,
          class Machine>
class join_hoods_block {
public:
  using arguments = join_hoods_arguments<T, Sets>;
  static constexpr uint32_t threads = Threads, resident = Threads < 768 ? 768 / Threads : 1;
  static_assert(std::has_single_bit(Siblings) && Siblings > 1);
  struct storage {
    sibling_storage<T, Threads, Siblings, Vertices> siblings;
    uint32_t is_last;
  };
  /// Blocks that have something to do.
  static uint64_t num_blocks(uint64_t tiles) { return 2 * runs_of(tiles, share); }

  COLONNADE_KERNEL_CODE join_hoods_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t tiles = a_.sets.num_tiles();
    for (uint32_t task = machine_.block(); task / 2 * share < tiles;
         task += machine_.num_blocks()) {
      const uint32_t first = task / 2 * share, left = tiles - first;
      for (uint32_t tile = first; tile < first + (left < share ? left : share); ++tile) {
        const set_tile at = a_.sets.tile(tile);
        if (at.place % Siblings == 0)
          join_from(task % 2, a_.sets.set(at.set), at.place);
      }
    }
  }

private:
  /// Tiles of which a block joins those that begin there: of one set all begin in steps.
  static constexpr uint32_t share = Sets::is_one ? Siblings : 2;

  /// From the hoods of a set's tiles on, as long as siblings are found.
  COLONNADE_KERNEL_CODE void join_from(uint32_t half, const tile_set &set, uint32_t place) {
    const hood_lists<T> lists = a_.lists.of(set);
    const uint32_t tiles = static_cast<uint32_t>(runs_of(set.num_points, a_.sets.tile_points));
    for (uint64_t width = 1; width < tiles; width *= Siblings) {
      const uint32_t first = static_cast<uint32_t>(place / (width * Siblings) * width * Siblings),
                     hoods = static_cast<uint32_t>(runs_of(tiles - first, width)),
                     siblings = hoods < Siblings ? hoods : Siblings;
      if (siblings < 2)
        continue; // it has no neighbours
      if (width > 1 &&
          !is_last((half ? lists.tickets[1] : lists.tickets[0]) + set.first_tile + first + width,
                   siblings))
        return;
      sibling_join<T, Threads, Siblings, Vertices, Machine>(machine_, s_.siblings, lists, half,
                                                            set.first_tile + first,
                                                            static_cast<uint32_t>(width), siblings)
          .run();
    }
  }
  COLONNADE_KERNEL_CODE bool is_last(uint32_t *ticket, uint32_t siblings) {
    machine_.device_fence();
    machine_.block_sync();
    if (machine_.thread() == 0)
      s_.is_last = machine_.take_ticket(ticket) + 1 == siblings;
    machine_.block_sync();
    machine_.device_fence();
    return s_.is_last;
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail
