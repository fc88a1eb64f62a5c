//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// two_way_tuning.hpp: the tuning of the two-way multisplit.
//
// In: the architecture, and the bytes of a key and of a value. Out: a two_way_tuning. A policy is a
// type with the members of two_way_policy; derive from it to change them. Invariant: a policy
// changes nothing but the order within buckets.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

struct two_way_tuning {
  uint32_t threads = 256;         // of a block
  uint32_t items_per_thread = 32; // a tile is threads * items_per_thread items; at most 32
  uint32_t min_blocks = 4;        // per SM: bounds the registers
  uint32_t write_batch = 8;       // items that a thread reads from the tile before it writes them
};

/// The default policy.
struct two_way_policy {
  static constexpr two_way_tuning tuning(gpu_architecture architecture, size_t key_bytes,
                                         size_t value_bytes) {
    two_way_tuning t;
    const size_t item_bytes = key_bytes + value_bytes; // 160 bytes a thread, 32 items at most
    t.items_per_thread = item_bytes <= 5 ? 32 : static_cast<uint32_t>(160 / item_bytes);
    const size_t tile_bytes = t.threads * t.items_per_thread * item_bytes, others = 128;
    t.min_blocks = blocks_that_fit(architecture, tile_bytes + others, t.min_blocks);
    return t;
  }
};

namespace detail {
template <class Policy, size_t KeyBytes, size_t ValueBytes>
using two_way_tunings = policy_tunings<Policy, KeyBytes, ValueBytes>;
} // namespace detail

} // namespace colonnade
