//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// small_sort_policy.hpp: small_tile_policy for radix sorts: tiles of one size for all inputs.
//
// In: nothing. Out: the policy. Invariant: results have the same bits as those of the default
// policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "small_tile_policy.hpp"

#include <colonnade/radix_sort_tuning.hpp>

struct small_sort_policy : small_tile_policy {
  static constexpr std::array<colonnade::radix_tiles, 0> smaller_tiles(size_t, size_t) {
    return {};
  }
};
