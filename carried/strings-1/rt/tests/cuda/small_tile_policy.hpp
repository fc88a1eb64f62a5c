//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// small_tile_policy.hpp: small tiles of the scatter pass, for tests of multisplits and radix sorts.
//
// In: nothing. Out: a policy whose kernels compile faster, and give more tiles of the same input.
// Invariant: results have the same bits as those of the default policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/multisplit_tuning.hpp>

/// Small tiles compile faster and give more of them.
struct small_tile_policy : colonnade::multisplit_policy {
  static constexpr uint64_t max_items = 0xffffffff;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
  static constexpr colonnade::multisplit_tuning tuning(colonnade::gpu_architecture, uint32_t,
                                                       size_t, size_t) {
    colonnade::multisplit_tuning t;
    t.threads = 256;
    t.items_per_thread = 8;
    return t;
  }
};
