//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// join_siblings.hpp: joins the lists of up to so many neighbouring hoods at once, by a block.
//
//   rounds    few vertices: those of all are in shared memory, and in rounds all that do not bend
//             are left out (hood_rounds.hpp)
//   bridges   else the bridge of any two neighbours, each by a warp; if no hood between has lost
//             both its ends, so that two of its vertices stay, these are all
//   pairs     else two and two are joined, and again (join_pair.hpp)
//
// In: the lists of hoods (pieces.hpp) that begin so many tiles apart. Out: the list of the hood of
// all, where the first one begins. Invariant: lists change when it is known what becomes of them.
// Of a tile's hood neighbours stay, so a list has at most one piece for each of its tiles. Bridges
// are tangents of both hoods: where two vertices of a hood stay between two bridges, each hood
// bends at every vertex, and so does all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/hood_rounds.hpp>
#include <colonnade/detail/convex_hull/join_pair.hpp>
#include <colonnade/detail/convex_hull/last_place.hpp>
#include <colonnade/detail/device/block_offsets.hpp>

namespace colonnade::detail {

/// What is left of a hood's list: of its pieces, and of the first and the last one of these.
struct list_interval {
  uint32_t first_piece, end_piece, begin, end;

  COLONNADE_KERNEL_CODE bool is_empty() const { return first_piece >= end_piece; }
  COLONNADE_KERNEL_CODE bool has_two() const {
    return first_piece + 1 < end_piece || (first_piece + 1 == end_piece && begin + 1 < end);
  }
};

template <class T, uint32_t Threads, uint32_t Siblings, uint32_t Vertices> struct sibling_storage {
  static_assert(Siblings <= Threads && Vertices < 65534);
  static constexpr uint32_t most_pieces = Vertices / 2;
  block_votes<Threads / 32> votes;
  block_offsets_storage<uint32_t, Threads> sums;
  uint32_t first[Siblings + 1]; // of each list's pieces, if these are numbered through
  union {
    struct {
      point_of<T> points[Vertices];
      hood_piece pieces[most_pieces];
      uint16_t offsets[most_pieces + 1]; // of the pieces' vertices
      uint16_t places[Vertices];
      hood_rounds_storage<Threads, 1> rounds;
    } near;
    list_interval left[Siblings]; // between bridges
  };
};

/// The index in the input of a vertex in the lists' arrays.
struct list_indices {
  const uint32_t *indices;
  COLONNADE_KERNEL_CODE uint32_t operator()(uint64_t entry) const { return indices[entry]; }
};
/// The same of one in shared memory.
template <class T, class Storage> struct sibling_indices {
  const hood_lists<T> *lists;
  const Storage *storage;
  uint32_t num_pieces;

  COLONNADE_KERNEL_CODE uint32_t piece_of(uint32_t place) const {
    return last_place(0u, num_pieces,
                      [&](uint32_t k) { return storage->near.offsets[k] <= place; });
  }
  /// In the lists' arrays.
  COLONNADE_KERNEL_CODE uint64_t entry(uint32_t place) const {
    const uint32_t k = piece_of(place);
    return lists->first(storage->near.pieces[k]) + (place - storage->near.offsets[k]);
  }
  COLONNADE_KERNEL_CODE uint32_t operator()(uint32_t place) const {
    return lists->indices[entry(place)];
  }
};

template <class T, uint32_t Threads, uint32_t Siblings, uint32_t Vertices, class Machine>
class sibling_join {
public:
  using storage = sibling_storage<T, Threads, Siblings, Vertices>;
  static constexpr uint32_t warps = Threads / 32;

  /// The first list begins at `tile`, each other one `distance` behind the one before.
  COLONNADE_KERNEL_CODE sibling_join(const Machine &machine, storage &s, const hood_lists<T> &lists,
                                     uint32_t half, uint32_t tile, uint32_t distance,
                                     uint32_t siblings)
      : machine_(machine), s_(s), lists_(lists), half_(half), tile_(tile), distance_(distance),
        siblings_(siblings), pieces_((half ? lists.pieces[1] : lists.pieces[0]) + tile),
        lengths_((half ? lists.lengths[1] : lists.lengths[0]) + tile) {}

  /// By all threads.
  COLONNADE_KERNEL_CODE void run() {
    number_pieces([&](uint32_t k) { return length(k); });
    if (!join_in_rounds() && !join_by_bridges())
      join_in_pairs(*this);
    machine_.block_sync();
  }

private:
  using indices = sibling_indices<T, storage>;

  COLONNADE_KERNEL_CODE hood_piece *list(uint32_t k) const { return pieces_ + k * distance_; }
  COLONNADE_KERNEL_CODE uint32_t length(uint32_t k) const { return lengths_[k * distance_]; }
  template <class Of> COLONNADE_KERNEL_CODE void number_pieces(Of of) {
    const uint32_t all = block_offsets(
        machine_, s_.sums, siblings_, [&](uint64_t k) { return of(static_cast<uint32_t>(k)); },
        [&](uint64_t k, uint32_t sum) { s_.first[k] = sum; });
    if (machine_.thread() == 0)
      s_.first[siblings_] = all;
    machine_.block_sync();
  }
  /// The list of piece i of all.
  COLONNADE_KERNEL_CODE uint32_t list_of(uint32_t i) const {
    return last_place(0u, siblings_, [&](uint32_t k) { return s_.first[k] <= i; });
  }
  COLONNADE_KERNEL_CODE void put_length(uint32_t length) const {
    if (machine_.thread() == 0)
      lengths_[0] = length;
  }

