//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lane_sets.hpp: hulls of sets of at most 32 points, one by each lane of a warp.
//
//   load      a warp loads the points of 32 sets, one set after the other
//   sort      by x, in registers: the upper bits of x and the point's number in one word; then
//             where upper bits are equal, by insertion, by x, y and index
//   chain     counter-clockwise: to the right what lies below the line from the first to the last
//             point, back to the left what lies above it, on one stack
//   write     one set after the other
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
    lane_hull hull{0, 0};
    if (mine.refused == ~uint64_t{0} && mine.size > 0) {
      sort(mine);
      hull = chain(mine.size);
    }
    machine_.warp_sync();
    write(mine, hull);
    machine_.warp_sync(); // points and stacks are free
  }
  COLONNADE_KERNEL_CODE void load(lane_set &mine) {
    uint32_t bad = ~0u; // of this lane's set
    for (uint32_t k = 0; k < 32; ++k) {
      const uint32_t size = machine_.shuffle(mine.size, k), begin = machine_.shuffle(mine.begin, k);
      bool is_bad = false;
      if (machine_.lane() < size) {
        const point p = a_.points[begin + machine_.lane()];
        s_.points[k * (Most + 1) + machine_.lane()] = {without_sign_of_zero(p.x),
                                                       without_sign_of_zero(p.y)};
        is_bad = !is_finite(p) || (a_.by_x && machine_.lane() > 0 &&
                                   is_less(p.x, a_.points[begin + machine_.lane() - 1].x));
      }
      const uint32_t all_bad = machine_.ballot(is_bad);
      bad = machine_.lane() == k && all_bad ? Machine::first_one(all_bad) : bad;
    }
    if (bad != ~0u)
      mine.refused = refusal_of(a_.points, mine.begin, uint64_t{mine.begin} + bad, a_.by_x);
  }
  static COLONNADE_KERNEL_CODE coordinate without_sign_of_zero(coordinate x) {
    return x == 0 && !is_less(x, coordinate{0}) && !is_less(coordinate{0}, x) ? coordinate{0} : x;
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
  COLONNADE_KERNEL_CODE void sort(const lane_set &mine) {
    uint32_t close = (1u << (mine.size - 1)) - 1; // those that may come before their predecessor
    if (a_.by_x) {
      for (uint32_t i = 0; i < mine.size; ++i)
        order(i) = static_cast<uint8_t>(i);
    } else {
      word words[Most];
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < Most; ++i)
        words[i] = i < mine.size ? static_cast<word>((order_word(at(i).x) & ~word{31}) | i)
                                 : static_cast<word>(~word{0});
      sort_registers<odd_even_network, Most>(words, Most, exchange_words{});
      close = 0;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < Most; ++i)
        if (i < mine.size) {
          order(i) = static_cast<uint8_t>(words[i] & 31);
          if (i > 0 && (words[i] ^ words[i - 1]) < 32)
            close |= 1u << (i - 1);
        }
    }
    for (; close; close &= close - 1)
      insert(machine_.first_one(close) + 1);
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
    two_sides sides{0, 0};
    for (uint32_t i = 1; i + 1 < size; ++i) {
      const int side = orientation(first, last, at(order(i)));
      sides.below |= static_cast<uint32_t>(side < 0) << i;
      sides.above |= static_cast<uint32_t>(side > 0) << (size - 1 - i);
    }
    return sides;
  }
  COLONNADE_KERNEL_CODE lane_hull chain(uint32_t size) {
    two_sides sides = part(size);
    uint32_t end = size - 1; // the first of the points in the last one's place
    while (end > 0 && same(at(order(end - 1)), at(order(size - 1))))
      --end;
    lane_hull hull{1, 0};
    stacked(0) = order(0);
    if (end == 0)
      return {1, 1};
    point top = at(order(0)), under = top;
    uint32_t rest = sides.below | 1u << end, fixed = 1; // so many are not taken from the stack
    while (true) {
      if (rest == 0) {
        if (hull.lower != 0)
          return hull;
        hull.lower = fixed = hull.size;
        rest = sides.above | 1u << (size - 1); // the first one again, which is not stacked
      }
      const uint32_t bit = machine_.first_one(rest);
      const bool back = hull.lower != 0, closes = back && bit == size - 1;
      const uint8_t number = order(back ? size - 1 - bit : bit);
      const point next = at(number);
      const bool again = same(next, top);
      if (!again && hull.size > fixed && orientation(under, top, next) <= 0) {
        --hull.size;
        top = under;
        under = at(stacked(hull.size > 1 ? hull.size - 2 : 0));
        continue;
      }
      rest &= rest - 1;
      if (again) { // on the way back the smaller index comes later
        if (back)
          stacked(hull.size - 1) = number;
        continue;
      }
      if (!closes) {
        stacked(hull.size++) = number;
        under = top;
        top = next;
      }
    }
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
    for (uint32_t k = 0; k < 32; ++k) {
      const uint32_t of_set = machine_.shuffle(packed, k), size = of_set & 255,
                     all = of_set >> 8 & 255, begin = of_set >> 16 & 255, upper = of_set >> 24;
      const uint32_t first = machine_.shuffle(mine.begin, k);
      if (machine_.lane() < size) { // the upper hull, left to right: 0, all - 1, all - 2, ...
        const uint32_t at = machine_.lane() + begin, place = upper && at ? all - at : at;
        a_.out.hulls[uint64_t{first} + machine_.lane()] =
            static_cast<Index>(first + s_.hull[place * 32 + k]);
      }
    }
  }

  const Machine &machine_;
  const arguments &a_;
  warp_storage &s_;
};

} // namespace colonnade::detail
