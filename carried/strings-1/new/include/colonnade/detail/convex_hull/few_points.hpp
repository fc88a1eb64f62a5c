//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// few_points.hpp: the whole hull of few points, by one block.
//
// In: the points, or those that the filter has kept. Out: the hull, and the number of its vertices.
// If there are more than the block holds, it only says how many are to be sorted. Invariant: where
// a point is not finite, there is no hull, and nothing is left to do for others.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/block_sift.hpp>
#include <colonnade/detail/convex_hull/filter.hpp>
#include <colonnade/detail/convex_hull/hull_order.hpp>
#include <colonnade/detail/device/block_smallest.hpp>

namespace colonnade::detail {

/// Writes the hull whose hoods a block has found.
template <class Machine, class Hoods, class Points, class Output>
COLONNADE_KERNEL_CODE void write_hoods(const Machine &machine, const Hoods &h, const Points &points,
                                       hull_part part, const Output &out) {
  const uint32_t counts[2] = {h.count(0), h.count(1)};
  const hull_order order{counts[0], counts[1], h.index(0, 0) == h.index(1, 0),
                         h.index(0, counts[0] - 1) == h.index(1, counts[1] - 1), part};
  for (uint32_t half = 0; half < 2; ++half)
    for (uint32_t i = machine.thread(); i < counts[half]; i += Hoods::threads)
      out.put(points, order.place(half, i), h.index(half, i));
  if (machine.thread() == 0)
    out.put_count(machine, order.num_vertices());
}

template <class Points, class Vertices> struct few_points_arguments {
  Points points;
  item_count num_points;
  const uint32_t *kept;       // indices of those that the filter keeps
  const uint32_t *thinned[2]; // of those that are left of them, and of these
  hull_state *state;          // of the filter; null: it did not run
  hull_part part;
  bool by_x; // points come so, or are refused
  hull_output<Vertices> out;
};

template <class Points, class Vertices, uint32_t Threads, uint32_t Items, class Machine>
class few_points_block {
public:
  using arguments = few_points_arguments<Points, Vertices>;
  using coordinate = typename Points::coordinate;
  using hoods = block_hoods<coordinate, Threads, Items, false, Machine>;
  using sifted_hoods = block_hoods<coordinate, Threads, 1, false, Machine>; // of few that are left
  static constexpr uint32_t threads = Threads, most_points = hoods::most_points, directions = 16,
                            resident = 1;
  using sift = block_sift<coordinate, Threads, Items, directions, Machine>;
  struct storage {
    union { // the one before the other
      typename hoods::storage hoods_storage;
      typename sifted_hoods::storage sifted_storage;
      typename sift::storage sift_storage;
    };
    typename sift::numbers kept;
    uint64_t refused[Threads / 32];
  };

  COLONNADE_KERNEL_CODE few_points_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    if (a_.state == nullptr)
      report_count(machine_, a_.num_points, a_.out.status);
    const uint64_t n = a_.state ? left() : a_.num_points.now();
    const uint32_t *indices = a_.state ? those_left() : nullptr;
    const uint64_t bad = a_.state ? a_.state->findings.refused : refused_of(n);
    if (bad != ~uint64_t{0} || n == 0) {
      if (machine_.thread() == 0) {
        if (n == 0)
          a_.out.put_count(machine_, 0);
        else
          a_.out.refuse(machine_, bad);
      }
      return;
    }
    if (n > most_points) {
      if (machine_.thread() == 0)
        a_.state->sorted = a_.state->kept;
      return;
    }
    find(static_cast<uint32_t>(n), [&](uint32_t i) { return indices ? indices[i] : i; });
  }

private:
  /// index(i): of point i, in the input.
  template <class Index> COLONNADE_KERNEL_CODE void find(uint32_t size, Index index) {
    sift some(machine_, s_.sift_storage, s_.kept);
    typename sift::points mine;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      mine[k] = a_.points[index(some.number(k) < size ? some.number(k) : 0)];
    const uint32_t left = some.run(size, mine, [&](uint32_t i) { return a_.points[index(i)]; });
    const auto kept = [&](uint32_t i) { return index(some.kept(i)); };
    if (left <= sifted_hoods::most_points)
      find(sifted_hoods(machine_, s_.sifted_storage), left, kept);
    else
      find(hoods(machine_, s_.hoods_storage), left, kept);
  }
  template <class Hoods, class Index>
  COLONNADE_KERNEL_CODE void find(Hoods h, uint32_t count, Index index) {
    h.run(a_.points, count, index, a_.by_x);
    write_hoods(machine_, h, a_.points, a_.part, a_.out);
  }
  COLONNADE_KERNEL_CODE uint64_t left() const {
    const hull_state &s = *a_.state;
    return s.thinned[1] ? s.thinned[1] : s.thinned[0] ? s.thinned[0] : s.kept;
  }
  COLONNADE_KERNEL_CODE const uint32_t *those_left() const {
    const hull_state &s = *a_.state;
    return s.thinned[1] ? a_.thinned[1] : s.thinned[0] ? a_.thinned[0] : a_.kept;
  }
  COLONNADE_KERNEL_CODE uint64_t refused_of(uint64_t n) const {
    uint64_t bad = ~uint64_t{0};
    for (uint64_t i = machine_.thread(); i < n; i += Threads)
      if (bad == ~uint64_t{0})
        bad = refusal_of(a_.points, 0, i, a_.by_x);
    return block_smallest(machine_, bad, s_.refused);
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail
