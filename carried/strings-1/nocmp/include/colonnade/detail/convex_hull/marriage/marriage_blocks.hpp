//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// marriage_blocks.hpp: the blocks of the kernels of marriage before conquest, what they keep in
// temporary storage, and the order of their launches.
//
//   begin, extremes, count, collect      quadrilateral.hpp
//   split, as often as can be wanted     splitting.hpp
//   independent                          independent.hpp
//   count, gather, prepare, look up, write   finish.hpp
//
// In: a policy, the points, how vertices are written, and a machine: the GPU, or the host's in
// tests. Out: the types, the plan, the launches by a functor. Invariant: tests run the launches
// that the GPU runs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/convex_hull/marriage/finish.hpp>
#include <colonnade/detail/convex_hull/marriage/independent.hpp>
#include <colonnade/detail/convex_hull/marriage/splitting.hpp>

#include <algorithm>

namespace colonnade::detail {

template <class Policy, class Points, class Vertices, class Machine> struct marriage_blocks {
  using T = typename Points::coordinate;
  using output = hull_output<Vertices>;
  static constexpr uint32_t split_items =
      std::max<uint32_t>(1, Policy::split_bytes / sizeof(point_of<T>));
  /// Threads of a multiprocessor; of points of two doubles half as many.
  static constexpr uint32_t resident(uint32_t threads) {
    return sizeof(T) == 8 ? threads / 2 : threads;
  }
  static constexpr uint32_t read_resident = resident(Policy::read_resident),
                            split_resident = resident(Policy::split_resident),
                            independent_resident = resident(Policy::independent_resident);
  using extremes =
      extremes_block<Points, Policy::read_threads, read_resident, Policy::scan_items, Machine>;
  using count_outside =
      count_outside_block<Points, Policy::read_threads, read_resident, Policy::scan_items, Machine>;
  using collect_outside = collect_outside_block<Points, Policy::read_threads, read_resident,
                                                Policy::read_items, Machine>;
  using split = splitting_block<T, Policy::split_threads, split_resident, split_items,
                                Policy::prune_pairs, Machine>;
  using independent = independent_block<T, Policy::independent_threads, independent_resident,
                                        Policy::independent_rows, Policy::prune_pairs,
                                        Policy::count_iterations, Machine>;
  using count_marks = count_marks_block<Points, output, Policy::finish_threads, Machine>;
  using gather = gather_vertices_block<Points, output, Policy::finish_threads, Machine>;
  using prepare = prepare_vertices_block<Points, output, Policy::finish_threads, Machine>;
  using look_up = look_up_block<Points, output, Policy::finish_threads, Machine>;
  using write = write_marriage_block<Points, output, Policy::finish_threads, Machine>;
};

/// How many points a subproblem has at least that all blocks split.
template <class Policy> constexpr uint32_t split_size(uint64_t most) {
  return static_cast<uint32_t>(
      std::max<uint64_t>(most / Policy::processors + 1, Policy::split_least));
}
/// Iterations of the stage of splitting that are launched.
template <class Policy> constexpr uint32_t split_iterations(uint64_t most) {
  const uint32_t from = split_size<Policy>(most);
  if (most < from)
    return 0;
  uint32_t levels = 0;
  while (most >> levels > from)
    ++levels;
  return std::min(Policy::splits_per_level * levels + 4, most_splits);
}

template <class Policy, class T> struct marriage_plan {
  temp_storage storage;
  uint64_t most;
  uint32_t split_from, iterations;
  size_t state, points[2], marks, bitmap, split[2], done, tile_marks;

  explicit marriage_plan(uint64_t most_points)
      : most(most_points), split_from(split_size<Policy>(most_points)),
        iterations(split_iterations<Policy>(most_points)) {
    state = storage.add<marriage_state>(1); // first: callers may read the counts
    for (uint32_t k = 0; k < 2; ++k) {
      points[k] = storage.add<point_of<T>>(most);
      split[k] = storage.add<split_problem<T>>(split_problems(most, split_from));
    }
    marks = storage.add<uint32_t>(mark_words(most));
    bitmap = storage.add<uint32_t>(mark_words(most));
    done = storage.add<hull_problem<T>>(done_problems(most, split_from, iterations));
    tile_marks = storage.add<uint32_t>(mark_words(most) / Policy::finish_threads + 1);
  }
  marriage_storage<T> at(void *d_temp) const {
    return {temp_storage::at<marriage_state>(d_temp, state),
            {temp_storage::at<point_of<T>>(d_temp, points[0]),
             temp_storage::at<point_of<T>>(d_temp, points[1])},
            temp_storage::at<uint32_t>(d_temp, marks),
            temp_storage::at<uint32_t>(d_temp, bitmap),
            {temp_storage::at<split_problem<T>>(d_temp, split[0]),
             temp_storage::at<split_problem<T>>(d_temp, split[1])},
            temp_storage::at<hull_problem<T>>(d_temp, done),
            temp_storage::at<uint32_t>(d_temp, tile_marks)};
  }
};

/// start(type_identity of a block, blocks, arguments): launches it; returns an error, or false. All
/// launches after begin_marriage.
template <class Blocks, class Policy, class Start, class Points, class Output>
auto find_by_marriage(const Start &start, const Points &points, const item_count &num_points,
                      const marriage_storage<typename Points::coordinate> &s,
                      const marriage_plan<Policy, typename Points::coordinate> &plan,
                      hull_part part, const Output &out) {
  using T = typename Points::coordinate;
  const uint64_t n = num_points.most;
  const auto blocks_of = [&](uint64_t items) { return n / items + 1; };
  const quadrilateral_arguments<Points> read{
      points, num_points, s, plan.iterations > 0, plan.split_from, Blocks::split::tile_points,
      nullptr};
  const uint64_t reading = blocks_of(Policy::read_threads * Policy::read_items);
  auto error = start(std::type_identity<typename Blocks::extremes>{}, reading, read);
  if (!error)
    error = start(std::type_identity<typename Blocks::count_outside>{}, reading, read);
  if (!error)
    error = start(std::type_identity<typename Blocks::collect_outside>{}, reading, read);
  for (uint32_t k = 0; k < plan.iterations && !error; ++k)
    error =
        start(std::type_identity<typename Blocks::split>{}, blocks_of(Blocks::split::tile_points),
              splitting_arguments<T>{s, k, k + 1 < plan.iterations, plan.split_from});
  if (!error)
    error = start(std::type_identity<typename Blocks::independent>{},
                  blocks_of(2 * Policy::independent_threads), independent_arguments<T>{s});
  const finish_arguments<Points, Output> finish{points, num_points, s, part, out};
  const uint64_t words = blocks_of(32 * Blocks::count_marks::tile_words),
                 items = blocks_of(Policy::finish_threads);
  if (!error)
    error = start(std::type_identity<typename Blocks::count_marks>{}, words, finish);
  if (!error)
    error = start(std::type_identity<typename Blocks::gather>{}, words, finish);
  if (!error)
    error = start(std::type_identity<typename Blocks::prepare>{}, items, finish);
  if (!error)
    error = start(std::type_identity<typename Blocks::look_up>{}, items, finish);
  return error ? error : start(std::type_identity<typename Blocks::write>{}, items, finish);
}

} // namespace colonnade::detail
