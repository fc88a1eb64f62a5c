//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// extreme_sieve.hpp: takes points of a block that are surely inside a polygon of points that lie
// far out in a few directions.
//
//   extremes   every thread remembers, in each direction, which of its points lies farthest out,
//              roughly: a word of the upper bits of the distance and the point's number
//   edges      of the polygon: half-planes a x + b y < c, moved inwards by more than all rounding
//              can be
//
// In: a block's points, a few for each thread. Out: which of them may stand on their hull.
// Invariant: a point that is taken is strictly inside the hull, whatever rounding did.
//
// Why: the half-planes' intersection R meets no edge of the closed polygon, since both ends of each
// edge, and so all of it, are outside that edge's own half-plane. A point q, the middle of two
// vertices, is in R, so to the left of all edges: the polygon winds around q, and, since R is
// connected and meets no edge, around all of R. So it is not asked whether the polygon is convex,
// nor whether its vertices are the ones that lie farthest out.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/sieve.hpp>
#include <colonnade/detail/digits/key_words.hpp>
#include <colonnade/hull_points.hpp>

namespace colonnade::detail {

/// Numbers of points have so many bits.
constexpr uint32_t extreme_number_bits = 12;

/// Directions: 8 or 16, half of them opposite to the others.
template <class T, uint32_t Threads, uint32_t Directions> struct extreme_sieve_storage {
  using number = sieve_number<T>;
  uint32_t words[Threads / 32][Directions]; // each warp's
  number x[Directions], y[Directions];      // of the polygon's vertices
  number a[Directions], b[Directions], c[Directions];
};

template <class T, uint32_t Threads, uint32_t Directions, class Machine> class extreme_sieve {
public:
  using number = sieve_number<T>;
  using storage = extreme_sieve_storage<T, Threads, Directions>;
  static constexpr uint32_t warps = Threads / 32, half = Directions / 2;
  static_assert((Directions == 8 || Directions == 16) && Threads >= Directions);

  /// origin: any of the points; distances are measured from there.
  COLONNADE_KERNEL_CODE extreme_sieve(const Machine &machine, storage &s, point_of<T> origin)
      : machine_(machine), s_(s), x0_(static_cast<number>(origin.x)),
        y0_(static_cast<number>(origin.y)) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < half; ++k)
      largest_[k] = 0, smallest_[k] = ~0u;
  }

  /// number: below 2^extreme_number_bits, another one for each point.
  COLONNADE_KERNEL_CODE void add(const point_of<T> &point, uint32_t number) {
    const float x = static_cast<float>(x_of(point)), y = static_cast<float>(y_of(point));
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < half; ++k) {
      const uint32_t word = word_of(along(k, x, y)) | number;
      largest_[k] = word > largest_[k] ? word : largest_[k];
      smallest_[k] = word < smallest_[k] ? word : smallest_[k];
    }
  }
  /// By all threads, once all points are added. point(number): one of them. Whether any point can
  /// be taken.
  template <class Point> COLONNADE_KERNEL_CODE bool make(Point point) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < half; ++k) {
      const uint32_t largest = machine_.largest(largest_[k]),
                     smallest = machine_.largest(~smallest_[k]);
      if (machine_.lane() == 0) {
        s_.words[machine_.warp()][k] = largest;
        s_.words[machine_.warp()][half + k] = smallest;
      }
    }
    machine_.block_sync();
    const uint32_t mine = machine_.thread();
    if (mine < Directions)
      place_vertex(mine, point);
    machine_.block_sync();
    if (mine < Directions)
      place_edge(mine);
    machine_.block_sync();
    return has_inside();
  }
  /// Which of the points are taken, a bit each. All of them are held against one edge after the
  /// other: no thread has registers for all edges.
  template <uint32_t Items>
  COLONNADE_KERNEL_CODE uint32_t taken(const point_of<T> (&points)[Items]) const {
    static_assert(Items <= 32);
    number x[Items], y[Items];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < Items; ++i)
      x[i] = x_of(points[i]), y[i] = y_of(points[i]);
    uint32_t outside = 0;
    COLONNADE_UNROLL_BY(1)
    for (uint32_t k = 0; k < Directions; ++k) {
      const number a = s_.a[k], b = s_.b[k], c = s_.c[k];
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < Items; ++i)
        outside |= static_cast<uint32_t>(!(a * x[i] + b * y[i] < c)) << i;
    }
    return ~outside & ~0u >> (32 - Items);
  }

