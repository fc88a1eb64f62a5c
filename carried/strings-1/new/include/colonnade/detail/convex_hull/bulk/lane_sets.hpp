//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lane_sets.hpp: hulls of sets of at most 32 points, one by each lane of a warp.
//
//   load      a warp loads the points of 32 sets, one set after the other
//   sift      points that are surely inside the octagon of eight extreme ones (lane_sieve.hpp)
//             are left out; the others are listed
//   hulls     of these, by lane_hulls.hpp
//   write     two sets at once
//
// In: the sets of a class. Out: their hulls. Invariant: every decision is exact; lanes whose sets
// differ in size run the same steps, one orientation of three points in each.
//
// Complexity: for each set O(n log^2 n) comparisons of words, at most 4 n orientations.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/bulk/bulk_sets.hpp>
#include <colonnade/detail/convex_hull/bulk/lane_hulls.hpp>
#include <colonnade/detail/convex_hull/bulk/lane_sieve.hpp>
#include <colonnade/detail/convex_hull/filter.hpp>

namespace colonnade::detail {

template <class Points, class Offset, class Index> struct bulk_arguments {
  Points points;
  bulk_sets<Offset> sets;
  bool by_x;
  hull_part part;
  bulk_output<Offset, Index> out;
};

/// A lane's set.
struct lane_set {
  uint32_t number; // ~0: none
  uint32_t begin, size;
  uint64_t refused;
};

/// By all lanes: each lane's set, and what is written of its hull. number(lane, i): of the lane's
/// point i, in its set.
template <class Machine, class Arguments, class Hulls, class Number>
COLONNADE_KERNEL_CODE void
write_lane_hulls(const Machine &machine, const Arguments &a, const lane_set &mine,
                 const Hulls &hulls, const typename Hulls::vertices &hull,
                 const typename Hulls::written_part &part, const Number &number) {
  using index = std::remove_pointer_t<decltype(a.out.hulls)>;
  const bool refused = mine.refused != ~uint64_t{0};
  if (mine.number != ~0u) {
    const auto out = a.out.of(mine.number, mine.size);
    if (refused)
      out.refuse(machine, mine.refused);
    else
      out.put_count(machine, part.size);
  }
  if (!a.out.hulls)
    return;
  const uint32_t sizes =
      refused ? 0 : part.size | hull.size << 8 | part.begin << 16 | uint32_t{part.is_upper} << 24;
  const auto write = [&](auto place_of) {
    COLONNADE_UNROLL_BY(1)
    for (uint32_t k = 0; k < 32; k += 2) { // each half of the warp a set
      const uint32_t set = k + machine.lane() / 16, of_set = machine.shuffle(sizes, set),
                     first = machine.shuffle(mine.begin, set), size = of_set & 255;
      index *to = a.out.hulls + first;
      const auto put = [&](uint32_t i) {
        to[i] = static_cast<index>(first + number(set, hulls.vertex(set, place_of(of_set, i))));
      };
      if (machine.lane() % 16 < size)
        put(machine.lane() % 16);
      for (uint32_t i = machine.lane() % 16 + 16; i < size; i += 16)
        put(i);
    }
  };
  if (a.part == hull_part::upper) // left to right: 0, all - 1, all - 2, ...
    write([](uint32_t of_set, uint32_t i) {
      const uint32_t all = of_set >> 8 & 255, at = i + (of_set >> 16 & 255);
      return of_set >> 24 && at ? all - at : at;
    });
  else
    write([](uint32_t, uint32_t i) { return i; });
}

/// Copies a point to shared memory.
template <class Machine, class T>
COLONNADE_KERNEL_CODE void copy_point(const Machine &machine, point_of<T> &to,
                                      const interleaved_points<T> &points, uint64_t i) {
  machine.template copy_async<2 * sizeof(T)>(&to, points.d_coordinates + 2 * i);
}
template <class Machine, class T>
COLONNADE_KERNEL_CODE void copy_point(const Machine &machine, point_of<T> &to,
                                      const separate_points<T> &points, uint64_t i) {
  machine.template copy_async<sizeof(T)>(&to.x, points.d_x + i);
  machine.template copy_async<sizeof(T)>(&to.y, points.d_y + i);
}

/// Most: points of a set, at most 32.
template <class Points, class Offset, class Index, uint32_t Threads, uint32_t Most, class Machine>
class lane_sets_block {
public:
  using arguments = bulk_arguments<Points, Offset, Index>;
  using coordinate = typename Points::coordinate;
  using point = point_of<coordinate>;
  using hulls = lane_hulls<coordinate, Most, Machine>;
  static constexpr uint32_t threads = Threads;
  static constexpr uint32_t waves = 1;
  static_assert(Most <= 32, "convex hull: places are bits of a word");
  struct storage {
    typename hulls::storage warps[Threads / 32];
  };

  COLONNADE_KERNEL_CODE lane_sets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a),
        hulls_(machine, reinterpret_cast<storage *>(shared)->warps[machine.warp()]) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t sets = a_.sets.class_size(set_class::lanes);
    const uint64_t step = uint64_t{machine_.num_blocks()} * Threads;
    uint64_t first = uint64_t{machine_.block()} * Threads + machine_.warp() * 32;
    lane_set mine = set_of(bounds_of(number_at(first, sets)));
    load(mine);
    uint32_t next = number_at(first + step, sets);
    for (; first < sets; first += step) {
      const set_bounds bounds = bounds_of(next);
      next = number_at(first + 2 * step, sets);
      run_warp(mine, bounds);
    }
  }

