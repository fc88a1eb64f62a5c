//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// scatter_tile.hpp: the tile that a block of the scatter pass moves: which items it has,
// who loads which of them, and their bucket ids.
//
// In: the portion's arguments and the tile's number. Out: keys and values in registers, in rows
// of 32, one contiguous stretch a warp, in order: a lane's item k is 32 k behind its first. The
// items that a partial tile lacks have the key, and so the bucket, of its last item; behind which
// they come in the tile, and are not written.
// Invariant: the order of lanes, rows and warps is that of the input.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/bucket_id.hpp>
#include <colonnade/detail/ranking/warp_rank.hpp>
#include <colonnade/detail/scatter/tile_storage.hpp>

#include <cstddef>

namespace colonnade::detail {

/// All that the steps of scatter.hpp share; they come as functions of a tile.
template <class Tuning, class Bits, class Arguments, class Machine> struct scatter_tile {
  using machine_type = Machine;
  using key = typename Arguments::key;
  using value = typename Arguments::value;
  using ranked = Bits; // for so many bits there is code that ranks
  using storage = tile_storage<Tuning, Bits::most, key, value>;
  static constexpr multisplit_tuning tuning = Tuning::value;
  static constexpr uint32_t bits = Bits::most, threads = tuning.threads,
                            items = tuning.items_per_thread;
  static constexpr uint32_t warps = storage::warps, buckets = storage::buckets;
  static constexpr uint32_t tile_items = storage::tile_items;
  static constexpr uint32_t batches = (items + tuning.write_batch - 1) / tuning.write_batch;
  static constexpr bool has_values = Arguments::has_values, writes_keys = Arguments::writes_keys;
  static constexpr bool in_turn = storage::in_turn;
  /// Places that lead to shared memory are kept scaled; ranks of 16 bits are not.
  static constexpr uint32_t scale = storage::scale, rank_scale = tuning.rank_first ? 1 : scale;
  static_assert(threads % 32 == 0 && threads <= 1024, "whole warps, a block at most");
  static_assert(buckets <= threads, "one thread a bucket");
  static_assert(tile_items <= 65536, "places have 16 bits");

  const Machine &machine;
  const Arguments &a;
  storage s;
  other_lanes others;
  uint32_t number = 0;          // of the tile in its portion
  uint32_t valid = 0, rows = 0; // items that exist: of the tile, and of this lane
  uint64_t index = 0;           // of this lane's first item, in the input

  COLONNADE_KERNEL_CODE scatter_tile(const Machine &m, const Arguments &arguments, char *shared)
      : machine(m), a(arguments), s{shared}, others(m.lane()) {}

  /// How many items a tile of this portion has.
  COLONNADE_KERNEL_CODE uint32_t items_of(uint32_t tile) const {
    const uint64_t first = uint64_t{tile} * tile_items;
    uint64_t there = a.num_items; // of this portion
    if (a.d_num_items) {
      const uint64_t all = *a.d_num_items, behind = all > a.first ? all - a.first : 0;
      there = behind < there ? behind : there;
    }
    return there <= first               ? 0
           : there - first < tile_items ? static_cast<uint32_t>(there - first)
                                        : tile_items;
  }
  COLONNADE_KERNEL_CODE uint32_t first_of_lane() const {
    return machine.warp() * (32 * items) + machine.lane();
  }
  COLONNADE_KERNEL_CODE void set_valid(uint32_t num_items) {
    valid = num_items;
    const uint32_t first = first_of_lane();
    rows = valid > first ? (valid - first + 31) / 32 : 0;
  }

  COLONNADE_KERNEL_CODE bool is_full() const { return valid == tile_items; }
  COLONNADE_KERNEL_CODE uint64_t begin() const { return a.first + uint64_t{number} * tile_items; }

  /// Full: the tile is, which the compiler then knows.
  template <bool Full> COLONNADE_KERNEL_CODE void load_keys(key (&keys)[items]) const {
    const auto from = a.keys_in + static_cast<std::ptrdiff_t>(index);
    const int last = static_cast<int>(valid) - 1 - static_cast<int>(first_of_lane()); // or before
    COLONNADE_UNROLL
    for (int k = 0; k < static_cast<int>(items); ++k)
      keys[k] = from[Full || k * 32 < last ? k * 32 : last];
  }
  /// The first rows.
  template <uint32_t Rows, size_t N>
  COLONNADE_KERNEL_CODE void load_values(value (&values)[N]) const {
    if constexpr (Rows > 0)
      COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k)
      load_value_row(k, values);
  }
  template <size_t N>
  COLONNADE_KERNEL_CODE void load_value_row(uint32_t k, value (&values)[N]) const {
    if constexpr (has_values)
      if (k < items)
        values[k] =
            k < rows ? value(a.values_in[static_cast<std::ptrdiff_t>(index) + k * 32]) : value{};
  }
  COLONNADE_KERNEL_CODE uint32_t id_of(const key &item, uint32_t k) const {
    return a.ids(item, index_of(k));
  }
  /// Of the tile's last item; of all that are missing, too.
  COLONNADE_KERNEL_CODE uint32_t last_id() const {
    const uint64_t last = begin() + valid - 1;
    return a.ids(key(a.keys_in[static_cast<std::ptrdiff_t>(last)]), last);
  }

private:
  /// In the input, of this lane's item k, or of the tile's last.
  COLONNADE_KERNEL_CODE uint64_t index_of(uint32_t k) const {
    const uint32_t place = first_of_lane() + k * 32;
    return begin() + (place < valid ? place : valid - 1);
  }
};

} // namespace colonnade::detail
