//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scan.hpp: scans of any associative operation that need not commute, over a block, and over the
// tiles of a text.
//
// In: a Scan (fingerprint.hpp), and a value in each thread. Out: what is combined of those before
// it. Invariant: called by all threads of the block; values keep their order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/methods/fingerprint.hpp>

namespace colonnade::detail {

template <class Value> constexpr uint32_t words_of = sizeof(Value) / sizeof(uint32_t);

template <class Value, class Machine>
COLONNADE_KERNEL_CODE Value shuffled_up(const Machine &machine, const Value &value,
                                        uint32_t distance) {
  Value below;
  COLONNADE_UNROLL
  for (uint32_t w = 0; w < words_of<Value>; ++w)
    below.word[w] = machine.shuffle_up(value.word[w], distance);
  return below;
}

/// Of a block of `Threads`.
template <class Scan, uint32_t Threads> struct block_scan_storage {
  typename Scan::value warps[Threads / 32];
};
/// What is before this thread; all: of the whole block. The storage is free after a barrier.
template <class Scan, uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE typename Scan::value
block_exclusive_scan(const Machine &machine, const modulus &mod, const typename Scan::value &mine,
                     block_scan_storage<Scan, Threads> &shared, typename Scan::value &all) {
  using value = typename Scan::value;
  value inclusive = mine;
  COLONNADE_UNROLL_BY(1)
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const value below = shuffled_up(machine, inclusive, distance);
    if (machine.lane() >= distance)
      inclusive = Scan::combine(below, inclusive, mod);
  }
  const value before_lane = shuffled_up(machine, inclusive, 1);
  if (machine.lane() == 31)
    shared.warps[machine.warp()] = inclusive;
  machine.block_sync();
  value before = Scan::identity();
  all = Scan::identity();
  for (uint32_t w = 0; w < Threads / 32; ++w) {
    if (w == machine.warp())
      before = all;
    all = Scan::combine(all, shared.warps[w], mod);
  }
  return machine.lane() == 0 ? before : Scan::combine(before, before_lane, mod);
}

/// By one block: each of `count` values becomes what is before it.
template <class Scan, uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void scan_values(const Machine &machine, const modulus &mod,
                                       typename Scan::value *values, uint64_t count,
                                       block_scan_storage<Scan, Threads> &shared) {
  using value = typename Scan::value;
  value before = Scan::identity();
  for (uint64_t begin = 0; begin < count; begin += Threads) {
    const uint64_t i = begin + machine.thread();
    const value mine = i < count ? values[i] : Scan::identity();
    value all;
    const value before_mine = block_exclusive_scan<Scan>(machine, mod, mine, shared, all);
    if (i < count)
      values[i] = Scan::combine(before, before_mine, mod);
    before = Scan::combine(before, all, mod);
    machine.block_sync(); // the storage is free
  }
}

} // namespace colonnade::detail
