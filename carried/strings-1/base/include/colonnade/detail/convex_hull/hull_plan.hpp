//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_plan.hpp: what a hull keeps in temporary storage.
//
// In: the most points, the tile, the sieve, the plan of the sort by x. Out: the place of each
// array. Invariant: once the points are sorted, the hoods' vertices take the room of the copies
// that the sort needed; once tiles have their hoods, nobody reads the sorted indices.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/filter.hpp>
#include <colonnade/detail/convex_hull/pieces.hpp>
#include <colonnade/detail/convex_hull/sieve.hpp>
#include <colonnade/detail/digits/digit_passes_plan.hpp>

namespace colonnade::detail {

/// Word: of x.
template <class Coordinate> struct hull_plan {
  using Word = typename sorted_as<Coordinate>::raw;
  using column = sieve_column<sieve_number<Coordinate>>;
  using lists_type = hood_lists<Coordinate>;
  digit_passes_plan sort;
  temp_storage storage; // the sort's own first
  uint64_t num_tiles;
  uint32_t tile_points;
  size_t state, frame, columns, chains, told, words[2], indices[2], pieces[2], lengths[2],
      offsets[2];

  /// chains_bytes: of the sieve's chains.
  hull_plan(const digit_passes_plan &passes, uint64_t most_points, uint32_t tile,
            uint32_t num_columns, size_t chains_bytes, uint32_t num_directions)
      : sort(passes), storage(passes.storage), num_tiles(runs_of(most_points, tile)),
        tile_points(tile) {
    const uint64_t entries = lists_type::entries(most_points, num_tiles);
    state = storage.add<hull_state>(1);
    frame = storage.add<sieve_frame<Coordinate>>(1);
    columns = storage.add<column>(num_columns);
    chains = storage.add<char>(chains_bytes);
    told = storage.add<uint64_t>(num_directions);
    for (uint32_t k = 0; k < 2; ++k) {
      words[k] = storage.add<Word>(entries);
      indices[k] = storage.add<uint32_t>(k ? entries : most_points);
      pieces[k] = storage.add<hood_piece>(num_tiles);
      lengths[k] = storage.add<uint32_t>(num_tiles);
      offsets[k] = storage.add<uint32_t>(num_tiles);
    }
  }

  Word *words_at(void *d_temp, uint32_t k) const {
    return temp_storage::at<Word>(d_temp, words[k]);
  }
  uint32_t *indices_at(void *d_temp, uint32_t k) const {
    return temp_storage::at<uint32_t>(d_temp, indices[k]);
  }
  sieve_frame<Coordinate> *frame_at(void *d_temp) const {
    return temp_storage::at<sieve_frame<Coordinate>>(d_temp, frame);
  }
  column *columns_at(void *d_temp) const { return temp_storage::at<column>(d_temp, columns); }
  template <class Chains> Chains *chains_at(void *d_temp) const {
    return temp_storage::at<Chains>(d_temp, chains);
  }
  /// What is thinned stands where the sort has its copies later.
  uint32_t *thinned_at(void *d_temp, uint32_t k) const {
    return k ? reinterpret_cast<uint32_t *>(words_at(d_temp, 1)) : indices_at(d_temp, 1);
  }
  uint64_t *told_at(void *d_temp) const { return temp_storage::at<uint64_t>(d_temp, told); }
  hull_state *state_at(void *d_temp) const { return temp_storage::at<hull_state>(d_temp, state); }
  uint32_t *offsets_at(void *d_temp, uint32_t k) const {
    return temp_storage::at<uint32_t>(d_temp, offsets[k]);
  }
  /// Where the sort had words and copies.
  lists_type lists_at(void *d_temp) const {
    lists_type lists{};
    lists.tile_points = tile_points;
    lists.indices = indices_at(d_temp, 1);
    lists.x = temp_storage::at<Coordinate>(d_temp, words[0]);
    lists.y = temp_storage::at<Coordinate>(d_temp, words[1]);
    for (uint32_t half = 0; half < 2; ++half) {
      lists.pieces[half] = temp_storage::at<hood_piece>(d_temp, pieces[half]);
      lists.lengths[half] = temp_storage::at<uint32_t>(d_temp, lengths[half]);
      lists.tickets[half] = offsets_at(d_temp, half); // before there are offsets
    }
    return lists;
  }
};

/// Of points that come by x: nothing is sorted.
template <class Coordinate> struct sorted_hull_plan {
  using lists_type = hood_lists<Coordinate>;
  temp_storage storage;
  uint64_t num_tiles;
  uint32_t tile_points;
  size_t state, indices, coordinates[2], pieces[2], lengths[2], offsets[2];

  sorted_hull_plan(uint64_t most_points, uint32_t tile)
      : num_tiles(runs_of(most_points, tile)), tile_points(tile) {
    const uint64_t entries = lists_type::entries(most_points, num_tiles);
    state = storage.add<hull_state>(1);
    indices = storage.add<uint32_t>(entries);
    for (uint32_t k = 0; k < 2; ++k) {
      coordinates[k] = storage.add<Coordinate>(entries);
      pieces[k] = storage.add<hood_piece>(num_tiles);
      lengths[k] = storage.add<uint32_t>(num_tiles);
      offsets[k] = storage.add<uint32_t>(num_tiles);
    }
  }
  hull_state *state_at(void *d_temp) const { return temp_storage::at<hull_state>(d_temp, state); }
  uint32_t *offsets_at(void *d_temp, uint32_t k) const {
    return temp_storage::at<uint32_t>(d_temp, offsets[k]);
  }
  lists_type lists_at(void *d_temp) const {
    lists_type lists{};
    lists.tile_points = tile_points;
    lists.indices = temp_storage::at<uint32_t>(d_temp, indices);
    lists.x = temp_storage::at<Coordinate>(d_temp, coordinates[0]);
    lists.y = temp_storage::at<Coordinate>(d_temp, coordinates[1]);
    for (uint32_t half = 0; half < 2; ++half) {
      lists.pieces[half] = temp_storage::at<hood_piece>(d_temp, pieces[half]);
      lists.lengths[half] = temp_storage::at<uint32_t>(d_temp, lengths[half]);
      lists.tickets[half] = offsets_at(d_temp, half); // before there are offsets
    }
    return lists;
  }
};

} // namespace colonnade::detail
