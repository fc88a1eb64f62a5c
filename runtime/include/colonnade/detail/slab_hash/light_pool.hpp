//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// light_pool.hpp: a pool of slabs that is one contiguous array.
//
// In: a slab's number. Out: where it and its bit of the bitmap stand. Invariant: the number of
// slabs never changes, and a slab's number is its index, so its address costs no access to memory.
//
// Source: S. Ashkiani, thesis (2017), section 5.5 (SlabAlloc-light).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/claims.hpp>

namespace colonnade::detail {

/// What kernels know of a pool.
struct light_pool_view {
  static constexpr bool grows = false;
  template <class Machine> using claims = pool_claims<Machine, light_pool_view>;

  slab *slabs;
  uint32_t *bitmaps;   // a bit a slab; those behind the last slab are set for ever
  uint32_t num_blocks; // 0: there are no slabs

  template <class Machine> COLONNADE_KERNEL_CODE uint32_t blocks(const Machine &) const {
    return num_blocks;
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE uint64_t *address(const Machine &, uint32_t number) const {
    return slabs[number].words;
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE uint32_t *bitmap(const Machine &, uint32_t word) const {
    return bitmaps + word;
  }
  /// `number` is all open and in no chain.
  template <class Machine>
  COLONNADE_KERNEL_CODE void give_back(const Machine &machine, uint32_t number) const {
    machine.fetch_and(bitmaps + number / 32, ~(1u << number % 32));
  }
};

} // namespace colonnade::detail
