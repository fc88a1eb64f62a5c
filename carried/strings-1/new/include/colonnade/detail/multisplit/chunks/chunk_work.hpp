//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chunk_work.hpp: chunks of the input, each for one block, and the list of the work on them.
//
// In: a piece of the input that is split as a whole: a segment, or everything. Out: its chunks. If
// there are several, one kernel counts the buckets of each chunk, one scans the counts of each
// bucket along the chunks, and one moves the items. Invariant: the chunks cover the piece once.
//
//   counts[b * chunks + c]   items of bucket b in chunk c; then: in the chunks before c
//   totals[b]                items of bucket b in all of them
//
// Source: S. Ashkiani, thesis (2017), section 3.5.3 (block-level multisplit: pre-scan,
// scan, post-scan; the counts are its matrix H, row after row).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/chunk_tuning.hpp>
#include <colonnade/detail/compiler.hpp>
#include <colonnade/item_count.hpp>

#include <cstdint>

namespace colonnade::detail {

struct chunk_work {
  uint64_t begin = 0, end = 0; // of the chunk
  uint64_t piece_begin = 0;    // of what is split as a whole
  uint32_t chunk = 0, chunks = 1;
  uint64_t *counts = nullptr;  // of the piece; null: one chunk
  uint64_t *totals = nullptr;  // of the piece
  uint64_t *offsets = nullptr; // the user's, a bucket each, of the piece; null: not wanted
};

/// Chunk c of a piece of `items`, in whole tiles.
struct chunk_cut {
  uint64_t chunk_items;
  COLONNADE_HOST_DEVICE static uint64_t chunks(uint64_t items, uint64_t chunk_items) {
    return (items + chunk_items - 1) / chunk_items;
  }
  COLONNADE_HOST_DEVICE uint64_t begin(uint32_t c) const { return c * chunk_items; }
  COLONNADE_HOST_DEVICE uint64_t end(uint32_t c, uint64_t items) const {
    const uint64_t last = (uint64_t{c} + 1) * chunk_items;
    return last < items ? last : items;
  }
};

/// The whole input as one piece. Work numbers are chunks.
struct whole_input {
  static constexpr bool is_everything = true; // the offsets' last entry is due
  item_count num_items;
  uint64_t chunk_items;
  uint64_t *counts, *totals, *offsets;

  COLONNADE_KERNEL_CODE uint32_t num_pieces() const { return 1; }
  /// At least one, which writes the offsets.
  COLONNADE_KERNEL_CODE uint32_t num_work() const {
    const uint64_t chunks = chunk_cut::chunks(num_items.now(), chunk_items);
    return chunks ? static_cast<uint32_t>(chunks) : 1;
  }
  COLONNADE_KERNEL_CODE chunk_work work(uint32_t i) const {
    const chunk_cut cut{chunk_items};
    return {cut.begin(i), cut.end(i, num_items.now()), 0, i, num_work(), counts, totals, offsets};
  }
  COLONNADE_KERNEL_CODE chunk_work piece(uint32_t) const { return work(0); }
};

} // namespace colonnade::detail
