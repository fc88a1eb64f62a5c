//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_walks.hpp: which items of a tile of rows a thread loads and stores, so that accesses are
// coalesced.
//
//   contiguous_walk   consecutive rows of one length: item after item, or pack after pack
//   spread_walk       short rows anywhere: the items of the warp's rows, row after row; a table in
//                     shared memory has the rows
//   own_row_walk      rows anywhere, of 8 threads or more: the threads of a row load its items
//
// In: the rows of a tile, and a thread. Out: at(k), k < count: the k-th item of the thread;
// item(k): its number in the tile, whose rows have room for G * E items; exists(k): whether the
// tile has it. anew(): the same walk, whose places the compiler computes again instead of keeping
// them in registers (registers.hpp). Invariant: over all threads every item of the rows occurs
// once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/detail/device/registers.hpp>

#include <cstdint>

namespace colonnade::detail {

/// The items of a row.
struct alignas(16) row_span {
  uint64_t begin = 0;  // index of the first item
  uint32_t length = 0; // 0: no row
};

struct visited_item {
  bool valid;
  uint64_t begin; // of its row
  uint32_t place; // in its row
  uint32_t item;  // in the tile
};

/// Division by multiplication: exact for x below 2^13 and divisors up to 2^11, if the quotient is
/// below 256.
struct small_divisor {
  uint32_t divisor, magic;
  explicit small_divisor(uint32_t d) : divisor(d), magic(((1u << 24) + d - 1) / d) {}
  COLONNADE_KERNEL_CODE uint32_t quotient(uint32_t x) const { return x * magic >> 24; }
};

/// Unit: items that are moved at once; it divides the length of a row.
template <uint32_t E, uint32_t Unit> struct contiguous_walk {
  static constexpr uint32_t count = E / Unit;
  uint64_t base;  // index of the tile's first item
  uint32_t units; // in the tile
  uint32_t lane, log2_threads;
  small_divisor row_units;

  COLONNADE_KERNEL_CODE contiguous_walk anew() const {
    return {base, units, computed_anew(lane), log2_threads, row_units};
  }
  COLONNADE_KERNEL_CODE bool exists(uint32_t k) const { return k * 32 + lane < units; }
  COLONNADE_KERNEL_CODE uint32_t item(uint32_t k) const { return at(k).item; }
  COLONNADE_KERNEL_CODE visited_item at(uint32_t k) const {
    const uint32_t u = k * 32 + lane, row = row_units.quotient(u);
    const uint32_t place = (u - row * row_units.divisor) * Unit;
    return {exists(k), base + row * row_units.divisor * Unit, place,
            (row << log2_threads) * E + place};
  }
};

/// Rows have room for E << log2_threads items, a power of two.
template <uint32_t E> struct spread_walk {
  static constexpr uint32_t count = E;
  static_assert((E & (E - 1)) == 0, "a power of two");
  const row_span *rows; // of every lane; in shared memory
  uint32_t lane, log2_threads;

  COLONNADE_KERNEL_CODE spread_walk anew() const {
    return {rows, computed_anew(lane), log2_threads};
  }
  COLONNADE_KERNEL_CODE bool exists(uint32_t) const { return true; }
  COLONNADE_KERNEL_CODE uint32_t item(uint32_t k) const { return k * 32 + lane; }
  COLONNADE_KERNEL_CODE visited_item at(uint32_t k) const {
    const uint32_t i = item(k), row_items = E << log2_threads;
    const uint32_t first_lane = i / E & ~((1u << log2_threads) - 1); // of the row
    const row_span row = rows[first_lane];
    const uint32_t place = i & (row_items - 1);
    return {place < row.length, row.begin, place, i};
  }
};

template <uint32_t E> struct own_row_walk {
  static constexpr uint32_t count = E;
  row_span own;
  uint32_t thread, log2_threads; // of the tile

  COLONNADE_KERNEL_CODE own_row_walk anew() const {
    return {own, computed_anew(thread), log2_threads};
  }
  COLONNADE_KERNEL_CODE bool exists(uint32_t) const { return true; }
  COLONNADE_KERNEL_CODE uint32_t in_row() const { return thread & ((1u << log2_threads) - 1); }
  COLONNADE_KERNEL_CODE uint32_t item(uint32_t k) const {
    return (thread - in_row()) * E + (k << log2_threads) + in_row();
  }
  COLONNADE_KERNEL_CODE visited_item at(uint32_t k) const {
    const uint32_t place = (k << log2_threads) + in_row();
    return {place < own.length, own.begin, place, item(k)};
  }
};

} // namespace colonnade::detail
