//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// window.hpp: which pile a distance belongs to.
//
// In: a distance. Out: a pile, 0 to num_piles - 1. The window is a range of distances from
// `base` on, cut into num_piles - 1 buckets: the first num_piles / 2 are delta wide, the
// others eight times as wide, since few vertices wait so far away. The last pile, the far
// one, has all distances beyond. The buckets up to `open` are being expanded; together
// they are pile 0, the near pile.
// Invariant: a shorter distance never has a higher pile (rounding is monotone).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

constexpr uint32_t near_pile = 0;

template <class Distance> struct path_window {
  Distance base;
  float buckets_per_unit; // 1 / delta
  uint32_t num_piles;     // 2 for near and far
  uint32_t open;          // the highest bucket that is being expanded

  COLONNADE_HOST_DEVICE uint32_t far_pile() const { return num_piles - 1; }
  /// Buckets of width delta; for near and far one, the near pile.
  COLONNADE_HOST_DEVICE uint32_t narrow() const { return num_piles / 2; }
  /// The width of the window, in widths of a narrow bucket.
  COLONNADE_HOST_DEVICE uint32_t width() const { return narrow() + 8 * (far_pile() - narrow()); }
  COLONNADE_HOST_DEVICE uint32_t pile(Distance distance) const {
    if (distance <= base)
      return near_pile;
    float place = static_cast<float>(distance - base) * buckets_per_unit;
    const float wide = place - static_cast<float>(narrow());
    if (wide > 0)
      place = static_cast<float>(narrow()) + wide * 0.125f;
    const uint32_t bucket =
        place < static_cast<float>(far_pile()) ? static_cast<uint32_t>(place) : far_pile();
    return bucket <= open ? near_pile : bucket;
  }
};

} // namespace colonnade::detail
