//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lane_sets.hpp: hulls of sets of at most 32 points, one by each lane of a warp.
//
//   load      a warp loads the points of 32 sets, one set after the other
//   sieve     points that are surely inside the quadrilateral of four extreme ones are left out
//   sort      by x, in registers: the upper bits of x and the point's number in one word; then
//             where upper bits are equal, by insertion, by x, y and index
//   chain     counter-clockwise: to the right what lies below the line from the first to the last
//             point, back to the left what lies above it, on one stack
//   write     two sets at once
//
// In: the sets of a class. Out: their hulls. Invariant: every decision is exact; lanes whose sets
// differ in size run the same steps, one orientation of three points in each.
//
// Complexity: for each set O(n log^2 n) comparisons of words, at most 4 n orientations.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/block_hoods.hpp>
#include <colonnade/detail/convex_hull/bulk/bulk_sets.hpp>
#include <colonnade/detail/convex_hull/filter.hpp>
#include <colonnade/detail/convex_hull/rough.hpp>
#include <colonnade/detail/sort_network/network.hpp>

namespace colonnade::detail {

template <class Points, class Offset, class Index> struct bulk_arguments {
  Points points;
  bulk_sets<Offset> sets;
  bool by_x;
  hull_part part;
  bulk_output<Offset, Index> out;
};

/// What a warp keeps. A lane's points are one row; its bytes are one column.
template <class T, uint32_t Most> struct lane_sets_storage {
  point_of<T> points[32 * (Most + 1)];
  uint8_t order[32 * Most], hull[32 * Most];
};

/// Most: points of a set, at most 32.
template <class Points, class Offset, class Index, uint32_t Threads, uint32_t Most, class Machine>
class lane_sets_block {
public:
  using arguments = bulk_arguments<Points, Offset, Index>;
  using coordinate = typename Points::coordinate;
  using point = point_of<coordinate>;
  using word = typename sorted_as<coordinate>::raw;
  using warp_storage = lane_sets_storage<coordinate, Most>;
  static constexpr uint32_t threads = Threads;
  static_assert(Most <= 32, "convex hull: places are bits of a word");
  struct storage {
    warp_storage warps[Threads / 32];
  };

  COLONNADE_KERNEL_CODE lane_sets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(reinterpret_cast<storage *>(shared)->warps[machine.warp()]) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t sets = a_.sets.class_size(set_class::lanes);
    const uint64_t step = uint64_t{machine_.num_blocks()} * Threads;
    for (uint64_t first = uint64_t{machine_.block()} * Threads + machine_.warp() * 32; first < sets;
         first += step)
      run_warp(first, sets);
  }

private:
  /// A lane's set.
  struct lane_set {
    uint32_t number; // ~0: none
    uint32_t begin, size;
    uint64_t refused;
  };
  /// A lane's hull: the stack, counter-clockwise from the first point; the last one stands at
  /// lower - 1.
  struct lane_hull {
    uint32_t size, lower;
  };

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
    lane_hull hull{0, 0};
    if (mine.refused == ~uint64_t{0} && mine.size > 0)
      hull = chain(sort(mine, most, far));
    machine_.warp_sync();
    write(mine, hull);
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
          s_.points[(k + i) * (Most + 1) + machine_.lane()] = {without_sign_of_zero(points[i].x),
                                                               without_sign_of_zero(points[i].y)};
    }
  }
  static COLONNADE_KERNEL_CODE coordinate without_sign_of_zero(coordinate x) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_floating_point_v<coordinate>)
      return rounded_difference(x, coordinate(-0.0));
