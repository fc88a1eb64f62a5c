//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pass_plan.hpp: how one pass of a merge sort is divided into tiles.
//
// In: the number of items, the length of a run, the most samples of a tile. Out: the number
// of tiles, and the samples in each. A pass merges groups of `ways` neighbouring runs into one run
// each. Every stride-th key of the array is a sample. The samples of a group have ranks in the
// stable order (key, then place); tile q of the group begins at the sample of rank
// q * samples_per_tile.
// Invariant: a tile has at most (samples_per_tile + ways - 1) * stride items, since in every run
// but the one of its first sample it has less than a stride more than its samples stand for.
//
// Source: merging by ranks of samples: T. Hagerup and C. Rüb, Optimal merging and sorting
// on the EREW PRAM (1989); N. Satish, M. Harris and M. Garland (2009).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

struct pass_plan {
  uint64_t num_items, run_items; // run_items: a multiple of stride; the last run may be shorter
  uint32_t ways, stride;
  uint32_t samples_per_tile, tiles_per_group;
  uint64_t num_tiles; // of all groups; the last one may have fewer

  COLONNADE_HOST_DEVICE uint64_t group_items() const { return run_items * ways; }
  COLONNADE_HOST_DEVICE uint64_t samples_per_run() const { return run_items / stride; }
  COLONNADE_HOST_DEVICE uint64_t num_samples() const { return (num_items + stride - 1) / stride; }

  /// Items of the run that starts at `begin`.
  COLONNADE_HOST_DEVICE uint64_t items_of_run(uint64_t begin) const {
    return begin >= num_items ? 0 : num_items - begin < run_items ? num_items - begin : run_items;
  }
};

/// samples_per_tile is at most max_tile_samples.
inline pass_plan plan_pass(uint64_t num_items, uint64_t run_items, uint32_t ways, uint32_t stride,
                           uint32_t max_tile_samples) {
  const uint64_t samples = run_items / stride * ways;
  pass_plan p{num_items, run_items, ways, stride, 0, 0, 0};
  const uint64_t tiles = (samples + max_tile_samples - 1) / max_tile_samples;
  p.samples_per_tile = static_cast<uint32_t>((samples + tiles - 1) / tiles);
  p.tiles_per_group =
      static_cast<uint32_t>((samples + p.samples_per_tile - 1) / p.samples_per_tile);
  const uint64_t whole_groups = num_items / p.group_items();
  const uint64_t rest = (num_items % p.group_items() + stride - 1) / stride;
  p.num_tiles =
      whole_groups * p.tiles_per_group + (rest + p.samples_per_tile - 1) / p.samples_per_tile;
  return p;
}

} // namespace colonnade::detail
