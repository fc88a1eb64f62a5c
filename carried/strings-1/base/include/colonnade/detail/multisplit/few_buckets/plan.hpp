//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// plan.hpp: the temporary storage of a multisplit into up to 256 buckets.
//
// In: numbers of items and of ids, the tile. Out: where in the storage each array lies;
// what a memset has to zero is one piece, the header.
// Invariant: no two arrays overlap; the header comes first, and is the only part that is zeroed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/scatter/portion_plan.hpp>

namespace colonnade::detail {

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