private:
  /// Within these a float tells distances apart, and products of two do not overflow.
  static constexpr number least = number(0x1p-90), most = number(0x1p60);

  COLONNADE_KERNEL_CODE number x_of(const point_of<T> &p) const {
    return static_cast<number>(p.x) - x0_;
  }
  COLONNADE_KERNEL_CODE number y_of(const point_of<T> &p) const {
    return static_cast<number>(p.y) - y0_;
  }
  /// Directions k = 0, 1, ... turn counter-clockwise, to the left from that of x.
  static COLONNADE_KERNEL_CODE float along(uint32_t k, float x, float y) {
    switch (Directions == 16 ? k : 2 * k) {
    case 0:
      return x;
    case 1:
      return 2 * x + y;
    case 2:
      return x + y;
    case 3:
      return x + 2 * y;
    case 4:
      return y;
    case 5:
      return 2 * y - x;
    case 6:
      return y - x;
    default:
      return y - 2 * x;
    }
  }
  /// The upper bits of a distance, in order; room for a point's number below.
  static COLONNADE_KERNEL_CODE uint32_t word_of(float distance) {
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits);
    bits ^= bits >> 31 ? ~0u : 1u << 31;
    return bits >> extreme_number_bits << extreme_number_bits;
  }
  template <class Point> COLONNADE_KERNEL_CODE void place_vertex(uint32_t k, Point point) {
    uint32_t word = 0; // that of the other half's directions is inverted
    for (uint32_t w = 0; w < warps; ++w)
      word = s_.words[w][k] > word ? s_.words[w][k] : word;
    const point_of<T> vertex = point((k < half ? word : ~word) & ((1u << extreme_number_bits) - 1));
    s_.x[k] = x_of(vertex);
    s_.y[k] = y_of(vertex);
  }
  /// From vertex k to the next.
  COLONNADE_KERNEL_CODE void place_edge(uint32_t k) {
    constexpr number unit = sizeof(number) == 4 ? number(0x1p-24) : number(0x1p-53);
    const uint32_t next = (k + 1) % Directions;
    number width = 0, height = 0; // of all points, but for what a word does not hold
    for (uint32_t i = 0; i < Directions; ++i) {
      width = larger(width, s_.x[i]);
      height = larger(height, s_.y[i]);
    }
    const number a = s_.y[next] - s_.y[k], b = s_.x[k] - s_.x[next];
    const number at_this = a * s_.x[k] + b * s_.y[k], at_next = a * s_.x[next] + b * s_.y[next];
    const number at = at_this < at_next ? at_this : at_next;
    const bool is_sure = width > least && width < most && height > least && height < most;
    s_.a[k] = a;
    s_.b[k] = b;
    s_.c[k] = !is_sure           ? -4 * most * most // nothing is less
              : a == 0 && b == 0 ? 4 * most * most  // no edge: everything is
                                 : at - 32 * unit * (magnitude(a) * width + magnitude(b) * height);
  }
  static COLONNADE_KERNEL_CODE number magnitude(number x) { return x < 0 ? -x : x; }
  /// Not less than a NaN.
  static COLONNADE_KERNEL_CODE number larger(number bound, number x) {
    return magnitude(x) <= bound ? bound : magnitude(x);
  }
  COLONNADE_KERNEL_CODE bool has_inside() const {
    const number x = (s_.x[0] + s_.x[half]) / 2, y = (s_.y[0] + s_.y[half]) / 2;
    bool inside = true, has_edge = false;
    for (uint32_t k = 0; k < Directions; ++k) {
      inside &= s_.a[k] * x + s_.b[k] * y < s_.c[k];
      has_edge |= s_.a[k] != 0 || s_.b[k] != 0;
    }
    return inside && has_edge;
  }

  const Machine &machine_;
  storage &s_;
  number x0_, y0_;
  uint32_t largest_[half], smallest_[half];
};

} // namespace colonnade::detail
