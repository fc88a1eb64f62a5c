//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tile.hpp: the lanes that read one slab together: 4, 8, 16 or 32 of a warp, or one thread alone.
//
// In: a machine. Out: ballots and shuffles among the lanes of a tile. Invariant: with more than one
// lane all 32 lanes of the warp call them together; alone there is nobody to wait for, so a thread
// may call them wherever it is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/slab.hpp>

namespace colonnade::detail {

/// Words: of a slab.
template <class Machine, uint32_t Width, uint32_t Words> struct slab_tile {
  static_assert(Width == 1 || Width == 4 || Width == 8 || Width == 16 || Width == 32,
                "slab hash: a tile is 1, 4, 8, 16 or 32 lanes");
  /// Lanes of a tile that read words of a slab, and how many words each.
  static constexpr uint32_t readers = Width < Words ? Width : Words;
  static constexpr uint32_t words = Words / readers;

  kept_machine<Machine> machine;

  COLONNADE_KERNEL_CODE uint32_t lane() const { return Width == 1 ? 0 : machine.lane() % Width; }
  COLONNADE_KERNEL_CODE bool reads() const { return readers == Width || lane() < readers; }

  /// How many of these lanes of the tile come before this one.
  COLONNADE_KERNEL_CODE uint32_t rank(uint32_t lanes) const {
    return machine.count_ones(lanes & ((1u << lane()) - 1));
  }
  /// Bit l: what lane l of the tile says.
  COLONNADE_KERNEL_CODE uint32_t ballot(bool says) const {
    if constexpr (Width == 1)
      return says;
    else if constexpr (Width == 32)
      return machine.ballot(says);
    else
      return machine.ballot(says) >> first_lane() & ((1u << Width) - 1);
  }
  /// Whether any lane of the warp says so; alone: whether this thread does.
  COLONNADE_KERNEL_CODE bool any(bool says) const {
    if constexpr (Width == 1)
      return says;
    else
      return machine.ballot(says) != 0;
  }
  /// For each lane of the warp that wants one a number, of a counter in global memory.
  COLONNADE_KERNEL_CODE uint64_t take_numbers(uint64_t *counter, bool wants) const {
    if constexpr (Width == 1) {
      return wants ? machine.take_global(counter, 1) : 0;
    } else {
      const uint32_t all = machine.ballot(wants), first = machine.first_one(all);
      if (!all)
        return 0;
      uint64_t number = 0;
      if (machine.lane() == first)
        number = machine.take_global(counter, machine.count_ones(all));
      return machine.shuffle(number, first) +
             machine.count_ones(all & ((1u << machine.lane()) - 1));
    }
  }
  template <class T> COLONNADE_KERNEL_CODE T shuffle(T value, uint32_t from) const {
    if constexpr (Width == 1)
      return value;
    else if constexpr (sizeof(T) == 16)
      return both_halves(machine.shuffle(low_half(value), first_lane() + from),
                         machine.shuffle(high_half(value), first_lane() + from));
    else
      return machine.shuffle(value, first_lane() + from);
  }

private:
  COLONNADE_KERNEL_CODE uint32_t first_lane() const { return machine.lane() / Width * Width; }
};

} // namespace colonnade::detail