#endif
    return x == 0 && !is_less(x, coordinate{0}) && !is_less(coordinate{0}, x) ? coordinate{0} : x;
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
        const float x = static_cast<float>(at(i).x), y = static_cast<float>(at(i).y),
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
      if (!is_finite(at(i)) || (a_.by_x && i > 0 && is_less(at(i).x, at(i - 1).x)))
        mine.refused =
            refusal_of(a_.points, mine.begin, uint64_t{mine.begin} + i, a_.by_x);
  }

  using number = rough_number<coordinate>;
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
    sieve.origin = at(far.at[0]);
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
      const auto begin = rough_difference(at(from), sieve.origin),
                 edge = rough_difference(at(to), at(from));
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

  COLONNADE_KERNEL_CODE const point &at(uint32_t number) const {
    return s_.points[machine_.lane() * (Most + 1) + number];
  }
  /// Number of the point that is i-th by x, y and index.
  COLONNADE_KERNEL_CODE uint8_t &order(uint32_t i) { return s_.order[i * 32 + machine_.lane()]; }
  COLONNADE_KERNEL_CODE uint8_t &stacked(uint32_t i) { return s_.hull[i * 32 + machine_.lane()]; }

  struct exchange_words {
    COLONNADE_KERNEL_CODE void operator()(word &low, word &high, bool) const {
      const word a = low, b = high;
      low = a < b ? a : b;
      high = a < b ? b : a;
    }
  };
  /// How many points are left. most: of a set of any lane.
  COLONNADE_KERNEL_CODE uint32_t sort(const lane_set &mine, uint32_t most,
                                      const extreme_points &far) {
    const lane_sieve sieve = sieve_of(far);
    uint32_t count = 0, close = 0; // those that may come before their predecessor
    if (a_.by_x) {
      for (uint32_t i = 0; i < mine.size; ++i)
        if (!sieve.takes(at(i)))
          order(count++) = static_cast<uint8_t>(i);
      close = (1u << (count - 1)) - 1;
    } else {
      word words[Most];
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < Most; ++i) {
        words[i] = static_cast<word>(~word{0});
        if (i < most) {
          const point p = at(i < mine.size ? i : 0);
          const bool stays = i < mine.size && !sieve.takes(p);
          count += stays;
          if (stays)
            words[i] = static_cast<word>((order_word(p.x) & ~word{31}) | i);
        }
      }
      sort_registers<odd_even_network, Most>(words, Most, exchange_words{});
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < Most; ++i)
        if (i < count) {
          order(i) = static_cast<uint8_t>(words[i] & 31);
          if (i > 0 && (words[i] ^ words[i - 1]) < 32)
            close |= 1u << (i - 1);
        }
    }
    for (; close; close &= close - 1)
      insert(machine_.first_one(close) + 1);
    return count;
  }
  COLONNADE_KERNEL_CODE void insert(uint32_t i) {
    const uint8_t number = order(i);
    for (; i > 0 && precedes(number, order(i - 1)); --i)
      order(i) = order(i - 1);
    order(i) = number;
  }
  COLONNADE_KERNEL_CODE bool precedes(uint32_t a, uint32_t b) const {
    const point &p = at(a), &q = at(b);
    if (!is_equal(p.x, q.x))
      return is_less(p.x, q.x);
    if (!is_equal(p.y, q.y))
      return is_less(p.y, q.y);
    return a < b;
  }
  /// -0.0 is not among them.
  static COLONNADE_KERNEL_CODE bool same(const point &p, const point &q) {
    word bits[4];
    memcpy(bits, &p, sizeof p);
    memcpy(bits + 2, &q, sizeof q);
    return bits[0] == bits[2] && bits[1] == bits[3];
  }

  /// Bits of points in order that lie below and above the line from the first to the last one;
  /// those above in the reverse order, bit 0 the last one.
  struct two_sides {
    uint32_t below, above;
  };
  COLONNADE_KERNEL_CODE two_sides part(uint32_t size) {
    const point first = at(order(0)), last = at(order(size - 1));
    const auto line = rough_difference(last, first);
    two_sides sides{0, 0};
    uint32_t unsure = 0;
    for (uint32_t i = 1; i + 1 < size; ++i) {
      const auto side = rough_cross(line, rough_difference(at(order(i)), first));
      sides.below |= static_cast<uint32_t>(side.is_surely_negative()) << i;
      sides.above |= static_cast<uint32_t>(side.is_surely_positive()) << (size - 1 - i);
      unsure |= static_cast<uint32_t>(!side.is_surely_negative() && !side.is_surely_positive())
                << i;
    }
    for (; unsure != 0; unsure &= unsure - 1) {
      const uint32_t i = machine_.first_one(unsure);
      const int side = orientation(first, last, at(order(i)));
      sides.below |= static_cast<uint32_t>(side < 0) << i;
      sides.above |= static_cast<uint32_t>(side > 0) << (size - 1 - i);
    }
    return sides;
  }
  /// The vertex that was stacked last, and how it was reached.
  struct stack_top {
    point top, under;
    rough_vector<number> edge; // from the one to the other
  };
  COLONNADE_KERNEL_CODE lane_hull chain(uint32_t size) {
    two_sides sides = part(size);
    uint32_t end = size - 1; // the first of the points in the last one's place
    while (end > 0 && same(at(order(end - 1)), at(order(size - 1))))
      --end;
    lane_hull hull{1, 0};
    stacked(0) = order(0);
    if (end == 0)
      return {1, 1};
    const point leftmost = at(order(0));
    stack_top stack{leftmost, leftmost, onwards(false)};
    uint32_t rest = sides.below | 1u << end, fixed = 1; // so many are not taken from the stack
    while (true) {
      if (rest == 0) {
        if (hull.lower != 0)
          return hull;
        hull.lower = fixed = hull.size;
        stack.edge = onwards(true);
        rest = sides.above | 1u << (size - 1); // the first one again, which is not stacked
      }
      const uint32_t bit = machine_.first_one(rest);
      const bool back = hull.lower != 0, closes = back && bit == size - 1;
      const uint8_t number_of_next = order(back ? size - 1 - bit : bit);
      const point next = at(number_of_next);
      const auto step = rough_difference(next, stack.top);
      const auto turn = rough_cross(stack.edge, step);
      bool turns = turn.is_surely_positive(), again = false;
      if (!turns && !turn.is_surely_negative()) {
        again = same(next, stack.top);
        turns = again || hull.size <= fixed || orientation(stack.under, stack.top, next) > 0;
      }
      if (!turns) {
        --hull.size;
        stack.top = stack.under;
        if (hull.size > fixed) {
          stack.under = at(stacked(hull.size - 2));
          stack.edge = rough_difference(stack.top, stack.under);
        } else {
          stack.edge = onwards(back);
        }
        continue;
      }
      rest &= rest - 1;
      if (again) { // on the way back the smaller index comes later
        if (back)
          stacked(hull.size - 1) = number_of_next;
      } else if (!closes) {
        stacked(hull.size++) = number_of_next;
        stack = {next, stack.top, step};
      }
    }
  }
  /// An edge that comes before the first one of a chain: whatever lies onwards is to the left.
  static COLONNADE_KERNEL_CODE rough_vector<number> onwards(bool back) {
    return {0, back ? number{1} : number{-1}};
  }

  /// How many vertices are written, and which.
  struct written_part {
    uint32_t size, begin;
    bool is_upper;
  };
  COLONNADE_KERNEL_CODE written_part written(const lane_hull &hull) {
    if (a_.part == hull_part::whole || hull.size <= 1)
      return {hull.size, 0, false};
    const auto x = [&](uint32_t i) { return at(stacked(i)).x; };
    if (a_.part == hull_part::lower)
      return {hull.lower - is_equal(x(hull.lower - 1), x(hull.lower - 2)), 0, false};
    const uint32_t vertical = is_equal(x(0), x(hull.size - 1));
    return {hull.size - hull.lower + 2 - vertical, vertical, true};
  }
  COLONNADE_KERNEL_CODE void write(const lane_set &mine, const lane_hull &hull) {
    const bool refused = mine.refused != ~uint64_t{0};
    const written_part part = refused ? written_part{0, 0, false} : written(hull);
    if (mine.number != ~0u) {
      const auto out = a_.out.of(mine.number, mine.size);
      if (refused)
        out.refuse(machine_, mine.refused);
      else
        out.put_count(machine_, part.size);
    }
    if (!a_.out.hulls)
      return;
    const uint32_t packed =
        part.size | hull.size << 8 | part.begin << 16 | uint32_t{part.is_upper} << 24;
    for (uint32_t k = 0; k < 32; k += 2) { // each half of the warp a set
      const uint32_t set = k + machine_.lane() / 16;
      const uint32_t of_set = machine_.shuffle(packed, set), size = of_set & 255,
                     all = of_set >> 8 & 255, begin = of_set >> 16 & 255, upper = of_set >> 24;
      const uint32_t first = machine_.shuffle(mine.begin, set);
      for (uint32_t i = machine_.lane() % 16; i < size; i += 16) {
        // The upper hull, left to right: 0, all - 1, all - 2, ...
        const uint32_t at = i + begin, place = upper && at ? all - at : at;
        a_.out.hulls[uint64_t{first} + i] = static_cast<Index>(first + s_.hull[place * 32 + set]);
      }
    }
  }

  const Machine &machine_;
  const arguments &a_;
  warp_storage &s_;
};

} // namespace colonnade::detail
