//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// offsets.hpp: turns counts into offsets, in place, in three steps.
//
// The sums of tiles, then the sums before each tile by one block, then the offsets within tiles.
//
// In: n counts in an array of n + 1. Out: item i has the sum of counts 0 to i - 1, item n that of
// all; if that is more than there is room for, the status says buffer_too_small and how many there
// are. Invariant: a block reads and writes only its own tile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/slab_hash/report.hpp>

namespace colonnade::detail {

constexpr uint32_t offset_threads = 256, offsets_per_thread = 8,
                   offset_tile = offset_threads * offsets_per_thread;

struct offsets_arguments {
  uint64_t *counts; // num_items + 1
  uint64_t num_items;
  uint64_t *tile_sums;
  uint64_t num_tiles;
  uint64_t capacity;
  device_status *status; // or null
};

/// Of `count` items from `first` on, no more than a tile: those of this thread, added; in `items`.
template <class Machine>
COLONNADE_KERNEL_CODE uint64_t sum_of_thread(const Machine &machine, const uint64_t *counts,
                                             uint64_t first, uint64_t end,
                                             uint64_t (&items)[offsets_per_thread]) {
  uint64_t sum = 0;
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < offsets_per_thread; ++k) {
    const uint64_t i = first + machine.thread() * offsets_per_thread + k;
    items[k] = i < end ? counts[i] : 0;
    sum += items[k];
  }
  return sum;
}

/// In their places: what is before each of them, `before` before the first of this thread.
template <class Machine>
COLONNADE_KERNEL_CODE void
write_sums_before(const Machine &machine, uint64_t *sums, uint64_t first, uint64_t end,
                  const uint64_t (&items)[offsets_per_thread], uint64_t before) {
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < offsets_per_thread; ++k) {
    const uint64_t i = first + machine.thread() * offsets_per_thread + k;
    if (i < end)
      sums[i] = before;
    before += items[k];
  }
}

template <class Machine>
COLONNADE_KERNEL_CODE void add_up_tile(const Machine &machine, const offsets_arguments &a,
                                       uint64_t *scratch) {
  uint64_t items[offsets_per_thread];
  const uint64_t first = uint64_t{machine.block()} * offset_tile;
  const uint64_t sum = sum_of_thread(machine, a.counts, first, a.num_items, items);
  const uint64_t before = block_exclusive_sum(machine, sum, scratch);
  if (machine.thread() == offset_threads - 1)
    a.tile_sums[machine.block()] = before + sum;
}

/// How many there are in all. One thread.
template <class Machine>
COLONNADE_KERNEL_CODE void write_total(const Machine &machine, const offsets_arguments &a,
                                       uint64_t total) {
  a.counts[a.num_items] = total;
  if (a.status && total > a.capacity)
    report_beside_pool_full(machine, a.status, data_error::buffer_too_small, total);
}

/// One block.
template <class Machine>
COLONNADE_KERNEL_CODE void add_up_tiles(const Machine &machine, const offsets_arguments &a,
                                        uint64_t *scratch, uint64_t *total) {
  uint64_t before_all = 0;
  for (uint64_t first = 0; first < a.num_tiles; first += offset_tile) {
    uint64_t items[offsets_per_thread];
    const uint64_t sum = sum_of_thread(machine, a.tile_sums, first, a.num_tiles, items);
    const uint64_t before = block_exclusive_sum(machine, sum, scratch);
    write_sums_before(machine, a.tile_sums, first, a.num_tiles, items, before_all + before);
    if (machine.thread() == offset_threads - 1)
      *total = before_all + before + sum;
    machine.block_sync();
    before_all = *total;
    machine.block_sync();
  }
  if (machine.thread() == 0)
    write_total(machine, a, before_all);
}

template <class Machine>
COLONNADE_KERNEL_CODE void write_offsets(const Machine &machine, const offsets_arguments &a,
                                         uint64_t *scratch) {
  uint64_t items[offsets_per_thread];
  const uint64_t first = uint64_t{machine.block()} * offset_tile;
  const uint64_t sum = sum_of_thread(machine, a.counts, first, a.num_items, items);
  const uint64_t before = block_exclusive_sum(machine, sum, scratch);
  write_sums_before(machine, a.counts, first, a.num_items, items,
                    a.tile_sums[machine.block()] + before);
}

/// All at once, where there is one tile.
template <class Machine>
COLONNADE_KERNEL_CODE void write_offsets_of_tile(const Machine &machine, const offsets_arguments &a,
                                                 uint64_t *scratch) {
  uint64_t items[offsets_per_thread];
  const uint64_t sum = sum_of_thread(machine, a.counts, 0, a.num_items, items);
  const uint64_t before = block_exclusive_sum(machine, sum, scratch);
  write_sums_before(machine, a.counts, 0, a.num_items, items, before);
  if (machine.thread() == offset_threads - 1)
    write_total(machine, a, before + sum);
}

inline uint64_t offset_tiles(uint64_t n) { return (n + offset_tile - 1) / offset_tile; }

} // namespace colonnade::detail
