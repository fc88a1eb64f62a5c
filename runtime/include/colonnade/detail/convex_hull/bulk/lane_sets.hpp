//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lane_sets.hpp: hulls of sets of at most 32 points, one by each lane of a warp.
//
//   load      a warp loads the points of 32 sets, one set after the other
//   sieve     points that are surely inside the quadrilateral of four extreme ones are left out
//   hulls     of the others, by lane_hulls.hpp
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

/// By all lanes: each lane's set. number(lane, i): of the lane's point i, in its set.
template <class Machine, class Arguments, class Hulls, class Number>
COLONNADE_KERNEL_CODE void
write_lane_hulls(const Machine &machine, const Arguments &a, const lane_set &mine,
                 const Hulls &hulls, const typename Hulls::vertices &hull, const Number &number) {
  using index = std::remove_pointer_t<decltype(a.out.hulls)>;
  const bool refused = mine.refused != ~uint64_t{0};
  const auto part =
      refused ? typename Hulls::written_part{0, 0, false} : hulls.written(hull, a.part);
  if (mine.number != ~0u) {
    const auto out = a.out.of(mine.number, mine.size);
    if (refused)
      out.refuse(machine, mine.refused);
    else
      out.put_count(machine, part.size);
  }
  if (!a.out.hulls)
    return;
  const uint32_t packed =
      part.size | hull.size << 8 | part.begin << 16 | uint32_t{part.is_upper} << 24;
  for (uint32_t k = 0; k < 32; k += 2) { // each half of the warp a set
    const uint32_t set = k + machine.lane() / 16;
    const uint32_t of_set = machine.shuffle(packed, set), size = of_set & 255,
                   all = of_set >> 8 & 255, begin = of_set >> 16 & 255, upper = of_set >> 24;
    const uint32_t first = machine.shuffle(mine.begin, set);
    for (uint32_t i = machine.lane() % 16; i < size; i += 16) {
      // The upper hull, left to right: 0, all - 1, all - 2, ...
      const uint32_t at = i + begin, place = upper && at ? all - at : at;
      a.out.hulls[uint64_t{first} + i] =
          static_cast<index>(first + number(set, hulls.vertex(set, place)));
    }
  }
}

/// Most: points of a set, at most 32.
template <class Points, class Offset, class Index, uint32_t Threads, uint32_t Most, class Machine>
class lane_sets_block {
public:
  using arguments = bulk_arguments<Points, Offset, Index>;
  using coordinate = typename Points::coordinate;
  using point = point_of<coordinate>;
  using hulls = lane_hulls<coordinate, Most, Machine>;
  using number = rough_number<coordinate>;
  static constexpr uint32_t threads = Threads;
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
    for (uint64_t first = uint64_t{machine_.block()} * Threads + machine_.warp() * 32; first < sets;
         first += step)
      run_warp(first, sets);
  }

