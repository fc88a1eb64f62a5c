//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// range.hpp: counts, and lists in order, the elements between two keys, one warp a query.
//
// In: a table and its state, two keys, both inclusive. Out: how many elements there are, and in
// `write` each with its number, in order (range_walk.hpp); for all queries of a call, offsets by
// tiles of queries, whose sums are added up between the two kernels. Invariant: nothing is stored
// whose size depends on what lies in the range.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/range_count.hpp>
#include <colonnade/detail/lsm/range_list.hpp>
#include <colonnade/device_status.hpp>

namespace colonnade::detail {

constexpr uint32_t lsm_range_threads = 256;

/// Queries of a block at a time: one a warp, or several where there are many.
constexpr uint32_t lsm_range_tile = 64;
constexpr uint64_t most_in_small_range_tiles = 1u << 16;
constexpr COLONNADE_HOST_DEVICE uint32_t lsm_log2_range_tile(uint64_t num_queries) {
  return num_queries > most_in_small_range_tiles ? 6 : 3;
}
constexpr COLONNADE_HOST_DEVICE uint64_t lsm_num_range_tiles(uint64_t num_queries) {
  const uint32_t log2 = lsm_log2_range_tile(num_queries);
  return (num_queries >> log2) + ((num_queries & ((1u << log2) - 1)) != 0);
}
/// Of so many queries or fewer: storage for many is enough for few.
constexpr uint64_t most_range_tiles(uint64_t num_queries) {
  const uint64_t tiles = lsm_num_range_tiles(num_queries),
                 most_small = lsm_num_range_tiles(most_in_small_range_tiles);
  return num_queries > most_in_small_range_tiles && tiles < most_small ? most_small : tiles;
}

template <class Table> struct lsm_range_arguments {
  using table_type = Table;
  Table table;
  const typename Table::raw *first_keys, *last_keys;
  uint64_t num_queries;
  uint64_t *offsets;             // num_queries + 1
  uint64_t *tile_sums;           // then the sums of the tiles before
  typename Table::raw *keys;     // null: not wanted
  typename Table::value *values; // null: not wanted
  uint64_t capacity;
  device_status *status; // or null
};

/// What a block of so many warps has in shared memory.
template <class Table, uint32_t Warps> struct lsm_range_storage {
  lsm_count_window<typename Table::raw> windows[Warps];
  uint64_t counts[lsm_range_tile], scratch[Warps]; // of the kernel that counts
};

/// Of every tile of queries: offsets within the tile, and its sum.
template <lsm_search Search, class Arguments, class Machine, uint32_t Warps>
COLONNADE_KERNEL_CODE void
count_ranges(const Machine &machine, const Arguments &a,
             lsm_range_storage<typename Arguments::table_type, Warps> &shared) {
  using table = typename Arguments::table_type;
  machine.wait_for_previous_kernel();
  const lsm_state state = known_state(machine, a.table, a.status);
  lsm_range_count<Search, table, Machine> ranges(machine, a.table, state,
                                                 shared.windows[machine.warp()]);
  const uint32_t of_tile = 1u << lsm_log2_range_tile(a.num_queries);
  for (uint64_t tile = machine.block(); tile * of_tile < a.num_queries;
       tile += machine.num_blocks()) {
    for (uint32_t i = machine.warp(); i < of_tile; i += Warps) {
      const uint64_t query = tile * of_tile + i;
      const uint64_t count =
          query < a.num_queries ? ranges.count(a.first_keys[query], a.last_keys[query]) : 0;
      if (machine.lane() == 0)
        shared.counts[i] = count;
    }
    machine.block_sync();
    const uint32_t i = machine.thread();
    const uint64_t own = i < of_tile ? shared.counts[i] : 0,
                   before = block_exclusive_sum(machine, own, shared.scratch);
    if (const uint64_t query = tile * of_tile + i; i < of_tile && query < a.num_queries)
      a.offsets[query] = before;
    if (i == 32 * Warps - 1)
      a.tile_sums[tile] = before + own;
    machine.block_sync();
  }
}

template <class Arguments> struct lsm_range_write {
  const Arguments &a;
  uint64_t offset;
  template <class Key, class Value>
  COLONNADE_KERNEL_CODE void operator()(uint64_t i, Key key, const Value &value) const {
    if (offset + i >= a.capacity)
      return;
    if (a.keys)
      a.keys[offset + i] = key;
    if (a.values)
      a.values[offset + i] = value;
  }
};

/// Makes the offsets whole, and writes the elements if they are wanted.
template <lsm_search Search, class Arguments, class Machine, uint32_t Warps>
COLONNADE_KERNEL_CODE void
list_ranges(const Machine &machine, const Arguments &a,
            lsm_list_window<typename Arguments::table_type::raw> (&windows)[Warps]) {
  using table = typename Arguments::table_type;
  using writer = lsm_range_write<Arguments>;
  machine.wait_for_previous_kernel();
  const lsm_state state = known_state(machine, a.table, nullptr); // reported before
  const bool wanted = a.keys || a.values;
  writer write{a, 0};
  lsm_range_list<Search, table, Machine, writer> ranges(machine, a.table, state, write,
                                                        windows[machine.warp()]);
  for (uint64_t query = uint64_t{machine.block()} * Warps + machine.warp(); query < a.num_queries;
       query += uint64_t{machine.num_blocks()} * Warps) {
    write.offset = a.offsets[query] + a.tile_sums[query >> lsm_log2_range_tile(a.num_queries)];
    machine.warp_sync(); // all lanes have read the offset
    if (machine.lane() == 0)
      a.offsets[query] = write.offset;
    if (wanted && write.offset < a.capacity)
      ranges.list(a.first_keys[query], a.last_keys[query]);
  }
}

} // namespace colonnade::detail
