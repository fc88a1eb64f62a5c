//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose_sides.hpp: which words of memory a thread of a GPU transpose moves, and which
// cells of the tile in shared memory they are.
//
// A transpose reads one side of a tile and writes the other. A side is columns (the
// column-wise or tiled layout), whole rows, or cut rows (pieces of long rows).
//
// In: the shape of the transpose, a tile, a thread. Out: a cursor over whole words, for
// each word its cells' places in shared memory, and, cell by cell, the edges of columns
// or rows that do not begin or end at a word.
// Invariant: over all threads of a block every cell of the tile occurs exactly once,
// either in a whole word or as an edge; no word lies outside the tile's cells.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/transpose_shape.hpp>

namespace colonnade::runtime::detail {

/// A word of memory, and the cells in it.
template <class Cell> union word_cells {
  typename word_of<Cell>::type word;
  Cell cell[sizeof(typename word_of<Cell>::type) / sizeof(Cell)];
};

/// The words that one thread moves: addresses in memory, and for each word its `place` in shared
/// memory, as the side's scatter and gather count it. Both advance by a constant step; `left`
/// words remain.
template <class Word> struct cursor {
  Word *word;
  int64_t word_step;
  uint32_t place, place_step;
  uint32_t left;

  COLONNADE_HOST_DEVICE void advance() {
    word += word_step;
    place += place_step;
  }
};

/// Steps from `begin` on that stay below `end`.
COLONNADE_HOST_DEVICE uint32_t steps_to(uint32_t end, uint32_t begin, uint32_t step) {
  return begin < end ? (end - begin + step - 1) / step : 0;
}

/// What the sides share: where the tile's cells are in shared memory. A cell's number is its
/// place without the padding words; padded() adds these.
template <class Cell> struct tile_memory {
  using word = typename word_of<Cell>::type;
  static constexpr uint32_t v = sizeof(word) / sizeof(Cell);

  const transpose_shape &s;
  const transpose_tile &t;

  COLONNADE_HOST_DEVICE uint32_t number(uint32_t instance, uint32_t i) const {
    return instance * s.row_pitch + i;
  }
  COLONNADE_HOST_DEVICE uint32_t padded_word(uint32_t word) const {
    return transpose_padded(word, s.log2_pad);
  }
  COLONNADE_HOST_DEVICE uint32_t padded(uint32_t number) const {
    return number + (number / v >> s.log2_pad) * v;
  }
};

/// A column, or a piece of a row, of `length` cells that begins `skew` cells after the
/// beginning of a word of memory. Counted from that word, word x holds the cells from
/// v * x - skew on.
template <class Cell> struct skewed {
  static constexpr uint32_t v = tile_memory<Cell>::v;
  static constexpr uint32_t edge_slots = 2 * (v - 1);
  uint32_t skew, length;

  COLONNADE_HOST_DEVICE bool whole(uint32_t x) const {
    return v * x >= skew && v * x - skew + v <= length;
  }
  /// The cells before the first whole word and after the last one. k < edge_slots: the k-th of
  /// them, or `length` if there are fewer.
  COLONNADE_HOST_DEVICE uint32_t edge(uint32_t k) const {
    const uint32_t before = (v - skew) % v, head = before < length ? before : length;
    const uint32_t tail = (length - head) % v, slots = edge_slots / 2;
    if (k < slots)
      return k < head ? k : length;
    return k - slots < tail ? length - 1 - (k - slots) : length;
  }
};

/// Columns: the 32 lanes of a warp take neighbouring words of one column, a strip. The
/// warps divide the cells among themselves or, where there are fewer cells than warps, the
/// strips first. A warp advances along cells or along strips, by a step that leaves the skew
/// of its columns as it is.
template <class Cell> struct column_side : tile_memory<Cell> {
  using memory = tile_memory<Cell>;
  using memory::s, memory::t, memory::v;
  using typename memory::word;

  static constexpr bool has_edges = v > 1;

  uint32_t lane, strips, first_strip, strip_step, first_cell, cell_step;
  bool along_cells;

  COLONNADE_HOST_DEVICE column_side(const transpose_shape &shape, const transpose_tile &tile,
                                    uint32_t thread, uint32_t warps)
      : memory{shape, tile}, lane(thread % 32), strips(t.instances / (32 * v)) {
    const uint32_t warp = thread / 32;
    const uint32_t split = t.cells >= warps ? 1 : strips < warps ? strips : warps;
    first_strip = warp % split;
    strip_step = split;
    first_cell = warp / split;
    cell_step = warps / split;
    along_cells = split == 1 && t.cells >= strips * cell_step;
  }
  COLONNADE_HOST_DEVICE uint64_t column(uint32_t i) const {
    return t.first_instance * s.first_stride + (t.first_cell + i) * s.cell_stride;
  }
  COLONNADE_HOST_DEVICE uint32_t first() const { return along_cells ? first_strip : first_cell; }
  COLONNADE_HOST_DEVICE uint32_t end() const { return along_cells ? strips : t.cells; }
  COLONNADE_HOST_DEVICE uint32_t step() const { return along_cells ? strip_step : cell_step; }
  template <class Word> COLONNADE_HOST_DEVICE cursor<Word> start(Word *words, uint32_t at) const {
    const uint32_t strip = along_cells ? at : first_strip, i = along_cells ? first_cell : at;
    const uint64_t begin = column(i);
    const uint32_t skew = static_cast<uint32_t>(begin) % v;
    cursor<Word> c;
    c.word = words + begin / v + strip * s.strip_words + lane / s.run * s.run_stride + lane % s.run;
    c.word_step = static_cast<int64_t>(along_cells ? cell_step * s.cell_stride / v
                                                   : strip_step * s.strip_words);
    c.place = memory::number((strip * 32 + lane) * v - skew, i);
    c.place_step = along_cells ? cell_step : strip_step * (32 * v * s.row_pitch);
    c.left = along_cells ? steps_to(t.cells, first_cell, cell_step)
                         : steps_to(strips, first_strip, strip_step);
    return c;
  }
  /// False for a word whose first cells belong to the tile before: those cells are edges.
  COLONNADE_HOST_DEVICE bool valid(uint32_t place) const {
    return v == 1 || static_cast<int32_t>(place) >= 0;
  }
  COLONNADE_HOST_DEVICE void scatter(Cell *shared, uint32_t place, word_cells<Cell> from) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < v; ++k, place += s.row_pitch)
      shared[memory::padded(place)] = from.cell[k];
  }
  COLONNADE_HOST_DEVICE word_cells<Cell> gather(const Cell *shared, uint32_t place) const {
    word_cells<Cell> to;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < v; ++k, place += s.row_pitch)
      to.cell[k] = shared[memory::padded(place)];
    return to;
  }
  COLONNADE_HOST_DEVICE uint32_t num_edges() const {
    return s.cell_stride % v == 0 ? 0 : t.cells * skewed<Cell>::edge_slots;
  }
  template <class Visit> COLONNADE_HOST_DEVICE void edge(uint32_t k, Visit visit) const {
    const uint32_t i = k / skewed<Cell>::edge_slots;
    const uint64_t begin = column(i);
    const skewed<Cell> cells{static_cast<uint32_t>(begin) % v, t.instances};
    const uint32_t instance = cells.edge(k % skewed<Cell>::edge_slots);
    if (instance < t.instances)
      visit(begin + instance, memory::padded(memory::number(instance, i)));
  }
};

