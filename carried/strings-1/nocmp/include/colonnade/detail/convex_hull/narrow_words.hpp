//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// narrow_words.hpp: doubles are sorted by x by words of 32 bits, not of 64: half the passes.
//
//   words     how far x is from the nearer end of the sample's hull, as a number of 31 bits
//   settle    points of one word are neighbours then; those with several x are put in order,
//             a few by a thread, more by a warp or by a block            settle_runs_block
//   halves    if some block has no room for all of one word, all points are sorted by the
//             lower, then by the upper half of their x                   x_halves_block
//
// In: points, and their indices by these words. Out: the indices by x. Invariant: words are in the
// order of x, since each operation that makes them is rounded once; points of one x have one word,
// and stay in any order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/block_hoods.hpp>
#include <colonnade/detail/convex_hull/sieve.hpp>

namespace colonnade::detail {

/// The words of a frame. Near its ends, where a smooth hull has most of its points, words are
/// narrower: each half has 15 octaves of distances from its end, of 2^27 words each, and 2^27 words
/// for what is beyond.
template <uint32_t Columns> struct narrow_words {
  double first, middle, last, halves_by_x;

  template <class T>
  explicit COLONNADE_KERNEL_CODE narrow_words(const sieve_frame<T> &frame)
      : first(frame.first_x), middle(0.5 * frame.first_x + 0.5 * frame.last_x), last(frame.last_x),
        halves_by_x(frame.columns_by_x * (2.0 / Columns)) {}

  COLONNADE_KERNEL_CODE uint32_t operator()(double x) const {
    const bool is_left = x < middle;
    const double inwards = is_left ? rounded_difference(x, first) : rounded_difference(last, x);
    const uint32_t word = word_of(rounded_product(inwards, halves_by_x));
    return is_left ? word : ~word;
  }

private:
  static constexpr double least = 0x1p-15; // an octave below has the words of one
  static constexpr uint64_t least_bits = 0x3f0ull << 52;
  static constexpr uint32_t octave = 1u << 27, most_inside = 15 * octave - 1;

  /// depth: 0 at the end, 1 in the middle. As numbers of one sign grow, so do their bits.
  static COLONNADE_KERNEL_CODE uint32_t word_of(double depth) {
    const bool is_inside = depth >= 0;
    const double size = rounded_sum(is_inside ? depth : -depth, least);
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    const uint64_t steps = (bits - least_bits) >> (is_inside ? 25 : 29);
    const uint32_t most = is_inside ? most_inside : octave - 1,
                   taken = steps < most ? static_cast<uint32_t>(steps) : most;
    return is_inside ? octave + taken : octave - 1 - taken;
  }
};

template <class Points> struct settle_runs_arguments {
  Points points;
  const uint32_t *words; // by size
  uint32_t *indices;
  const uint64_t *num_points;
  uint64_t *unsettled; // how many points are not in order, all of them; 0 at first
};

template <class Points, uint32_t Threads, class Machine> class settle_runs_block {
public:
  using arguments = settle_runs_arguments<Points>;
  /// Points of one word: as many for a thread, a warp and a block as have room.
  static constexpr uint32_t threads = Threads, warps = Threads / 32, few = 8,
                            most_of_warp = 32 * few, most = few * Threads, items = 8,
                            tile_words = items * Threads;
  using ordered = decltype(in_order(typename Points::coordinate{}));
  /// Where runs of more than a few begin in a tile; settled: by a warp.
  struct run_list {
    uint32_t begins[tile_words / few];
  };
  struct storage {
    ordered x[most];
    uint32_t indices[most];
    run_list runs[2];     // of a tile and the next one
    uint32_t num_runs[3]; // and of the one before, which some threads still read
  };

  COLONNADE_KERNEL_CODE settle_runs_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)), n_(*a.num_points) {}

  COLONNADE_KERNEL_CODE void run() {
    if (machine_.thread() == 0)
      s_.num_runs[0] = 0;
    machine_.block_sync();
    uint32_t turn = 0;
    for (uint64_t begin = uint64_t{machine_.block()} * tile_words; begin < n_;
         begin += uint64_t{machine_.num_blocks()} * tile_words, ++turn) {
      if (machine_.thread() == 0)
        s_.num_runs[(turn + 1) % 3] = 0;
      run_list &runs = s_.runs[turn % 2];
      uint32_t &num_runs = s_.num_runs[turn % 3];
      settle_tile(begin, runs, num_runs);
      machine_.block_sync();
      if (num_runs > 0)
        settle_long(begin, runs, num_runs);
    }
  }

