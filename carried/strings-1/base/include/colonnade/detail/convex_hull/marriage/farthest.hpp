//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// farthest.hpp: the point that lies farthest to the right of a direction, of a thread, a warp, and
// of blocks; and the directions, from pairs of points of a subproblem.
//
// In: points with a number each. Out: the farthest, and of equally far ones the lexicographically
// largest: a vertex of the hull of these points. Invariant: exact; the result is that of a total
// order, whatever the order of the points.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/marriage/marriage_state.hpp>

namespace colonnade::detail {

/// Any type of 4, 8 or 16 bytes, by words.
template <class Machine, class T>
COLONNADE_KERNEL_CODE T shuffle_number(const Machine &machine, T number, uint32_t from) {
  std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> word;
  memcpy(&word, &number, sizeof number);
  word = machine.shuffle(word, from);
  memcpy(&number, &word, sizeof number);
  return number;
}
template <class Machine, class T>
COLONNADE_KERNEL_CODE point_of<T> shuffle_point(const Machine &machine, const point_of<T> &point,
                                                uint32_t from) {
  return {shuffle_number(machine, point.x, from), shuffle_number(machine, point.y, from)};
}

template <class T> struct direction {
  point_of<T> from, to;
  /// Whether p is farther to the right than q.
  COLONNADE_KERNEL_CODE bool prefers(const point_of<T> &p, const point_of<T> &q) const {
    const int sign = cross_sign(q, p, from, to);
    return sign > 0 || (sign == 0 && lexicographically_less(q, p));
  }
};

template <class T> struct farthest {
  point_of<T> point;
  uint32_t at; // no_place: the point has no number
};

/// Of a subproblem's ends, with which the search begins.
template <class T>
COLONNADE_KERNEL_CODE point_of<T> farther_end(const direction<T> &along, const point_of<T> &l,
                                              const point_of<T> &r) {
  return along.prefers(r, l) ? r : l;
}

/// Of several, some of which may be none.
template <class T, uint32_t Count>
COLONNADE_KERNEL_CODE farthest<T> farthest_of(const direction<T> &along,
                                              const farthest<T> (&all)[Count]) {
  farthest<T> best = all[0];
  for (uint32_t k = 1; k < Count; ++k)
    if (all[k].at != no_place && (best.at == no_place || along.prefers(all[k].point, best.point)))
      best = all[k];
  return best;
}

/// One thread of a block: what the blocks have found together. point_at(number): a point.
template <class T, class Machine, class PointAt>
COLONNADE_KERNEL_CODE void publish_farthest(const Machine &machine, const direction<T> &along,
                                            const farthest<T> &mine, uint32_t *word,
                                            const PointAt &point_at) {
  if (mine.at == no_place)
    return;
  uint32_t known = machine.load_word(word);
  while (known == no_place || along.prefers(mine.point, point_at(known))) {
    const uint32_t before = exchange_if_equal(machine, word, known, mine.at);
    if (before == known)
      return;
    known = before;
  }
}

/// Roughly the sign of (b - a) · (d - c).
template <class T>
COLONNADE_KERNEL_CODE bool points_back(point_of<T> a, point_of<T> b, point_of<T> c, point_of<T> d) {
  const double x1 = static_cast<double>(b.x) - static_cast<double>(a.x),
               y1 = static_cast<double>(b.y) - static_cast<double>(a.y),
               x2 = static_cast<double>(d.x) - static_cast<double>(c.x),
               y2 = static_cast<double>(d.y) - static_cast<double>(c.y);
  return x1 * x2 + y1 * y2 < 0;
}

/// A warp: the line through two of the lanes' points that are in `lanes`, pointing from l to r; the
/// line from l to r if there are not two.
template <class T, class Machine>
COLONNADE_KERNEL_CODE direction<T> direction_of_pair(const Machine &machine, const point_of<T> &own,
                                                     uint32_t lanes, const point_of<T> &l,
                                                     const point_of<T> &r) {
  const uint32_t rest = lanes & (lanes - 1);
  const point_of<T> a = shuffle_point(machine, own, Machine::first_one(lanes) % 32),
                    b = shuffle_point(machine, own, Machine::first_one(rest) % 32);
  if (rest == 0)
    return {l, r};
  return points_back(a, b, l, r) ? direction<T>{b, a} : direction<T>{a, b};
}

/// Of two points of a part, which one is within the triangle of the other and the part's ends:
/// 1: p, 2: q, 0: none.
template <class T>
COLONNADE_KERNEL_CODE uint32_t pruned_of_pair(const point_of<T> &l, const point_of<T> &r,
                                              const point_of<T> &p, const point_of<T> &q) {
  const int at_l = orientation(l, p, q), at_r = orientation(p, r, q);
  if (at_l >= 0 && at_r >= 0)
    return 2;
  return at_l <= 0 && at_r <= 0 ? 1 : 0;
}

} // namespace colonnade::detail