/// Whole rows: the rows of a tile are consecutive in memory; a thread takes every Threads-th
/// word.
template <class Cell, uint32_t Threads> struct whole_row_side : tile_memory<Cell> {
  using memory = tile_memory<Cell>;
  using memory::s, memory::t, memory::v;
  using typename memory::word;
  static constexpr bool has_edges = false;
  static_assert(Threads % 128 == 0, "a step is a multiple of the words between padding");

  uint32_t thread;

  COLONNADE_HOST_DEVICE whole_row_side(const transpose_shape &shape, const transpose_tile &tile,
                                       uint32_t thread_index)
      : memory{shape, tile}, thread(thread_index) {}
  static COLONNADE_HOST_DEVICE uint32_t first() { return 0; }
  static COLONNADE_HOST_DEVICE uint32_t end() { return 1; }
  static COLONNADE_HOST_DEVICE uint32_t step() { return 1; }
  template <class Word> COLONNADE_HOST_DEVICE cursor<Word> start(Word *words, uint32_t) const {
    return {words + t.first_instance * s.cells / v + thread, Threads, memory::padded_word(thread),
            memory::padded_word(Threads), steps_to(t.instances / v * t.cells, thread, Threads)};
  }
  static COLONNADE_HOST_DEVICE bool valid(uint32_t) { return true; }
  COLONNADE_HOST_DEVICE void scatter(Cell *shared, uint32_t place, word_cells<Cell> from) const {
    reinterpret_cast<word *>(shared)[place] = from.word;
  }
  COLONNADE_HOST_DEVICE word_cells<Cell> gather(const Cell *shared, uint32_t place) const {
    word_cells<Cell> to;
    to.word = reinterpret_cast<const word *>(shared)[place];
    return to;
  }
};