private:
  /// Of a set: read long before they are asked for, and looked at only then.
  struct set_bounds {
    uint32_t number; // ~0: there is no set
    Offset begin, end;
  };

  /// Of this lane's set, if the warp begins there.
  COLONNADE_KERNEL_CODE uint32_t number_at(uint64_t first, uint64_t sets) const {
    const uint64_t mine = first + machine_.lane();
    return mine < sets ? a_.sets.of_class(set_class::lanes, mine) : ~0u;
  }
  COLONNADE_KERNEL_CODE set_bounds bounds_of(uint32_t number) const {
    set_bounds bounds{number, 0, 0};
    if (number != ~0u) {
      bounds.begin = a_.sets.offsets[number];
      bounds.end = a_.sets.offsets[uint64_t{number} + 1];
    }
    return bounds;
  }
  COLONNADE_KERNEL_CODE lane_set set_of(const set_bounds &bounds) const {
    lane_set mine{bounds.number, static_cast<uint32_t>(bounds.begin), 0, ~uint64_t{0}};
    if (a_.sets.is_valid(bounds.begin, bounds.end))
      mine.size = static_cast<uint32_t>(bounds.end - bounds.begin);
    else
      mine.refused = refusal(data_error::bucket_out_of_range, mine.number);
    return mine;
  }
  /// The points of the next sets are under way while vertices are written.
  COLONNADE_KERNEL_CODE void run_warp(lane_set &mine, const set_bounds &next) {
    machine_.wait_for_copies();
    machine_.warp_sync();
    const uint32_t left = sift(mine), most = machine_.largest(left); // of all lanes
    typename hulls::vertices hull{0, 0};
    if (left > 0)
      hull = hulls_.find(left, most, a_.by_x, [&](uint32_t i) { return hulls_.listed(i); });
    const auto part = hulls_.written(hull, a_.part);
    machine_.warp_sync(); // stacks are there, and points are free
    const lane_set then = set_of(next);
    load(then);
    write_lane_hulls(machine_, a_, mine, hulls_, hull, part,
                     [](uint32_t, uint32_t number) { return number; });
    machine_.warp_sync(); // stacks are free
    mine = then;
  }
  /// Behind a set's last point there are copies of it.
  COLONNADE_KERNEL_CODE void load(const lane_set &set) {
    const Points points = a_.points;
    const uint32_t begin = machine_.shuffle(set.begin, 0), size = machine_.shuffle(set.size, 0);
    const bool is_like_first = set.size == size && set.begin == begin + machine_.lane() * size;
    if (size > 0 && machine_.ballot(is_like_first) == ~0u)
      load_alike(points, begin, size);
    else
      load_each(points, set);
  }
  /// Sets of one size, one behind the other.
  COLONNADE_KERNEL_CODE void load_alike(const Points &points, uint32_t begin, uint32_t size) {
    const uint32_t mine = begin + (machine_.lane() < size ? machine_.lane() : size - 1);
    COLONNADE_UNROLL_BY(4)
    for (uint32_t k = 0; k < 32; ++k)
      if (machine_.lane() < Most)
        copy_point(machine_, hulls_.place(k, machine_.lane()), points, mine + k * size);
  }
  COLONNADE_KERNEL_CODE void load_each(const Points &points, const lane_set &set) {
    const uint32_t last = set.size - 1; // all ones: there are none
    COLONNADE_UNROLL_BY(4)
    for (uint32_t k = 0; k < 32; ++k) {
      const uint32_t of_set = machine_.shuffle(last, k), begin = machine_.shuffle(set.begin, k);
      if (of_set != ~0u && machine_.lane() < Most)
        copy_point(machine_, hulls_.place(k, machine_.lane()), points,
                   begin + (machine_.lane() < of_set ? machine_.lane() : of_set));
    }
  }
  /// Lists the points that are not surely inside; how many these are. None, if the set is refused.
  COLONNADE_KERNEL_CODE uint32_t sift(lane_set &mine) {
    const uint32_t most = machine_.largest(mine.size);
    lane_extremes found;
    for (uint32_t first = 0; first < most; first += at_once)
      COLONNADE_UNROLL
    for (uint32_t k = 0; k < at_once; ++k)
      found.add(hulls_.at(first + k), first + k);
    if (!found.are_plain() || a_.by_x)
      check(mine);
    if (mine.refused != ~uint64_t{0} || mine.size == 0)
      return 0;
    const lane_sieve<coordinate> sieve(found, mine.size - 1,
                                       [&](uint32_t i) { return hulls_.at(i); });
    uint32_t left = 0;
    for (uint32_t first = 0; first < most; first += at_once) {
      bool stays[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        stays[k] = !sieve.takes(hulls_.at(first + k)) & (first + k < mine.size);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k) {
        hulls_.list(left, first + k); // written over by the next one, if it does not stay
        left += stays[k];
      }
    }
    return left;
  }
  /// Refuses a set with a point that is not finite, or to the left of its predecessor.
  COLONNADE_KERNEL_CODE void check(lane_set &mine) const {
    for (uint32_t i = mine.size; i-- > 0;)
      if (!is_finite(hulls_.at(i)) ||
          (a_.by_x && i > 0 && is_less(hulls_.at(i).x, hulls_.at(i - 1).x)))
        mine.refused = refusal_of(a_.points, mine.begin, uint64_t{mine.begin} + i, a_.by_x);
  }

  /// Points that are looked at at once.
  static constexpr uint32_t at_once = 4;
  static_assert(Most % at_once == 0 && Most <= 1u << lane_number_bits);

  const Machine &machine_;
  const arguments &a_;
  hulls hulls_;
};

} // namespace colonnade::detail
