//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_hull.hpp: a convex hull on the host: the GPU's blocks under random schedules, the launches
// of detail/convex_hull/dispatch.cuh in order. The sort by x is std::sort, which leaves points of
// one x in another order each time.
//
// In: points, a seed and a planted fault; whether the hull is written where the sorted indices
// were, as that is of which the boundary is to be found. Out: the hull, and complaints about
// accesses. Invariant: one seed is one schedule.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/convex_hull/boundary.hpp>
#include <colonnade/detail/convex_hull/hull_blocks.hpp>
#include <colonnade/detail/convex_hull/many_points_steps.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace colonnade::testing {

inline constexpr hull_part hull_parts[] = {hull_part::whole, hull_part::lower, hull_part::upper};

struct hull_faults : faults {
  bool lost_point = false;    // the tiles forget the last point
  bool unsorted = false;      // two points are exchanged after the sort
  bool moved_piece = false;   // the first piece begins one vertex late
  bool stale_lengths = false; // a tile's list is not reset
  bool wide_sieve = false;    // the sieve's chords are moved outwards
  bool moved_top = false;     // of a boundary: the largest vertex is taken for the one before it
};

/// Rounds of random inputs or schedules: COLONNADE_HULL_ROUNDS times as many, in a long run by
/// itself.
inline uint64_t rounds(uint64_t number) {
  const char *factor = std::getenv("COLONNADE_HULL_ROUNDS");
  return factor ? number * std::strtoull(factor, nullptr, 10) : number;
}

/// What has nothing to do with a block's code.
struct hull_limits {
  uint64_t sample_from = 200, hollow_from = 800, thin_most = 700, few_sorted = 500;
  bool in_place = false; // the hull is written where the sorted indices were
};
/// Nothing is taken or thinned.
inline constexpr hull_limits plain_limits{.sample_from = ~uint64_t{0}, .thin_most = 0};

/// Small blocks: few points are many.
struct small_hull_policy {
  using index = uint32_t;
  static constexpr uint32_t settle_threads = 32;
  static constexpr uint32_t sample_threads = 64, sample_items = 2, sample_blocks = 2,
                            sample_slopes = 4, hollow_slopes = 6, sieve_columns = 16;
  static constexpr uint32_t thin_threads = 64, thin_items = 2;
  static constexpr uint32_t filter_threads = 64, filter_items = 3;
  static constexpr uint32_t few_threads = 32, few_items = 3;
  static constexpr uint32_t tile_threads = 64, tile_items = 2, tile_turns = 12, tile_least_run = 9;
  static constexpr uint32_t join_threads = 64, join_siblings = 4, join_vertices = 100;
  static constexpr uint32_t offset_threads = 32, write_threads = 128;
};
/// The same hull from other blocks, and with wide indices.
struct one_tile_policy : small_hull_policy {
  using index = uint64_t;
  static constexpr uint32_t few_threads = 128, few_items = 8;
};
/// Wagener's stages: chains of a few points, joined.
struct chains_policy : small_hull_policy {
  static constexpr uint32_t tile_turns = 0, tile_least_run = 3;
};
/// A sample of many points, in many directions.
struct clusters_policy : one_tile_policy {
  static constexpr uint32_t sample_threads = 256, sample_blocks = 4, sample_slopes = 8,
                            hollow_slopes = 8;
};

/// Words and indices of points, by the words; those of one word in the order that they have, or in
/// any. One type for all, so that this is compiled once.
using indices_by_word = std::vector<std::pair<uint64_t, uint32_t>>;
inline void sort_by_word(indices_by_word &order, bool stably) {
  const auto less = [](const auto &a, const auto &b) { return a.first < b.first; };
  if (stably)
    std::stable_sort(order.begin(), order.end(), less);
  else
    std::sort(order.begin(), order.end(), less);
}

