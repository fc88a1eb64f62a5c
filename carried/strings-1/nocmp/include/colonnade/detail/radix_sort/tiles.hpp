//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tiles.hpp: which tiles a radix sort has, by the number of its items.
//
// The tiles of the tuning are for inputs that fill the GPU many times over: 2^20 pairs of 32 bits
// are 69 of them, on 132 SMs. Fewer items are cut into smaller ones.
//
// In: a policy, a number of items. Out: a policy that differs from it in its tuning. Invariant: the
// tiles have no influence on the result; both phases of a call choose the same.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/multisplit_tuning.hpp>

namespace colonnade::detail {

/// Items: of a thread, at most.
template <class Policy, uint32_t Items> struct smaller_tiles_policy : Policy {
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = Policy::tuning(architecture, bits, key_bytes, value_bytes);
    const uint32_t fit = multisplit_policy::items_that_fit(architecture, t.threads, bits,
                                                           key_bytes + value_bytes, Items);
    if (fit >= t.items_per_thread)
      return t;
    t.items_per_thread = fit;
    t.values_in_turn = false;
    t.value_rows_ahead = fit < 16 ? fit : 16;
    return t;
  }
};

/// use(policy): with the policy whose tiles suit so many items.
template <class Policy, size_t KeyBytes, size_t ValueBytes, uint32_t Which = 0, class Use>
auto with_tiles(uint64_t num_items, Use use) {
  constexpr auto smaller = Policy::smaller_tiles(KeyBytes, ValueBytes);
  if constexpr (Which < smaller.size()) {
    if constexpr (smaller[Which].most_items > 0)
      if (num_items <= smaller[Which].most_items)
        return use(smaller_tiles_policy<Policy, smaller[Which].items_per_thread>{});
    return with_tiles<Policy, KeyBytes, ValueBytes, Which + 1>(num_items, use);
  } else {
    return use(Policy{});
  }
}

} // namespace colonnade::detail
