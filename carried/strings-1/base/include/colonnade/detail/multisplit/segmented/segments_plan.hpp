//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segments_plan.hpp: sizes and temporary storage of a segmented multisplit.
//
// In: the numbers of items, segments and buckets. Out: the offsets of the lists and counts in the
// temporary storage. Invariant: there is room for the worst case of what only the device knows:
//
//   middle   longer than `short_items`: fewer than n / short_items
//   chunks   of large segments: at most n / middle_items, and of long ones' chunks
//            at most 2 n / chunk_items (their last may be short)
//   longs    longer than a chunk: fewer than n / chunk_items
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/multisplit/segmented/segments.hpp>

namespace colonnade::detail {

struct segments_plan {
  temp_storage storage;
  uint64_t num_items, middle_items, chunk_items;
  size_t header, middle, chunks, longs, counts, totals;

  segments_plan(uint64_t items, uint32_t num_buckets, uint64_t short_items, uint64_t middle_most,
                uint64_t chunk_most)
      : num_items(items), middle_items(middle_most), chunk_items(chunk_most) {
    const uint64_t long_chunks = 2 * items / chunk_items;
    header = storage.add<segment_header>(1);
    middle = storage.add<uint32_t>(items / short_items);
    chunks = storage.add<listed_chunk>(items / middle_items + long_chunks);
    longs = storage.add<long_segment>(items / chunk_items);
    counts = storage.add<uint64_t>(long_chunks * num_buckets);
    totals = storage.add<uint64_t>(items / chunk_items * num_buckets);
  }

  segment_lists lists(void *d_temp, const uint64_t *segments, uint32_t num_segments,
                      uint32_t num_buckets, uint64_t *offsets) const {
    return {segments,
            num_segments,
            num_buckets,
            num_items,
            middle_items,
            chunk_items,
            offsets,
            temp_storage::at<segment_header>(d_temp, header),
            temp_storage::at<uint32_t>(d_temp, middle),
            temp_storage::at<listed_chunk>(d_temp, chunks),
            temp_storage::at<long_segment>(d_temp, longs),
            temp_storage::at<uint64_t>(d_temp, counts),
            temp_storage::at<uint64_t>(d_temp, totals)};
  }
};

} // namespace colonnade::detail