/// Places of numbers, by them; of equal ones in their order, or in any.
inline std::vector<uint32_t> places_by_number(const std::vector<double> &numbers, bool stably) {
  std::vector<uint32_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto less = [&](uint32_t a, uint32_t b) { return numbers[a] < numbers[b]; };
  if (stably)
    std::stable_sort(order.begin(), order.end(), less);
  else
    std::sort(order.begin(), order.end(), less);
  return order;
}
/// The same points by x, those of one x in their order, or in any.
template <class T> std::vector<T> by_x(const std::vector<T> &points, bool stably = true) {
  std::vector<double> x;
  for (size_t i = 0; i < points.size(); i += 2)
    x.push_back(static_cast<double>(points[i]));
  std::vector<T> sorted;
  for (const size_t i : places_by_number(x, stably))
    sorted.insert(sorted.end(), {points[2 * i], points[2 * i + 1]});
  return sorted;
}

template <class T> struct host_hull_result {
  std::vector<uint64_t> hull;
  uint64_t num_hull = 77;
  uint64_t kept = 0, thinned[2] = {0, 0}, unsettled = 0; // as the kernels say
  device_status status;
  std::string complaints;
};

/// The launches for many points. indices: null if the points come by x (ByX).
template <class Policy, bool ByX, class Run, class Points, class Vertices>
void host_many(const Run &run, const hull_faults &planted, const Points &points, uint64_t most,
               const uint32_t *indices, detail::hull_state *state, hull_part part,
               const detail::hull_output<Vertices> &out) {
  using namespace detail;
  using blocks = hull_blocks<Policy, Points, Vertices, host_machine>;
  const uint64_t tiles = runs_of(most, blocks::tile::tile_points);
  using coordinate = typename Points::coordinate;
  const uint64_t entries = hood_lists<coordinate>::entries(most, tiles);
  std::vector<coordinate> x(entries), y(entries);
  std::vector<uint32_t> vertices(entries), lengths(2 * tiles + 2, 0x77777777u),
      offsets(2 * tiles + 2, 5);
  std::vector<hood_piece> pieces(2 * tiles + 2, {9, 9, 9});
  const auto start = [&]<class Block>(std::type_identity<Block> block, uint64_t num_blocks,
                                      const typename Block::arguments &arguments) {
    run(block, std::min<uint64_t>(num_blocks, 3), arguments);
    if constexpr (std::is_same_v<Block, typename blocks::template tile_of<ByX>>) {
      pieces[0].begin += planted.moved_piece;
      if (planted.stale_lengths)
        lengths[1] = 2;
    }
    return false;
  };
  find_many_points<blocks, ByX>(
      start, points, indices,
      many_points_storage<coordinate>{{vertices.data(),
                                       x.data(),
                                       y.data(),
                                       {pieces.data(), pieces.data() + tiles},
                                       {lengths.data(), lengths.data() + tiles},
                                       {offsets.data(), offsets.data() + tiles},
                                       blocks::tile::tile_points},
                                      {offsets.data(), offsets.data() + tiles},
                                      tiles,
                                      1,
                                      tiles},
      one_tile_set{&state->sorted, &state->findings, blocks::tile::tile_points}, part, ByX, out);
}

