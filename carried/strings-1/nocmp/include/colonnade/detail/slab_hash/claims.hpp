//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// claims.hpp: how warps and threads take slabs from a pool.
//
// Blocks of 1024 slabs; 32 words of a bitmap say which of a block's slabs are taken. Each warp has
// a resident block, whose bitmap it keeps in registers: lane l holds word l as last seen. (The
// first block's is not read before a claim there has failed.) To take slabs one lane sets bits of
// its word by one atomic or; those that were clear before are the warp's, and the rest it has now
// seen to be taken. When the resident block looks full the warp moves: a few times to a block that
// a hash of warp and move gives, then from there on to every block in turn. A pool that grows is
// asked for its size at every move, and once more when all of it was full.
//
// In: how many lanes want a slab. Out: a slab's number for each, or no_slab. Invariant: a slab is
// handed out once until it is given back; it is refused only after, within the call, every bitmap
// was read and found full, and the pool had not grown meanwhile. A free slab is all open, so a slab
// can be linked as it is, and no reader has to wait for its contents: whoever gives one back leaves
// it so.
//
// Source: S. Ashkiani, thesis (2017), section 5.5. There one slab at a time is claimed, by a
// compare-and-swap.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/slab.hpp>

namespace colonnade::detail {

constexpr uint32_t slabs_per_block = 1024;

/// Spreads numbers: a bijection of 32 bits, of Murmur hash 3.
COLONNADE_HOST_DEVICE uint32_t spread_bits(uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}
/// The higher half of a bijection of 64 bits, of the same.
COLONNADE_HOST_DEVICE uint32_t spread_bits(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return static_cast<uint32_t>((x ^ x >> 33) >> 32);
}
/// A number below `below`.
COLONNADE_HOST_DEVICE uint32_t spread_below(uint32_t spread, uint32_t below) {
  return static_cast<uint32_t>(uint64_t{spread} * below >> 32);
}

/// Where the one of `bits` stands below which there are `rank` others; it is there. By halves: as
/// many steps for each lane.
template <class Machine> COLONNADE_KERNEL_CODE uint32_t place_of_one(uint32_t bits, uint32_t rank) {
  uint32_t place = 0;
  COLONNADE_UNROLL
  for (uint32_t width = 16; width; width /= 2) {
    const uint32_t below = Machine::count_ones(bits >> place & ((1u << width) - 1));
    if (below <= rank) {
      place += width;
      rank -= below;
    }
  }
  return place;
}
/// The lowest `count` of the ones in `bits`, or all.
template <class Machine> COLONNADE_KERNEL_CODE uint32_t lowest_ones(uint32_t bits, uint32_t count) {
  if (count == 1)
    return bits & (~bits + 1);
  if (Machine::count_ones(bits) <= count)
    return bits;
  return bits & ((1u << place_of_one<Machine>(bits, count)) - 1);
}

/// A warp's, or a thread's, way to the slabs of a pool.
template <class Machine, class Pool> class pool_claims {
public:
  COLONNADE_KERNEL_CODE pool_claims(const Machine &machine, const Pool &pool)
      : machine_(machine), pool_(pool) {}

  /// For all lanes of the warp together: a slab for each that wants one.
  COLONNADE_KERNEL_CODE uint32_t take(bool wants) {
    uint32_t mine = no_slab;
    while (const uint32_t wanting = machine_.ballot(wants && mine == no_slab)) {
      if (machine_.ballot(~taken_ != 0) == 0 && !move())
        break;
      const uint32_t got = claim(machine_.count_ones(wanting));
      if (unread_ && !got)
        taken_ = load_bitmap(resident_);
      unread_ = unread_ && got;
      const uint32_t rank = machine_.count_ones(wanting & ((1u << machine_.lane()) - 1));
      if ((wanting >> machine_.lane() & 1) && rank < machine_.count_ones(got))
        mine = first_of_word_ + place_of_one<Machine>(got, rank);
    }
    return mine;
  }

  /// For this thread alone.
  COLONNADE_KERNEL_CODE uint32_t take_alone() {
    uint32_t slab = no_slab;
    for (uint32_t known = 0, n; slab == no_slab && (n = pool_.blocks(machine_)) != known; known = n)
      slab = take_of(n * 32);
    return slab;
  }

private:
  static constexpr uint32_t hashed_moves = 4, sweep_loads = 4;

  /// Of the warp in the grid.
  COLONNADE_KERNEL_CODE uint32_t number() const {
    return machine_.block() * (machine_.num_threads() / 32) + machine_.warp();
  }

  /// Sets up to `count` bits of one word of the resident block, which has a free one as far as
  /// this warp knows; those that were clear.
  COLONNADE_KERNEL_CODE uint32_t claim(uint32_t count) {
    const uint32_t with_free = machine_.ballot(~taken_ != 0);
    const uint32_t enough = machine_.ballot(machine_.count_ones(~taken_) >= count);
    const uint32_t choice = enough ? enough : with_free;
    const uint32_t chosen = place_of_one<Machine>( // warps in one block choose different words
        choice, spread_below(spread_bits(number()), machine_.count_ones(choice)));
    uint32_t got = 0;
    if (machine_.lane() == chosen) {
      const uint32_t bits = lowest_ones<Machine>(~taken_, count);
      const uint32_t before =
          machine_.fetch_or(pool_.bitmap(machine_, resident_ * 32 + chosen), bits);
      got = bits & ~before;
      taken_ |= bits | before;
    }
    first_of_word_ = resident_ * slabs_per_block + chosen * 32;
    return machine_.shuffle(got, chosen);
  }

  /// For this thread alone, of so many words, from one on that a hash gives.
  COLONNADE_KERNEL_CODE uint32_t take_of(uint32_t num_words) const {
    const uint32_t start = spread_below(spread_bits(number() * 32 + machine_.lane()), num_words);
    for (uint32_t i = 0; i < num_words; ++i) {
      const uint32_t word = wrapped(start, i, num_words);
      uint32_t *bitmap = pool_.bitmap(machine_, word);
      uint32_t taken = machine_.load_word(bitmap);
      while (~taken) {
        const uint32_t bit = ~taken & (taken + 1);
        const uint32_t before = machine_.fetch_or(bitmap, bit);
        if (!(before & bit))
          return word * 32 + machine_.first_one(bit);
        taken |= before;
      }
    }
    return no_slab;
  }

  /// Blocks of the pool, the same number for all lanes of the warp.
  COLONNADE_KERNEL_CODE uint32_t blocks() const {
    if constexpr (Pool::grows)
      return machine_.shuffle(pool_.blocks(machine_), 0);
    else
      return pool_.blocks(machine_);
  }
  /// This lane's word of a block's bitmap.
  COLONNADE_KERNEL_CODE uint32_t load_bitmap(uint32_t block) const {
    return machine_.load_word(pool_.bitmap(machine_, block * 32 + machine_.lane()));
  }

  /// To a block with a free slab; false: there was none when its bitmap was read.
  COLONNADE_KERNEL_CODE bool move() {
    uint32_t n = blocks();
    for (uint32_t i = 0; i < hashed_moves && n; ++i) {
      resident_ = spread_below(spread_bits(number() ^ spread_bits(++moves_)), n);
      unread_ = moves_ == 1; // as if all were free: the first claim will tell
      taken_ = unread_ ? 0 : load_bitmap(resident_);
      if (machine_.ballot(~taken_ != 0))
        return true;
    }
    for (uint32_t known = 0; n != known; n = blocks()) { // until there are no more than were read
      if (sweep(n))
        return true;
      known = n;
    }
    return false;
  }
  /// Reads the bitmaps of n blocks, several at once, from the resident block on.
  COLONNADE_KERNEL_CODE bool sweep(uint32_t n) {
    const uint32_t start = resident_;
    for (uint32_t i = 0; i < n; i += sweep_loads) {
      uint32_t words[sweep_loads];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < sweep_loads; ++k)
        words[k] = i + k < n ? load_bitmap(wrapped(start, i + k, n)) : ~0u;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < sweep_loads; ++k)
        if (machine_.ballot(~words[k] != 0)) {
          resident_ = wrapped(start, i + k, n);
          taken_ = words[k];
          return true;
        }
    }
    return false;
  }
  static COLONNADE_KERNEL_CODE uint32_t wrapped(uint32_t start, uint32_t i, uint32_t n) {
    return start < n - i ? start + i : start + i - n;
  }

  kept_machine<Machine> machine_;
  const Pool pool_;
  uint32_t resident_ = 0, taken_ = ~0u; // the resident block; this lane's word, as last seen
  uint32_t moves_ = 0, first_of_word_ = 0;
  bool unread_ = false; // the resident block's bitmap: no more is known than claims have told
};

} // namespace colonnade::detail