  /// Whether they are joined: nothing has changed else.
  COLONNADE_KERNEL_CODE bool join_in_rounds() {
    const uint32_t pieces = s_.first[siblings_];
    if (pieces > storage::most_pieces)
      return false;
    const uint32_t vertices = block_offsets(
        machine_, s_.sums, pieces, [&](uint64_t i) { return load_piece(static_cast<uint32_t>(i)); },
        [&](uint64_t i, uint32_t sum) { s_.near.offsets[i] = static_cast<uint16_t>(sum); });
    if (vertices > Vertices)
      return false;
    if (machine_.thread() == 0)
      s_.near.offsets[pieces] = static_cast<uint16_t>(vertices);
    machine_.block_sync();
    const indices index{&lists_, &s_, pieces};
    load(index, vertices);
    machine_.block_sync();
    hood_rounds<Threads, 1, true, Machine> rounds(machine_, s_.near.rounds, s_.near.places,
                                                  Vertices, {vertices}, half_);
    const bool is_done = rounds.run([&](uint32_t place) {
      return hull_vertex<T, index_at<indices>>{s_.near.points[place], {index, place}};
    });
    machine_.block_sync();
    if (is_done)
      put_pieces(pieces, rounds.listed(0));
    return is_done;
  }
  /// Returns how many vertices it has.
  COLONNADE_KERNEL_CODE uint32_t load_piece(uint32_t i) {
    const uint32_t k = list_of(i);
    const hood_piece piece = list(k)[i - s_.first[k]];
    s_.near.pieces[i] = piece;
    return static_cast<uint32_t>(piece.end - piece.begin);
  }
  COLONNADE_KERNEL_CODE void load(const indices &index, uint32_t vertices) {
    for (uint32_t v = machine_.thread(); v < vertices; v += Threads) {
      const uint64_t at = index.entry(v);
      s_.near.points[v] = {lists_.x[at], lists_.y[at]};
      s_.near.places[v] = static_cast<uint16_t>(v);
    }
  }
  /// listed: vertices that are left; those of a piece are neighbours in it.
  COLONNADE_KERNEL_CODE void put_pieces(uint32_t pieces, uint32_t listed) {
    const uint32_t length = block_offsets(
        machine_, s_.sums, pieces,
        [&](uint64_t i) { return uint32_t{cut_piece(static_cast<uint32_t>(i), listed)}; },
        [&](uint64_t i, uint32_t sum) {
          if (const hood_piece piece = s_.near.pieces[i]; piece.begin < piece.end)
            list(0)[sum] = piece;
        });
    put_length(length);
  }
  /// Whether anything of it is left.
  COLONNADE_KERNEL_CODE bool cut_piece(uint32_t i, uint32_t listed) {
    const auto first_from = [&](uint32_t place) { // on the list
      return search_alone{}.first(0, listed,
                                  [&](uint32_t k) { return s_.near.places[k] >= place; });
    };
    const uint32_t offset = s_.near.offsets[i], begin = first_from(offset),
                   end = first_from(s_.near.offsets[i + 1]);
    hood_piece &piece = s_.near.pieces[i];
    if (begin < end)
      piece.begin = static_cast<uint16_t>(piece.begin + s_.near.places[begin] - offset);
    piece.end = static_cast<uint16_t>(piece.begin + end - begin);
    return begin < end;
  }