private:
  COLONNADE_KERNEL_CODE void run_warp(uint64_t first, uint64_t sets) {
    lane_set mine{~0u, 0, 0, ~uint64_t{0}};
    if (first + machine_.lane() < sets) {
      mine.number = a_.sets.of_class(set_class::lanes, first + machine_.lane());
      mine.begin = static_cast<uint32_t>(a_.sets.begin(mine.number));
      mine.size = static_cast<uint32_t>(a_.sets.size(mine.number));
      if (!a_.sets.is_valid(mine.number))
        mine.refused = refusal(data_error::bucket_out_of_range, mine.number);
    }
    load(mine);
    machine_.warp_sync();
    const uint32_t most = machine_.largest(mine.size); // of all lanes
    const auto far = find_extremes(most, mine);
    typename hulls::vertices hull{0, 0};
    if (mine.refused == ~uint64_t{0} && mine.size > 0) {
      const lane_sieve sieve = sieve_of(far);
      hull = hulls_.find(mine.size, most, a_.by_x, [&](const point &p) { return sieve.takes(p); });
    }
    machine_.warp_sync();
    write_lane_hulls(machine_, a_, mine, hulls_, hull,
                     [](uint32_t, uint32_t number) { return number; });
    machine_.warp_sync(); // points and stacks are free
  }
  COLONNADE_KERNEL_CODE void load(const lane_set &mine) {
    constexpr uint32_t at_once = 8;
    for (uint32_t k = 0; k < 32; k += at_once) {
      point points[at_once] = {};
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < at_once; ++i) {
        const uint32_t size = machine_.shuffle(mine.size, k + i),
                       begin = machine_.shuffle(mine.begin, k + i);
        if (machine_.lane() < size)
          points[i] = a_.points[begin + machine_.lane()];
      }
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < at_once; ++i)
        if (machine_.lane() < Most)
          hulls_.put(k + i, machine_.lane(), points[i]);
    }
  }
  /// Of each corner, lower left, lower right, upper right, upper left, a point that lies far
  /// towards it, and about how far.
  struct extreme_points {
    float far[4];
    uint32_t at[4];
  };
  COLONNADE_KERNEL_CODE extreme_points find_extremes(uint32_t most, lane_set &mine) const {
    extreme_points found;
    COLONNADE_UNROLL
    for (uint32_t c = 0; c < 4; ++c)
      found.far[c] = -FLT_MAX, found.at[c] = 0;
    bool is_plain = true; // all points are finite, and come by x where they should
    for (uint32_t first = 0; first < most; first += 4)
      COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      if (const uint32_t i = first + k; i < mine.size) {
        const float x = static_cast<float>(hulls_.at(i).x), y = static_cast<float>(hulls_.at(i).y),
                    sum = x + y, difference = x - y;
        is_plain = is_plain && std::fabs(sum) + std::fabs(difference) <= FLT_MAX;
        const float along[4] = {-sum, difference, sum, -difference};
        COLONNADE_UNROLL
        for (uint32_t c = 0; c < 4; ++c) {
          const bool farther = along[c] > found.far[c];
          found.far[c] = farther ? along[c] : found.far[c];
          found.at[c] = farther ? i : found.at[c];
        }
      }
    if (!is_plain || a_.by_x)
      check(mine);
    return found;
  }
  /// Refuses a set with a point that is not finite, or to the left of its predecessor.
  COLONNADE_KERNEL_CODE void check(lane_set &mine) const {
    for (uint32_t i = mine.size; i-- > 0;)
      if (!is_finite(hulls_.at(i)) ||
          (a_.by_x && i > 0 && is_less(hulls_.at(i).x, hulls_.at(i - 1).x)))
        mine.refused = refusal_of(a_.points, mine.begin, uint64_t{mine.begin} + i, a_.by_x);
  }

  /// a x + b y > c: to the left of an edge, for sure.
  struct half_plane {
    number a, b, c;
  };
  /// Those of the edges of the quadrilateral; points are measured from one of the corners. What is
  /// to the left of all edges that are not a point, and there is such an edge, is inside: seen from
  /// there, the corners turn to the left all the way round.
  struct lane_sieve {
    half_plane planes[4];
    point origin;

    COLONNADE_KERNEL_CODE bool takes(const point &p) const {
      const auto d = rough_difference(p, origin);
      bool inside = true;
      COLONNADE_UNROLL
      for (const half_plane &plane : planes)
        inside = inside && plane.a * d.x + plane.b * d.y > plane.c;
      return inside;
    }
  };
  COLONNADE_KERNEL_CODE lane_sieve sieve_of(const extreme_points &far) const {
    lane_sieve sieve;
    sieve.origin = hulls_.at(far.at[0]);
    // No difference of two points' x or y is more, rounding included.
    const float across = (far.far[0] + far.far[2]) + (far.far[1] + far.far[3]),
                away = std::fabs(far.far[0]) + std::fabs(far.far[1]) + std::fabs(far.far[2]) +
                       std::fabs(far.far[3]);
    const number width = static_cast<number>(across + across / 64 + away * 0x1p-20f);
    // Within these limits floats tell points apart, and products of two do not overflow.
    bool has_edge = false;
    COLONNADE_UNROLL
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t from = far.at[c], to = far.at[(c + 1) % 4];
      const auto begin = rough_difference(hulls_.at(from), sieve.origin),
                 edge = rough_difference(hulls_.at(to), hulls_.at(from));
      half_plane &plane = sieve.planes[c];
      plane.a = -edge.y;
      plane.b = edge.x;
      plane.c = plane.a * begin.x + plane.b * begin.y +
                2 * rough_error<number> * (std::fabs(edge.x) + std::fabs(edge.y)) * width +
                rough_underflow<number>;
      has_edge = has_edge || from != to;
      if (from == to)
        plane.c = -1; // all are to the left
    }
    if (!has_edge || !(across > 0x1p-90f && across < 0x1p60f))
      sieve.planes[0] = {0, 0, 1}; // none is
    return sieve;
  }

  const Machine &machine_;
  const arguments &a_;
  hulls hulls_;
};

} // namespace colonnade::detail
