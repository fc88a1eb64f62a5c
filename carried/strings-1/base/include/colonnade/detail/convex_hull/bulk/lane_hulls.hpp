//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lane_hulls.hpp: hulls of few points, one by each lane of a warp, in shared memory.
//
//   sort      by x, in registers: the upper bits of x and the point's number in one word; then
//             where upper bits are equal, by insertion, by x, y and index
//   chain     counter-clockwise: to the right what lies below the line from the first to the last
//             point, back to the left what lies above it, on one stack
//
// In: of each lane at most Most points. Out: the numbers of the vertices. Invariant: every decision
// is exact; lanes run the same steps, one orientation of three points in each.
//
// Why: hot code that does not fit in the instruction cache waits for it. So loops are unrolled only
// where registers are indexed, and there is one network for each of three numbers of points.
//
// Complexity: for each lane O(Most log^2 Most) comparisons of words, at most 4 n orientations.
//
// Source: A. Andrew, Another efficient algorithm for convex hulls in two dimensions (1979).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/convex_hull_options.hpp>
#include <colonnade/detail/convex_hull/block_hoods.hpp>
#include <colonnade/detail/convex_hull/rough.hpp>
#include <colonnade/detail/sort_network/network.hpp>

namespace colonnade::detail {

/// What a warp keeps. A lane's points are one row; its bytes are one column.
template <class T, uint32_t Most> struct lane_hulls_storage {
  point_of<T> points[32 * (Most + 1)];
  uint8_t numbers[2][32 * Most]; // in order, and of the hull
};

/// Most: points of a lane, a power of two up to 64.
template <class T, uint32_t Most, class Machine> class lane_hulls {
public:
  using point = point_of<T>;
  using number = rough_number<T>;
  using storage = lane_hulls_storage<T, Most>;
  static_assert(Most <= 64, "convex hull: places are bits of a word");

  /// The stack, counter-clockwise from the first point; the last one stands at lower - 1.
  struct vertices {
    uint32_t size, lower;
  };

  COLONNADE_KERNEL_CODE lane_hulls(const Machine &machine, storage &s) : machine_(machine), s_(s) {}

  /// Where a lane's point is.
  COLONNADE_KERNEL_CODE point &place(uint32_t lane, uint32_t number) {
    return s_.points[lane * (Most + 1) + number];
  }
  COLONNADE_KERNEL_CODE const point &at(uint32_t number) const {
    return s_.points[machine_.lane() * (Most + 1) + number];
  }
  /// Number of a vertex of any lane.
  COLONNADE_KERNEL_CODE uint32_t vertex(uint32_t lane, uint32_t i) const {
    return s_.numbers[1][i * 32 + lane];
  }
  /// A list of the lane's points, for the caller's use until find() is called.
  COLONNADE_KERNEL_CODE void list(uint32_t i, uint32_t number) {
    order(i) = static_cast<uint8_t>(number);
  }
  COLONNADE_KERNEL_CODE uint32_t listed(uint32_t i) { return order(i); }
  /// Of the lane's points number(0) to number(count - 1), in the order of their indices, at least
  /// one. most: the largest count of all lanes; by_x: they come by x.
  template <class Number>
  COLONNADE_KERNEL_CODE vertices find(uint32_t count, uint32_t most, bool by_x,
                                      const Number &number) {
    sort(count, most, by_x, number);
    return chain(count);
  }

  /// How many vertices are written, and which.
  struct written_part {
    uint32_t size, begin;
    bool is_upper;
  };
  COLONNADE_KERNEL_CODE written_part written(const vertices &hull, hull_part part) const {
    if (part == hull_part::whole || hull.size <= 1)
      return {hull.size, 0, false};
    const auto x = [&](uint32_t i) { return at(stacked(i)).x; };
    if (part == hull_part::lower)
      return {hull.lower - is_equal(x(hull.lower - 1), x(hull.lower - 2)), 0, false};
    const uint32_t vertical = is_equal(x(0), x(hull.size - 1));
    return {hull.size - hull.lower + 2 - vertical, vertical, true};
  }

private:
  using word = typename sorted_as<T>::raw;
  using mask = std::conditional_t<Most <= 32, uint32_t, uint64_t>; // a bit for each point

  /// Of a word that is not 0.
  static COLONNADE_KERNEL_CODE uint32_t first_of(uint32_t bits) {
    return Machine::count_ones(~bits & (bits - 1));
  }
  static COLONNADE_KERNEL_CODE uint32_t first_of(uint64_t bits) {
    const uint32_t low = static_cast<uint32_t>(bits);
    return low ? first_of(low) : 32 + first_of(static_cast<uint32_t>(bits >> 32));
  }
  /// Number of the point that is i-th by x, y and index.
  COLONNADE_KERNEL_CODE uint8_t &order(uint32_t i) {
    return s_.numbers[0][i * 32 + machine_.lane()];
  }
  COLONNADE_KERNEL_CODE uint8_t &stacked(uint32_t i) const {
    return s_.numbers[1][i * 32 + machine_.lane()];
  }

  struct exchange_words {
    COLONNADE_KERNEL_CODE void operator()(word &low, word &high, bool) const {
      const word a = low, b = high;
      low = a < b ? a : b;
      high = a < b ? b : a;
    }
  };
  template <class Number>
  COLONNADE_KERNEL_CODE void sort(uint32_t count, uint32_t most, bool by_x, const Number &number) {
    mask close; // those that may come before their predecessor
    if (by_x) {
      for (uint32_t i = 0; i < count; ++i)
        order(i) = static_cast<uint8_t>(number(i));
      close = (mask{1} << (count - 1)) - 1;
    } else if (most <= Most / 2) {
      close = sort_words<Most / 2>(count, number);
    } else if (most <= Most * 3 / 4) {
      close = sort_words<Most * 3 / 4>(count, number);
    } else {
      close = sort_words<Most>(count, number);
    }
    for (; close; close &= close - 1)
      insert(first_of(close) + 1);
  }
  /// N: no lane has more points. Bits of those that share the upper bits of x with the next one.
  template <uint32_t N, class Number>
  COLONNADE_KERNEL_CODE mask sort_words(uint32_t count, const Number &number) {
    word words[N];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < N; ++i) {
      const uint32_t at_i = number(i) & (Most - 1); // of any point, if there is none
      const word of_x = static_cast<word>((order_word(at(at_i).x) & ~word{Most - 1}) | at_i);
      words[i] = i < count ? of_x : static_cast<word>(~word{0});
    }
    sort_registers<odd_even_network, N>(words, N, exchange_words{});
    mask close = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < N; ++i)
      if (i < count) {
        order(i) = static_cast<uint8_t>(words[i] & (Most - 1));
        if (i > 0 && (words[i] ^ words[i - 1]) < Most)
          close |= mask{1} << (i - 1);
      }
    return close;
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
  static COLONNADE_KERNEL_CODE bool same(const point &p, const point &q) {
    return is_equal(p.x, q.x) && is_equal(p.y, q.y);
  }

