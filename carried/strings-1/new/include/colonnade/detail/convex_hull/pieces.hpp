//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pieces.hpp: hoods in global memory that are joined without being moved.
//
//   every tile's hood is one piece: an interval of an array of indices of points
//   a hood of several tiles is the list of the intervals that are left of theirs
//   joining two hoods cuts the end of one list and the begin of the other
//
// In: the list of a hood; it begins at the entry of its first tile. Out: its vertices, and searches
// among them. Invariant: no list has an empty interval, and none is empty.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/hood.hpp>
#include <colonnade/detail/convex_hull/tile_sets.hpp>

namespace colonnade::detail {

/// Entries of a tile's room that a hood still has; both ends, and whose they are, in one load.
struct alignas(8) hood_piece {
  uint32_t tile;
  uint16_t begin, end;
};

/// What the blocks of a hull keep in temporary storage, of both halves: lower and upper.
template <class T> struct hood_lists {
  uint32_t *indices;     // of the vertices in the input, in the tiles' rooms
  T *x, *y;              // theirs, so that one load after the other finds them
  hood_piece *pieces[2]; // one or fewer a tile
  uint32_t *lengths[2];  // of lists, at their first tile's place
  uint32_t *tickets[2];  // at each tile's place: which of the two hoods that meet there are found
  uint32_t tile_points;
  uint64_t missing = 0; // points that the tiles before a set's have not

  /// A tile's lower and its upper hood have at most two vertices in common.
  static COLONNADE_HOST_DEVICE uint64_t entries(uint64_t num_points, uint64_t num_tiles) {
    return num_points + 2 * num_tiles;
  }
  COLONNADE_KERNEL_CODE uint64_t room(uint32_t tile) const {
    return tile * (uint64_t{tile_points} + 2) - missing;
  }
  /// With the rooms of a set's tiles: tiles of sets before it may not be full.
  COLONNADE_KERNEL_CODE hood_lists of(const tile_set &set) const {
    hood_lists lists = *this;
    lists.missing = uint64_t{set.first_tile} * tile_points - set.first_point;
    return lists;
  }
  COLONNADE_KERNEL_CODE uint64_t first(const hood_piece &p) const { return room(p.tile) + p.begin; }
  COLONNADE_KERNEL_CODE uint64_t last(const hood_piece &p) const {
    return room(p.tile) + p.end - 1;
  }
};

template <class T> struct pieced_hood {
  static constexpr uint64_t nowhere = ~uint64_t{0};
  struct position {
    uint32_t piece;
    uint64_t at, next; // next: where the next vertex stands, in this piece or in another
  };
  const hood_lists<T> &lists;
  const hood_piece *pieces;
  uint32_t first_piece, end_piece;
  uint32_t begin, end; // of the first piece, and of the last one

  COLONNADE_KERNEL_CODE pieced_hood(const hood_lists<T> &all, const hood_piece *list,
                                    uint32_t length)
      : lists(all), pieces(list), first_piece(0), end_piece(length), begin(list[0].begin),
        end(list[length - 1].end) {}

  /// With what is cut off already.
  COLONNADE_KERNEL_CODE hood_piece piece(uint32_t k) const {
    hood_piece p = pieces[k];
    p.begin = k == first_piece ? static_cast<uint16_t>(begin) : p.begin;
    p.end = k + 1 == end_piece ? static_cast<uint16_t>(end) : p.end;
    return p;
  }
  COLONNADE_KERNEL_CODE hull_vertex<T> at(const position &p) const {
    return {{lists.x[p.at], lists.y[p.at]}, lists.indices[p.at]};
  }
  COLONNADE_KERNEL_CODE bool empty() const { return first_piece == end_piece; }
  COLONNADE_KERNEL_CODE position first() const {
    return {first_piece, lists.first(piece(first_piece)), nowhere};
  }
  COLONNADE_KERNEL_CODE position last() const {
    return {end_piece - 1, lists.last(piece(end_piece - 1)), nowhere};
  }
  COLONNADE_KERNEL_CODE void drop_first() {
    if (begin + 1 < piece(first_piece).end)
      ++begin;
    else if (++first_piece < end_piece)
      begin = pieces[first_piece].begin;
  }
  COLONNADE_KERNEL_CODE void drop_last() {
    if (piece(end_piece - 1).begin + 1u < end)
      --end;
    else if (--end_piece > first_piece)
      end = pieces[end_piece - 1].end;
  }
  COLONNADE_KERNEL_CODE void end_at(const position &p) {
    end_piece = p.piece + 1;
    end = static_cast<uint32_t>(p.at + 1 - lists.room(pieces[p.piece].tile));
  }
  COLONNADE_KERNEL_CODE void begin_at(const position &p) {
    first_piece = p.piece;
    begin = static_cast<uint32_t>(p.at - lists.room(pieces[p.piece].tile));
  }
  COLONNADE_KERNEL_CODE uint64_t first_behind(uint32_t k) const {
    return k + 1 < end_piece ? lists.first(pieces[k + 1]) : nowhere;
  }
  /// Of positions that are found.
  COLONNADE_KERNEL_CODE bool has_next(const position &p) const { return p.next != nowhere; }
  COLONNADE_KERNEL_CODE position next(const position &p) const {
    return {p.piece, p.next, nowhere};
  }
  /// First by the last vertex of each piece, then in the piece. It is found somewhere.
  template <class Search, class Found>
  COLONNADE_KERNEL_CODE position find(const Search &search, hood_end meets, Found found) const {
    const uint32_t k = first_near(search, meets, first_piece, end_piece - 1, [&](uint32_t i) {
      const uint64_t behind = first_behind(i); // is loaded while the piece is
      return found(position{i, lists.last(piece(i)), behind});
    });
    const uint64_t behind = first_behind(k);
    const hood_piece here = piece(k);
    const uint64_t room = lists.room(here.tile);
    const auto position_of = [&](uint32_t i) {
      return position{k, room + i, i + 1u < here.end ? room + i + 1 : behind};
    };
    return position_of(first_near(search, meets, here.begin, here.end - 1u,
                                  [&](uint32_t i) { return found(position_of(i)); }));
  }
};

} // namespace colonnade::detail
