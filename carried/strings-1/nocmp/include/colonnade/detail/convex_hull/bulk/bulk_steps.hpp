//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_steps.hpp: the launches that find many convex hulls, in order.
//
//   (classes by size)
//   large                 sieve; of those that it does not find: place, load, sort by x, rank, sort
//                         by set, then many_points_steps.hpp; of points that come by x: place,
//                         many_points_steps.hpp
//   lanes, narrow, wide   each class by one launch; narrow, wide: those of which few points are
//                         left by one, the others by another
//   pack                  sums, places, move
//
// In: sets in classes, and storage. Out: the hulls. Invariant: the GPU and the host's tests run the
// same steps. Large sets come first, since hulls may be written where their points' indices were.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/bulk/block_sets.hpp>
#include <colonnade/detail/convex_hull/bulk/large_sets.hpp>
#include <colonnade/detail/convex_hull/bulk/pack_hulls.hpp>
#include <colonnade/detail/convex_hull/hull_blocks.hpp>
#include <colonnade/detail/convex_hull/many_points_steps.hpp>

namespace colonnade::detail {

template <class Policy, class Points, class Offset, class Index, class Machine> struct bulk_blocks {
  using sets = large_tile_sets<Offset>;
  using lanes =
      lane_sets_block<Points, Offset, Index, Policy::lane_threads, Policy::lane_points, Machine>;
  using narrow = block_sets_block<Points, Offset, Index, set_class::narrow, Policy::narrow_threads,
                                  Policy::narrow_resident, Policy::narrow_items,
                                  Policy::narrow_items, Policy::narrow_few_items,
                                  Policy::narrow_directions, Policy::sift_narrow, Machine>;
  using sifted = sifted_sets_block<Points, Offset, Index, set_class::narrow, Policy::sift_threads,
                                   Policy::sift_resident, narrow::most_points,
                                   Policy::sifted_points, Policy::sifted_directions, Machine>;
  static constexpr bool sifts_narrow = Policy::sift_narrow;
  /// Points of two doubles take twice the shared memory, of which some GPUs have 99 KB a block.
  static constexpr uint32_t wide_items =
      sizeof(typename Points::coordinate) == 8 ? Policy::wide_items * 3 / 4 : Policy::wide_items;
  template <uint32_t MostItems, bool Later>
  using wide_sets =
      block_sets_block<Points, Offset, Index, set_class::wide, Policy::wide_threads,
                       Policy::wide_resident, wide_items, MostItems, Policy::wide_few_items,
                       Policy::wide_directions, Later, Machine>;
  using wide = wide_sets<Policy::wide_most_items, false>;
  using wide_rest = wide_sets<wide_items, true>;
  using sieved =
      sieved_sets_block<Points, Offset, Index, Policy::sieve_longest, Policy::sieve_threads,
                        Policy::sieve_resident, Policy::sieve_items, Policy::sieve_most_items,
                        Policy::sieve_few_items, Policy::sieve_directions, Machine>;
  using place = place_sets_block<Offset, Index, Policy::place_threads, Machine>;
  using load = load_sets_block<Points, Offset, Policy::load_threads, Machine>;
  using rank = rank_sets_block<Offset, Policy::load_threads, Machine>;
  using many = many_points_blocks<Policy, Points, sets, bulk_output<Offset, Index>, Machine>;
  static constexpr set_sizes most{Policy::lane_points, narrow::most_points, wide::most_points};
};

template <class Policy, class Offset, class Index, class Machine> struct pack_blocks {
  using sums = sum_hulls_block<Offset, Index, Policy::pack_threads, Machine>;
  using places = place_hulls_block<Offset, Index, Policy::pack_threads, Machine>;
  using move = move_hulls_block<Offset, Index, Policy::pack_threads, Machine>;
};

/// Of large sets.
template <class Coordinate, class Offset> struct large_storage {
  large_tile_sets<Offset> sets;
  uint32_t *by_class; // and class_begins: the sets' own
  uint64_t *class_begins;
  bool is_in_place; // hulls are written where the indices were
  uint64_t *num_points;
  typename sorted_as<Coordinate>::raw *words; // of x
  uint32_t *ranks, *indices;
  many_points_storage<Coordinate> many;
  sort_header by_x_header = {}, by_rank_header = {}; // of the sorts, if they have any
};

/// start(std::type_identity<Block>, blocks, arguments) runs a kernel; what it returns is false if
/// that went well.
template <class Blocks, class Start, class Arguments>
auto find_small_hulls(const Start &start, const Arguments &a, uint64_t num_sets) {
  using lanes = typename Blocks::lanes;
  auto error = start(std::type_identity<lanes>{}, runs_of(num_sets, lanes::threads), a);
  const uint64_t longest = std::min(a.sets.num_points, a.sets.longest);
  if (!error && longest > Blocks::most.lanes) {
    if constexpr (Blocks::sifts_narrow)
      error = start(std::type_identity<typename Blocks::sifted>{}, runs_of(num_sets, 32), a);
    if (!error)
      error = start(std::type_identity<typename Blocks::narrow>{}, num_sets, a);
  }
  if (!error && longest > Blocks::most.narrow)
    error = start(std::type_identity<typename Blocks::wide>{}, num_sets, a);
  if (!error && longest > Blocks::most.narrow)
    error = start(std::type_identity<typename Blocks::wide_rest>{}, num_sets, a);
  return error;
}

/// by_x(), by_rank(): sort num_points indices by the words, stably; by the ranks.
template <class Blocks, class Start, class Arguments, class Storage, class ByX, class ByRank>
auto find_large_hulls(const Start &start, const Arguments &a, const Storage &storage, ByX by_x,
                      ByRank by_rank) {
  using place = typename Blocks::place;
  using load = typename Blocks::load;
  using rank = typename Blocks::rank;
  using sieved = typename Blocks::sieved;
  const auto sieve = [&](sieve_step step) {
    return start(std::type_identity<sieved>{}, storage.sets.most_sets,
                 typename sieved::arguments{a, step});
  };
  auto error = sieve(storage.is_in_place ? sieve_step::decide : sieve_step::find);
  if (!error)
    error = start(std::type_identity<place>{}, 1,
                  typename place::arguments{storage.sets, storage.by_class, storage.class_begins,
                                            storage.num_points, a.sets.num_points, a.out,
                                            storage.by_x_header});
  if (!a.by_x) {
    if (!error)
      error =
          start(std::type_identity<load>{}, storage.many.most_tiles,
                typename load::arguments{a.points, storage.sets, storage.words, storage.indices});
    if (!error)
      error = by_x();
    if (!error)
      error = start(std::type_identity<rank>{}, runs_of(a.sets.num_points, rank::threads),
                    typename rank::arguments{storage.sets, storage.num_points, storage.ranks,
                                             storage.indices, storage.by_rank_header});
    if (!error)
      error = by_rank();
  }
  if (!error)
    error =
        find_many_points<typename Blocks::many>(start, a.points, a.by_x ? nullptr : storage.indices,
                                                storage.many, storage.sets, a.part, false, a.out);
  if (!error && storage.is_in_place)
    error = sieve(sieve_step::find_decided);
  return error;
}

template <class Blocks, class Start, class Arguments>
auto pack_hulls(const Start &start, const Arguments &a) {
  const uint64_t tiles = runs_of(a.num_sets, Blocks::sums::threads);
  auto error = start(std::type_identity<typename Blocks::sums>{}, tiles, a);
  if (!error)
    error = start(std::type_identity<typename Blocks::places>{}, 1, a);
  if (!error)
    error = start(std::type_identity<typename Blocks::move>{}, tiles, a);
  return error;
}

} // namespace colonnade::detail