  /// Bits of points in order that lie below and above the line from the first to the last one;
  /// those above in the reverse order, bit 0 the last one.
  struct two_sides {
    mask below, above;
  };
  COLONNADE_KERNEL_CODE two_sides part(uint32_t size) {
    const point first = at(order(0)), last = at(order(size - 1));
    const auto line = rough_difference(last, first);
    two_sides sides{0, 0};
    mask unsure = 0;
    COLONNADE_UNROLL_BY(2)
    for (uint32_t i = 1; i + 1 < size; ++i) {
      const auto side = rough_cross(line, rough_difference(at(order(i)), first));
      sides.below |= static_cast<mask>(side.is_surely_negative()) << i;
      sides.above |= static_cast<mask>(side.is_surely_positive()) << (size - 1 - i);
      unsure |= static_cast<mask>(!side.is_surely_negative() && !side.is_surely_positive()) << i;
    }
    for (; unsure != 0; unsure &= unsure - 1) {
      const uint32_t i = first_of(unsure);
      const int side = orientation(first, last, at(order(i)));
      sides.below |= static_cast<mask>(side < 0) << i;
      sides.above |= static_cast<mask>(side > 0) << (size - 1 - i);
    }
    return sides;
  }
  /// The way that is gone.
  struct way {
    mask rest; // of its points, those that come behind the next one
    bool back; // from right to left
  };
  /// The place in order of the next point.
  static COLONNADE_KERNEL_CODE uint32_t take_next(way &w, uint32_t size) {
    const uint32_t bit = first_of(w.rest);
    w.rest &= w.rest - 1;
    return w.back ? size - 1 - bit : bit;
  }
  /// Whether a lane puts a point on the stack or takes one from it, it then reads one number and
  /// one point, so that lanes go on together.
  COLONNADE_KERNEL_CODE vertices chain(uint32_t size) {
    const two_sides sides = part(size);
    uint32_t end = size - 1; // the first of the points in the last one's place
    while (end > 0 && same(at(order(end - 1)), at(order(size - 1))))
      --end;
    vertices hull{1, 0};
    stacked(0) = order(0);
    if (end == 0)
      return {1, 1};
    way w{sides.below | mask{1} << end, false};
    uint32_t number = order(take_next(w, size)), fixed = 1; // so many are not taken from the stack
    point top = at(order(0)), under = top, next = at(number);
    auto edge = onwards(false); // from under to top
    while (true) {
      const auto turn = rough_cross(edge, rough_difference(next, top));
      bool turns = turn.is_surely_positive();
      if (!turns && !turn.is_surely_negative()) {
        const bool again = same(next, top);
        turns = again || hull.size <= fixed || orientation(under, top, next) > 0;
        if (again && !(w.back && w.rest == 0)) { // it takes the other's place
          --hull.size;
          top = under;
          if (!w.back) // where the smaller index comes first
            number = stacked(hull.size);
        }
      }
      const bool ends = turns && w.rest == 0;
      if (ends && w.back)
        return hull; // it is the first one again
      if (turns)
        stacked(hull.size) = static_cast<uint8_t>(number);
      hull.size += turns ? 1 : -1;
      if (ends) {
        hull.lower = fixed = hull.size;
        w = {sides.above | mask{1} << (size - 1), true};
      }
      // What is put there, or what is below what is taken.
      const uint32_t in_order = turns ? take_next(w, size) : 0,
                     in_stack = hull.size > 1 ? hull.size - 2 : 0,
                     loaded_number = turns ? order(in_order) : stacked(in_stack);
      const point loaded = at(loaded_number), old_top = top;
      top = turns ? next : under;
      under = turns ? old_top : loaded;
      if (turns)
        next = loaded, number = loaded_number;
      edge = hull.size > fixed ? rough_difference(top, under) : onwards(w.back);
    }
  }
  /// An edge that comes before the first one of a chain: whatever lies onwards is to the left.
  static COLONNADE_KERNEL_CODE rough_vector<number> onwards(bool back) {
    return {0, back ? number{1} : number{-1}};
  }

  const Machine &machine_;
  storage &s_;
};

} // namespace colonnade::detail
