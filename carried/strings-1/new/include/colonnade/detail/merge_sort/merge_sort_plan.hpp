//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_plan.hpp: the passes of a merge sort and its temporary storage.
//
// In: the number of items and the shape of tiles. Out: the passes, and the offsets of
//
//   spare keys and values   as large as the input: passes alternate between these and the
//                           output; an argsort has two arrays of keys, no output of them
//   samples                 every stride-th key of the array that was written last
//   splits                  where the tiles of a pass begin in each run
//
// Invariant: the storage is large enough for every pass, and depends on nothing else.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/merge_sort/pass_plan.hpp>

namespace colonnade::detail {

struct merge_sort_shape {
  uint64_t num_items;
  uint32_t tile_items, ways, stride, tile_samples; // tile_samples: of a merged tile, at most
  size_t key_bytes, value_bytes;
  bool keys_dropped; // an argsort: no array of sorted keys is wanted
};

struct merge_sort_plan {
  merge_sort_shape shape;
  uint32_t num_passes = 0;
  size_t keys_at, dropped_at, values_at, samples_at, splits_at;
  temp_storage storage;

  explicit merge_sort_plan(const merge_sort_shape &s) : shape(s) {
    uint64_t splits = 0;
    for (uint64_t run = s.tile_items; run < s.num_items; run *= s.ways) {
      const uint64_t tiles = pass(num_passes++).num_tiles;
      splits = tiles > splits ? tiles : splits;
    }
    const uint64_t spare = num_passes ? s.num_items : 0;
    keys_at = storage.add<char>(spare * s.key_bytes);
    dropped_at = storage.add<char>(s.keys_dropped ? s.num_items * s.key_bytes : 0);
    values_at = storage.add<char>(spare * s.value_bytes);
    samples_at = storage.add<char>(num_passes ? (s.num_items / s.stride + 1) * s.key_bytes : 0);
    splits_at = storage.add<uint64_t>(splits * s.ways);
  }

  pass_plan pass(uint32_t p) const {
    uint64_t run = shape.tile_items;
    for (uint32_t i = 0; i < p; ++i)
      run *= shape.ways;
    return plan_pass(shape.num_items, run, shape.ways, shape.stride, shape.tile_samples);
  }
};

} // namespace colonnade::detail
