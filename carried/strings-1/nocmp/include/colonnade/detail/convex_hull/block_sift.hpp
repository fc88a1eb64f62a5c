//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_sift.hpp: of a block's points those that may stand on their hull.
//
// In: up to Items points for each thread, in registers: thread t has the points t, t + Threads,
// .... Out: the numbers of those that the sieve of extreme points does not take, in order.
// Invariant: points that are left come in the order that they had.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/block_keep.hpp>
#include <colonnade/detail/convex_hull/extreme_sieve.hpp>
#include <colonnade/detail/exact/finite.hpp>

namespace colonnade::detail {

/// Directions: of the sieve.
template <class T, uint32_t Threads, uint32_t Items, uint32_t Directions, class Machine>
class block_sift {
public:
  using sieve = extreme_sieve<T, Threads, Directions, Machine>;
  static constexpr uint32_t items = Items, most_points = Threads * Items;
  static_assert(most_points <= 1u << extreme_number_bits);
  struct storage {
    typename sieve::storage sieve_storage;
    block_keep_storage<Threads, Items> keep_storage;
  };
  using numbers = uint16_t[most_points]; // of points that are left
  using points = point_of<T>[Items];

  /// The storage is free once run() has ended; the numbers are not.
  COLONNADE_KERNEL_CODE block_sift(const Machine &machine, storage &s, numbers &kept)
      : machine_(machine), s_(s), kept_(kept) {}

  /// point(number): one of them. They need not be finite. How many are left.
  template <class Point>
  COLONNADE_KERNEL_CODE uint32_t run(uint32_t size, const points &mine, Point point) {
    sieve sift(machine_, s_.sieve_storage, point(0));
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (number(k) < size)
        sift.add(mine[k], number(k));
    const uint32_t taken = sift.make(point) ? sift.taken(mine) : 0;
    return block_keep<Threads, Items, Machine>(machine_, s_.keep_storage)
        .run(
            [&](uint32_t k) { return number(k) < size && !(taken >> k & 1); },
            [&](uint32_t place, uint32_t number) { kept_[place] = static_cast<uint16_t>(number); });
  }
  /// The number of a point that is left.
  COLONNADE_KERNEL_CODE uint32_t kept(uint32_t i) const { return kept_[i]; }
  COLONNADE_KERNEL_CODE uint32_t number(uint32_t k) const {
    return k * Threads + machine_.thread();
  }

private:
  const Machine &machine_;
  storage &s_;
  numbers &kept_;
};

} // namespace colonnade::detail
