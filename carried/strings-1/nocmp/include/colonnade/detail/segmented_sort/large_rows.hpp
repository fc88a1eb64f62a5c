//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// large_rows.hpp: sorts the rows that no block holds, by a radix sort of all of them at once.
//
// In: rows, whose number only the device knows. Out: the rows sorted. The tiles of all large rows
// are numbered in order. One pass counts every digit of every row; then for each digit a pass
// moves the items by the scatter pass of multisplit, whose look-back ends at the row's first tile:
//
//   number_tiles    sets first_tile[r], the number of row r's first tile; one block
//   clear_words     clears the look-back words before every pass, and first of all the counts
//   count_digits    sets counts[r][pass][digit] and tile_row, tile by tile
//   make_bases      makes the counts of each pass the digits' starts in the row
//   scatter_tiles   one pass; blocks take tiles in order, by tickets
//
// Invariant: blocks go on until no tile is left, and exactly the words that are used are cleared;
// so a launch does not depend on the number of rows and tiles.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/digits/digits.hpp>
#include <colonnade/detail/scatter/scatter.hpp>
#include <colonnade/detail/segmented_sort/row_walks.hpp>

namespace colonnade::detail {

/// Arguments of all kernels here. Rows has row(large_class, r) and count(large_class).
template <class Rows> struct large_rows {
  Rows rows;
  uint32_t large_class, tile_items;
  digit_list digits;
  uint32_t *first_tile; // one more than rows: the last is the number of tiles
  uint32_t *tile_row;
  uint32_t *counts;  // rows * passes * 256
  uint32_t *tickets; // one a pass

  COLONNADE_KERNEL_CODE uint32_t num_rows() const {
    return static_cast<uint32_t>(rows.count(large_class));
  }
  COLONNADE_KERNEL_CODE uint32_t num_tiles() const { return first_tile[num_rows()]; }
  COLONNADE_KERNEL_CODE row_span row(uint32_t r) const { return rows.row(large_class, r); }
  COLONNADE_KERNEL_CODE uint32_t *counts_of(uint32_t r, uint32_t pass) const {
    return counts + (uint64_t{r} * digits.count + pass) * digit_buckets;
  }
};

constexpr uint32_t number_tiles_threads = 1024;

/// Called by one block. shared: 33 words.
template <class Rows, class Machine>
COLONNADE_KERNEL_CODE void number_tiles(const Machine &machine, const large_rows<Rows> &a,
                                        uint32_t *shared) {
  const uint32_t rows = a.num_rows(), threads = machine.num_threads();
  uint32_t before = 0;
  for (uint32_t first = 0; first < rows; first += threads) {
    const uint32_t r = first + machine.thread();
    const uint32_t tiles = r < rows ? (a.row(r).length + a.tile_items - 1) / a.tile_items : 0;
    const uint32_t start = before + block_exclusive_sum(machine, tiles, shared);
    if (r < rows)
      a.first_tile[r] = start;
    if (machine.thread() == threads - 1)
      shared[32] = start + tiles;
    machine.block_sync();
    before = shared[32];
    machine.block_sync();
  }
  if (machine.thread() == 0)
    a.first_tile[rows] = before;
  if (machine.thread() < max_digits)
    a.tickets[machine.thread()] = 0;
}

/// words: 256 for each tile. counts_too: true before the first pass.
template <class Rows, class Machine>
COLONNADE_KERNEL_CODE void clear_words(const Machine &machine, const large_rows<Rows> &a,
                                       uint32_t *words, bool counts_too) {
  const uint64_t step = uint64_t{machine.num_blocks()} * machine.num_threads();
  const uint64_t first = uint64_t{machine.block()} * machine.num_threads() + machine.thread();
  const uint64_t num_words = uint64_t{a.num_tiles()} * digit_buckets;
  for (uint64_t i = first; i < num_words; i += step)
    words[i] = 0;
  const uint64_t num_counts =
      counts_too ? uint64_t{a.num_rows()} * a.digits.count * digit_buckets : 0;
  for (uint64_t i = first; i < num_counts; i += step)
    a.counts[i] = 0;
}

/// The row of a tile: the last one whose first tile is not after it. A binary search.
template <class Rows>
COLONNADE_KERNEL_CODE uint32_t find_row(const large_rows<Rows> &a, uint32_t tile) {
  uint32_t low = 0, high = a.num_rows(); // first_tile[low] <= tile < first_tile[high]
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (a.first_tile[middle] <= tile)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// shared: digits.count * 256 words.
template <class Key, class Word, class Rows, class Machine>
COLONNADE_KERNEL_CODE void count_tile(const Machine &machine, const large_rows<Rows> &a,
                                      uint32_t tile, const Key *keys, const Word &word,
                                      uint32_t *shared) {
  const uint32_t threads = machine.num_threads(), counters = a.digits.count * digit_buckets;
  for (uint32_t i = machine.thread(); i < counters; i += threads)
    shared[i] = 0;
  const uint32_t r = find_row(a, tile);
  if (machine.thread() == 0)
    a.tile_row[tile] = r;
  machine.block_sync();
  const row_span row = a.row(r);
  const uint32_t first = (tile - a.first_tile[r]) * a.tile_items;
  const uint32_t left = row.length - first, end = left < a.tile_items ? left : a.tile_items;
  const Key *from = keys + row.begin + first;
  constexpr uint32_t batch = 8;
  for (uint32_t i = machine.thread(); i < end; i += batch * threads) {
    Key read[batch];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch; ++k)
      read[k] = i + k * threads < end ? from[i + k * threads] : Key{};
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch; ++k)
      if (i + k * threads < end)
        COLONNADE_UNROLL
    for (uint32_t d = 0; d < max_digits; ++d)
      if (d < a.digits.count)
        machine.add_shared(shared + d * digit_buckets + a.digits.at[d].of(word(read[k])), 1);
  }
  machine.block_sync();
  uint32_t *counts = a.counts_of(r, 0);
  for (uint32_t i = machine.thread(); i < counters; i += threads)
    if (shared[i])
      machine.add_global(counts + i, shared[i]);
}
template <class Key, class Word, class Rows, class Machine>
COLONNADE_KERNEL_CODE void count_digits(const Machine &machine, const large_rows<Rows> &a,
                                        const Key *keys, const Word &word, uint32_t *shared) {
  const uint32_t num_tiles = a.num_tiles();
  for (uint32_t tile = machine.block(); tile < num_tiles; tile += machine.num_blocks()) {
    count_tile(machine, a, tile, keys, word, shared);
    machine.block_sync(); // shared is free again
  }
}

