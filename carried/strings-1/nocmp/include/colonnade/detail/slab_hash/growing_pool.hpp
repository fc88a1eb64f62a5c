//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// growing_pool.hpp: a pool of slabs that grows while kernels use it.
//
// Slabs stand in super blocks of 2^k slabs each; a table in device memory says where each super
// block and its part of the bitmap are, and a word says how many blocks of 1024 slabs there are. To
// grow, the host fills new super blocks and lets one warp publish them: their places are written to
// the table first, then the number of blocks is raised.
//
// In: a slab's number. Out: where it and its bit stand, at the price of a load from the table.
// Invariant: places in the table are written once, before any warp can hear of the super block; so
// whoever knows a slab's number finds its place. A warp hears of it by the number of blocks, which
// it reads before a fence, or by a link, which a warp wrote after a fence; what it then loads by an
// address that depends on what it heard it loads from the second-level cache, where the place is.
//
// Source: S. Ashkiani, thesis (2017), section 5.5 (SlabAlloc). There super blocks are added between
// kernels.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/claims.hpp>

namespace colonnade::detail {

/// One fewer than the numbers suffice for, so that no_slab is no slab's number.
constexpr uint32_t most_super_blocks = (1u << 14) - 1, most_log2_super_block = 18;

/// What kernels know of a pool.
struct growing_pool_view {
  static constexpr bool grows = true;
  template <class Machine> using claims = pool_claims<Machine, growing_pool_view>;

  uint64_t *places;     // two words a super block: of its slabs, of its part of the bitmap
  uint32_t *num_blocks; // published so far
  uint32_t log2_slabs;  // of a super block, at least 10

  template <class Machine> COLONNADE_KERNEL_CODE uint32_t blocks(const Machine &machine) const {
    const uint32_t published = machine.load_word(num_blocks);
    machine.device_fence();
    return published;
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE uint64_t *address(const Machine &machine, uint32_t number) const {
    const uint64_t place = machine.load_place(places + uint64_t{number >> log2_slabs} * 2);
    return reinterpret_cast<slab *>(place)[number & ((1u << log2_slabs) - 1)].words;
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE uint32_t *bitmap(const Machine &machine, uint32_t word) const {
    const uint32_t log2_words = log2_slabs - 5;
    const uint64_t place = machine.load_place(places + uint64_t{word >> log2_words} * 2 + 1);
    return reinterpret_cast<uint32_t *>(place) + (word & ((1u << log2_words) - 1));
  }
  /// `number` is all open and in no chain.
  template <class Machine>
  COLONNADE_KERNEL_CODE void give_back(const Machine &machine, uint32_t number) const {
    machine.fetch_and(bitmap(machine, number / 32), ~(1u << number % 32));
  }
};

/// Super blocks that stand one behind the other, filled.
struct new_super_blocks {
  slab *slabs;
  uint32_t *bitmaps;
  uint32_t first, count; // of the pool's super blocks
};

/// For one warp; no other publishes at the same time.
template <class Machine>
COLONNADE_KERNEL_CODE void publish_super_blocks(const Machine &machine,
                                                const growing_pool_view &pool,
                                                const new_super_blocks &added) {
  const uint64_t slabs_each = uint64_t{1} << pool.log2_slabs;
  for (uint32_t i = machine.lane(); i < added.count; i += 32) {
    uint64_t *place = pool.places + uint64_t{added.first + i} * 2;
    machine.store_place(place, reinterpret_cast<uint64_t>(added.slabs + i * slabs_each));
    machine.store_place(place + 1, reinterpret_cast<uint64_t>(added.bitmaps + i * slabs_each / 32));
  }
  machine.warp_sync();
  if (machine.lane() != 0)
    return;
  machine.device_fence(); // of all lanes' places, which this lane has waited for
  machine.store_word(pool.num_blocks, (added.first + added.count) << (pool.log2_slabs - 10));
}

} // namespace colonnade::detail
