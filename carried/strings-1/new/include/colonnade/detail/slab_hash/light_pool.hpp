//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// light_pool.hpp: a pool of slabs that is one contiguous array.
//
// In: a slab's number. Out: where it and its bit of the bitmap stand (slab_array.hpp). Invariant:
// the number of slabs never changes.
//
// Source: S. Ashkiani, thesis (2017), section 5.5 (SlabAlloc-light).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/slab_array.hpp>

namespace colonnade::detail {

/// What kernels know of a pool.
struct light_pool_view : slab_array {
  static constexpr bool grows = false;
  template <class Machine> using claims = pool_claims<Machine, light_pool_view>;

  uint32_t num_blocks; // 0: there are no slabs

  template <class Machine> COLONNADE_KERNEL_CODE uint32_t blocks(const Machine &) const {
    return num_blocks;
  }
};

} // namespace colonnade::detail
