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
// In: of each lane at most Most points, without -0.0. Out: the numbers of the vertices. Invariant:
// every decision is exact; lanes run the same steps, one orientation of three points in each.
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
  uint8_t order[32 * Most], hull[32 * Most];
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

  COLONNADE_KERNEL_CODE void put(uint32_t lane, uint32_t number, const point &p) {
    s_.points[lane * (Most + 1) + number] = {without_sign_of_zero(p.x), without_sign_of_zero(p.y)};
  }
  COLONNADE_KERNEL_CODE const point &at(uint32_t number) const {
    return s_.points[machine_.lane() * (Most + 1) + number];
  }
  /// Number of a vertex of any lane.
  COLONNADE_KERNEL_CODE uint32_t vertex(uint32_t lane, uint32_t i) const {
    return s_.hull[i * 32 + lane];
  }
  /// Of the lane's points 0 to size - 1, of which takes(point) says that some are inside; at least
  /// one is not. most: of all lanes; by_x: they come by x.
  template <class Takes>
  COLONNADE_KERNEL_CODE vertices find(uint32_t size, uint32_t most, bool by_x, const Takes &takes) {
    return chain(sort(size, most, by_x, takes));
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

  static COLONNADE_KERNEL_CODE T without_sign_of_zero(T x) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_floating_point_v<T>)
      return rounded_difference(x, T(-0.0));
#endif
    return x == 0 && !is_less(x, T{0}) && !is_less(T{0}, x) ? T{0} : x;
  }
  static COLONNADE_KERNEL_CODE uint32_t first_of(uint32_t bits) { return Machine::first_one(bits); }
  static COLONNADE_KERNEL_CODE uint32_t first_of(uint64_t bits) {
    const uint32_t low = static_cast<uint32_t>(bits);
    return low ? Machine::first_one(low)
               : 32 + Machine::first_one(static_cast<uint32_t>(bits >> 32));
  }
  /// Number of the point that is i-th by x, y and index.
  COLONNADE_KERNEL_CODE uint8_t &order(uint32_t i) { return s_.order[i * 32 + machine_.lane()]; }
  COLONNADE_KERNEL_CODE uint8_t &stacked(uint32_t i) const {
    return s_.hull[i * 32 + machine_.lane()];
  }

  struct exchange_words {
    COLONNADE_KERNEL_CODE void operator()(word &low, word &high, bool) const {
      const word a = low, b = high;
      low = a < b ? a : b;
      high = a < b ? b : a;
    }
  };
  /// How many points are left.
  template <class Takes>
  COLONNADE_KERNEL_CODE uint32_t sort(uint32_t size, uint32_t most, bool by_x, const Takes &takes) {
    uint32_t count = 0;
    mask close = 0; // those that may come before their predecessor
    if (by_x) {
      for (uint32_t i = 0; i < size; ++i)
        if (!takes(at(i)))
          order(count++) = static_cast<uint8_t>(i);
      close = (mask{1} << (count - 1)) - 1;
    } else {
      word words[Most];
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < Most; ++i) {
        words[i] = static_cast<word>(~word{0});
        if (i < most) {
          const point p = at(i < size ? i : 0);
          const bool stays = i < size && !takes(p);
          count += stays;
          if (stays)
            words[i] = static_cast<word>((order_word(p.x) & ~word{Most - 1}) | i);
        }
      }
      sort_registers<odd_even_network, Most>(words, Most, exchange_words{});
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < Most; ++i)
        if (i < count) {
          order(i) = static_cast<uint8_t>(words[i] & (Most - 1));
          if (i > 0 && (words[i] ^ words[i - 1]) < Most)
            close |= mask{1} << (i - 1);
        }
    }
    for (; close; close &= close - 1)
      insert(first_of(close) + 1);
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
    mask below, above;
  };
  COLONNADE_KERNEL_CODE two_sides part(uint32_t size) {
    const point first = at(order(0)), last = at(order(size - 1));
    const auto line = rough_difference(last, first);
    two_sides sides{0, 0};
    mask unsure = 0;
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
  /// The vertex that was stacked last, and how it was reached.
  struct stack_top {
    point top, under;
    rough_vector<number> edge; // from the one to the other
  };
  COLONNADE_KERNEL_CODE vertices chain(uint32_t size) {
    two_sides sides = part(size);
    uint32_t end = size - 1; // the first of the points in the last one's place
    while (end > 0 && same(at(order(end - 1)), at(order(size - 1))))
      --end;
    vertices hull{1, 0};
    stacked(0) = order(0);
    if (end == 0)
      return {1, 1};
    const point leftmost = at(order(0));
    stack_top stack{leftmost, leftmost, onwards(false)};
    mask rest = sides.below | mask{1} << end;
    uint32_t fixed = 1; // so many are not taken from the stack
    while (true) {
      if (rest == 0) {
        if (hull.lower != 0)
          return hull;
        hull.lower = fixed = hull.size;
        stack.edge = onwards(true);
        rest = sides.above | mask{1} << (size - 1); // the first one again, which is not stacked
      }
      const uint32_t bit = first_of(rest);
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

  const Machine &machine_;
  storage &s_;
};

} // namespace colonnade::detail