private:
  static constexpr uint32_t settled = ~uint32_t{0};

  /// A thread's words, and their neighbours on both sides. What is outside of all equals none.
  struct word_row {
    uint32_t words[items + 2];
  };
  COLONNADE_KERNEL_CODE word_row row_at(uint64_t at) const {
    word_row row;
    if (at + items < n_) { // one load of a few words
      memcpy(row.words + 1, __builtin_assume_aligned(a_.words + at, 16), items * sizeof(uint32_t));
      row.words[items + 1] = a_.words[at + items];
    } else {
      for (uint32_t k = 0; k <= items; ++k)
        row.words[k + 1] = at + k < n_ ? a_.words[at + k] : ~row.words[k];
    }
    row.words[0] = at > 0 ? a_.words[at - 1] : ~row.words[1];
    return row;
  }
  COLONNADE_KERNEL_CODE void settle_tile(uint64_t begin, run_list &runs, uint32_t &num_runs) const {
    const uint32_t first = items * machine_.thread();
    if (begin + first >= n_)
      return;
    const word_row row = row_at(begin + first);
    uint32_t begins = 0; // a bit for each word
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      begins |= static_cast<uint32_t>((row.words[k + 1] == row.words[k + 2]) &
                                      (row.words[k] != row.words[k + 1]))
                << k;
    for (; begins != 0; begins &= begins - 1) {
      const uint32_t place = first + Machine::first_one(begins),
                     length = length_from(begin + place, few + 1);
      if (length == 2)
        settle_two(begin + place);
      else if (length <= few)
        settle_few(begin + place, length);
      else
        runs.begins[machine_.take_shared(&num_runs)] = place;
    }
  }
  /// Runs of more than a few, by warps, and those that a warp has no room for by the block.
  COLONNADE_KERNEL_CODE void settle_long(uint64_t begin, run_list &runs, uint32_t num_runs) {
    for (uint32_t k = machine_.warp(); k < num_runs; k += warps)
      settle_by_warp(begin, runs.begins[k]);
    machine_.block_sync();
    for (uint32_t k = 0; k < num_runs; ++k)
      if (runs.begins[k] != settled)
        settle_by_block(begin + runs.begins[k]);
  }
  /// Of a run, or so many.
  COLONNADE_KERNEL_CODE uint32_t length_from(uint64_t at, uint32_t longest) const {
    const uint64_t left = n_ - at;
    const uint32_t word = a_.words[at],
                   end = left < longest ? static_cast<uint32_t>(left) : longest;
    return search_alone{}.first(1, end, [&](uint32_t k) { return a_.words[at + k] != word; });
  }
  COLONNADE_KERNEL_CODE ordered x_of(uint32_t index) const { return in_order(a_.points[index].x); }
  /// By a thread: nearly all are two.
  COLONNADE_KERNEL_CODE void settle_two(uint64_t at) const {
    const uint32_t first = a_.indices[at], second = a_.indices[at + 1];
    if (x_of(second) < x_of(first)) {
      a_.indices[at] = second;
      a_.indices[at + 1] = first;
    }
  }
  COLONNADE_KERNEL_CODE void settle_few(uint64_t at, uint32_t length) const {
    uint32_t indices[few];
    ordered x[few];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < few; ++k)
      indices[k] = a_.indices[k < length ? at + k : at];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < few; ++k)
      x[k] = x_of(indices[k]);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < few; ++k) {
      uint32_t rank = 0;
      COLONNADE_UNROLL
      for (uint32_t j = 0; j < few; ++j)
        rank += j < length && (j < k ? x[j] <= x[k] : x[j] < x[k]);
      if (k < length)
        a_.indices[at + rank] = indices[k];
    }
  }
  COLONNADE_KERNEL_CODE void settle_by_warp(uint64_t begin, uint32_t &run) {
    const uint32_t length = length_from(begin + run, most_of_warp + 1),
                   room = machine_.warp() * most_of_warp;
    if (length > most_of_warp)
      return;
    settle_shared(begin + run, length, s_.x + room, s_.indices + room, machine_.lane(), 32,
                  [&] { machine_.warp_sync(); });
    if (machine_.lane() == 0)
      run = settled;
  }
  COLONNADE_KERNEL_CODE void settle_by_block(uint64_t at) {
    const uint32_t length = length_from(at, most + 1);
    if (length <= most)
      settle_shared(at, length, s_.x, s_.indices, machine_.thread(), Threads,
                    [&] { machine_.block_sync(); });
    else if (machine_.thread() == 0)
      *a_.unsettled = n_;
  }
  /// By `size` threads, which sync together.
  template <class Sync>
  COLONNADE_KERNEL_CODE void settle_shared(uint64_t at, uint32_t length, ordered *x,
                                           uint32_t *indices, uint32_t mine, uint32_t size,
                                           Sync sync) const {
    for (uint32_t k = mine; k < length; k += size) {
      indices[k] = a_.indices[at + k];
      x[k] = x_of(indices[k]);
    }
    sync();
    for (uint32_t k = mine; k < length; k += size) {
      const ordered here = x[k];
      uint32_t rank = 0;
      for (uint32_t j = 0; j < length; ++j)
        rank += j < k ? x[j] <= here : x[j] < here;
      a_.indices[at + rank] = indices[k];
    }
    sync(); // the storage is free
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  const uint64_t n_;
};

template <class Points> struct x_halves_arguments {
  Points points;
  const uint32_t *indices;
  uint32_t *words;
  const uint64_t *num_points;
  uint32_t shift;        // 0: the lower half, 32: the upper one
  uint32_t *sort_header; // of the sort to come, to be zeroed
  uint32_t header_words;
};

template <class Points, uint32_t Threads, class Machine> class x_halves_block {
public:
  using arguments = x_halves_arguments<Points>;
  static constexpr uint32_t threads = Threads;

  COLONNADE_KERNEL_CODE x_halves_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t n = *a_.num_points,
                   first = uint64_t{machine_.block()} * Threads + machine_.thread(),
                   step = uint64_t{machine_.num_blocks()} * Threads;
    for (uint64_t k = first; n != 0 && k < a_.header_words; k += step)
      a_.sort_header[k] = 0;
    for (uint64_t i = first; i < n; i += step)
      a_.words[i] = static_cast<uint32_t>(order_word(a_.points[a_.indices[i]].x) >> a_.shift);
  }

private:
  const Machine &machine_;
  const arguments &a_;
};

} // namespace colonnade::detail
