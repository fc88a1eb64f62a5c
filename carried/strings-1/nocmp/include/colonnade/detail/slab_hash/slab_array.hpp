//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_array.hpp: slabs that are one contiguous array, as the light and the mapped pool have them.
//
// In: a slab's number. Out: where it and its bit of the bitmap stand. Invariant: a slab's number is
// its index, so its address costs no access to memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/claims.hpp>

namespace colonnade::detail {

struct slab_array {
  slab *slabs;
  uint32_t *bitmaps; // a bit a slab; those behind the last slab are set for ever

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
