//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// plan.hpp: sizes of one multisplit round and its temporary storage.
//
// The look-back words take ids * 4 bytes a tile. Where that is more than 2 % of
// the input, or the input is longer than a word can count, the input is cut into
// portions that use the same words one after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/temp_storage.hpp>

#include <algorithm>
#include <cstdint>

namespace colonnade::detail {

/// The input cut into portions.
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

struct multisplit_plan : portion_plan {
  // Places in the temporary storage; the header is zeroed by a memset.
  temp_storage storage;
  size_t header, header_bytes; // counts, done, a ticket per portion
  size_t base[2];              // 64-bit, per id; portions alternate
  size_t words;

  multisplit_plan(uint64_t items, uint32_t num_ids, uint32_t tile_items, size_t item_bytes)
      : portion_plan(items, num_ids, tile_items, item_bytes) {
    header_bytes = num_ids * sizeof(uint64_t) + (1 + num_portions) * sizeof(uint32_t);
    header = storage.add<char>(header_bytes);
    base[0] = storage.add<uint64_t>(num_ids);
    base[1] = storage.add<uint64_t>(num_ids);
    words = storage.add<uint32_t>(num_words);
  }

  uint64_t *counts(void *d_temp) const { return temp_storage::at<uint64_t>(d_temp, header); }
  uint32_t *done(void *d_temp, uint32_t num_ids) const {
    return reinterpret_cast<uint32_t *>(counts(d_temp) + num_ids);
  }
  uint32_t *ticket(void *d_temp, uint32_t num_ids, uint32_t portion) const {
    return done(d_temp, num_ids) + 1 + portion;
  }
};

} // namespace colonnade::detail
