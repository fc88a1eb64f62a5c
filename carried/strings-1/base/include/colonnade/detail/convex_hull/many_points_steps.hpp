//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// many_points_steps.hpp: the launches that find hulls of many points, in order.
//
// In: points by x within each set, the sets, and storage. Out: the hulls. Invariant: the GPU and
// the host's tests run the same steps; how many sets and tiles there are is known to kernels alone,
// so the most that there can be decide about launches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/many_points.hpp>

#include <algorithm>
#include <type_traits>

namespace colonnade::detail {

template <class T> struct many_points_storage {
  hood_lists<T> lists;
  uint32_t *offsets[2];
  uint64_t most_tiles, most_sets, most_set_tiles;
};

/// Blocks: many_points_blocks. start(std::type_identity<Block>, blocks, arguments) runs a kernel;
/// what it returns is false if that went well. indices, alone: see many_points.hpp; ByX: there are
/// none.
template <class Blocks, bool ByX = false, class Start, class Points, class Sets, class Output>
auto find_many_points(const Start &start, const Points &points, const uint32_t *indices,
                      const many_points_storage<typename Points::coordinate> &storage,
                      const Sets &sets, hull_part part, bool alone, const Output &out) {
  using tile = typename Blocks::template tile_of<ByX>;
  using join = typename Blocks::join;
  using offsets = typename Blocks::offsets;
  using write = typename Blocks::write;
  const uint64_t tiles = std::max<uint64_t>(storage.most_tiles, 1);
  auto error = start(std::type_identity<tile>{}, tiles,
                     typename tile::arguments{points, indices, storage.lists, sets});
  if (!error && storage.most_set_tiles > 1)
    error = start(std::type_identity<join>{}, join::num_blocks(tiles),
                  typename join::arguments{storage.lists, sets});
  if (!error)
    error =
        start(std::type_identity<offsets>{}, storage.most_sets,
              typename offsets::arguments{
                  storage.lists, {storage.offsets[0], storage.offsets[1]}, sets, part, alone, out});
  if (!error)
    error = start(
        std::type_identity<write>{}, tiles,
        typename write::arguments{
            points, storage.lists, {storage.offsets[0], storage.offsets[1]}, sets, part, out});
  return error;
}

} // namespace colonnade::detail
