//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chunk_move.hpp: the last of three kernels over chunks: moves the items of a chunk, tile by tile,
// to their buckets.
//
// In: counts and totals, scanned; ticket zero. Out: the items in their buckets; the user's offsets
// of each piece; the first bucket id out of range in the status. If a piece is one chunk, the block
// counts its buckets itself; if it is one tile, the count that sorts the tile is enough, and the
// sorted tile is the output. Otherwise the places of the chunk's first items come from the counts
// and totals. A tile has as few rows as its items need, so that short pieces cost less.
// Invariant: every item is written once, and items of a bucket keep their order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/device/registers.hpp>
#include <colonnade/detail/multisplit/chunks/chunk_counts.hpp>
#include <colonnade/detail/ranking/warp_rank.hpp>

namespace colonnade::detail {

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids, class Source>
struct chunk_move_arguments {
  using moved = moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut>;
  using key = typename moved::key;
  using value = typename moved::value;
  static constexpr bool has_values = moved::has_values, writes_keys = moved::writes_keys;

  KeysIn keys_in; // not of a base: compiled for sm_90 the kernel would spill twice as much
  KeysOut keys_out;
  ValuesIn values_in;
  ValuesOut values_out;
  Ids ids;
  Source source;
  uint32_t *ticket;
  device_status *status;
};

/// Shared memory of a block.
template <class Tuning, uint32_t Bits, class Key, class Value> struct chunk_storage {
  static constexpr uint32_t buckets = 1u << Bits;
  static constexpr uint32_t warps = Tuning::value.threads / 32;
  static constexpr uint32_t tile_items = Tuning::value.threads * Tuning::value.items_per_thread;
  static constexpr size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }
  static constexpr size_t base_at = aligned(size_t{warps} * buckets * 4);
  static constexpr size_t target_at = aligned(base_at + buckets * 8);
  static constexpr size_t start_at = aligned(target_at + buckets * 8);
  static constexpr size_t scratch_at = aligned(start_at + (buckets + 1) * 4);
  static constexpr size_t ticket_at = aligned(scratch_at + warps * 8);
  static constexpr size_t keys_at = ticket_at + 16;
  static constexpr size_t values_at = aligned(keys_at + tile_items * sizeof(Key));
  static constexpr size_t bytes = aligned(values_at + tile_items * bytes_of<Value>);

  char *memory;

  template <class T> COLONNADE_KERNEL_CODE T *at(size_t place) const {
    return reinterpret_cast<T *>(memory + place);
  }
  COLONNADE_KERNEL_CODE uint32_t *counters(uint32_t warp) const {
    return at<uint32_t>(0) + warp * buckets;
  }
  /// Where the next tile's first item of each bucket goes.
  COLONNADE_KERNEL_CODE uint64_t *base() const { return at<uint64_t>(base_at); }
  /// The output index of a bucket's item at place p of this tile, less p.
  COLONNADE_KERNEL_CODE uint64_t *target() const { return at<uint64_t>(target_at); }
  COLONNADE_KERNEL_CODE uint32_t *start() const { return at<uint32_t>(start_at); }
  COLONNADE_KERNEL_CODE uint64_t *scratch() const { return at<uint64_t>(scratch_at); }
  COLONNADE_KERNEL_CODE uint32_t *ticket() const { return at<uint32_t>(ticket_at); }
  COLONNADE_KERNEL_CODE Key *keys() const { return at<Key>(keys_at); }
  COLONNADE_KERNEL_CODE Value *values() const { return at<Value>(values_at); }
};

