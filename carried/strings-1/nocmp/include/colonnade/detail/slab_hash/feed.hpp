//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// feed.hpp: the keys of a warp, given out to lanes as they become free.
//
// A warp owns groups of 32 places, as far apart as there are warps. The keys of the group that is
// given out and those of the next one are in registers, a key a lane: so reading keys waits for
// nothing, and is coalesced however unevenly lanes end.
//
// In: an array of keys, and which of it are meant. Out: an item for each lane that wants one, in
// order of places. Invariant: each place is given out once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/slab.hpp>

namespace colonnade::detail {

/// Which operations of the arrays are done: all of them, or those of a list.
struct all_items {
  COLONNADE_HOST_DEVICE uint64_t index(uint64_t place) const { return place; }
};
struct listed_items {
  const uint64_t *indices;
  COLONNADE_HOST_DEVICE uint64_t index(uint64_t place) const { return indices[place]; }
};

template <class Key> struct slab_item {
  bool has = false;
  uint64_t index = 0; // in the arrays
  Key k{};
};

template <class Machine, class KeysIn, class Items, class Key> class slab_feed {
public:
  COLONNADE_KERNEL_CODE slab_feed(const Machine &machine, const KeysIn &keys, const Items &items,
                                  uint64_t num_items)
      : machine_(machine), keys_(keys), items_(items), num_items_(num_items) {
    const uint32_t warps = machine.num_threads() / 32;
    stride_ = uint64_t{machine.num_blocks()} * warps * 32;
    first_ = (uint64_t{machine.block()} * warps + machine.warp()) * 32;
    current_ = read(first_);
    next_ = read(first_ + stride_);
  }

  /// For all lanes of the warp, of which some want an item. Without one: there are no more.
  COLONNADE_KERNEL_CODE slab_item<Key> take(bool wants) {
    const uint32_t takers = machine_.ballot(wants);
    if (!takers || first_ >= num_items_)
      return {};
    const uint32_t before = machine_.count_ones(takers & ((1u << machine_.lane()) - 1));
    const uint32_t at = given_ + before, lane = at % 32;
    const bits of_current = machine_.shuffle(current_, lane);
    const bits of_next = machine_.shuffle(next_, lane);
    const uint64_t place = first_ + lane + (at < 32 ? 0 : stride_);
    advance(machine_.count_ones(takers));
    if (!wants || place >= num_items_)
      return {};
    return {true, items_.index(place), from_slab_bits<Key>(at < 32 ? of_current : of_next)};
  }

private:
  using bits = decltype(slab_bits(Key{}));

  COLONNADE_KERNEL_CODE bits read(uint64_t group) const {
    const uint64_t place = group + machine_.lane();
    return place < num_items_ ? slab_bits(static_cast<Key>(keys_[items_.index(place)])) : 0;
  }
  COLONNADE_KERNEL_CODE void advance(uint32_t taken) {
    given_ += taken;
    if (given_ < 32)
      return;
    given_ -= 32;
    first_ += stride_;
    current_ = next_;
    next_ = read(first_ + stride_);
  }

  const Machine &machine_;
  const KeysIn &keys_;
  const Items &items_;
  const uint64_t num_items_;
  uint64_t stride_, first_; // from group to group; place of the current one
  uint32_t given_ = 0;      // of the current group
  bits current_, next_;     // of a key of each
};

} // namespace colonnade::detail