/// Cut rows: the lanes of a warp take neighbouring words of one row. The warp advances along
/// rows `warps` apart, whose skew is the same.
template <class Cell> struct cut_row_side : tile_memory<Cell> {
  using memory = tile_memory<Cell>;
  using memory::s, memory::t, memory::v;
  using typename memory::word;

  static constexpr bool has_edges = v > 1;

  uint32_t lane, warp, warps;

  COLONNADE_HOST_DEVICE cut_row_side(const transpose_shape &shape, const transpose_tile &tile,
                                     uint32_t thread, uint32_t num_warps)
      : memory{shape, tile}, lane(thread % 32), warp(thread / 32), warps(num_warps) {}
  COLONNADE_HOST_DEVICE uint64_t row(uint32_t instance) const {
    return (t.first_instance + instance) * s.cells + t.first_cell;
  }
  static COLONNADE_HOST_DEVICE uint32_t first() { return 0; }
  COLONNADE_HOST_DEVICE uint32_t end() const { return (t.cells + 32 * v - 1) / (32 * v); }
  static COLONNADE_HOST_DEVICE uint32_t step() { return 1; }
  template <class Word>
  COLONNADE_HOST_DEVICE cursor<Word> start(Word *words, uint32_t strip) const {
    const uint64_t begin = row(warp);
    const skewed<Cell> cells{static_cast<uint32_t>(begin) % v, t.cells};
    const uint32_t x = strip * 32 + lane;
    return {words + begin / v + x, static_cast<int64_t>(warps * s.cells / v),
            (memory::number(warp, 0) + v * x - cells.skew) / v, warps * s.row_pitch / v,
            cells.whole(x) ? steps_to(t.instances, warp, warps) : 0};
  }
  static COLONNADE_HOST_DEVICE bool valid(uint32_t) { return true; }
  COLONNADE_HOST_DEVICE void scatter(Cell *shared, uint32_t place, word_cells<Cell> from) const {
    reinterpret_cast<word *>(shared)[memory::padded_word(place)] = from.word;
  }
  COLONNADE_HOST_DEVICE word_cells<Cell> gather(const Cell *shared, uint32_t place) const {
    word_cells<Cell> to;
    to.word = reinterpret_cast<const word *>(shared)[memory::padded_word(place)];
    return to;
  }
  COLONNADE_HOST_DEVICE uint32_t num_edges() const {
    return s.cells % v == 0 && t.cells % v == 0 ? 0 : t.instances * skewed<Cell>::edge_slots;
  }
  template <class Visit> COLONNADE_HOST_DEVICE void edge(uint32_t k, Visit visit) const {
    const uint32_t j = k / skewed<Cell>::edge_slots;
    const uint64_t begin = row(j);
    const skewed<Cell> cells{static_cast<uint32_t>(begin) % v, t.cells};
    const uint32_t i = cells.edge(k % skewed<Cell>::edge_slots);
    if (i < t.cells)
      visit(begin + i, memory::padded(memory::number(j, i)));
  }
};

} // namespace colonnade::runtime::detail
