//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mapped_pool.hpp: a pool of slabs that is one array and grows while kernels use it.
//
// The array's addresses are reserved once, for as many slabs as there may ever be; memory is mapped
// behind the first of them, and behind more as the pool grows. So a slab's number is its index, and
// only the number of blocks has to be read from memory.
//
// In: a slab's number. Out: where it and its bit of the bitmap stand. Invariant: memory is mapped
// and filled before the number of blocks is raised, and stays as long as the pool. A warp hears of
// it by that number, which it reads before a fence, or by a link.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/slab_array.hpp>

namespace colonnade::detail {

/// What kernels know of a pool.
struct mapped_pool_view : slab_array {
  static constexpr bool grows = true;
  template <class Machine> using claims = pool_claims<Machine, mapped_pool_view>;

  uint32_t *num_blocks; // published so far

  template <class Machine> COLONNADE_KERNEL_CODE uint32_t blocks(const Machine &machine) const {
    const uint32_t published = machine.load_word(num_blocks);
    machine.device_fence();
    return published;
  }
};

/// For one thread, once the blocks are filled.
template <class Machine>
COLONNADE_KERNEL_CODE void publish_blocks(const Machine &machine, const mapped_pool_view &pool,
                                          uint32_t num_blocks) {
  machine.device_fence();
  machine.store_word(pool.num_blocks, num_blocks);
}

} // namespace colonnade::detail
