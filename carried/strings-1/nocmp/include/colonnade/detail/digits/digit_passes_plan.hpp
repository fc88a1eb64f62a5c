//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// digit_passes_plan.hpp: sizes and temporary storage of a least-significant-digit sort.
//
// In: the number of items, the digits, the tile of the scatter pass. Out: the offset of each array
// in the storage. Invariant: what has to be zeroed before is contiguous, the header. Callers add
// their copies of the items to the same storage afterwards.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/digits/digits.hpp>
#include <colonnade/detail/scatter/portion_plan.hpp>

namespace colonnade::detail {

struct digit_passes_plan : portion_plan {
  digit_list digits;
  temp_storage storage;        // callers add their copies of the items
  size_t header, header_bytes; // counts, `done`, a ticket for each pass and portion: zeroed
  size_t base, odd_base;       // 256 of 64 bits for each pass; 256 for odd portions
  size_t kept;                 // 64-bit: items that are not dropped
  size_t words;

  digit_passes_plan(uint64_t items, const digit_list &list, uint32_t tile_items, size_t item_bytes)
      : portion_plan(items, most_ids(list), tile_items, item_bytes), digits(list) {
    header_bytes =
        num_counts() * sizeof(uint64_t) + (1 + digits.count * num_portions) * sizeof(uint32_t);
    header = storage.add<char>(header_bytes);
    base = storage.add<uint64_t>(num_counts());
    odd_base = storage.add<uint64_t>(digit_buckets);
    kept = storage.add<uint64_t>(1);
    words = storage.add<uint32_t>(num_words);
  }

  uint32_t num_counts() const { return digits.count * digit_buckets; }
  uint64_t *counts(void *d_temp) const { return temp_storage::at<uint64_t>(d_temp, header); }
  uint32_t *done(void *d_temp) const {
    return reinterpret_cast<uint32_t *>(counts(d_temp) + num_counts());
  }
  uint32_t *tickets(void *d_temp, uint32_t pass) const {
    return done(d_temp) + 1 + pass * num_portions;
  }
  uint64_t *bases(void *d_temp, uint32_t pass) const {
    return temp_storage::at<uint64_t>(d_temp, base) + pass * digit_buckets;
  }

private:
  static uint32_t most_ids(const digit_list &list) {
    uint32_t most = 1;
    for (uint32_t r = 0; r < list.count; ++r)
      most = std::max(most, list.at[r].num_ids());
    return most;
  }
};

} // namespace colonnade::detail