template <class Policy, class Points>
host_hull_result<typename Points::coordinate>
host_hull(unsigned seed, hull_faults planted, const Points &points, item_count count,
          uint64_t capacity, hull_part part = hull_part::whole, bool by_x = false,
          const hull_limits &limits = {}) {
  using namespace detail;
  using coordinate = typename Points::coordinate;
  using index = typename Policy::index;
  using vertices = index_vertices<index>;
  using blocks = hull_blocks<Policy, Points, vertices, host_machine>;
  using sample = typename blocks::sample;
  using filter = typename blocks::filter;
  using thin = typename blocks::thin;
  using few = typename blocks::few;

  host_hull_result<coordinate> result;
  std::vector<index> apart(capacity + 4, 0xabab);
  const uint64_t most = count.most;
  std::vector<uint32_t> indices(most);
  hull_output<vertices> out{{apart.data()}, capacity, &result.num_hull, &result.status};
  if constexpr (std::is_same_v<index, uint32_t>)
    if (limits.in_place)
      out.vertices.d_hull = indices.data(); // capacity is at most `most`
  host_grid grid(seed, 3, planted);
  const auto run = [&](auto block, uint64_t blocks, const auto &arguments) {
    using type = typename decltype(block)::type;
    if constexpr (requires { typename type::storage; })
      grid.run(static_cast<uint32_t>(blocks), type::threads, sizeof(typename type::storage),
               [&](const host_machine &m, char *shared) { type(m, arguments, shared).run(); });
    else
      grid.run(static_cast<uint32_t>(blocks), type::threads, 0,
               [&](const host_machine &m, char *) { type(m, arguments).run(); });
  };
  const auto finish = [&] {
    const uint64_t number = std::min(capacity, result.num_hull);
    result.hull.assign(out.vertices.d_hull, out.vertices.d_hull + number);
    for (uint64_t i = limits.in_place ? 0 : number; i < apart.size(); ++i)
      if (apart[i] != 0xabab)
        grid.complaints.push_back("written beyond the hull");
    result.complaints = grid.all_complaints();
    return result;
  };
  hull_state state;
  std::memset(static_cast<void *>(&state), 0xee, sizeof state);
  if (most <= few::most_points) {
    run(std::type_identity<few>{}, 1,
        typename few::arguments{points, count, nullptr, {}, nullptr, part, by_x, out});
    return finish();
  }
  if (by_x) {
    grid.run(1, 32, 0, [&](const host_machine &m, char *) { begin_hull(m, &state, count.now()); });
    host_many<Policy, true>(run, planted, points, most, nullptr, &state, part, out);
    return finish();
  }
  std::vector<typename sorted_as<coordinate>::raw> words(most);
  std::vector<uint32_t> narrow(most);
  const bool is_narrow = sizeof(coordinate) == 8 && most > limits.few_sorted;
  std::vector<uint64_t> told(sample::most_directions);
  std::vector<uint32_t> thinned[2];
  for (auto &list : thinned)
    list.assign(most + 4, 0xababababu);
  sieve_frame<coordinate> frame;
  std::vector<sieve_column<sieve_number<coordinate>>> columns(Policy::sieve_columns);
  typename sample::chains_type chains;
  std::memset(static_cast<void *>(&chains), 0xee, sizeof chains);
  grid.run(1, 32, 0, [&](const host_machine &m, char *) {
    begin_hull(m, &state, 0);
    begin_sample(m, told.data(), sample::most_directions);
  });
  run(std::type_identity<sample>{}, sample::num_blocks,
      typename sample::arguments{points, count, limits.sample_from, limits.hollow_from, told.data(),
                                 &state.sample_done, &frame, columns.data(), &chains});
  if (planted.wide_sieve)
    for (auto &column : columns)
      column.upper_at += std::fabs(column.upper_at) / 4;
  run(std::type_identity<filter>{}, 3,
      typename filter::arguments{points, count, &frame, columns.data(), &chains, words.data(),
                                 is_narrow ? narrow.data() : nullptr, indices.data(), &state,
                                 &result.status});
  result.kept = state.kept;
  for (uint32_t k = 0; k < 2; ++k) {
    const uint64_t most_thinned = std::min<uint64_t>(most, limits.thin_most);
    run(std::type_identity<thin>{}, (most_thinned + thin::tile_points - 1) / thin::tile_points,
        typename thin::arguments{points, k ? thinned[0].data() : indices.data(),
                                 k ? &state.thinned[0] : &state.kept, thinned[k].data(),
                                 &state.thinned[k], few::most_points + 1, most_thinned});
    result.thinned[k] = state.thinned[k];
    if (thinned[k][most] != 0xababababu)
      grid.complaints.push_back("written beyond what is thinned");
  }
  run(std::type_identity<few>{}, 1,
      typename few::arguments{points,
                              count,
                              indices.data(),
                              {thinned[0].data(), thinned[1].data()},
                              &state,
                              part,
                              false,
                              out});
  const auto sort = [&](auto &by, uint64_t number, bool stably = false) {
    indices_by_word order;
    for (uint64_t i = 0; i < number; ++i)
      order.push_back({by[i], indices[i]});
    sort_by_word(order, stably);
    for (uint64_t i = 0; i < number; ++i) {
      by[i] = static_cast<std::decay_t<decltype(by[i])>>(order[i].first);
      indices[i] = order[i].second;
    }
  };
  if constexpr (sizeof(coordinate) == 8)
    if (is_narrow) {
      using settle = typename blocks::settle;
      using x_halves = typename blocks::x_halves;
      sort(narrow, state.sorted);
      run(std::type_identity<settle>{}, 3,
          typename settle::arguments{points, narrow.data(), indices.data(), &state.sorted,
                                     &state.unsettled});
      result.unsettled = state.unsettled;
      for (const uint32_t shift : {0u, 32u}) {
        uint32_t header[3] = {1, 1, 1};
        run(std::type_identity<x_halves>{}, 3,
            typename x_halves::arguments{points, indices.data(), narrow.data(), &state.unsettled,
                                         shift, header, 3});
        if ((state.unsettled != 0) == (header[2] != 0))
          grid.complaints.push_back("the sort's header is not zeroed");
        sort(narrow, state.unsettled, true);
      }
    }
  if (!is_narrow)
    sort(words, state.sorted);
  if (planted.unsorted && state.sorted > 50)
    std::swap(indices[10], indices[40]);
  if (planted.lost_point && state.sorted)
    --state.sorted;
  host_many<Policy, false>(run, planted, points, most, indices.data(), &state, part, out);
  return finish();
}

