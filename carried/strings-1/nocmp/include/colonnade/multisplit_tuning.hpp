//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_tuning.hpp: the tuning of multisplits.
//
// In: the architecture, the bits of the bucket ids, the bytes of a key and of a value. Out: a
// multisplit_tuning. A policy is a type with the members of multisplit_policy; derive from it to
// change some. Invariant: results have the same bits under every policy that discards nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

/// How the lanes of a warp learn which of them have the same bucket id.
enum class match_method : uint8_t {
  ballots,     // one ballot for each bit of the id
  instruction, // the GPU's own instruction, match.any
};

struct multisplit_tuning {
  // The scatter pass.
  uint32_t threads = 384;         // of a block; at least the buckets, rounded up to 2^k
  uint32_t items_per_thread = 40; // a tile is threads * items_per_thread items
  uint32_t min_blocks = 2;        // per SM: bounds the registers
  bool rank_first = false;        // true: rank, keep 16-bit ranks, then publish the counts;
                                  // false: count, publish, then rank straight into the tile
  uint32_t packed_count_bits = 2; // up to 2^this buckets (at most 8): counts in registers
  bool two_way = true;            // code for one bit (round_up_bits) ranks in registers
  uint32_t rows_at_once = 4;      // rows of 32 whose ballots are issued together
  match_method match = match_method::ballots;
  bool values_early = true;       // the first values are loaded before the counts are
                                  // published, or after
  uint32_t value_rows_ahead = 16; // so many rows before it is staged a value is loaded
  bool values_in_turn = false;    // values are staged where the keys were, once these are written
  uint32_t look_back_window = 4;  // words that a thread loads at once, if it looks back alone
  uint32_t look_back_lanes = 8;   // at most so many lanes look back together for one bucket: all
                                  // blocks poll the same few lines of the second-level cache
  uint32_t write_batch = 8;       // items that a thread reads from the tile before it writes them
  bool ticket = true;             // tiles are numbered by a ticket; false: by blockIdx, which
                                  // relies on blocks starting in order

  // The histogram pass.
  uint32_t histogram_threads = 256;
  uint32_t histogram_loads = 8;         // 16-byte loads of a thread in flight at once
  uint32_t histogram_blocks_per_sm = 4; // at most; fewer if shared memory holds fewer
  uint32_t histogram_copies = 1;        // of every counter; lane l uses copy l % copies
  bool from_the_end = true;             // the keys that the scatter reads first are read last

  bool overlap_launches = true; // the scatter may start while the histogram ends (from sm_90)
};

/// How a multisplit into up to 256 buckets is done. All but the first are for comparison: they need
/// multisplit_methods.cuh, and cannot discard.
enum class multisplit_method : uint8_t {
  look_back,        // a histogram pass, and a scatter pass with decoupled look-back
  direct,           // counts of warps, a scan, items written as they come
  warp_level,       // the same; each warp reorders what it writes
  block_level,      // counts of blocks; each block reorders what it writes
  reduced_bit_sort, // ids are written and sorted by their bits, the items with them
};

struct multisplit_policy {
  static constexpr multisplit_method method = multisplit_method::look_back;

  /// Items whose bucket id is `discard_bucket` are left out of the output.
  static constexpr bool discards = false;

  /// Calls with more of either are refused. Kernels for more buckets are not compiled: 256 need
  /// no digit passes, 8 a third of the code of 256.
  static constexpr uint32_t max_buckets = 1u << 31;
  static constexpr uint64_t max_items = ~uint64_t{0};

  /// Inputs of up to so many items, if a team of blocks holds them (team_split.hpp: by their size
  /// 65536 to 98304 in sixteen blocks, 32768 to 73728 in eight, 4096 to 9216 in one, before
  /// sm_90), are moved in one launch. 0: none are, and that kernel is not compiled.
  static constexpr uint64_t most_team_items = ~uint64_t{0};

  /// For more than 256 buckets: whether the id of every item is written once and carried along
  /// with it, which pays for functors that cost more than 4 bytes of traffic in each pass. Ids of
  /// functors that take the index always are, and those of device lambdas, of which the host
  /// cannot tell whether they do.
  static constexpr bool carries_ids = false;

  /// Ids of k bits are ranked by code for round_up_bits(k) bits, k to 8: less code compiles
  /// faster. Code for two and three bits is in one kernel; pairs have none for one bit.
  static constexpr uint32_t round_up_bits(uint32_t bits) { return bits; }

  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t;
    const size_t item_bytes = key_bytes + value_bytes;
    const bool short_runs = bits >= 6 && key_bytes == 4 && value_bytes == 0; // gain by a few more
    const uint32_t most = item_bytes <= 2 ? 48 : short_runs ? 44 : 40;
    t.items_per_thread = items_that_fit(architecture, t.threads, bits, item_bytes, most);
    if (key_bytes == 1)
      t.histogram_loads = 4;                               // eight take 255 registers
    if (bits == 8 && key_bytes == 4 && value_bytes == 4) { // long runs pay for the barriers
      t.items_per_thread = items_that_fit(architecture, t.threads, bits, key_bytes, 40);
      t.values_in_turn = true;
      t.value_rows_ahead = 0;
    }
    return t;
  }

  /// Shared memory of a block if two are on an SM: half of what the SM has, less 1 KB for the
  /// system, and at most 98 KB.
  static constexpr size_t block_bytes(gpu_architecture architecture) {
    const size_t half = shared_bytes_per_sm(architecture) / 2 - 1024, most = 98 * 1024;
    return half < most ? half : most;
  }

  /// The most items of a thread with which a block stays within block_bytes, and the thread's keys
  /// and values within `most` 4-byte registers.
  static constexpr uint32_t items_that_fit(gpu_architecture architecture, uint32_t threads,
                                           uint32_t bits, size_t item_bytes, uint32_t most) {
    const size_t counters = (threads / 32 + 4) * (size_t{4} << bits) + 512;
    const size_t by_memory = (block_bytes(architecture) - counters) / (threads * item_bytes);
    const size_t by_registers = most * (item_bytes > 4 ? 8 : 4) / item_bytes;
    const size_t items = by_memory < by_registers ? by_memory : by_registers;
    return static_cast<uint32_t>(items < 1 ? 1 : items > most ? most : items);
  }
};

namespace detail {
template <class Policy, uint32_t Bits, size_t KeyBytes, size_t ValueBytes>
using multisplit_tunings = policy_tunings<Policy, Bits, KeyBytes, ValueBytes>;
} // namespace detail

/// What a functor returns for an item to leave out, under a policy that discards.
constexpr uint32_t discard_bucket = 0xffffffff;

} // namespace colonnade
