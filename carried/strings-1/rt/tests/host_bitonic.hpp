//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_bitonic.hpp: a bitonic sort on the host: the GPU's blocks under random
// schedules, the launches of dispatch.cuh in order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/bitonic_sort_tuning.hpp>
#include <colonnade/detail/bitonic_sort/block.hpp>

namespace colonnade::testing {

template <uint32_t Log2Part, uint32_t Log2Items> struct small_part {
  static constexpr bitonic_tuning value = [] {
    bitonic_tuning t;
    t.log2_part = Log2Part;
    t.log2_items = Log2Items;
    return t;
  }();
};

/// before(pass, is first) is called ahead of every pass. Returns the complaints.
template <class Tuning, class Arguments, class Before>
std::string host_bitonic(unsigned seed, faults planted, Arguments a, Before before) {
  using block = detail::bitonic_block<Tuning, Arguments, host_machine>;
  const detail::bitonic_plan plan{a.num_items, Tuning::value.log2_part, Tuning::value.log2_items};
  host_grid grid(seed, 3, planted);
  a.pass.stage = plan.tile_stages();
  before(a.pass, true);
  grid.run(static_cast<uint32_t>(plan.num_tiles()), block::threads, block::shared_bytes,
           [&](const host_machine &machine, char *shared) { block(machine, a, shared).sort(); });
  plan.for_each_pass([&](const detail::bitonic_pass &pass) {
    a.pass = pass;
    before(pass, false);
    grid.run(static_cast<uint32_t>(plan.num_parts(pass)), block::threads, block::shared_bytes,
             [&](const host_machine &machine, char *shared) {
               pass.bottom > 0 ? block(machine, a, shared).merge_spread()
                               : block(machine, a, shared).merge_tile();
             });
    return grid.complaints.empty();
  });
  return grid.all_complaints();
}

} // namespace colonnade::testing
