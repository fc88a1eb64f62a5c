//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_blocks.hpp: the kernels that sort rows in registers, as functions of a block.
//
//   equal_rows_warps     rows of one length that a warp holds; a tile for each warp
//   equal_rows_block     a row of one length that a warp does not hold; a block for each
//   listed_rows_warps    rows of all classes that a warp holds; warps take tile after tile
//   listed_rows_blocks   rows of the classes that only a block holds, the same
//
// In: rows (segments), and where their sorted items go. Out: these rows sorted. Invariant: a row is
// sorted by one warp, or by one block. E: items of a thread; of rows of several lengths the most.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/segmented_sort/row_classes.hpp>
#include <colonnade/detail/segmented_sort/row_sorter.hpp>

namespace colonnade::detail {

template <class Output> struct equal_rows_arguments {
  using raw = typename Output::raw;
  const raw *keys_in;
  Output output;
  equal_rows rows;
  uint32_t log2_threads;             // of a row
  bool in_packs;                     // keys are moved 16 bytes at a time
  small_divisor by_length, by_packs; // by the length of a row in items, and in packs
};

template <class Output, class Rows> struct listed_rows_arguments {
  using raw = typename Output::raw;
  const raw *keys_in;
  Output output;
  Rows rows;
};

template <class Output, uint32_t E, class Machine>
COLONNADE_KERNEL_CODE void equal_rows_warps(const Machine &machine,
                                            const equal_rows_arguments<Output> &a, char *shared) {
  using sorter = row_sorter<Output, E, false, Machine>;
  const uint32_t warps = machine.num_threads() / 32, log2_rows = 5 - a.log2_threads;
  const uint64_t tile = uint64_t{machine.block()} * warps + machine.warp();
  const uint64_t first = tile << log2_rows;
  if (first >= a.rows.num_rows)
    return;
  const uint64_t left = a.rows.num_rows - first;
  const uint32_t num_rows = left >> log2_rows ? 1u << log2_rows : static_cast<uint32_t>(left);
  sorter(machine, machine.lane(), a.keys_in, a.output,
         shared + machine.warp() * sorter::shared_bytes(32))
      .sort_contiguous(first, num_rows, a.rows.length, a.in_packs, a.by_length, a.by_packs,
                       a.log2_threads);
}

template <class Output, uint32_t E, class Machine>
COLONNADE_KERNEL_CODE void equal_rows_block(const Machine &machine,
                                            const equal_rows_arguments<Output> &a, char *shared) {
  row_sorter<Output, E, true, Machine>(machine, machine.thread(), a.keys_in, a.output, shared)
      .sort_rows(a.rows.row(0, machine.block()), a.log2_threads);
}

template <class Output, uint32_t E, class Rows, class Machine>
COLONNADE_KERNEL_CODE void listed_rows_warps(const Machine &machine,
                                             const listed_rows_arguments<Output, Rows> &a,
                                             char *shared) {
  using classes = row_classes<E>;
  const uint32_t warps = machine.num_threads() / 32;
  char *mine = shared + machine.warp() * row_sorter<Output, E, false, Machine>::shared_bytes(32);
  const auto sort = [&]<uint32_t Items>(uint32_t thread, row_span own, uint32_t log2_threads) {
    row_sorter<Output, Items, false, Machine>(machine, thread, a.keys_in, a.output, mine)
        .sort_rows(own, log2_threads);
  };
  for_each_tile(class_walk<classes, Rows>(a.rows, 0, classes::in_warp),
                uint64_t{machine.block()} * warps + machine.warp(),
                uint64_t{machine.num_blocks()} * warps, machine.lane(), 5,
                [&](uint32_t c, row_span own) {
                  const uint32_t lane = computed_anew(machine.lane());
                  if (classes::row_items(c) >= E)
                    sort.template operator()<E>(lane, own, classes::log2_threads(c));
                  else if (c == 0)
                    sort.template operator()<4>(lane, own, 0);
                  else if (c == 1)
                    sort.template operator()<8>(lane, own, 0);
                  else if constexpr (E > 16)
                    sort.template operator()<16>(lane, own, 0);
                });
}

template <class Output, uint32_t E, class Rows, class Machine>
COLONNADE_KERNEL_CODE void listed_rows_blocks(const Machine &machine,
                                              const listed_rows_arguments<Output, Rows> &a,
                                              char *shared) {
  using classes = row_classes<E>;
  for_each_tile(class_walk<classes, Rows>(a.rows, classes::in_warp, classes::in_block),
                machine.block(), machine.num_blocks(), machine.thread(), 8,
                [&](uint32_t c, row_span own) {
                  row_sorter<Output, E, true, Machine>(machine, computed_anew(machine.thread()),
                                                       a.keys_in, a.output, shared)
                      .sort_rows(own, classes::log2_threads(c));
                });
}

} // namespace colonnade::detail
