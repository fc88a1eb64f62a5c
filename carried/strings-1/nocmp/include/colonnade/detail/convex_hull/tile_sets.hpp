//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tile_sets.hpp: which tiles of points belong to which hull.
//
// Every set of points is cut into tiles, the last of which may be shorter; tiles are numbered over
// all sets.
//
// In: the number of points of one set, or the sizes of many. Out: of a tile its set, and of a set
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
struct set_tile {
  uint32_t set;   // among those that have tiles
  uint32_t place; // the tile's, in its set
};

COLONNADE_HOST_DEVICE uint64_t runs_of(uint64_t items, uint64_t items_of_one_run) {
  return (items + items_of_one_run - 1) / items_of_one_run;
}

/// All points are one set; none if there are none.
struct one_tile_set {
  static constexpr bool is_one = true;
  const uint64_t *num_points;
  hull_findings *findings;
  uint32_t tile_points;

  COLONNADE_KERNEL_CODE uint32_t num_sets() const { return *num_points != 0; }
  COLONNADE_KERNEL_CODE tile_set set(uint32_t) const { return {0, 0, *num_points, 0, findings}; }
  COLONNADE_KERNEL_CODE uint32_t num_tiles() const {
    return static_cast<uint32_t>(runs_of(*num_points, tile_points));
  }
  COLONNADE_KERNEL_CODE set_tile tile(uint32_t number) const { return {0, number}; }
};

} // namespace colonnade::detail
