//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tile_sets.hpp: which tiles of points belong to which hull.
//
//   tiles        every set of points is cut into tiles, the last of which may be shorter; tiles are
//                numbered over all sets
//   runs         fan^level neighbouring tiles of a set, whose hoods are one after so many joinings;
//                they are numbered over all sets too
//
// In: the number of points of one set, or the sizes of many. Out: of a run its set, and of a set
// its points and tiles. Invariant: no set is empty, and no tile has points of two sets.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// What is found of a hull before it is written.
struct hull_findings {
  uint64_t refused;      // the first error in the points, as in device_status; all ones: none
  uint64_t hood_size[2]; // vertices of the lower and of the upper hood
};

struct tile_set {
  uint32_t number; // of the caller's sets
  uint64_t first_point, num_points;
  uint32_t first_tile;
  hull_findings *findings;
};
struct tile_run {
  uint32_t set;   // among those that have tiles
  uint32_t place; // the run's, in its set
};

/// Tiles of a run.
COLONNADE_HOST_DEVICE uint64_t tiles_of_run(uint32_t fan, uint32_t level) {
  uint64_t tiles = 1;
  for (uint32_t k = 0; k < level; ++k)
    tiles *= fan;
  return tiles;
}
COLONNADE_HOST_DEVICE uint64_t runs_of(uint64_t tiles, uint64_t tiles_of_one_run) {
  return (tiles + tiles_of_one_run - 1) / tiles_of_one_run;
}

/// All points are one set; none if there are none.
struct one_tile_set {
  const uint64_t *num_points;
  hull_findings *findings;
  uint32_t tile_points, fan;

  COLONNADE_KERNEL_CODE uint32_t num_sets() const { return *num_points != 0; }
  COLONNADE_KERNEL_CODE tile_set set(uint32_t) const { return {0, 0, *num_points, 0, findings}; }
  COLONNADE_KERNEL_CODE uint32_t num_runs(uint32_t level) const {
    return static_cast<uint32_t>(
        runs_of(runs_of(*num_points, tile_points), tiles_of_run(fan, level)));
  }
  COLONNADE_KERNEL_CODE tile_run run(uint32_t, uint32_t number) const { return {0, number}; }
};

} // namespace colonnade::detail
