//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segments.hpp: the first kernel of a segmented multisplit: warps split the short segments and
// list the others.
//
//   short    up to 32 * rows items: split here, by one warp, in registers
//   middle   up to one small tile: listed; one block each
//   large    up to one chunk: listed as one chunk; longer: as several, and as long
//
// In: the header zero. Out: the items and offsets of short segments; the lists. How long segments
// are only the device knows, so lists have room for the worst case. Invariant: the order in a list
// is left to chance, and no result depends on it.
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

/// Zeroed by a memset.
struct segment_header {
  uint64_t num_middle, num_chunks, num_long, num_long_chunks;
  uint32_t middle_ticket, counts_ticket, rows_ticket, move_ticket;
};

struct long_segment {
  uint32_t segment, chunks;
  uint64_t first_chunk; // of all long segments' chunks: its counts begin there
};

/// A segment as one chunk, or one chunk of a long segment.
struct listed_chunk {
  static constexpr uint32_t whole = 0xffffffff;
  uint32_t number; // of the segment, or of the long segment
  uint32_t chunk;  // or whole
};

/// All that kernels know of the segments.
struct segment_lists {
  const uint64_t *segments; // num_segments + 1 offsets
  uint32_t num_segments, num_buckets;
  uint64_t num_items;
  uint64_t middle_items, chunk_items; // the most of a middle segment; of a chunk
  uint64_t *offsets;                  // the user's, num_segments * num_buckets + 1, or null
  segment_header *header;
  uint32_t *middle;
  listed_chunk *chunks;
  long_segment *longs;
  uint64_t *counts, *totals; // num_buckets a long segment's chunk; a long segment

  COLONNADE_KERNEL_CODE uint64_t *offsets_of(uint32_t segment) const {
    return offsets ? offsets + uint64_t{segment} * num_buckets : nullptr;
  }
  COLONNADE_KERNEL_CODE chunk_work segment(uint32_t s) const {
    return {segments[s], segments[s + 1], segments[s], 0, 1, nullptr, nullptr, offsets_of(s)};
  }
  COLONNADE_KERNEL_CODE chunk_work chunk_of_long(uint32_t number, uint32_t c) const {
    const long_segment l = longs[number];
    const uint64_t begin = segments[l.segment], items = segments[l.segment + 1] - begin;
    const chunk_cut cut{chunk_items};
    return {begin + cut.begin(c),
            begin + cut.end(c, items),
            begin,
            c,
            l.chunks,
            counts + l.first_chunk * num_buckets,
            totals + uint64_t{number} * num_buckets,
            offsets_of(l.segment)};
  }
};

struct middle_segments {
  static constexpr bool is_everything = false;
  segment_lists lists;
  COLONNADE_KERNEL_CODE uint32_t num_work() const {
    return static_cast<uint32_t>(lists.header->num_middle);
  }
  COLONNADE_KERNEL_CODE chunk_work work(uint32_t i) const { return lists.segment(lists.middle[i]); }
};

struct large_segments {
  static constexpr bool is_everything = false;
  segment_lists lists;
  COLONNADE_KERNEL_CODE uint32_t num_work() const {
    return static_cast<uint32_t>(lists.header->num_chunks);
  }
  COLONNADE_KERNEL_CODE chunk_work work(uint32_t i) const {
    const listed_chunk c = lists.chunks[i];
    return c.chunk == listed_chunk::whole ? lists.segment(c.number)
                                          : lists.chunk_of_long(c.number, c.chunk);
  }
  COLONNADE_KERNEL_CODE uint32_t num_pieces() const {
    return static_cast<uint32_t>(lists.header->num_long);
  }
  COLONNADE_KERNEL_CODE chunk_work piece(uint32_t number) const {
    return lists.chunk_of_long(number, 0);
  }
};

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct segments_arguments : moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut> {
  Ids ids;
  segment_lists lists;
  device_status *status;
};

template <uint32_t Threads, uint32_t Rows, uint32_t Bits, class Arguments, class Machine>
class segments_block {
public:
  using key = typename Arguments::key;
  using value = typename Arguments::value;
  using split = warp_split<(1u << Bits), Machine>;
  using buckets = warp_buckets<(1u << Bits)>;
  static constexpr uint32_t most = 32 * Rows;
  static constexpr size_t tile_bytes = most * Arguments::wider_bytes;
  static constexpr size_t shared_bytes = Threads / 32 * tile_bytes;