template <class Tuning, uint32_t Bits, class Arguments, class Machine> class chunk_move_block {
public:
  using key = typename Arguments::key;
  using value = typename Arguments::value;
  using source = decltype(Arguments::source);
  using storage = chunk_storage<Tuning, Bits, key, value>;
  static constexpr uint32_t threads = Tuning::value.threads, items = Tuning::value.items_per_thread;
  static constexpr uint32_t warps = storage::warps, buckets = storage::buckets;
  static constexpr uint32_t tile_items = storage::tile_items, batch = 8;
  static_assert(buckets <= threads, "one thread a bucket");

  COLONNADE_KERNEL_CODE chunk_move_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), s_{shared}, others_(machine.lane()) {}

  COLONNADE_KERNEL_CODE void run() {
    if constexpr (source::is_everything)
      if (machine_.block() == 0 && machine_.thread() == 0)
        a_.source.num_items.report(machine_, a_.status);
    for (;;) {
      const uint32_t i = next_work(machine_, a_.ticket, s_.ticket());
      if (i >= a_.source.num_work())
        return;
      const chunk_work work = a_.source.work(i);
      if (!work.counts && work.end - work.begin <= tile_items)
        move_piece(work);
      else
        move_tiles(work);
    }
  }

private:
  /// One tile: what is sorted is the output.
  COLONNADE_KERNEL_CODE void move_piece(const chunk_work &work) {
    sort_tile(work.begin, static_cast<uint32_t>(work.end - work.begin));
    if (work.offsets && machine_.thread() < a_.ids.num_buckets)
      work.offsets[machine_.thread()] = work.begin + s_.start()[machine_.thread()];
    write([&](const key &, uint32_t place) { return work.begin + place; });
  }
  COLONNADE_KERNEL_CODE void move_tiles(const chunk_work &work) {
    find_bases(work);
    for (uint64_t first = work.begin; first < work.end; first += tile_items) {
      const uint64_t left = work.end - first;
      sort_tile(first, left < tile_items ? static_cast<uint32_t>(left) : tile_items);
      write(
          [&](const key &item, uint32_t place) { return s_.target()[id_at(item, place)] + place; });
    }
  }
  /// Where the chunk's first item of each bucket goes.
  COLONNADE_KERNEL_CODE void find_bases(const chunk_work &work) const {
    const uint32_t b = machine_.thread();
    const bool mine = b < a_.ids.count();
    if (!work.counts)
      count_piece(work);
    const uint64_t total = !mine ? 0 : work.counts ? work.totals[b] : s_.counters(0)[b];
    const uint64_t before =
        mine && work.counts ? work.counts[uint64_t{b} * work.chunks + work.chunk] : 0;
    const uint64_t start = work.piece_begin + block_exclusive_sum(machine_, total, s_.scratch());
    if (b < buckets)
      s_.base()[b] = start + before;
    if (work.offsets && work.chunk == 0 && b < a_.ids.num_buckets) {
      work.offsets[b] = start;
      if (source::is_everything && b == a_.ids.num_buckets - 1)
        work.offsets[b + 1] = start + total;
    }
    machine_.block_sync();
  }
  /// Into the first warp's counters.
  COLONNADE_KERNEL_CODE void count_piece(const chunk_work &work) const {
    if (machine_.thread() < buckets)
      s_.counters(0)[machine_.thread()] = 0;
    machine_.block_sync();
    for (uint64_t first = work.begin; first < work.end; first += threads * batch) {
      key keys[batch];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k) {
        const uint64_t index = first + k * threads + machine_.thread();
        if (index < work.end)
          keys[k] = a_.keys_in[static_cast<std::ptrdiff_t>(index)];
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k) {
        const uint64_t index = first + k * threads + machine_.thread();
        if (index < work.end)
          machine_.add_shared(s_.counters(0) + a_.ids(keys[k], index), 1);
      }
    }
    machine_.block_sync();
  }

  /// Items [first, first + valid) by bucket into the tile; all threads see it, and start
  /// and target. Bases move on.
  COLONNADE_KERNEL_CODE void sort_tile(uint64_t first, uint32_t valid) {
    valid_ = valid;
    if (valid == tile_items)
      sort<true>(first);
    else
      sort<false>(first);
  }
  /// In one piece: cut into functions it spills registers.
  template <bool Full> COLONNADE_KERNEL_CODE void sort(uint64_t first) {
    const uint32_t rows = Full ? items : (valid_ + threads - 1) / threads;
    const uint32_t of_warp = machine_.warp() * 32 * rows + machine_.lane();
    const auto there = [&](uint32_t k) { return Full || (k < rows && of_warp + 32 * k < valid_); };
    key keys[items];
    value values[Arguments::has_values ? items : 1];
    uint32_t ids[(items + 3) / 4] = {}; // four a register
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      if (there(k)) {
        const std::ptrdiff_t index = static_cast<std::ptrdiff_t>(first + of_warp + 32 * k);
        keys[k] = a_.keys_in[index];
        if constexpr (Arguments::has_values)
          values[k] = a_.values_in[index];
      }
    machine_.block_sync(); // the counters and the tile are free
    uint32_t *mine = s_.counters(machine_.warp());
    for (uint32_t b = machine_.lane(); b < buckets; b += 32)
      mine[b] = 0;
    machine_.warp_sync();
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      if (there(k)) {
        const uint32_t id =
            checked_id(machine_, a_.ids, keys[k], first + of_warp + 32 * k, a_.status);
        ids[k / 4] |= id << k % 4 * 8;
        machine_.add_shared(mine + id, 1);
      }
    machine_.block_sync();
    place_counters();
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      if (Full || k < rows) {
        const uint32_t id = ids[k / 4] >> k % 4 * 8 & 0xff;
        const uint32_t exist = Full ? ~0u : machine_.ballot(there(k));
        const uint32_t same = match_lanes<Bits, match_method::ballots>(machine_, id) & exist;
        const uint32_t place = mine[id] + Machine::count_ones(same & others_.below);
        machine_.warp_sync(); // all have read
        if (there(k) && (same & others_.above) == 0)
          mine[id] = place + 1;
        machine_.warp_sync(); // the next row reads
        if (there(k)) {
          s_.keys()[place] = keys[k];
          if constexpr (Arguments::has_values)
            s_.values()[place] = values[k];
        }
      }
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE void place_counters() const {
    const uint32_t b = machine_.thread();
    uint32_t total = 0;
    if (b < buckets)
      for (uint32_t w = 0; w < warps; ++w)
        total += s_.counters(w)[b];
    uint32_t place =
        block_exclusive_sum(machine_, total, reinterpret_cast<uint32_t *>(s_.scratch()));
    if (b < buckets) {
      s_.start()[b] = place;
      s_.target()[b] = s_.base()[b] - place;
      s_.base()[b] += total;
      if (b == buckets - 1)
        s_.start()[buckets] = valid_;
      for (uint32_t w = 0; w < warps; ++w) {
        const uint32_t count = s_.counters(w)[b];
        s_.counters(w)[b] = place;
        place += count;
      }
    }
    machine_.block_sync();
  }
  /// The bucket of the item at a place of the tile.
  COLONNADE_KERNEL_CODE uint32_t id_at(const key &item, uint32_t place) const {
    if constexpr (takes_index<decltype(a_.ids.bucket), key>)
      return bucket_at<buckets>(s_.start(), place); // its index is not known any more
    else
      return a_.ids(item, 0);
  }
  /// What is read from the tile is in flight together.
  template <class Target> COLONNADE_KERNEL_CODE void write(Target target) const {
    for (uint32_t first = machine_.thread(); first < valid_; first += batch * threads) {
      key moved[batch];
      uint64_t to[batch];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        if (first + k * threads < valid_) {
          moved[k] = s_.keys()[first + k * threads];
          to[k] = target(moved[k], first + k * threads);
        }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        if (first + k * threads < valid_) {
          if constexpr (Arguments::writes_keys)
            a_.keys_out[to[k]] = moved[k];
          if constexpr (Arguments::has_values)
            a_.values_out[to[k]] = s_.values()[first + k * threads];
        }
    }
  }

  const Machine &machine_;
  const Arguments &a_;
  storage s_;
  const other_lanes others_;
  uint32_t valid_ = 0;
};

} // namespace colonnade::detail