  /// Likewise.
  COLONNADE_KERNEL_CODE bool join_by_bridges() {
    machine_.block_sync(); // the storage is free
    if (const uint32_t k = machine_.thread(); k < siblings_) {
      const uint32_t pieces = length(k);
      s_.left[k] = {0, pieces, list(k)[0].begin, list(k)[pieces - 1].end};
    }
    machine_.block_sync();
    for (uint32_t k = machine_.warp(); k + 1 < siblings_; k += warps)
      find_bridge_behind(k);
    machine_.block_sync();
    bool stays = true;
    for (uint32_t k = machine_.lane(); k < siblings_; k += 32)
      stays &= k == 0 || k + 1 == siblings_ ? !s_.left[k].is_empty() : s_.left[k].has_two();
    if (machine_.ballot(stays) != ~0u)
      return false;
    put_intervals();
    return true;
  }
  /// Of list k, by a warp; of two lists, a block finds one that is far in less time.
  COLONNADE_KERNEL_CODE void find_bridge_behind(uint32_t k) {
    pieced_hood<T> left(lists_, list(k), length(k)), right(lists_, list(k + 1), length(k + 1));
    part_hoods(side_of(half_), left, right);
    bool is_found = !left.empty() && !right.empty();
    if (is_found && !find_near_bridge(left, right)) {
      is_found = siblings_ > 2;
      if (is_found) {
        const auto bridge = joining_warp<Machine>{machine_}.bridge(side_of(half_), left, right);
        left.end_at(bridge.left);
        right.begin_at(bridge.right);
      }
    }
    if (machine_.lane() == 0) {
      s_.left[k].end_piece = is_found ? left.end_piece : 0;
      s_.left[k].end = left.end;
      s_.left[k + 1].first_piece = right.first_piece;
      s_.left[k + 1].begin = right.begin;
    }
  }
  /// By a warp: whether the bridge is among the last 16 vertices of the left hood's last piece and
  /// the first 16 of the right one's first; the hoods are cut then. It is, if these bend, so that a
  /// vertex on either side of the bridge's ends is among them, or there is none.
  COLONNADE_KERNEL_CODE bool find_near_bridge(pieced_hood<T> &left, pieced_hood<T> &right) const {
    const hood_piece l = left.piece(left.end_piece - 1), r = right.piece(right.first_piece);
    const uint32_t in_left = l.end - l.begin, in_right = r.end - r.begin;
    const uint64_t behind_left = lists_.room(l.tile) + l.end,
                   first_right = lists_.room(r.tile) + r.begin;
    const auto entry = [&](uint32_t lane) {
      return lane < 16 ? behind_left - 16 + lane : first_right + (lane - 16);
    };
    const uint32_t lane = machine_.lane();
    const bool is_there = lane < 16 ? 16 - lane <= in_left : lane - 16 < in_right;
    const uint32_t row = machine_.ballot(is_there);
    const uint32_t stay =
        stay_in_row(machine_, side_of(half_), row, is_there ? lane : 15, no_neighbour, no_neighbour,
                    [&](uint32_t at) {
                      const uint64_t here = entry(at);
                      return hull_vertex<T, index_at<list_indices, uint64_t>>{
                          {lists_.x[here], lists_.y[here]}, {{lists_.indices}, here}};
                    });
    const uint32_t lefts = stay & 0xffff, rights = stay >> 16;
    const bool has_all_left = left.first_piece + 1 == left.end_piece && in_left <= 16,
               has_all_right = right.first_piece + 1 == right.end_piece && in_right <= 16;
    if (Machine::count_ones(lefts) < (has_all_left ? 1 : 2) ||
        Machine::count_ones(rights) < (has_all_right ? 1 : 2))
      return false;
    left.end = l.end - 15 + last_one(lefts);
    right.begin = r.begin + Machine::first_one(rights);
    return true;
  }
  COLONNADE_KERNEL_CODE void put_intervals() {
    number_pieces([&](uint32_t k) { return s_.left[k].end_piece - s_.left[k].first_piece; });
    const uint32_t all = s_.first[siblings_];
    constexpr uint32_t items = 4; // whose loads are under way at once
    for (uint32_t first = 0; first < all; first += items * Threads) {
      hood_piece pieces[items];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        if (const uint32_t i = first + k * Threads + machine_.thread(); i < all)
          pieces[k] = piece_left(i);
      machine_.block_sync(); // all have read what others overwrite
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        if (const uint32_t i = first + k * Threads + machine_.thread(); i < all)
          list(0)[i] = pieces[k];
    }
    put_length(all);
  }
  /// Piece i of those that are left.
  COLONNADE_KERNEL_CODE hood_piece piece_left(uint32_t i) const {
    const uint32_t k = list_of(i);
    const list_interval &left = s_.left[k];
    const uint32_t at = left.first_piece + i - s_.first[k];
    hood_piece piece = list(k)[at];
    piece.begin = at == left.first_piece ? static_cast<uint16_t>(left.begin) : piece.begin;
    piece.end = at + 1 == left.end_piece ? static_cast<uint16_t>(left.end) : piece.end;
    return piece;
  }

  /// all: a copy, so that what is kept in registers else is not in memory because of it.
  static COLONNADE_RARE_KERNEL_CODE void join_in_pairs(sibling_join all) {
    const joining_warp<Machine> warp{all.machine_};
    uint32_t turn = 0;
    const joining_block<warps, Machine> block{all.machine_, all.s_.votes, turn};
    all.machine_.block_sync();
    for (uint32_t width = 1; width < all.siblings_; width *= 2) {
      if (2 * width >= all.siblings_)
        join_lists(block, all.lists_, all.half_, all.tile_, width * all.distance_);
      else
        for (uint32_t k = 2 * width * all.machine_.warp(); k + width < all.siblings_;
             k += 2 * width * warps)
          join_lists(warp, all.lists_, all.half_, all.tile_ + k * all.distance_,
                     width * all.distance_);
      all.machine_.block_sync();
    }
  }

  const Machine &machine_;
  storage &s_;
  const hood_lists<T> lists_; // no reference: registers
  const uint32_t half_, tile_, distance_, siblings_;
  hood_piece *const pieces_; // of the half, from the tile on
  uint32_t *const lengths_;
};

} // namespace colonnade::detail