  COLONNADE_KERNEL_CODE segments_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), split_(machine), tile_(shared + machine.warp() * tile_bytes) {}

  COLONNADE_KERNEL_CODE void run() {
    const segment_lists &l = a_.lists;
    const uint64_t warps = uint64_t{machine_.num_blocks()} * (Threads / 32);
    const uint64_t warp = uint64_t{machine_.block()} * (Threads / 32) + machine_.warp();
    if (warp == 0 && machine_.lane() == 0 && l.offsets)
      l.offsets[uint64_t{l.num_segments} * l.num_buckets] = l.segments[l.num_segments];
    for (uint64_t first = warp * 32; first < l.num_segments; first += warps * 32) {
      const uint64_t s = first + machine_.lane();
      const bool there = s < l.num_segments;
      const uint64_t begin = there ? l.segments[s] : 0;
      const uint64_t end = there ? l.segments[s + 1] : 0;
      const uint64_t length = end > begin && end <= l.num_items ? end - begin : 0;
      if (length > most)
        list(static_cast<uint32_t>(s), length);
      uint32_t left = machine_.ballot(there && length <= most);
      while (left) {
        const uint32_t lane = Machine::first_one(left);
        left &= left - 1;
        split_short(static_cast<uint32_t>(first) + lane, machine_.shuffle(begin, lane),
                    machine_.shuffle(static_cast<uint32_t>(length), lane));
      }
    }
  }

private:
  COLONNADE_KERNEL_CODE void list(uint32_t s, uint64_t length) const {
    const segment_lists &l = a_.lists;
    if (length <= l.middle_items) {
      l.middle[machine_.take_global(&l.header->num_middle, 1)] = s;
    } else if (length <= l.chunk_items) {
      l.chunks[machine_.take_global(&l.header->num_chunks, 1)] = {s, listed_chunk::whole};
    } else {
      const uint32_t chunks = static_cast<uint32_t>(chunk_cut::chunks(length, l.chunk_items));
      const uint32_t number = static_cast<uint32_t>(machine_.take_global(&l.header->num_long, 1));
      l.longs[number] = {s, chunks, machine_.take_global(&l.header->num_long_chunks, chunks)};
      const uint64_t place = machine_.take_global(&l.header->num_chunks, chunks);
      for (uint32_t c = 0; c < chunks; ++c)
        l.chunks[place + c] = {number, c};
    }
  }

  COLONNADE_KERNEL_CODE void split_short(uint32_t segment, uint64_t begin, uint32_t items) const {
    key keys[Rows];
    value values[Arguments::has_values ? Rows : 1];
    uint32_t ids[Rows], places[Rows];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k) {
      const uint32_t number = 32 * k + machine_.lane();
      const std::ptrdiff_t index = static_cast<std::ptrdiff_t>(begin + number);
      if (number < items) {
        keys[k] = a_.keys_in[index];
        if constexpr (Arguments::has_values)
          values[k] = a_.values_in[index];
      }
    }
    buckets found{};
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k)
      if (32 * k < items) {
        ids[k] =
            32 * k + machine_.lane() < items
                ? checked_id(machine_, a_.ids, keys[k], begin + 32 * k + machine_.lane(), a_.status)
                : 0;
        places[k] = split_.of_bucket(ids[k], found.count);
        places[k] += split_.rank_row(ids[k], split_.valid_lanes(k, items), found.count);
      }
    split_.starts(found.count, found.start);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k)
      if (32 * k < items)
        places[k] += split_.of_bucket(ids[k], found.start);
    if constexpr (Arguments::writes_keys)
      move(keys, places, begin, items, a_.keys_out);
    if constexpr (Arguments::has_values)
      move(values, places, begin, items, a_.values_out);
    write_offsets(segment, begin, found);
  }
  template <class T, class Out>
  COLONNADE_KERNEL_CODE void move(const T (&moved)[Rows], const uint32_t (&places)[Rows],
                                  uint64_t begin, uint32_t items, Out out) const {
    in_order_of_places(
        machine_, moved, places, items, reinterpret_cast<T *>(tile_),
        [&](uint32_t k, const T &item) { out[begin + 32 * k + machine_.lane()] = item; });
  }
  COLONNADE_KERNEL_CODE void write_offsets(uint32_t segment, uint64_t begin,
                                           const buckets &found) const {
    if (!a_.lists.offsets)
      return;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < buckets::rows; ++r) {
      const uint32_t b = 32 * r + machine_.lane();
      if (b < a_.lists.num_buckets)
        a_.lists.offsets_of(segment)[b] = begin + found.start[r];
    }
  }

  const Machine &machine_;
  const Arguments &a_;
  const split split_;
  char *tile_;
};

} // namespace colonnade::detail
