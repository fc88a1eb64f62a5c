//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_bulk_hull.hpp: many convex hulls on the host: the GPU's blocks under random schedules, in
// the order of detail/convex_hull/bulk/bulk_steps.hpp. Classes and sorts are those of the standard
// library.
//
// In: points, offsets, a seed and a planted fault; whether hulls are written where the points'
// indices were, as those are that are to be packed. Out: the hulls, and complaints about accesses.
// Invariant: one seed is one schedule.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_hull.hpp"

#include <colonnade/bulk_hull_options.hpp>
#include <colonnade/detail/convex_hull/bulk/bulk_steps.hpp>

namespace colonnade::testing {

/// Small blocks: sets of few points are in every class.
struct small_bulk_policy {
  static constexpr uint32_t lane_threads = 64, lane_points = 8;
  static constexpr uint32_t narrow_threads = 32, narrow_items = 3, narrow_directions = 8;
  static constexpr uint32_t wide_threads = 64, wide_items = 3, wide_most_items = 2,
                            wide_directions = 16;
  static constexpr uint32_t narrow_few_items = 1, wide_few_items = 1, narrow_resident = 0,
                            wide_resident = 0, sift_threads = 64, sift_resident = 0,
                            sifted_points = 16, sifted_directions = 8;
  static constexpr uint32_t sieve_threads = 64, sieve_items = 2, sieve_most_items = 1,
                            sieve_few_items = 1, sieve_directions = 16, sieve_resident = 0,
                            sieve_longest = 600;
  static constexpr bool sift_narrow = true;
  static constexpr uint32_t tile_threads = 64, tile_items = 2, tile_turns = 12, tile_least_run = 9,
                            join_threads = 64, join_siblings = 2, join_vertices = 48;
  static constexpr uint32_t place_threads = 32, load_threads = 32, offset_threads = 32,
                            write_threads = 32, pack_threads = 32;
};
/// The widest sets of a thread.
struct wide_lane_policy : small_bulk_policy {
  static constexpr uint32_t lane_threads = 32, lane_points = 32, sifted_points = 64;
};

struct host_bulk_result {
  std::vector<uint64_t> hulls, hull_offsets; // of all sets, packed
  std::vector<uint32_t> at_offsets, counts;  // every hull at its set's offset
  device_status status;
  std::string complaints;
};

template <class Policy, class Points, class Offset>
host_bulk_result host_bulk_hull(unsigned seed, hull_faults planted, const Points &points,
                                uint64_t num_points, const std::vector<Offset> &offsets,
                                uint64_t capacity, bulk_hull_options what = {},
                                bool in_place = false) {
  using namespace detail;
  using blocks = bulk_blocks<Policy, Points, Offset, uint32_t, host_machine>;
  using packing = pack_blocks<Policy, Offset, uint64_t, host_machine>;
  const uint64_t num_sets = offsets.size() - 1;
  host_bulk_result result;
  result.at_offsets.assign(num_points + 4, 0xababababu);
  result.counts.assign(num_sets + 4, 0xababababu);
  host_grid grid(seed, 3, planted);
  hood_piece *pieces_at = nullptr;
  const auto start = [&]<class Block>(std::type_identity<Block>, uint64_t num_blocks,
                                      const typename Block::arguments &a) {
    const uint32_t number = static_cast<uint32_t>(std::min<uint64_t>(num_blocks, 3));
    if constexpr (requires { typename Block::storage; })
      grid.run(number, Block::threads, sizeof(typename Block::storage),
               [&](const host_machine &m, char *shared) { Block(m, a, shared).run(); });
    else
      grid.run(number, Block::threads, 0,
               [&](const host_machine &m, char *) { Block(m, a).run(); });
    if constexpr (std::is_same_v<Block, typename blocks::many::tile>)
      pieces_at->begin += planted.moved_piece;
    return false;
  };
  bulk_sets<Offset> sets{offsets.data(), num_points, what.longest, nullptr, nullptr};
  const set_classes<Offset> classes{sets, blocks::most};
  std::vector<uint32_t> by_class;
  std::vector<uint64_t> class_begins;
  for (uint32_t c = 0; c <= num_set_classes; ++c) {
    class_begins.push_back(by_class.size());
    for (uint64_t k = 0; k < num_sets; ++k)
      if (classes[static_cast<std::ptrdiff_t>(k)] == c)
        by_class.push_back(static_cast<uint32_t>(k));
  }
  sets.by_class = by_class.data();
  sets.class_begins = class_begins.data();
  const bulk_output<Offset, uint32_t> out{result.at_offsets.data(), result.counts.data(),
                                          offsets.data(), &result.status};
  const typename blocks::lanes::arguments a{points, sets, what.by_x, what.part, out};

  using tile = typename blocks::many::tile;
  using word = typename sorted_as<typename Points::coordinate>::raw;
  const uint64_t most_sets = std::min(num_sets, num_points / (blocks::most.wide + 1));
  if (most_sets > 0) {
    const uint64_t tiles = num_points / tile::tile_points + most_sets;
    using coordinate = typename Points::coordinate;
    const uint64_t entries = hood_lists<coordinate>::entries(num_points, tiles);
    std::vector<coordinate> x(entries + 500), y(entries + 500);
    std::vector<uint64_t> first_points(most_sets + 1, 7);
    std::vector<uint32_t> first_tiles(most_sets + 1, 7), vertices(entries + 500, 0xababababu),
        lengths(2 * tiles, 0x77777777u), piece_offsets(2 * tiles, 5), ranks(num_points),
        apart(in_place ? 0 : num_points);
    uint32_t *indices = in_place ? result.at_offsets.data() : apart.data();
    std::vector<hull_findings> findings(most_sets, {5, {5, 5}});
    std::vector<hood_piece> pieces(2 * tiles, {9, 9, 9});
    std::vector<word> words(num_points);
    pieces_at = pieces.data();
    uint64_t sorted = 0;
    const large_storage<coordinate, Offset> storage{
        {sets, first_points.data(), first_tiles.data(), findings.data(),
         static_cast<uint32_t>(most_sets), tile::tile_points, what.by_x},
        by_class.data(),
        class_begins.data(),
        in_place,
        &sorted,
        words.data(),
        ranks.data(),
        indices,
        {{vertices.data(),
          x.data(),
          y.data(),
          {pieces.data(), pieces.data() + tiles},
          {lengths.data(), lengths.data() + tiles},
          {piece_offsets.data(), piece_offsets.data() + tiles},
          tile::tile_points},
         {piece_offsets.data(), piece_offsets.data() + tiles},
         tiles,
         most_sets,
         runs_of(num_points, tile::tile_points)}};
    const auto sort_by = [&](auto &keys) {
      indices_by_word order;
      for (uint64_t i = 0; i < sorted; ++i)
        order.push_back({keys[i], indices[i]});
      sort_by_word(order, true);
      for (uint64_t i = 0; i < sorted; ++i)
        indices[i] = order[i].second;
      if (planted.unsorted && sorted > 50)
        std::swap(indices[10], indices[40]);
      return false;
    };
    find_large_hulls<blocks>(
        start, a, storage, [&] { return sort_by(words); }, [&] { return sort_by(ranks); });
    if (std::any_of(vertices.begin() + static_cast<std::ptrdiff_t>(entries), vertices.end(),
                    [](uint32_t index) { return index != 0xababababu; }))
      grid.complaints.push_back("written beyond the tiles' rooms");
  }
  find_small_hulls<blocks>(start, a, num_sets);
  if (result.at_offsets[num_points] != 0xababababu || result.counts[num_sets] != 0xababababu)
    grid.complaints.push_back("written beyond the outputs");
  result.counts.resize(num_sets);

  std::vector<uint64_t> tile_places(num_sets + 1);
  result.hulls.assign(capacity + 4, 0xabab);
  result.hull_offsets.assign(num_sets + 1, 0xabab);
  pack_hulls<packing>(start, typename packing::sums::arguments{out, num_sets, tile_places.data(),
                                                               result.hulls.data(), capacity,
                                                               result.hull_offsets.data()});
  for (uint64_t i = std::min(capacity, result.hull_offsets.back()); i < result.hulls.size(); ++i)
    if (result.hulls[i] != 0xabab)
      grid.complaints.push_back("written beyond the packed hulls");
  result.hulls.resize(std::min(capacity, result.hull_offsets.back()));
  result.complaints = grid.all_complaints();
  return result;
}

} // namespace colonnade::testing
