//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_sets.hpp: hulls of sets of points, one by each block.
//
//   load     all points, into registers
//   sieve    those that are surely inside a polygon of extreme points are left out
//   hoods    of the others, by block_hoods.hpp: where few are left, with few points for each
//   thread,
//            so that all threads have some
//
// In: the sets of a class. Out: their hulls. Invariant: the points that are left keep their order,
// so those that come by x stay so.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/bulk/sifted_sets.hpp>
#include <colonnade/detail/convex_hull/few_points.hpp>

namespace colonnade::detail {

/// Points of a thread: Items of a set, MostItems of what is left of it, else the set is left to a
/// later launch; FewItems, where few are left. Directions: of the sieve; Later: only those sets
/// whose hulls earlier launches left to be found.
template <class Points, class Offset, class Index, set_class Class, uint32_t Threads,
          uint32_t Resident, uint32_t Items, uint32_t MostItems, uint32_t FewItems,
          uint32_t Directions, bool Later, class Machine>
class block_sets_block {
public:
  using arguments = bulk_arguments<Points, Offset, Index>;
  using coordinate = typename Points::coordinate;
  using point = point_of<coordinate>;
  using hoods = block_hoods<coordinate, Threads, MostItems, false, Machine>;
  using few_hoods = block_hoods<coordinate, Threads, FewItems, false, Machine>;
  using sift = block_sift<coordinate, Threads, Items, Directions, Machine>;
  static constexpr uint32_t resident =
      (sizeof(typename Points::coordinate) == 8 ? Resident * 2 / 3 : Resident) / Threads;
  static constexpr uint32_t threads = Threads, warps = Threads / 32, most_points = Threads * Items;
  struct storage {
    union { // the one before the other
      typename hoods::storage hoods_storage;
      typename few_hoods::storage few_storage;
      typename sift::storage sift_storage;
    };
    typename sift::numbers kept;
    uint32_t bad[warps];
  };

  COLONNADE_KERNEL_CODE block_sets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t sets = a_.sets.class_size(Class);
    for (uint64_t k = machine_.block(); k < sets; k += machine_.num_blocks()) {
      const uint32_t set = a_.sets.of_class(Class, k);
      if (Later && a_.out.counts[set] != hull_to_find)
        continue;
      run_set(set);
      machine_.block_sync(); // the storage is free
    }
  }

private:
  COLONNADE_KERNEL_CODE void run_set(uint32_t set) {
    const uint64_t begin = a_.sets.begin(set);
    const uint32_t size = static_cast<uint32_t>(a_.sets.size(set));
    const auto out = a_.out.of(set, size);
    point points[Items];
    const uint32_t bad = load(begin, size, points);
    if (bad < size) {
      if (machine_.thread() == 0)
        out.refuse(machine_, refusal_of(a_.points, begin, begin + bad, a_.by_x));
      return;
    }
    sift left(machine_, s_.sift_storage, s_.kept);
    const uint32_t count = left.run(size, points, [&](uint32_t i) { return a_.points[begin + i]; });
    if (count <= few_hoods::most_points)
      find_hoods(few_hoods(machine_, s_.few_storage), left, begin, count, out);
    else if (MostItems == Items || count <= hoods::most_points)
      find_hoods(hoods(machine_, s_.hoods_storage), left, begin, count, out);
    else if (machine_.thread() == 0)
      a_.out.counts[set] = hull_to_find;
  }
  template <class Hoods, class Output>
  COLONNADE_KERNEL_CODE void find_hoods(Hoods h, const sift &left, uint64_t begin, uint32_t count,
                                        const Output &out) {
    h.run(
        a_.points, count, [&](uint32_t i) { return static_cast<uint32_t>(begin) + left.kept(i); },
        a_.by_x);
    write_hoods(machine_, h, a_.points, a_.part, out);
  }
  COLONNADE_KERNEL_CODE uint32_t place(uint32_t k) const { return k * Threads + machine_.thread(); }
  /// The place of the first point that is refused, or all ones.
  COLONNADE_KERNEL_CODE uint32_t load(uint64_t begin, uint32_t size, point (&points)[Items]) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      points[k] = a_.points[begin + (place(k) < size ? place(k) : 0)];
    uint32_t bad = ~0u;
    COLONNADE_UNROLL
    for (uint32_t k = Items; k-- > 0;)
      if (place(k) < size && is_refused(a_.points, points[k], begin, begin + place(k), a_.by_x))
        bad = place(k);
    const uint32_t of_warp = ~machine_.largest(~bad);
    if (machine_.lane() == 0)
      s_.bad[machine_.warp()] = of_warp;
    machine_.block_sync();
    for (uint32_t w = 0; w < warps; ++w)
      bad = s_.bad[w] < bad ? s_.bad[w] : bad;
    return bad;
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail
