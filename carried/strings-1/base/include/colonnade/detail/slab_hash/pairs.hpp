//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pairs.hpp: what can be done to all pairs of a key while a tile walks the key's chain: they are
// counted, erased, or their values written to an array.
//
//   of_lane   what the lane that asks has of its own, given to all lanes of the tile
//   take      done by the lane that read the pair; false: the pair does not count
//   number    what pairs of all keys need to be told apart; for all lanes of the warp
//   put       where it stands among the key's pairs
//
// In: the words that hold the key. Out: as above. Invariant: a slot is read once on the way, so a
// pair that is there all the time is met once; a pair that comes or goes meanwhile is met or not.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/slab.hpp>

namespace colonnade::detail {

struct count_pairs {
  struct nobody {};
  template <class Tile>
  COLONNADE_KERNEL_CODE nobody of_lane(const Tile &, uint32_t, uint32_t) const {
    return {};
  }
  template <class Machine, class Format, class Word, class Key>
  COLONNADE_KERNEL_CODE bool take(const Machine &, const Format &, Word *, Word,
                                  const Key &) const {
    return true;
  }
  template <class Tile> COLONNADE_KERNEL_CODE nobody number(const Tile &, bool) const { return {}; }
  template <class Half> COLONNADE_KERNEL_CODE void put(nobody, nobody, uint32_t, Half) const {}
};

struct erase_pairs : count_pairs {
  /// Until whatever pair of the key stands in the slot is gone.
  template <class Machine, class Format, class Word, class Key>
  COLONNADE_KERNEL_CODE bool take(const Machine &machine, const Format &format, Word *slot,
                                  Word word, const Key &key) const {
    while (format.is_live(word, key)) {
      const Word before = machine.compare_exchange(slot, word, format.tombstone(key));
      if (before == word)
        return true;
      word = before;
    }
    return false;
  }
};

template <class Value> struct list_pairs : count_pairs {
  Value *values;     // of this lane's key; not written from `capacity` on
  uint32_t capacity; // no key has as many pairs as there are numbers

  COLONNADE_KERNEL_CODE list_pairs(Value *to, uint64_t most)
      : values(to), capacity(most >> 32 ? ~0u : static_cast<uint32_t>(most)) {}

  struct owner_type {
    Value *next;
    uint32_t left;
  };
  template <class Tile>
  COLONNADE_KERNEL_CODE owner_type of_lane(const Tile &tile, uint32_t from, uint32_t before) const {
    const uint32_t left = capacity > before ? capacity - before : 0;
    return {
        reinterpret_cast<Value *>(tile.shuffle(reinterpret_cast<uint64_t>(values + before), from)),
        tile.shuffle(left, from)};
  }
  template <class Half>
  COLONNADE_KERNEL_CODE void put(const owner_type &owner, nobody, uint32_t rank, Half value) const {
    if (rank < owner.left)
      owner.next[rank] = from_slab_bits<Value>(value);
  }
};

} // namespace colonnade::detail
