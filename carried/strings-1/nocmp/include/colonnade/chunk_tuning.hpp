//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chunk_tuning.hpp: the tuning of multisplits that work in chunks: of segmented multisplits, and of
// the thesis's block-level method.
//
// In: the architecture, and the bytes of an item. Out: a chunk_tuning. A chunk is what one block
// moves; a tile is what it sorts at once, in shared memory. Invariant: results have the same bits
// under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

struct chunk_tuning {
  uint32_t threads = 384;         // of a block; at least the number of buckets
  uint32_t items_per_thread = 32; // a tile is threads * items_per_thread items
  uint32_t min_blocks = 2;        // per SM: bounds the registers, and so many are launched
  uint32_t chunk_tiles = 8;       // tiles of a chunk
};

struct segmented_multisplit_policy {
  /// Ids of k bits are ranked by code for round_up_bits(k) bits: fewer instances
  /// compile faster. At least k, at most 8.
  static constexpr uint32_t round_up_bits(uint32_t bits) {
    return bits <= 2 ? 2 : bits <= 5 ? 5 : 8;
  }
  /// Segments of up to 32 * warp_rows items are split by one warp.
  static constexpr uint32_t warp_rows(gpu_architecture, size_t item_bytes) {
    return item_bytes <= 2 ? 16 : 8;
  }

  /// Longer ones of up to one tile of this tuning are split by one small block.
  static constexpr chunk_tuning middle(gpu_architecture, size_t item_bytes) {
    return {256, item_bytes <= 8 ? 16u : item_bytes <= 16 ? 8u : 4u, 3, 1};
  }
  /// Still longer ones are cut into chunks of at least 512 KB (768 KB for items of one byte, so
  /// that the counts take a smaller share).
  static constexpr chunk_tuning large(gpu_architecture architecture, size_t item_bytes) {
    chunk_tuning t;
    t.items_per_thread = item_bytes <= 4 ? 32 : item_bytes <= 8 ? 16 : item_bytes <= 16 ? 8 : 4;
    const size_t tile_bytes = t.threads * t.items_per_thread * item_bytes;
    const size_t most_counters = 18 * 1024; // of 256 buckets
    t.min_blocks = blocks_that_fit(architecture, tile_bytes + most_counters, t.min_blocks);
    const size_t chunk_bytes = item_bytes == 1 ? size_t{3} << 18 : size_t{1} << 19;
    t.chunk_tiles = static_cast<uint32_t>((chunk_bytes + tile_bytes - 1) / tile_bytes);
    return t;
  }
};

} // namespace colonnade
