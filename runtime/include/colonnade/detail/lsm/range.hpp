//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// range.hpp: counts, and lists in order, the elements between two keys, one warp a query.
//
// Every run has its own lane, the newest the lowest. Each finds its part of the range. Then the
// warp looks at windows of 32 elements: each run that has some left gives one, and more in
// proportion to what it has left. The smallest of the last keys that such runs have given is the
// limit: below it nothing is missing. Of equal keys below it, that of the newest run counts, and in
// it the last. If nothing is below the limit, the limit itself is next: every run searches for the
// end of its equal keys, however many they are.
//
// In: a table and its state, two keys, both inclusive. Out: how many elements there are, and in
// `write` each with its number, in order. Invariant: called by whole warps; nothing is stored whose
// size depends on what lies in the range.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/lsm/search.hpp>
#include <colonnade/device_status.hpp>

namespace colonnade::detail {

template <lsm_search Search, class Table, class Machine, class Write> class lsm_range_walk {
public:
  using raw = typename Table::raw;
  using value = typename Table::value;
  using run = typename Table::run;

  COLONNADE_KERNEL_CODE lsm_range_walk(const Machine &machine, const Table &table,
                                       const lsm_state &state, const Write &write)
      : machine_(machine), format_(table.format), write_(write), lane_(machine.lane()) {
    if (lane_ == 0)
      run_ = table.buffer(state);
    else if (lane_ <= table.num_levels && (state.batches >> (lane_ - 1) & 1))
      run_ = table.level(state, lane_ - 1);
  }

  /// The number of elements.
  COLONNADE_KERNEL_CODE uint64_t walk(raw first_key, raw last_key) {
    const raw first = format_.word(first_key), last = format_.word(last_key);
    begin_ = end_ = found_ = 0;
    if (run_.count && first <= last) {
      begin_ = count_below<Search>(run_, format_, first);
      end_ = count_up_to<Search>(run_, format_, last);
    }
    while (machine_.ballot(begin_ < end_))
      window();
    return found_;
  }

private:
  /// Elements that this lane's run gives to the window.
  COLONNADE_KERNEL_CODE uint32_t share() const {
    const uint64_t left = end_ - begin_;
    const uint32_t runs = Machine::count_ones(machine_.ballot(left > 0));
    uint64_t all = left;
    COLONNADE_UNROLL
    for (uint32_t mask = 16; mask > 0; mask /= 2)
      all += machine_.shuffle_xor(all, mask);
    // In thousandths of all, so that no product is too large; not more than 32 in total.
    const uint64_t unit = all / 1024 + 1;
    const uint32_t more = static_cast<uint32_t>((32 - runs) * (left / unit) / (all / unit + 1));
    const uint64_t wanted = left ? 1 + more : 0;
    return static_cast<uint32_t>(wanted < left ? wanted : left);
  }
  /// The lane whose share the element at this lane's place in the window belongs to; the lanes'
  /// shares begin at `start`, which rises.
  COLONNADE_KERNEL_CODE uint32_t owner(uint32_t start) const {
    uint32_t low = 0;
    COLONNADE_UNROLL
    for (uint32_t step = 16; step > 0; step /= 2)
      low += machine_.shuffle(start, low + step) <= lane_ ? step : 0;
    return low;
  }
  template <class T> COLONNADE_KERNEL_CODE const T *pointer_of(const T *own, uint32_t lane) const {
    return reinterpret_cast<const T *>(static_cast<uintptr_t>(
        machine_.shuffle(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(own)), lane)));
  }
  COLONNADE_KERNEL_CODE void window() {
    const uint32_t given = share();
    const uint32_t up_to = warp_inclusive_sum(machine_, given), start = up_to - given;
    const uint32_t used = machine_.shuffle(up_to, 31);
    const uint32_t from = owner(start);
    run of;
    of.keys = pointer_of(run_.keys, from);
    of.values = pointer_of(run_.values, from);
    of.tombstones = pointer_of(run_.tombstones, from);
    const uint64_t at = machine_.shuffle(begin_, from) + lane_ - machine_.shuffle(start, from);
    const raw key = lane_ < used ? of.keys[at] : raw{}, word = format_.word(key);

    const raw own_last = machine_.shuffle(word, up_to ? up_to - 1 : 0);
    const bool gives_all = begin_ + given == end_;
    const bool limited = machine_.ballot(!gives_all) != 0;
    const raw limit = smallest(gives_all ? static_cast<raw>(~raw{0}) : own_last);
    const bool below = lane_ < used && (!limited || word < limit);
    const uint32_t all_below = machine_.ballot(below);
    if (!all_below)
      return take_limit(limit);

    bool stale = false;
    uint32_t smaller = 0;
    for (uint32_t k = 0; k < used; ++k) {
      const raw other = machine_.shuffle(word, k);
      const uint32_t other_from = machine_.shuffle(from, k);
      const bool newer = k < lane_ ? other_from != from : other_from == from && k != lane_;
      stale = stale || (newer && other == word && (all_below >> k & 1));
      smaller |= uint32_t{other < word} << k;
    }
    const bool counts = below && !stale && !of.is_tombstone(at);
    const uint32_t all = machine_.ballot(counts);
    if (counts)
      write_(found_ + Machine::count_ones(all & smaller), key, of.values[at]);
    found_ += Machine::count_ones(all);
    const uint32_t own_share = given == 32 ? ~0u : ((1u << given) - 1) << start % 32;
    begin_ += given ? Machine::count_ones(all_below & own_share) : 0;
  }
  COLONNADE_KERNEL_CODE raw smallest(raw own) const {
    COLONNADE_UNROLL
    for (uint32_t mask = 16; mask > 0; mask /= 2) {
      const raw other = machine_.shuffle_xor(own, mask);
      own = other < own ? other : own;
    }
    return own;
  }
  /// The key `limit` is the smallest that is left.
  COLONNADE_KERNEL_CODE void take_limit(raw limit) {
    uint64_t up_to = begin_;
    bool here = false;
    if (begin_ < end_ && format_.word(run_.keys[begin_]) == limit) {
      here = true;
      up_to = count_up_to<Search>(run_, format_, limit);
    }
    const uint32_t newest = Machine::first_one(machine_.ballot(here));
    const bool counts = lane_ == newest && !run_.is_tombstone(up_to - 1);
    if (counts)
      write_(found_, run_.keys[up_to - 1], run_.values[up_to - 1]);
    found_ += machine_.ballot(counts) ? 1 : 0;
    begin_ = up_to;
  }

