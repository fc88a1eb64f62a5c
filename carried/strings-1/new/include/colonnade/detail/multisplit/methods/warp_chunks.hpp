//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// warp_chunks.hpp: multisplits in which a warp has a chunk of the input to itself: the
// thesis's direct and warp-level methods, before and after the scan of the counts.
//
//   direct       an item's place: where its bucket's next item of the chunk goes, and
//                the items of its bucket in lower lanes; it is written there at once
//   warp level   a tile of rows is first sorted by bucket in shared memory, so that
//                neighbours are written together
//
// Everything else a lane knows of its buckets is in its registers: see warp_split.hpp.
//
// In: for the move, counts and totals scanned as chunk_work.hpp says. Out: the items in their
// buckets; the offsets; the first bucket id out of range in the status. Invariant: every item is
// written once, and items of a bucket keep their order.
//
// Source: S. Ashkiani, thesis (2017), algorithm 2, sections 3.5.3 and 3.5.6.1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/multisplit/chunks/chunk_work.hpp>
#include <colonnade/detail/ranking/bucket_id.hpp>
#include <colonnade/detail/ranking/warp_split.hpp>

#include <cstddef>
#include <iterator>

namespace colonnade::detail {

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct warp_chunks_arguments : moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut> {
  Ids ids;
  whole_input source;
  device_status *status;
};

/// Threads a block; Rows of 32 items a tile.
template <uint32_t Threads, uint32_t Rows, uint32_t Bits, bool Reorders, class Arguments,
          class Machine>
class warp_chunks_block {
public:
  using key = typename Arguments::key;
  using value = typename Arguments::value;
  using split = warp_split<(1u << Bits), Machine>;
  static constexpr uint32_t bucket_rows = split::rows, tile_items = 32 * Rows;
  static constexpr size_t tile_bytes = tile_items * (Arguments::wider_bytes + 1); // and the ids
  static constexpr size_t shared_bytes = Reorders ? Threads / 32 * tile_bytes : 0;

  COLONNADE_KERNEL_CODE warp_chunks_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), split_(machine), tile_(shared + machine.warp() * tile_bytes) {}

  /// Before the scan.
  COLONNADE_KERNEL_CODE void count() {
    for_each_chunk([&](const chunk_work &work) {
      uint32_t counts[bucket_rows] = {};
      for (uint64_t first = work.begin; first < work.end; first += tile_items) {
        key keys[Rows];
        load(a_.keys_in, first, valid_of(work, first), keys);
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < Rows; ++k)
          split_.count_row(id_of(keys, k, first, work.end),
                           split_.valid_lanes(k, valid_of(work, first)), counts);
      }
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < bucket_rows; ++r)
        if (32 * r + machine_.lane() < a_.ids.count())
          work.counts[uint64_t{32 * r + machine_.lane()} * work.chunks + work.chunk] = counts[r];
    });
  }
  /// After the scan.
  COLONNADE_KERNEL_CODE void move() {
    for_each_chunk([&](const chunk_work &work) {
      uint64_t next[bucket_rows]; // where each bucket's next item goes
      find_bases(work, next);
      for (uint64_t first = work.begin; first < work.end; first += tile_items) {
        const uint32_t valid = valid_of(work, first);
        key keys[Rows];
        value values[Arguments::has_values ? Rows : 1];
        load(a_.keys_in, first, valid, keys);
        if constexpr (Arguments::has_values)
          load(a_.values_in, first, valid, values);
        uint32_t ids[Rows];
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < Rows; ++k)
          ids[k] = id_of(keys, k, first, work.end);
        if constexpr (Reorders)
          move_reordered(valid, ids, keys, values, next);
        else
          move_directly(valid, ids, keys, values, next);
      }
    });
  }

