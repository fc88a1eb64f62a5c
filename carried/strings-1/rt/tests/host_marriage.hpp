//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_marriage.hpp: a convex hull by marriage before conquest on the host: the GPU's blocks under
// random schedules, in the launches of marriage_blocks.hpp.
//
// In: points, a seed and a planted fault. Out: the hull, what was counted, and complaints about
// accesses. Invariant: one seed is one schedule.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_hull.hpp"

#include <colonnade/detail/convex_hull/marriage/marriage_blocks.hpp>

namespace colonnade::testing {

struct marriage_faults : faults {
  bool lost_problem = false; // the warps forget the last subproblem
  bool false_vertex = false; // the vertex of warps' subproblems is any of their points
  bool lost_mark = false;    // one vertex has no mark
  bool moved_end = false;    // a subproblem's end l is its vertex m
  bool empty_bitmap = false; // the vertices are not in the bitmap
  bool wrong_corner = false; // a corner is not extreme
};

/// Small blocks and subproblems: few points are many.
struct small_marriage_policy : marriage_hull_policy {
  static constexpr uint32_t processors = 1000, split_least = 48, split_threads = 64,
                            split_bytes = 24;
  static constexpr uint32_t read_threads = 64, read_items = 2, scan_items = 2,
                            independent_threads = 64, independent_rows = 2, finish_threads = 32;
  static constexpr bool count_iterations = true;
};
struct pruned_marriage_policy : small_marriage_policy {
  static constexpr bool prune_pairs = true;
};
/// Warps do it all.
struct warps_only_policy : small_marriage_policy {
  static constexpr uint32_t split_least = 100000;
};
struct pruned_warps_policy : warps_only_policy {
  static constexpr bool prune_pairs = true;
};

struct host_marriage_result {
  std::vector<uint64_t> hull;
  uint64_t num_hull = 77;
  marriage_counts counts;
  device_status status;
  std::string complaints;
};

template <class Policy, class Points>
host_marriage_result host_marriage(unsigned seed, marriage_faults planted, const Points &points,
                                   item_count count, uint64_t capacity,
                                   hull_part part = hull_part::whole) {
  using namespace detail;
  using T = typename Points::coordinate;
  using vertices = index_vertices<uint64_t>;
  using blocks = marriage_blocks<Policy, Points, vertices, host_machine>;
  host_marriage_result result;
  result.hull.assign(capacity + 4, 0xabab);
  const hull_output<vertices> out{{result.hull.data()}, capacity, &result.num_hull, &result.status};
  const marriage_plan<Policy, T> plan(count.most);
  std::vector<char> temp(plan.storage.bytes() + 64, static_cast<char>(0x5a));
  const marriage_storage<T> s = plan.at(temp.data());
  host_grid grid(seed, 3, planted);
  grid.run(2, 64, 0, [&](const host_machine &m, char *) {
    begin_marriage(m,
                   begin_marriage_arguments<T>{s, mark_words(count.most), count, &result.status});
  });
  const auto start = [&]<class Block>(std::type_identity<Block>, uint64_t wanted,
                                      const typename Block::arguments &arguments) {
    if (std::is_same_v<Block, typename blocks::independent> && s.state->num_done) {
      s.state->num_done -= planted.lost_problem;
      for (uint64_t k = 0; planted.false_vertex && k < s.state->num_done; ++k)
        s.done[k].m = s.points[s.done[k].in_second][s.done[k].begin];
      if (planted.moved_end)
        s.done[0].l = s.done[0].m;
    }
    if (std::is_same_v<Block, typename blocks::count_marks> && planted.lost_mark)
      for (uint64_t w = 0; w < mark_words(count.most); ++w)
        if (s.marks[w]) {
          s.marks[w] &= s.marks[w] - 1;
          break;
        }
    if (std::is_same_v<Block, typename blocks::count_outside> && planted.wrong_corner)
      s.state->corners[1] = static_cast<uint32_t>(count.now() / 2);
    if (std::is_same_v<Block, typename blocks::look_up> && planted.empty_bitmap)
      std::fill(s.bitmap, s.bitmap + mark_words(count.most), 0);
    const uint32_t number = static_cast<uint32_t>(std::min<uint64_t>(wanted, 3));
    if constexpr (requires { typename Block::storage; })
      grid.run(number, Block::threads, sizeof(typename Block::storage),
               [&](const host_machine &m, char *shared) { Block(m, arguments, shared).run(); });
    else
      grid.run(number, Block::threads, 0,
               [&](const host_machine &m, char *) { Block(m, arguments).run(); });
    return false;
  };
  find_by_marriage<blocks, Policy>(start, points, count, s, plan, part, out);
  result.counts = s.state->counts;
  for (size_t i = temp.size() - 64; i < temp.size(); ++i)
    if (temp[i] != static_cast<char>(0x5a))
      grid.complaints.push_back("written beyond the storage");
  for (uint64_t i = std::min(capacity, result.num_hull); i < result.hull.size(); ++i)
    if (result.hull[i] != 0xabab)
      grid.complaints.push_back("written beyond the hull");
  result.hull.resize(std::min(capacity, result.num_hull));
  result.complaints = grid.all_complaints();
  return result;
}

} // namespace colonnade::testing
