//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lane_sieve.hpp: takes points of one thread's set that are surely inside the octagon of eight
// points that lie far out.
//
//   extremes   along x, x + y, y and y - x, and the opposite ways: numbers whose lowest bits are
//              the point's, so that one instruction keeps both
//   edges      half-planes a x + b y > c, moved inwards by more than all rounding can be
//
// In: the points of a set. Out: which of them may stand on its hull. Invariant: a point that is
// taken is strictly inside the hull, whatever rounding did.
//
// Why: what is to the left of all edges that are not a point, and there is such an edge, sees the
// corners turn to the left all the way round. So it is not asked whether they are the farthest.
// Of 32 points in a disc the quadrilateral of four leaves 17, 22 in the fullest of 32 sets; the
// octagon 11 and 15 (counted on the CPU).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/rough.hpp>

#include <cfloat>

namespace colonnade::detail {

/// Numbers of points have so many bits.
constexpr uint32_t lane_number_bits = 5;

/// Counter-clockwise from the direction of x.
struct lane_extremes {
  static constexpr uint32_t directions = 8, half = directions / 2;
  float far[directions]; // of the second half the least instead of the farthest
  float plain;           // 0, or NaN if a number was too large

  COLONNADE_KERNEL_CODE lane_extremes() : plain(0) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < half; ++k) {
      far[k] = with_number(-FLT_MAX, 0);
      far[half + k] = with_number(FLT_MAX, 0);
    }
  }
  /// number: below 2^lane_number_bits, another one for each point.
  template <class T> COLONNADE_KERNEL_CODE void add(const point_of<T> &p, uint32_t number) {
    const float x = static_cast<float>(p.x), y = static_cast<float>(p.y), sum = x + y,
                difference = y - x;
    plain += 0 * sum; // NaN, if the sum is infinite or none
    const float along[half] = {x, sum, y, difference};
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < half; ++k) {
      const float packed = with_number(along[k], number);
      far[k] = std::fmax(far[k], packed);
      far[half + k] = std::fmin(far[half + k], packed);
    }
  }
  COLONNADE_KERNEL_CODE bool are_plain() const { return plain == 0; }
  /// Points behind the last one are copies of it.
  COLONNADE_KERNEL_CODE uint32_t number(uint32_t k, uint32_t last) const {
    uint32_t bits;
    memcpy(&bits, &far[k], sizeof bits);
    return (bits & numbers) < last ? bits & numbers : last;
  }

private:
  static constexpr uint32_t numbers = (1u << lane_number_bits) - 1;
  static COLONNADE_KERNEL_CODE float with_number(float x, uint32_t number) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits & ~numbers) | number;
    memcpy(&x, &bits, sizeof bits);
    return x;
  }
};

/// Points are measured from one of the corners.
template <class T> class lane_sieve {
public:
  using number = rough_number<T>;

  /// at(number): one of the points, up to the last one.
  template <class At>
  COLONNADE_KERNEL_CODE lane_sieve(const lane_extremes &found, uint32_t last, const At &at) {
    const auto number_at = [&](uint32_t k) { return found.number(k % directions, last); };
    const auto corner = [&](uint32_t k) { return at(number_at(k)); };
    const float *far = found.far;
    // No difference of two points' x or y is more, rounding and the lost bits included.
    const float across = (far[0] - far[half]) + (far[2] - far[half + 2]),
                away = std::fabs(far[0]) + std::fabs(far[half]) + std::fabs(far[2]) +
                       std::fabs(far[half + 2]);
    const number width = static_cast<number>(across + across / 64 + away * 0x1p-16f);
    origin_ = corner(0);
    bool has_edge = false;
    auto from = rough_difference(origin_, origin_);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < directions; ++k) {
      const bool is_edge = number_at(k) != number_at(k + 1);
      const auto edge = rough_difference(corner(k + 1), corner(k));
      a_[k] = -edge.y;
      b_[k] = edge.x;
      m_[k] = is_edge
                  ? -(a_[k] * from.x + b_[k] * from.y +
                      2 * rough_error<number> * (std::fabs(edge.x) + std::fabs(edge.y)) * width +
                      rough_underflow<number>)
                  : number{1}; // everything is to the left
      from = rough_difference(corner(k + 1), origin_);
      has_edge = has_edge || is_edge;
    }
    // Within these limits floats tell points apart, and products of two do not overflow.
    const bool is_sure =
        found.are_plain() && has_edge && across > 0x1p-90f && across < 0x1p60f && away < 0x1p60f;
    unsure_ = is_sure ? 0 : ~0u;
  }
  COLONNADE_KERNEL_CODE bool takes(const point_of<T> &p) const {
    const auto d = rough_difference(p, origin_);
    uint32_t signs = unsure_;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < directions; ++k)
      signs |= upper_bits(a_[k] * d.x + (b_[k] * d.y + m_[k]));
    return signs >> 31 == 0;
  }

private:
  static constexpr uint32_t directions = lane_extremes::directions, half = lane_extremes::half;

  /// With the sign.
  static COLONNADE_KERNEL_CODE uint32_t upper_bits(number x) {
    std::conditional_t<sizeof(number) == 4, uint32_t, uint64_t> bits;
    memcpy(&bits, &x, sizeof bits);
    return static_cast<uint32_t>(bits >> (8 * sizeof bits - 32));
  }

  number a_[directions], b_[directions], m_[directions]; // a x + b y + m > 0: to the left
  point_of<T> origin_;
  uint32_t unsure_; // all ones: nothing is taken
};

} // namespace colonnade::detail