  const Machine &machine_;
  const typename Table::format_type &format_;
  const Write &write_;
  uint32_t lane_;
  run run_; // of this lane
  uint64_t begin_ = 0, end_ = 0, found_ = 0;
};

constexpr uint32_t lsm_range_threads = 256, lsm_range_tile = 64; // queries of a block at a time

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

struct lsm_no_write {
  template <class Key, class Value>
  COLONNADE_KERNEL_CODE void operator()(uint64_t, Key, Value) const {}
};

/// Of every tile of queries: offsets within the tile, and its sum. scratch: a word for each warp.
template <lsm_search Search, class Arguments, class Machine>
COLONNADE_KERNEL_CODE void count_ranges(const Machine &machine, const Arguments &a,
                                        uint64_t *counts, uint64_t *scratch) {
  using table = typename Arguments::table_type;
  machine.wait_for_previous_kernel();
  const lsm_state state = *a.table.state;
  const lsm_no_write none;
  lsm_range_walk<Search, table, Machine, lsm_no_write> walk(machine, a.table, state, none);
  for (uint64_t tile = machine.block(); tile * lsm_range_tile < a.num_queries;
       tile += machine.num_blocks()) {
    for (uint32_t i = machine.warp(); i < lsm_range_tile; i += lsm_range_threads / 32) {
      const uint64_t query = tile * lsm_range_tile + i;
      const uint64_t count =
          query < a.num_queries ? walk.walk(a.first_keys[query], a.last_keys[query]) : 0;
      if (machine.lane() == 0)
        counts[i] = count;
    }
    machine.block_sync();
    const uint32_t i = machine.thread();
    const uint64_t own = i < lsm_range_tile ? counts[i] : 0,
                   before = block_exclusive_sum(machine, own, scratch);
    if (const uint64_t query = tile * lsm_range_tile + i;
        i < lsm_range_tile && query < a.num_queries)
      a.offsets[query] = before;
    if (i == lsm_range_threads - 1)
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
template <lsm_search Search, class Arguments, class Machine>
COLONNADE_KERNEL_CODE void list_ranges(const Machine &machine, const Arguments &a) {
  using table = typename Arguments::table_type;
  using writer = lsm_range_write<Arguments>;
  machine.wait_for_previous_kernel();
  const lsm_state state = *a.table.state;
  const bool wanted = a.keys || a.values;
  const uint32_t warps = machine.num_threads() / 32;
  writer write{a, 0};
  lsm_range_walk<Search, table, Machine, writer> walk(machine, a.table, state, write);
  for (uint64_t query = uint64_t{machine.block()} * warps + machine.warp(); query < a.num_queries;
       query += uint64_t{machine.num_blocks()} * warps) {
    write.offset = a.offsets[query] + a.tile_sums[query / lsm_range_tile];
    machine.warp_sync(); // all lanes have read the offset
    if (machine.lane() == 0)
      a.offsets[query] = write.offset;
    if (wanted && write.offset < a.capacity)
      walk.walk(a.first_keys[query], a.last_keys[query]);
  }
}

} // namespace colonnade::detail
