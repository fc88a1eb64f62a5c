//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_tuning.hpp: the tuning of log-structured merge trees.
//
// In: the architecture, and the bytes of a key and of a value. Out: an lsm_tuning. A policy is a
// type with the members of lsm_policy; derive from it to change some. Invariant: a tree may be used
// under several policies at once, and holds the same under each.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

/// How a key is looked for in a level.
enum class lsm_search : uint8_t {
  index,  // from sampled keys down to the key, 32 bytes at a time
  binary, // by binary search in the level itself: for comparison
};

struct lsm_tuning {
  lsm_search search = lsm_search::index;
  uint32_t find_threads = 256; // of a block, at most where there are few queries; a multiple of 32
  uint32_t few_query_lanes = 1u << 18; // at most, of all queries of a find, successor or
                                       // predecessor where each has a lane for the buffer and for
                                       // every level, rounded up to a power of two: 8192 queries
                                       // where there are 16 levels or more, 32768 where there are 4
                                       // to 7. More queries have a thread each; 0: all have
  uint32_t few_ranges = 16; // counts or ranges of a block, 64 at most, that are answered in one
                            // launch, by one block, or 8 or 16 of a cluster; 0: none are

  // Merging.
  uint32_t partition_lanes = 1u << 16; // that search for where tiles begin: a group with a lane for
                                       // each run searches for one element in each of them, and
                                       // then between that one and the next group's
  uint32_t threads = 256;              // of a block
  uint32_t items_per_thread = 17; // at most, in a merge; odd: accesses with this stride have no
                                  // bank conflicts
  uint32_t min_blocks = 4;        // per SM: bounds the registers
  uint32_t copied_rows = 4; // of 32 elements that a warp reads before it writes the first, where
                            // nothing is merged
};

struct lsm_policy {
  /// Whether find, successor and predecessor sort their queries first.
  static constexpr bool sorts_queries = false;

  /// Measured on an H200. Elsewhere chosen so that blocks fit into shared memory, and few registers
  /// are spilled.
  static constexpr lsm_tuning tuning(gpu_architecture architecture, size_t key_bytes, size_t) {
    lsm_tuning t;
    const bool wide = key_bytes > 4;
    if (wide)
      t.items_per_thread = architecture == gpu_architecture::sm_80 ? 9 : 11;
    if (architecture >= gpu_architecture::sm_100) {
      t.min_blocks = 3;
      t.items_per_thread = wide ? 9 : 15;
    }
    if (architecture == gpu_architecture::sm_120)
      t.items_per_thread = wide ? 7 : 11;
    return t;
  }
};

/// Neighbouring threads look for neighbouring keys, and so read the same nodes: for many queries,
/// of which it is not known that they are in order. (Queries that are sorted already need no
/// policy.) Temporary storage is that of an argsort of the queries, 4 bytes each and more. More
/// than 2^32 queries stay as they are.
struct lsm_sorted_queries : lsm_policy {
  static constexpr bool sorts_queries = true;
};

namespace detail {
template <class Policy, size_t KeyBytes, size_t ValueBytes>
using lsm_tunings = policy_tunings<Policy, KeyBytes, ValueBytes>;
} // namespace detail

} // namespace colonnade
