//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_bulk_sort.hpp: runs the kernels of bulk sorts on the host.
//
// In: the arguments of the kernels. Out: the arrays sorted, or after their passes, and what
// the host machine complains of.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/bulk/layout.hpp>
#include <colonnade/detail/bulk_sort/column_block.hpp>
#include <colonnade/detail/bulk_sort/column_pair.hpp>

#include <string>

namespace colonnade::testing {

using namespace colonnade::detail;

/// Threads share nothing, so they run one after the other.
struct lone_thread {
  uint32_t thread_index, block_index, block_threads;
  uint32_t thread() const { return thread_index; }
  uint32_t block() const { return block_index; }
  uint32_t num_threads() const { return block_threads; }
};

constexpr uint32_t lone_threads = 4; // of a block

template <class Layout, class Arguments, class Run>
void for_each_thread(Arguments a, uint64_t groups, Run run) {
  a.blocks_per_row = static_cast<uint32_t>((a.num_arrays + lone_threads - 1) / lone_threads);
  for (uint32_t b = 0; b < a.blocks_per_row * groups; ++b)
    for (uint32_t t = 0; t < lone_threads; ++t) {
      const lone_thread machine{t, b, lone_threads};
      run(bulk_sort_thread<Layout, Arguments, lone_thread>(machine, a));
    }
}

template <class Layout, uint32_t From, uint32_t To, class Arguments>
void sort_in_one_pass(const Arguments &a) {
  for_each_thread<Layout>(a, 1, [](const auto &thread) { thread.template sort<From, To>(); });
}

/// before(pass) is called ahead of every pass.
template <class Layout, uint32_t Bits, class Arguments, class Before>
void sort_in_several(Arguments a, Before before) {
  for_each_column_pass(a.length, Bits, [&](const column_pass &pass) {
    a.pass = pass;
    before(pass);
    for_each_thread<Layout>(a, num_groups(a.length, Bits, pass.bottom),
                            [](const auto &thread) { thread.template pass<Bits>(); });
    a.arrays = a.arrays.in_place();
    return true;
  });
}

/// In blocks; the complaints.
template <class Layout, uint32_t Log2Rows, uint32_t Log2Columns, uint32_t Bits, class Arguments>
std::string sort_in_blocks(const Arguments &a, unsigned seed, faults planted = {}) {
  using block = column_block<Layout, Log2Rows, Log2Columns, Bits, Arguments, host_machine>;
  host_grid grid(seed, 3, planted);
  grid.run(static_cast<uint32_t>((a.num_arrays + block::columns - 1) / block::columns),
           block::threads, block::shared_bytes,
           [&](const host_machine &machine, char *shared) { block(machine, a, shared).sort(); });
  std::string wrong;
  for (const std::string &c : grid.complaints)
    wrong += c + "\n";
  return wrong;
}

template <class Layout, uint32_t From, uint32_t To, class Arguments>
std::string sort_in_pairs(const Arguments &a, unsigned seed) {
  using pair = column_pair<Layout, From, To, Arguments, host_machine>;
  host_grid grid(seed, 3, {});
  grid.run(static_cast<uint32_t>((a.num_arrays + 31) / 32), 64, 0,
           [&](const host_machine &machine, char *) { pair(machine, a).sort(); });
  std::string wrong;
  for (const std::string &c : grid.complaints)
    wrong += c + "\n";
  return wrong;
}

} // namespace colonnade::testing
