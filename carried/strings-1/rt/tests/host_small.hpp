//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_small.hpp: the kernels for small inputs on the host machine: one team of blocks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/counting/block_counts.hpp>
#include <colonnade/detail/digits/sort_work.hpp>
#include <colonnade/detail/merging/block_order.hpp>
#include <colonnade/detail/multisplit/few_buckets/split_work.hpp>
#include <colonnade/detail/segmented_sort/long_rows.hpp>
#include <colonnade/detail/segmented_sort/short_rows.hpp>

namespace colonnade::testing {

struct small_faults : faults {
  uint64_t lost_tail = 0; // so many items at the end are forgotten
};

/// As many threads as a block of the team needs for its stretch, at least 256.
struct host_team_shape {
  uint32_t blocks = 1, threads = 256;
  uint32_t stretch(uint64_t most) const {
    return static_cast<uint32_t>((most + blocks - 1) / blocks + 31) / 32 * 32;
  }
};

template <class Work>
std::string host_team_split(unsigned seed, const small_faults &planted, host_team_shape shape,
                            Work work, uint64_t most) {
  using block = detail::team_split_block<Work, host_machine>;
  work.stretch = shape.stretch(most);
  host_grid grid(seed, shape.blocks, planted);
  grid.run(
      shape.blocks, shape.threads, block::shared_bytes(work.stretch),
      [&](const host_machine &machine, char *shared) { block(machine, work, shared).run(); },
      shape.blocks);
  return grid.all_complaints();
}

} // namespace colonnade::testing
