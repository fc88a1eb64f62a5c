//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_sets.hpp: hulls of sets of points, one by each block.
//
//   load     all points, into registers
//   sieve    those that are surely inside a polygon of extreme points are left out
//   hoods    of the others, by block_hoods.hpp
//
// In: the sets of a class. Out: their hulls. Invariant: the points that are left keep their order,
// so those that come by x stay so.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/bulk/lane_sets.hpp>
#include <colonnade/detail/convex_hull/extreme_sieve.hpp>
#include <colonnade/detail/convex_hull/few_points.hpp>

namespace colonnade::detail {

/// Directions: of the sieve.
template <class Points, class Offset, class Index, set_class Class, uint32_t Threads,
          uint32_t Items, uint32_t Directions, class Machine>
class block_sets_block {
public:
  using arguments = bulk_arguments<Points, Offset, Index>;
  using coordinate = typename Points::coordinate;
  using point = point_of<coordinate>;
  using hoods = block_hoods<coordinate, Threads, Items, Machine>;
  using sieve = extreme_sieve<coordinate, Threads, Directions, Machine>;
  static constexpr uint32_t threads = Threads, warps = Threads / 32, most_points = Threads * Items;
  static_assert(most_points <= 1u << extreme_number_bits && warps * Items <= Threads);
  struct storage {
    typename hoods::storage hoods_storage;
    typename sieve::storage sieve_storage;
    uint64_t refused[warps];
    uint32_t counts[Threads], scratch[warps], sum; // of each item and warp
    uint16_t kept[most_points];
  };

  COLONNADE_KERNEL_CODE block_sets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t sets = a_.sets.class_size(Class);
    for (uint64_t k = machine_.block(); k < sets; k += machine_.num_blocks()) {
      run_set(a_.sets.of_class(Class, k));
      machine_.block_sync(); // the storage is free
    }
  }

private:
  COLONNADE_KERNEL_CODE void run_set(uint32_t set) {
    const uint64_t begin = a_.sets.begin(set);
    const uint32_t size = static_cast<uint32_t>(a_.sets.size(set));
    const auto out = a_.out.of(set, size);
    point points[Items];
    const uint64_t bad = load(begin, size, points);
    if (bad != ~uint64_t{0}) {
      if (machine_.thread() == 0)
        out.refuse(machine_, bad);
      return;
    }
    const uint32_t left = keep(begin, size, points);
    hoods h(machine_, s_.hoods_storage);
    h.run(
        a_.points, left, [&](uint32_t i) { return static_cast<uint32_t>(begin) + s_.kept[i]; },
        a_.by_x);
    write_hoods(machine_, h, a_.points, a_.part, out);
  }
  COLONNADE_KERNEL_CODE uint32_t place(uint32_t k) const { return k * Threads + machine_.thread(); }
  /// The first refusal of a point.
  COLONNADE_KERNEL_CODE uint64_t load(uint64_t begin, uint32_t size, point (&points)[Items]) {
    uint64_t bad = ~uint64_t{0};
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (place(k) < size)
        points[k] = a_.points[begin + place(k)];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (place(k) < size) {
        const uint64_t refused = refusal_of(a_.points, begin, begin + place(k), a_.by_x);
        bad = refused < bad ? refused : bad;
      }
    return block_smallest(machine_, bad, s_.refused);
  }
  /// Places of points that may stand on the hull, in order; how many.
  COLONNADE_KERNEL_CODE uint32_t keep(uint64_t begin, uint32_t size, const point (&points)[Items]) {
    sieve sift(machine_, s_.sieve_storage, a_.points[begin]);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (place(k) < size)
        sift.add(points[k], place(k));
    const bool takes_any = sift.make([&](uint32_t i) { return a_.points[begin + i]; });
    uint32_t ballots[Items];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      ballots[k] = machine_.ballot(place(k) < size && !(takes_any && sift.takes(points[k])));
      if (machine_.lane() == 0)
        s_.counts[k * warps + machine_.warp()] = Machine::count_ones(ballots[k]);
    }
    const uint32_t left = place_counts();
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (ballots[k] >> machine_.lane() & 1)
        s_.kept[s_.counts[k * warps + machine_.warp()] +
                Machine::count_ones(ballots[k] & ((1u << machine_.lane()) - 1))] =
            static_cast<uint16_t>(place(k));
    machine_.block_sync();
    return left;
  }
  /// Makes of the counts what is before each; their sum.
  COLONNADE_KERNEL_CODE uint32_t place_counts() {
    machine_.block_sync(); // the counts are there
    const uint32_t mine = machine_.thread();
    const uint32_t count = mine < Items * warps ? s_.counts[mine] : 0;
    const uint32_t before = block_exclusive_sum(machine_, count, s_.scratch);
    s_.counts[mine] = before;
    if (mine == Threads - 1)
      s_.sum = before + count;
    machine_.block_sync();
    return s_.sum;
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail
