//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// staged_pairs.hpp: the values of all pairs of each key, met by one walk and put in order after it.
//
// Who counts pairs first and lists them then walks a chain twice. Of a multimap others may insert
// pairs of the key meanwhile, into slots before those that were counted; then there are more values
// than places, and nobody can tell which to leave out. So here the walk that counts takes the
// values along, in any order, each with its key and its place among the key's, and when the counts
// have become offsets they are moved there.
//
// In: keys; room for as many values as the caller has room for. Out: counts, and where the offsets
// are known the values between them. Invariant: a key's chain is walked once, and what is counted
// is what is listed; so a pair that is there all the time is listed once. Where more are met than
// there is room for, nothing is moved.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/all_pairs.hpp>

namespace colonnade::detail {

template <class Value> struct staged_pair {
  uint64_t key_index;
  uint32_t place; // among the values of the key
  Value value;
};
template <class Value> struct staged_pairs {
  staged_pair<Value> *pairs;
  uint64_t *count; // that were met, also those that there was no room for; 0 before the walk
  uint64_t capacity;
};

template <class Value> struct stage_pairs : count_pairs {
  staged_pairs<Value> to;
  uint64_t key_index; // of this lane

  COLONNADE_KERNEL_CODE stage_pairs(const staged_pairs<Value> &all, uint64_t i)
      : to(all), key_index(i) {}

  struct owner_type {
    uint64_t key_index;
    uint32_t before;
  };
  template <class Tile>
  COLONNADE_KERNEL_CODE owner_type of_lane(const Tile &tile, uint32_t from, uint32_t before) const {
    return {tile.shuffle(key_index, from), tile.shuffle(before, from)};
  }
  template <class Tile> COLONNADE_KERNEL_CODE uint64_t number(const Tile &tile, bool is) const {
    return tile.take_numbers(to.count, is);
  }
  template <class Half>
  COLONNADE_KERNEL_CODE void put(const owner_type &owner, uint64_t number, uint32_t rank,
                                 Half value) const {
    if (number < to.capacity)
      to.pairs[number] = {owner.key_index, owner.before + rank, from_slab_bits<Value>(value)};
  }
};

/// Counts, and takes the values along.
template <class Value> struct stage_operation : count_operation {
  staged_pairs<Value> to;
  explicit stage_operation(const staged_pairs<Value> &all) : to(all) {}
  COLONNADE_HOST_DEVICE stage_pairs<Value> pairs_of(bool, uint64_t i) const { return {to, i}; }
};

template <class Value> struct placed_pairs_arguments {
  staged_pairs<Value> staged;
  const uint64_t *offsets; // of keys
  Value *values;
};
/// By all threads of a grid.
template <class Machine, class Value>
COLONNADE_KERNEL_CODE void place_values(const Machine &machine,
                                        const placed_pairs_arguments<Value> &a) {
  const uint64_t count = *a.staged.count;
  if (count > a.staged.capacity)
    return;
  const uint64_t threads = uint64_t{machine.num_blocks()} * machine.num_threads();
  for (uint64_t i = uint64_t{machine.block()} * machine.num_threads() + machine.thread(); i < count;
       i += threads) {
    const staged_pair<Value> pair = a.staged.pairs[i];
    a.values[a.offsets[pair.key_index] + pair.place] = pair.value;
  }
}

} // namespace colonnade::detail
