//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_pool.hpp: a growing pool of slabs in the memory of the host.
//
// In: what a free slab is filled with. Out: slabs, through the view that kernels have of a growing
// pool. Invariant: a super block stays where it is; a place is written before the number that makes
// it known.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/cpu_machine.hpp>
#include <colonnade/detail/slab_hash/growing_pool.hpp>

#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace colonnade::detail {

/// A pool in the memory of the host, of super blocks of 2^12 slabs.
class host_slab_pool {
public:
  explicit host_slab_pool(slab_filling filling)
      : filling_(filling), places_(uint64_t{most_super_blocks} * 2) {
    view_ = {places_.data(), &num_blocks_, log2_slabs};
  }
  host_slab_pool(const host_slab_pool &) = delete;

  const growing_pool_view &view() const { return view_; }
  /// One super block more, unless there is one more than the caller knew of.
  void grow(uint32_t known_blocks, const cpu_slab_machine &machine) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (view_.blocks(machine) != known_blocks)
      return;
    if (super_blocks_.size() == most_super_blocks)
      throw std::bad_alloc();
    super_blocks_.push_back(std::make_unique<super_block>(filling_));
    const uint64_t last = super_blocks_.size() - 1;
    machine.store_place(&places_[last * 2],
                        reinterpret_cast<uint64_t>(super_blocks_.back()->slabs));
    machine.store_place(&places_[last * 2 + 1],
                        reinterpret_cast<uint64_t>(super_blocks_.back()->bitmaps));
    machine.device_fence();
    machine.store_word(&num_blocks_, static_cast<uint32_t>(super_blocks_.size())
                                         << (log2_slabs - 10));
  }

private:
  static constexpr uint32_t log2_slabs = 12;
  struct super_block {
    slab slabs[1u << log2_slabs];
    uint32_t bitmaps[(1u << log2_slabs) / 32] = {};
    explicit super_block(slab_filling filling) {
      for (slab &s : slabs)
        for (uint32_t i = 0; i < slab_words; ++i)
          s.words[i] = i % 2 ? filling.high : filling.low;
    }
  };
  slab_filling filling_;
  std::vector<uint64_t> places_;
  std::vector<std::unique_ptr<super_block>> super_blocks_;
  uint32_t num_blocks_ = 0;
  growing_pool_view view_;
  std::mutex mutex_;
};

/// For the life of a thread.
inline uint32_t host_thread_number() {
  static std::atomic<uint32_t> next{0};
  thread_local const uint32_t mine = next.fetch_add(1, std::memory_order_relaxed);
  return mine;
}

} // namespace colonnade::detail