private:
  template <class Use> COLONNADE_KERNEL_CODE void for_each_chunk(Use use) const {
    constexpr uint32_t warps = Threads / 32;
    if (machine_.block() == 0 && machine_.thread() == 0)
      a_.source.num_items.report(machine_, a_.status);
    const uint64_t chunks = a_.source.num_work();
    for (uint64_t c = uint64_t{machine_.block()} * warps + machine_.warp(); c < chunks;
         c += uint64_t{machine_.num_blocks()} * warps)
      use(a_.source.work(static_cast<uint32_t>(c)));
  }
  COLONNADE_KERNEL_CODE static uint32_t valid_of(const chunk_work &work, uint64_t first) {
    const uint64_t left = work.end - first;
    return left < tile_items ? static_cast<uint32_t>(left) : tile_items;
  }
  template <class In, class Item>
  COLONNADE_KERNEL_CODE void load(In in, uint64_t first, uint32_t valid, Item (&out)[Rows]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k)
      if (32 * k + machine_.lane() < valid)
        out[k] = in[static_cast<std::ptrdiff_t>(first + 32 * k + machine_.lane())];
  }
  COLONNADE_KERNEL_CODE uint32_t id_of(const key (&keys)[Rows], uint32_t k, uint64_t first,
                                       uint64_t end) const {
    const uint64_t index = first + 32 * k + machine_.lane();
    return index < end ? checked_id(machine_, a_.ids, keys[k], index, a_.status) : 0;
  }
  COLONNADE_KERNEL_CODE void find_bases(const chunk_work &work,
                                        uint64_t (&next)[bucket_rows]) const {
    uint64_t totals[bucket_rows];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < bucket_rows; ++r) {
      const uint32_t b = 32 * r + machine_.lane();
      totals[r] = b < a_.ids.count() ? work.totals[b] : 0;
    }
    split_.starts(totals, next);
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < bucket_rows; ++r) {
      const uint32_t b = 32 * r + machine_.lane();
      if (b >= a_.ids.count())
        continue;
      if (work.chunk == 0 && work.offsets) {
        work.offsets[b] = next[r];
        if (b == a_.ids.count() - 1)
          work.offsets[b + 1] = next[r] + totals[r];
      }
      next[r] += work.counts[uint64_t{b} * work.chunks + work.chunk];
    }
  }
  template <size_t N>
  COLONNADE_KERNEL_CODE void move_directly(uint32_t valid, const uint32_t (&ids)[Rows],
                                           const key (&keys)[Rows], const value (&values)[N],
                                           uint64_t (&next)[bucket_rows]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k) {
      uint32_t counts[bucket_rows] = {};
      const uint64_t base = split_.of_bucket(ids[k], next);
      const uint64_t to = base + split_.rank_row(ids[k], split_.valid_lanes(k, valid), counts);
      if (32 * k + machine_.lane() < valid) {
        if constexpr (Arguments::writes_keys)
          a_.keys_out[to] = keys[k];
        if constexpr (Arguments::has_values)
          a_.values_out[to] = values[k];
      }
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < bucket_rows; ++r)
        next[r] += counts[r];
    }
  }
  template <size_t N>
  COLONNADE_KERNEL_CODE void move_reordered(uint32_t valid, const uint32_t (&ids)[Rows],
                                            const key (&keys)[Rows], const value (&values)[N],
                                            uint64_t (&next)[bucket_rows]) const {
    uint32_t places[Rows], counts[bucket_rows] = {}, start[bucket_rows];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k) {
      places[k] = split_.of_bucket(ids[k], counts);
      places[k] += split_.rank_row(ids[k], split_.valid_lanes(k, valid), counts);
    }
    split_.starts(counts, start);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k)
      places[k] += split_.of_bucket(ids[k], start);
    uint64_t target[bucket_rows]; // less the place in the tile
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < bucket_rows; ++r) {
      target[r] = next[r] - start[r];
      next[r] += counts[r];
    }
    unsigned char *tile_ids =
        reinterpret_cast<unsigned char *>(tile_) + tile_items * Arguments::wider_bytes;
    machine_.warp_sync(); // the tile is free
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k)
      if (32 * k + machine_.lane() < valid)
        tile_ids[places[k]] = static_cast<unsigned char>(ids[k]);
    machine_.warp_sync();
    uint64_t to[Rows];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k) {
      const uint32_t place = 32 * k + machine_.lane();
      to[k] = split_.of_bucket(place < valid ? uint32_t{tile_ids[place]} : 0, target) + place;
    }
    if constexpr (Arguments::writes_keys)
      write(valid, places, keys, to, a_.keys_out);
    if constexpr (Arguments::has_values)
      write(valid, places, values, to, a_.values_out);
  }
  template <class T, class Out>
  COLONNADE_KERNEL_CODE void write(uint32_t valid, const uint32_t (&places)[Rows],
                                   const T (&moved)[Rows], const uint64_t (&to)[Rows],
                                   Out out) const {
    in_order_of_places(machine_, moved, places, valid, reinterpret_cast<T *>(tile_),
                       [&](uint32_t k, const T &item) { out[to[k]] = item; });
  }

  const Machine &machine_;
  const Arguments &a_;
  const split split_;
  char *tile_;
};

} // namespace colonnade::detail
