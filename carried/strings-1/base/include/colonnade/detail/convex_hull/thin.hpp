//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// thin.hpp: of a middling number of points in any order only those that stand on a hood of their
// tile.
//
// In: indices of points, and how many. Out: fewer indices, with the same hull; 0 of them if there
// are so few already that one block finds the hull, or so many that a sort is better. Invariant: a
// vertex of the hull stands on the hoods of its tile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/filter.hpp>
#include <colonnade/detail/convex_hull/hull_order.hpp>

namespace colonnade::detail {

template <class Points> struct thin_arguments {
  Points points;
  const uint32_t *from;
  const uint64_t *num_from;
  uint32_t *to;
  uint64_t *num_to;     // 0 at first
  uint64_t least, most; // else there is nothing to do
};

template <class Points, uint32_t Threads, uint32_t Items, class Machine> class thin_block {
public:
  using arguments = thin_arguments<Points>;
  using hoods = block_hoods<typename Points::coordinate, Threads, Items, true, Machine>;
  static constexpr uint32_t threads = Threads, tile_points = hoods::most_points, resident = 1;
  struct storage {
    typename hoods::storage hoods_storage;
    uint64_t place;
  };

  COLONNADE_KERNEL_CODE thin_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t n = *a_.num_from, begin = uint64_t{machine_.block()} * tile_points;
    if (n < a_.least || n > a_.most || begin >= n)
      return;
    const uint32_t count = n - begin < tile_points ? static_cast<uint32_t>(n - begin) : tile_points;
    hoods h(machine_, s_.hoods_storage);
    h.run(a_.points, count, [&](uint32_t i) { return a_.from[begin + i]; }, false);
    // In any order; the ends that both hoods have once, so that there is room for all.
    const uint32_t counts[2] = {h.count(0), h.count(1)};
    const hull_order order{counts[0], counts[1], h.index(0, 0) == h.index(1, 0),
                           h.index(0, counts[0] - 1) == h.index(1, counts[1] - 1),
                           hull_part::whole};
    if (machine_.thread() == 0)
      s_.place = machine_.take_global(a_.num_to, order.num_vertices());
    machine_.block_sync();
    for (uint32_t half = 0; half < 2; ++half)
      for (uint32_t i = machine_.thread(); i < counts[half]; i += Threads)
        if (const uint64_t at = order.place(half, i); at != hull_order::nowhere)
          a_.to[s_.place + at] = h.index(half, i);
  }

private:
  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail
