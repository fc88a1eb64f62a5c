//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// in_turn.hpp: candidates of the lanes of a warp, of which the whole warp compares one after the
// other.
//
// In: each lane's candidates, bits of a row. Out: those that match. Invariant: the candidate
// compared next is the first one of the first lane that has any.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// One of the candidates of the lanes that are `asking`: compare(place) asks the whole warp.
template <class Machine, class Compare>
COLONNADE_KERNEL_CODE void compare_one(const Machine &machine, uint32_t asking,
                                       uint32_t &candidates, uint32_t &matching, uint64_t position,
                                       Compare compare) {
  const uint32_t leader = machine.first_one(asking), mine = machine.first_one(candidates);
  const bool same = compare(machine.shuffle(position + mine, leader));
  if (machine.lane() == leader) {
    candidates &= ~(1u << mine);
    matching |= uint32_t{same} << mine;
  }
}
/// The candidates of all lanes, one after the other; after each, settle() may decide others by
/// what is known.
template <class Machine, class Compare, class Settle>
COLONNADE_KERNEL_CODE void compare_in_turn(const Machine &machine, uint32_t &candidates,
                                           uint32_t &matching, uint64_t position, Compare compare,
                                           Settle settle) {
  while (const uint32_t asking = machine.ballot(candidates != 0)) {
    compare_one(machine, asking, candidates, matching, position, compare);
    settle();
  }
}

} // namespace colonnade::detail