/// All points on the boundary, of the given vertices of the whole hull; splits and sorts are those
/// of the standard library. lost_point: no side is asked of the last one; unsorted: two of the
/// boundary are exchanged.
template <class Points>
host_hull_result<typename Points::coordinate>
host_boundary(unsigned seed, hull_faults planted, const Points &points, uint64_t num_points,
              std::vector<uint32_t> hull, hull_part part) {
  using namespace detail;
  using coordinate = typename Points::coordinate;
  using words = boundary_words_block<Points, 64, host_machine>;
  using frame_of = boundary_frame_block<Points, host_machine>;
  using sides_of = boundary_sides_block<Points, 64, host_machine>;
  using vertices = index_vertices<uint64_t>;
  using write = write_boundary_block<Points, vertices, 64, host_machine>;
  host_hull_result<coordinate> result;
  result.hull.assign(num_points + 1, 0xabab);
  const uint64_t num_hull = hull.size();
  uint64_t found = 0;
  boundary_frame<coordinate> frame;
  std::memset(static_cast<void *>(&frame), 0xee, sizeof frame);
  std::vector<uint32_t> indices;
  std::vector<typename sorted_as<coordinate>::raw> words_of(num_points);
  std::vector<boundary_side> sides(num_points);
  boundary_arguments<Points> a{points, num_points,   hull.data(), &num_hull, part,
                               &frame, sides.data(), &found,      nullptr,   words_of.data()};
  host_grid grid(seed, 3, planted);
  grid.run(1, 32, 0, [&](const host_machine &m, char *) { frame_of(m, a).run(); });
  frame.top -= planted.moved_top && frame.top > 0;
  if (planted.lost_point && num_points)
    a.num_points = num_points - 1;
  grid.run(3, 64, 0, [&](const host_machine &m, char *) { sides_of(m, a).run(); });
  hull.assign(num_hull, ~0u); // its storage is free
  for (uint32_t i = 0; i < num_points; ++i)
    if (!is_off_boundary{}(sides[i]))
      indices.push_back(i);
  found = indices.size();
  a.indices = indices.data();
  grid.run(3, 64, 0, [&](const host_machine &m, char *) { words(m, a).run(); });
  indices_by_word order;
  for (uint64_t k = 0; k < found; ++k)
    order.push_back({words_of[k], indices[k]});
  sort_by_word(order, true);
  for (auto &[word, index] : order)
    word = side_of_point{sides.data()}(index);
  sort_by_word(order, true);
  for (uint64_t k = 0; k < found; ++k)
    indices[k] = order[k].second;
  if (planted.unsorted && found > 5)
    std::swap(indices[2], indices[4]);
  const typename write::arguments w{points,
                                    indices.data(),
                                    &found,
                                    &num_hull,
                                    {{result.hull.data()}, num_points, &result.num_hull, nullptr}};
  grid.run(3, 64, 0, [&](const host_machine &m, char *) { write(m, w).run(); });
  result.complaints = grid.all_complaints();
  if (result.hull[num_points] != 0xabab)
    result.complaints += "written beyond the boundary";
  result.hull.resize(std::min(num_points, result.num_hull));
  return result;
}

} // namespace colonnade::testing
