//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_plan.hpp: what many hulls keep in temporary storage.
//
// In: the most points and sets, and the plans of the split and the sorts. Out: the place of each
// array. Invariant: where no set can be large, there is nothing for large ones; once points are
// sorted, the hoods' vertices take the room of the copies that the sort needed; hulls that are to
// be packed stand where the sorted indices were, which nobody reads once tiles have their hoods.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/bulk/bulk_steps.hpp>
#include <colonnade/detail/digits/digit_passes_plan.hpp>

namespace colonnade::detail {

struct bulk_shape {
  uint64_t num_points, num_sets;
  bool by_x, is_packed;
  uint64_t most_large, most_set_tiles; // sets that no block holds; 0: none can be
  uint32_t tile_points, pack_threads;

  /// most: points of a set that a block holds.
  bulk_shape(uint64_t points, uint64_t sets, uint64_t longest, bool sorted, bool packed,
             uint32_t most, uint32_t tile, uint32_t of_pack)
      : num_points(points), num_sets(sets), by_x(sorted), is_packed(packed),
        most_large(longest <= most ? 0 : std::min(sets, points / (uint64_t{most} + 1))),
        most_set_tiles(runs_of(std::min(points, longest), tile)), tile_points(tile),
        pack_threads(of_pack) {}

  uint64_t most_tiles() const { return num_points / tile_points + most_large; }
  /// Of the numbers of sets, by which points are sorted: an even number of digits, so that they
  /// end where they began.
  uint32_t rank_bits() const { return most_large <= 1 ? 0 : most_large <= 65536 ? 16 : 32; }
};

template <class Coordinate> struct bulk_plan {
  using Word = typename sorted_as<Coordinate>::raw; // of x
  bulk_shape shape;
  temp_storage storage;
  digit_passes_plan x_sort, rank_sort;
  size_t split, by_class, class_begins, hulls, counts, tile_places, sorted, first_points,
      first_tiles, findings, sorts, words[2], indices[2], pieces[2], lengths[2], offsets[2];

  bulk_plan(const bulk_shape &s, size_t split_bytes, const digit_passes_plan &of_x,
            const digit_passes_plan &of_rank)
      : shape(s), x_sort(of_x), rank_sort(of_rank) {
    split = storage.add<char>(split_bytes);
    by_class = storage.add<uint32_t>(s.num_sets);
    class_begins = storage.add<uint64_t>(num_set_classes + 1);
    if (s.is_packed) {
      counts = storage.add<uint32_t>(s.num_sets);
      tile_places = storage.add<uint64_t>(runs_of(s.num_sets, s.pack_threads));
    }
    if (s.most_large > 0)
      add_large();
    if (s.is_packed)
      hulls = hulls_in_place() ? indices[0] : storage.add<uint32_t>(s.num_points);
  }

  template <class T> T *at(void *d_temp, size_t place) const {
    return temp_storage::at<T>(d_temp, place);
  }
  Word *words_at(void *d_temp, uint32_t k) const { return at<Word>(d_temp, words[k]); }
  uint32_t *ranks_at(void *d_temp, uint32_t k) const { return at<uint32_t>(d_temp, words[k]); }
  uint32_t *indices_at(void *d_temp, uint32_t k) const { return at<uint32_t>(d_temp, indices[k]); }

  template <class Offset>
  large_storage<Coordinate, Offset> large_at(void *d_temp, const bulk_sets<Offset> &sets) const {
    const uint64_t tiles = shape.most_tiles();
    many_points_storage<Coordinate> many{{}, {}, tiles, shape.most_large, shape.most_set_tiles};
    many.lists.tile_points = shape.tile_points;
    many.lists.indices = indices_at(d_temp, 1);
    many.lists.x = at<Coordinate>(d_temp, words[0]);
    many.lists.y = at<Coordinate>(d_temp, words[1]);
    for (uint32_t half = 0; half < 2; ++half) {
      many.lists.pieces[half] = at<hood_piece>(d_temp, pieces[half]);
      many.lists.lengths[half] = at<uint32_t>(d_temp, lengths[half]);
      many.offsets[half] = many.lists.tickets[half] = at<uint32_t>(d_temp, offsets[half]);
    }
    return {{sets, at<uint64_t>(d_temp, first_points), at<uint32_t>(d_temp, first_tiles),
             at<hull_findings>(d_temp, findings), static_cast<uint32_t>(shape.most_large),
             shape.tile_points, shape.by_x},
            at<uint32_t>(d_temp, by_class),
            at<uint64_t>(d_temp, class_begins),
            hulls_in_place(),
            at<uint64_t>(d_temp, sorted),
            words_at(d_temp, 0),
            ranks_at(d_temp, 0),
            indices_at(d_temp, 0),
            many,
            header_at(d_temp, x_sort),
            header_at(d_temp, rank_sort)};
  }

private:
  /// Hulls that are to be packed are where the indices were.
  bool hulls_in_place() const { return shape.is_packed && shape.most_large > 0 && !shape.by_x; }
  /// Both sorts have their storage in one place, one after the other.
  sort_header header_at(void *d_temp, const digit_passes_plan &sort) const {
    if (shape.by_x || sort.digits.count == 0)
      return {};
    return {reinterpret_cast<uint32_t *>(sort.counts(at<char>(d_temp, sorts))),
            static_cast<uint32_t>(sort.header_bytes / sizeof(uint32_t))};
  }
  void add_large() {
    const uint64_t sets = shape.most_large, tiles = shape.most_tiles();
    const uint64_t entries = hood_lists<Coordinate>::entries(shape.num_points, tiles);
    sorted = storage.add<uint64_t>(1);
    first_points = storage.add<uint64_t>(sets + 1);
    first_tiles = storage.add<uint32_t>(sets + 1);
    findings = storage.add<hull_findings>(sets);
    sorts = storage.add<char>(
        shape.by_x ? 0 : std::max(x_sort.storage.bytes(), rank_sort.storage.bytes()));
    for (uint32_t k = 0; k < 2; ++k) {
      words[k] = storage.add<Word>(entries); // and the coordinates of the hoods' vertices
      indices[k] = storage.add<uint32_t>(k ? entries : shape.by_x ? 0 : shape.num_points);
      pieces[k] = storage.add<hood_piece>(tiles);
      lengths[k] = storage.add<uint32_t>(tiles);
      offsets[k] = storage.add<uint32_t>(tiles);
    }
  }
};

} // namespace colonnade::detail