/// Called by blocks of 256 threads. shared: 8 words.
template <class Rows, class Machine>
COLONNADE_KERNEL_CODE void make_bases(const Machine &machine, const large_rows<Rows> &a,
                                      uint32_t *shared) {
  const uint64_t scans = uint64_t{a.num_rows()} * a.digits.count;
  for (uint64_t s = machine.block(); s < scans; s += machine.num_blocks()) {
    uint32_t *counts = a.counts + s * digit_buckets + machine.thread();
    *counts = block_exclusive_sum(machine, *counts, shared);
    machine.block_sync();
  }
}

/// Where the items of each digit of a row begin in the output.
struct row_bases {
  uint64_t begin;
  const uint32_t *starts;
  COLONNADE_KERNEL_CODE uint64_t operator[](uint32_t d) const { return begin + starts[d]; }
};

/// The arguments of scatter_block (scatter.hpp) for the tiles of one row.
template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct row_scatter_arguments : moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut> {
  Ids ids;
  uint64_t first, num_items;
  uint32_t num_tiles;
  row_bases base;
  uint64_t *next_base; // null
  uint32_t *words, *ticket;
  bool far; // output indices may be 2^32 and more
  static constexpr const uint64_t *d_num_items = nullptr;
  static constexpr uint32_t turn = 0; // the words are cleared before every pass
};

/// A machine whose block has another number than the grid's: that of its tile in the row.
template <class Machine> struct numbered_machine : Machine {
  uint32_t number;
  COLONNADE_KERNEL_CODE numbered_machine(const Machine &machine, uint32_t n)
      : Machine(machine), number(n) {}
  COLONNADE_KERNEL_CODE uint32_t block() const { return number; }
};

/// The values of a row: in an argsort, places within the row instead of indices of the array.
template <class In> COLONNADE_KERNEL_CODE In values_of_row(const In &in, uint64_t) { return in; }
template <class Index>
COLONNADE_KERNEL_CODE index_iterator<Index> values_of_row(const index_iterator<Index> &,
                                                          uint64_t begin) {
  return {uint64_t{0} - begin};
}

/// whole: row_scatter_arguments in which only what all rows have in common is set, such as the
/// words of this pass. shared: what scatter_block needs.
template <class Tuning, class Rows, class Whole, class Machine>
COLONNADE_KERNEL_CODE void scatter_row_tile(const Machine &machine, const large_rows<Rows> &a,
                                            const Whole &whole, uint32_t pass, uint32_t tile,
                                            char *shared) {
  static_assert(!Tuning::value.ticket, "tiles are numbered here");
  const uint32_t r = a.tile_row[tile], first_tile = a.first_tile[r];
  const row_span row = a.row(r);
  Whole mine = whole;
  mine.values_in = values_of_row(whole.values_in, row.begin);
  mine.first = row.begin;
  mine.num_items = row.length;
  mine.num_tiles = a.first_tile[r + 1] - first_tile;
  mine.base = {row.begin, a.counts_of(r, pass)};
  mine.words = whole.words + uint64_t{first_tile} * whole.ids.count();
  const numbered_machine<Machine> numbered(machine, tile - first_tile);
  scatter_block<Tuning, ranked_bits<digit_bits>, Whole, numbered_machine<Machine>>(numbered, mine,
                                                                                   shared)
      .run();
}
/// Tiles are taken in order, so a block only ever waits for tiles that other blocks have taken
/// before.
template <class Tuning, class Rows, class Whole, class Machine>
COLONNADE_KERNEL_CODE void scatter_tiles(const Machine &machine, const large_rows<Rows> &a,
                                         const Whole &whole, uint32_t pass, char *shared) {
  const uint32_t num_tiles = a.num_tiles();
  if (machine.block() >= num_tiles)
    return;
  uint32_t *taken = reinterpret_cast<uint32_t *>(shared);
  for (;;) {
    if (machine.thread() == 0)
      *taken = machine.take_ticket(a.tickets + pass);
    machine.block_sync();
    const uint32_t tile = *taken;
    machine.block_sync(); // scatter_block has its own use for it
    if (tile >= num_tiles)
      return;
    scatter_row_tile<Tuning>(machine, a, whole, pass, tile, shared);
    machine.block_sync();
  }
}

} // namespace colonnade::detail
