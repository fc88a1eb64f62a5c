//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// plan.hpp: divides the steps of a bitonic network into passes over memory.
//
// In: the number of items, and the sizes of a block's part and a thread's share. Out: the
// passes in order, and for each pass the items of every part. A pass reads every item once,
// runs some steps, and writes every item once; a block does so for one part. The first pass
// sorts tiles: parts of 2^log2_part consecutive items. Every later stage begins with passes
// whose parts are spread over memory: runs of at least 32 consecutive items, one for each
// combination of the index bits whose steps are run. Its last pass merges within tiles.
// Invariant: both items of every comparator of a pass are in the same part. So a spread pass
// has room for log2_part - 5 steps, a pass over tiles for log2_part: the partitions of the
// K-model, section V, with k = 32.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/sort_network/network.hpp>

#include <algorithm>

namespace colonnade::detail {

/// A run of consecutive items has at least 2^lane_bits of them, one for each lane of a warp.
constexpr uint32_t lane_bits = 5;

/// The steps top, top - 1, ..., bottom of a stage, run in one pass.
struct bitonic_pass {
  uint32_t stage, top, bottom;
  constexpr COLONNADE_HOST_DEVICE uint32_t steps() const { return top - bottom + 1; }
  /// Whether the stage's first step, which compares mirrored items, is among them.
  constexpr COLONNADE_HOST_DEVICE bool mirrored() const { return top == stage; }
};

struct bitonic_plan {
  uint64_t num_items;
  uint32_t log2_part, log2_items; // of a part, of a thread

  constexpr uint64_t num_tiles() const {
    return (num_items + (uint64_t{1} << log2_part) - 1) >> log2_part;
  }
  /// Stages that the first pass runs.
  constexpr uint32_t tile_stages() const { return std::min(log2_part, ceil_log2(num_items)); }

  /// Items up to the end of the last sequence that the stage has to merge. Sequences have
  /// 2^(stage + 1) items; a last, shorter one that ends in its first half is sorted already.
  constexpr uint64_t merged_items(uint32_t stage) const {
    const uint64_t block = uint64_t{2} << stage, rest = num_items & (block - 1);
    return rest > block / 2 ? num_items : num_items - rest;
  }
  /// The parts of a pass that may have items below merged_items.
  constexpr uint64_t num_parts(const bitonic_pass &pass) const {
    const uint64_t items = merged_items(pass.stage), span = uint64_t{2} << pass.top;
    return ((items + span - 1) >> (pass.top + 1)) << (pass.top + 1 - log2_part);
  }
  /// visit(pass) for all passes but the first, in order, until it returns false.
  template <class Visit> constexpr bool for_each_pass(Visit visit) const {
    const uint32_t most = log2_part - lane_bits, stages = ceil_log2(num_items);
    for (uint32_t stage = log2_part; stage < stages; ++stage) {
      uint32_t left = stage + 1 - log2_part; // steps of spread passes
      for (uint32_t passes = (left + most - 1) / most; passes > 0; --passes) {
        const uint32_t share = (left + passes - 1) / passes;
        const uint32_t rounded = (share + log2_items - 1) / log2_items * log2_items;
        const uint32_t steps = passes == 1 ? left : std::min(rounded, most);
        const uint32_t top = log2_part + left - 1;
        if (!visit(bitonic_pass{stage, top, top + 1 - steps}))
          return false;
        left -= steps;
      }
      if (!visit(bitonic_pass{stage, log2_part - 1, 0}))
        return false;
    }
    return true;
  }
  constexpr uint32_t num_passes() const {
    uint32_t count = 1;
    for_each_pass([&](const bitonic_pass &) { return ++count, true; });
    return count;
  }
};

/// Where the items of a part are in memory. The bits of a place in the part are `low` bits for
/// consecutive items, and above them one for each step of the pass.
struct part_map {
  uint64_t base;
  uint64_t second_half; // what to add where the place's highest bit is set, modulo 2^64
  uint32_t low, bottom;

  /// A tile: consecutive items.
  static COLONNADE_HOST_DEVICE part_map tile(uint64_t number, uint32_t log2_part) {
    return {number << log2_part, 0, log2_part, log2_part};
  }
  /// A part of a spread pass. If the pass is mirrored, its second half is that of the mirrored
  /// part: items that meet in the first step differ in all index bits up to the stage's, and so
  /// both are in the part.
  static COLONNADE_HOST_DEVICE part_map of(const bitonic_pass &pass, uint64_t number,
                                           uint32_t log2_part) {
    const uint32_t low = log2_part - pass.steps(), between = pass.bottom - low;
    const uint64_t mask = (uint64_t{1} << between) - 1, middle = number & mask;
    const uint64_t high = number >> between << (pass.top + 1);
    const uint64_t mirrored = pass.mirrored() ? middle ^ mask : middle;
    return {high + (middle << low), (mirrored - middle) << low, low, pass.bottom};
  }
  /// What a bit of the place adds to the index.
  COLONNADE_HOST_DEVICE uint64_t bit_offset(uint32_t bit) const {
    return uint64_t{1} << (bit < low ? bit : bit - low + bottom);
  }
  /// The sum of bit_offset over the bits that are set in the place.
  COLONNADE_HOST_DEVICE uint64_t offset(uint32_t place) const {
    return (uint64_t{place >> low} << bottom) + (place & ((1u << low) - 1));
  }
};

} // namespace colonnade::detail
