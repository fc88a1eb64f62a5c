//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slab_pools.hpp: pools of slabs in host memory that grow while others use them.
//
// In: the most blocks. Out: the view that kernels have; blocks to be published by a warp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_slabs.hpp"

#include <colonnade/detail/slab_hash/growing_pool.hpp>
#include <colonnade/detail/slab_hash/mapped_pool.hpp>

#include <algorithm>
#include <iterator>
#include <vector>

namespace colonnade::testing {

/// A pool in host memory that grows, of super blocks of 1024 slabs.
class host_growing_pool {
public:
  explicit host_growing_pool(uint32_t most) : places_(most * 2), slabs_(most * 1024) {
    bitmaps_.assign(most * 32, 0);
    for (detail::slab &s : slabs_)
      std::fill(std::begin(s.words), std::end(s.words), ~uint64_t{0});
    view = {places_.data(), &num_blocks_, 10};
  }
  host_growing_pool(const host_growing_pool &) = delete;

  detail::growing_pool_view view;

  /// What the host gives to the warp that publishes it.
  detail::new_super_blocks add(uint32_t count) {
    const uint32_t first = given_;
    given_ += count;
    return {slabs_.data() + first * 1024, bitmaps_.data() + first * 32, first, count};
  }
  /// Leaves free only as many slabs of a super block.
  void take_all_but(uint32_t super, uint32_t free) {
    for (uint32_t s = free; s < 1024; ++s)
      bitmaps_[super * 32 + s / 32] |= 1u << s % 32;
  }

private:
  std::vector<uint64_t> places_;
  std::vector<detail::slab> slabs_;
  std::vector<uint32_t> bitmaps_;
  uint32_t num_blocks_ = 0, given_ = 0;
};

/// The same as one array.
class host_mapped_pool {
public:
  explicit host_mapped_pool(uint32_t most) : slabs_(most * 1024), bitmaps_(most * 32) {
    for (detail::slab &s : slabs_)
      std::fill(std::begin(s.words), std::end(s.words), ~uint64_t{0});
    view = {{slabs_.data(), bitmaps_.data()}, &num_blocks_};
  }
  host_mapped_pool(const host_mapped_pool &) = delete;

  detail::mapped_pool_view view;

  /// The number of blocks that is to be published.
  uint32_t add(uint32_t count) { return given_ += count; }
  void take_all_but(uint32_t block, uint32_t free) {
    for (uint32_t s = free; s < 1024; ++s)
      bitmaps_[block * 32 + s / 32] |= 1u << s % 32;
  }

private:
  std::vector<detail::slab> slabs_;
  std::vector<uint32_t> bitmaps_;
  uint32_t num_blocks_ = 0, given_ = 0;
};
/// By the lanes of a warp.
inline void publish(const host_slab_machine &machine, const host_growing_pool &pool,
                    const detail::new_super_blocks &added) {
  detail::publish_super_blocks(machine, pool.view, added);
}
inline void publish(const host_slab_machine &machine, const host_mapped_pool &pool,
                    uint32_t num_blocks) {
  for (int i = 0; i < 40; ++i) // so that others have begun
    machine.ballot(true);
  if (machine.lane() == 0)
    detail::publish_blocks(machine, pool.view, num_blocks);
}

} // namespace colonnade::testing
