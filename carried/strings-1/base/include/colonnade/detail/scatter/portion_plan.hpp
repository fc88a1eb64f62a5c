//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// portion_plan.hpp: how the scatter pass cuts its input into portions.
//
// The look-back words take 4 bytes a tile and bucket id. Where that is more than 2 % of
// the input, or the input is longer than a word can count, the input is cut into
// portions that use the same words one after the other.
//
// In: numbers of items and of ids, items a tile. Out: portions of whole tiles, each below
// 2^30 items, and how many words one of them needs.
// Invariant: the portions, one behind the other, are the input; each but the last is whole tiles.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace colonnade::detail {

struct portion_plan {
  uint64_t num_items = 0;
  uint64_t portion_items = 0; // a multiple of the tile, below 2^30
  uint32_t num_portions = 0;
  uint64_t num_words = 0; // of the look-back table

  portion_plan(uint64_t items, uint32_t num_ids, uint32_t tile_items, size_t item_bytes)
      : num_items(items) {
    const uint64_t tiles = (items + tile_items - 1) / tile_items;
    const uint64_t table_bytes = 32768 + items * item_bytes / 52; // 1.92 % of the input
    const uint64_t by_table = table_bytes / (uint64_t{num_ids} * 4);
    const uint64_t by_count = (uint64_t{1} << 29) / tile_items;
    const uint64_t portion_tiles = std::max<uint64_t>(1, std::min({by_table, by_count, tiles}));
    portion_items = portion_tiles * tile_items;
    num_portions = static_cast<uint32_t>((tiles + portion_tiles - 1) / portion_tiles);
    num_words = portion_tiles * num_ids;
  }
};

} // namespace colonnade::detail
