//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose_tile.hpp: what one thread of a GPU transpose does with one tile.
//
// A side of the transpose (columns, whole rows or cut rows) moves between memory
// and the tile: whole words first, many loads in flight; then, cell by cell, the
// edges of columns or rows that do not begin at a word. A tile with missing
// instances moves cell by cell.
//
// Nothing outside the arrays is touched; no two threads write the same byte.
// The same code runs on the host, thread by thread, in the tests.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/transpose_shape.hpp>

#if defined(__CUDACC__)
#define COLONNADE_UNROLL _Pragma("unroll")
#else
#define COLONNADE_UNROLL
#endif

namespace colonnade::bulk::detail {

template <class Cell> union word_cells {
  typename word_of<Cell>::type word;
  Cell cell[sizeof(typename word_of<Cell>::type) / sizeof(Cell)];
};

/// Where the tile's cells are in shared memory.
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

/// Columns: a warp's lanes are neighbouring words of one column; an item is 32
/// words of it. Word l of a column that begins `skew` cells behind a word holds
/// the instances from v * l - skew on. Warps share the strips of 32 words first,
/// then the cells; a warp's items run along the longer of the two.
template <class Cell> struct column_side : tile_memory<Cell> {
  using memory = tile_memory<Cell>;
  using typename memory::word;
  using memory::s, memory::t, memory::v;

  uint32_t outer, inner, outer_end, inner_end, outer_step, inner_step;
  uint32_t number, number_outer, number_inner; // of cell i of instance v * line
  uint64_t column, column_outer, column_inner; // index of the column's first cell
  uint64_t offset, offset_outer, offset_inner; // words from there to this lane's

  COLONNADE_HOST_DEVICE column_side(const transpose_shape &shape, const transpose_tile &tile,
                                    uint32_t thread, uint32_t warps, uint32_t in_flight)
      : memory{shape, tile} {
    const uint32_t lane = thread % 32, warp = thread / 32;
    const uint32_t strips = t.instances / (32 * v), split = strips < warps ? strips : warps;
    const bool along = t.cells >= in_flight * (warps / split);
    const uint32_t strip = warp % split, i = warp / split;
    const uint32_t strip_number = 32 * v * s.row_pitch;
    outer = along ? strip : i;
    inner = along ? i : strip;
    outer_end = along ? strips : t.cells;
    inner_end = along ? t.cells : strips;
    outer_step = along ? split : warps / split;
    inner_step = along ? warps / split : split;
    number_outer = outer_step * (along ? strip_number : 1);
    number_inner = inner_step * (along ? 1 : strip_number);
    column_outer = along ? 0 : outer_step * s.cell_stride;
    column_inner = along ? inner_step * s.cell_stride : 0;
    offset_outer = along ? outer_step * s.strip_words : 0;
    offset_inner = along ? 0 : inner_step * s.strip_words;
    number = memory::number((strip * 32 + lane) * v, i);
    column = first_cell_of(i);
    offset = strip * s.strip_words + lane / s.run * s.run_stride + lane % s.run;
  }
  COLONNADE_HOST_DEVICE bool done() const { return outer >= outer_end; }
  COLONNADE_HOST_DEVICE bool has(uint32_t num_items) const {
    return inner + (num_items - 1) * inner_step < inner_end;
  }
  COLONNADE_HOST_DEVICE void next_outer(const column_side &begin) {
    const uint32_t steps = (inner - begin.inner) / inner_step;
    inner = begin.inner;
    outer += outer_step;
    number += number_outer - steps * number_inner;
    column += column_outer - steps * column_inner;
    offset += offset_outer - steps * offset_inner;
  }
  COLONNADE_HOST_DEVICE void advance() {
    inner += inner_step;
    number += number_inner;
    column += column_inner;
    offset += offset_inner;
  }
  COLONNADE_HOST_DEVICE uint64_t first_cell_of(uint32_t i) const {
    return t.first_instance * s.first_stride + (t.first_cell + i) * s.cell_stride;
  }
  COLONNADE_HOST_DEVICE uint32_t skew() const { return static_cast<uint32_t>(column) % v; }
  COLONNADE_HOST_DEVICE bool valid() const { // the first line's first word may be another tile's
    return v == 1 || skew() == 0 || number >= v * s.row_pitch;
  }
  COLONNADE_HOST_DEVICE uint64_t index() const { return column / v + offset; }
  COLONNADE_HOST_DEVICE void scatter(Cell *shared, word_cells<Cell> from) const {
    uint32_t at = number - skew() * s.row_pitch;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < v; ++k, at += s.row_pitch)
      shared[memory::padded(at)] = from.cell[k];
  }
  COLONNADE_HOST_DEVICE word_cells<Cell> gather(const Cell *shared) const {
    word_cells<Cell> to;
    uint32_t at = number - skew() * s.row_pitch;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < v; ++k, at += s.row_pitch)
      to.cell[k] = shared[memory::padded(at)];
    return to;
  }
  COLONNADE_HOST_DEVICE uint32_t num_edges() const {
    return v == 1 || s.cell_stride % v == 0 ? 0 : t.cells * v;
  }
  /// visit(index in memory, place): the cells before a column's first whole word,
  /// and behind its last.
  template <class Visit> COLONNADE_HOST_DEVICE void edge(uint32_t number, Visit visit) const {
    const uint32_t i = number / v, k = number % v;
    const uint64_t first = first_cell_of(i);
    const uint32_t behind = static_cast<uint32_t>(first) % v;
    if (behind == 0)
      return;
    const uint32_t instance = k < v - behind ? k : t.instances - v + k;
    visit(first + instance, memory::padded(memory::number(instance, i)));
  }
};

/// Whole rows: one stretch of memory, every Threads-th word.
template <class Cell, uint32_t Threads> struct whole_row_side : tile_memory<Cell> {
  using memory = tile_memory<Cell>;
  using typename memory::word;
  using memory::s, memory::t, memory::v;
  static_assert(Threads % 128 == 0, "a step is whole stretches between padding");

  uint32_t item, num_items, place, step;
  uint64_t first;

  COLONNADE_HOST_DEVICE whole_row_side(const transpose_shape &shape, const transpose_tile &tile,
                                       uint32_t thread)
      : memory{shape, tile}, item(thread), num_items(t.instances / v * s.tile_cells),
        place(memory::padded_word(thread)), step(memory::padded_word(Threads)),
        first(t.first_instance * s.cells / v + thread) {}
  COLONNADE_HOST_DEVICE bool done() const { return item >= num_items; }
  COLONNADE_HOST_DEVICE bool has(uint32_t n) const { return item + (n - 1) * Threads < num_items; }
  COLONNADE_HOST_DEVICE void next_outer(const whole_row_side &) {}
  COLONNADE_HOST_DEVICE void advance() {
    item += Threads;
    first += Threads;
    place += step;
  }
  COLONNADE_HOST_DEVICE bool valid() const { return true; }
  COLONNADE_HOST_DEVICE uint64_t index() const { return first; }
  COLONNADE_HOST_DEVICE void scatter(Cell *shared, word_cells<Cell> from) const {
    reinterpret_cast<word *>(shared)[place] = from.word;
  }
  COLONNADE_HOST_DEVICE word_cells<Cell> gather(const Cell *shared) const {
    word_cells<Cell> to;
    to.word = reinterpret_cast<const word *>(shared)[place];
    return to;
  }
  COLONNADE_HOST_DEVICE uint32_t num_edges() const { return 0; }
  template <class Visit> COLONNADE_HOST_DEVICE void edge(uint32_t, Visit) const {}
};

/// Cut rows: a warp's lanes are neighbouring words of one row; an item is 32 words.
template <class Cell> struct cut_row_side : tile_memory<Cell> {
  using memory = tile_memory<Cell>;
  using typename memory::word;
  using memory::s, memory::t, memory::v;

  uint32_t row, step;         // the item's, and from item to item
  uint32_t x;                 // word of the row
  uint32_t number;            // of the row's first cell
  uint64_t first, first_step; // index of the row's first cell

  COLONNADE_HOST_DEVICE cut_row_side(const transpose_shape &shape, const transpose_tile &tile,
                                     uint32_t thread, uint32_t warps)
      : memory{shape, tile} {
    uint32_t strips = 1;
    while (strips < warps && 32 * v * strips < t.cells)
      strips *= 2;
    const uint32_t warp = thread / 32;
    row = warp / strips;
    step = warps / strips;
    x = warp % strips * 32 + thread % 32;
    number = memory::number(row, 0);
    first = first_cell_of(row);
    first_step = step * s.cells;
  }
  COLONNADE_HOST_DEVICE uint64_t first_cell_of(uint32_t instance) const {
    return (t.first_instance + instance) * s.cells + t.first_cell;
  }
  COLONNADE_HOST_DEVICE bool done() const { return row >= t.instances; }
  COLONNADE_HOST_DEVICE bool has(uint32_t n) const { return row + (n - 1) * step < t.instances; }
  COLONNADE_HOST_DEVICE void next_outer(const cut_row_side &) {}
  COLONNADE_HOST_DEVICE void advance() {
    row += step;
    number += step * s.row_pitch;
    first += first_step;
  }
  COLONNADE_HOST_DEVICE bool valid() const {
    const uint32_t skew = number % v;
    return (v == 1 || skew == 0 || x > 0) && x < (skew + t.cells) / v;
  }
  COLONNADE_HOST_DEVICE uint64_t index() const { return first / v + x; }
  COLONNADE_HOST_DEVICE uint32_t place() const { return memory::padded_word(number / v + x); }
  COLONNADE_HOST_DEVICE void scatter(Cell *shared, word_cells<Cell> from) const {
    reinterpret_cast<word *>(shared)[place()] = from.word;
  }
  COLONNADE_HOST_DEVICE word_cells<Cell> gather(const Cell *shared) const {
    word_cells<Cell> to;
    to.word = reinterpret_cast<const word *>(shared)[place()];
    return to;
  }
  COLONNADE_HOST_DEVICE uint32_t num_edges() const { return v == 1 ? 0 : t.instances * 2 * v; }
  /// The cells before a row's first whole word, and behind its last.
  template <class Visit> COLONNADE_HOST_DEVICE void edge(uint32_t edge_number, Visit visit) const {
    const uint32_t j = edge_number / (2 * v), k = edge_number % (2 * v);
    const uint64_t first_cell = first_cell_of(j);
    const uint32_t skew = static_cast<uint32_t>(first_cell) % v;
    const uint32_t head = skew == 0 ? 0 : v - skew < t.cells ? v - skew : t.cells;
    const uint32_t tail = (t.cells - head) % v;
    const uint32_t i = k < v ? k : t.cells - 1 - (k - v);
    if (k < v ? k < head : k - v < tail)
      visit(first_cell + i, memory::padded(memory::number(j, i)));
  }
};

/// How many words one step moves: InFlight, and 1 for the rest. A constant, so
/// that no load of a batch waits for a guard.
template <uint32_t N> struct batch_of { static constexpr uint32_t value = N; };

template <uint32_t InFlight, class Side, class Move>
COLONNADE_HOST_DEVICE void walk(Side &side, Move move) {
  const Side begin = side;
  for (; !side.done(); side.next_outer(begin)) {
    while (side.has(InFlight))
      move(batch_of<InFlight>{});
    while (side.has(1))
      move(batch_of<1>{});
  }
}

template <uint32_t Threads, uint32_t InFlight, class Side, class Cell>
COLONNADE_HOST_DEVICE void load_side(Side side, const Cell *array, Cell *shared, uint32_t thread) {
  const auto words = reinterpret_cast<const typename Side::word *>(array);
  walk<InFlight>(side, [&](auto batch) {
    word_cells<Cell> loaded[batch.value];
    Side behind = side;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, side.advance())
      if (side.valid())
        loaded[k].word = words[side.index()];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, behind.advance())
      if (behind.valid())
        behind.scatter(shared, loaded[k]);
  });
  for (uint32_t number = thread; number < side.num_edges(); number += Threads)
    side.edge(number, [&](uint64_t index, uint32_t at) { shared[at] = array[index]; });
}

template <uint32_t Threads, uint32_t InFlight, class Side, class Cell>
COLONNADE_HOST_DEVICE void store_side(Side side, const Cell *shared, Cell *array, uint32_t thread) {
  const auto words = reinterpret_cast<typename Side::word *>(array);
  walk<InFlight>(side, [&](auto batch) {
    word_cells<Cell> gathered[batch.value];
    Side behind = side;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, behind.advance())
      if (behind.valid())
        gathered[k] = behind.gather(shared);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, side.advance())
      if (side.valid())
        words[side.index()] = gathered[k].word;
  });
  for (uint32_t number = thread; number < side.num_edges(); number += Threads)
    side.edge(number, [&](uint64_t index, uint32_t at) { array[index] = shared[at]; });
}

/// A tile with missing instances: straight from side to side, cell by cell.
template <uint32_t Threads, transpose_way Way, class Cell>
COLONNADE_HOST_DEVICE void move_partial_tile(const transpose_shape &s, const transpose_tile &t,
                                             const Cell *source, Cell *target, uint32_t thread) {
  constexpr uint32_t v = cells_per_word(sizeof(Cell));
  const uint64_t num_cells = uint64_t{t.instances} * t.cells;
  for (uint64_t e = thread; e < num_cells; e += Threads) {
    const uint64_t i = t.first_cell + e / t.instances, j = t.first_instance + e % t.instances;
    const uint64_t run = s.run * v; // instances
    const uint64_t row_index = j * s.cells + i;
    const uint64_t laid_index = j / run * run * s.first_stride + i * s.cell_stride + j % run;
    if constexpr (Way == transpose_way::rows_to_layout)
      target[laid_index] = source[row_index];
    else
      target[row_index] = source[laid_index];
  }
}

/// A tile's first half, memory to shared memory; a barrier follows.
template <transpose_way Way, bool WholeRows, uint32_t Threads, uint32_t InFlight, class Cell>
COLONNADE_HOST_DEVICE void load_tile(const transpose_shape &s, const transpose_tile &t,
                                     const Cell *source, Cell *shared, uint32_t thread) {
  if constexpr (Way == transpose_way::layout_to_rows)
    load_side<Threads, InFlight>(column_side<Cell>(s, t, thread, Threads / 32, InFlight), source, shared,
                                 thread);
  else if constexpr (WholeRows)
    load_side<Threads, InFlight>(whole_row_side<Cell, Threads>(s, t, thread), source, shared,
                                 thread);
  else
    load_side<Threads, InFlight>(cut_row_side<Cell>(s, t, thread, Threads / 32), source, shared, thread);
}

/// The second half, shared memory to memory.
template <transpose_way Way, bool WholeRows, uint32_t Threads, uint32_t InFlight, class Cell>
COLONNADE_HOST_DEVICE void store_tile(const transpose_shape &s, const transpose_tile &t,
                                      const Cell *shared, Cell *target, uint32_t thread) {
  if constexpr (Way == transpose_way::rows_to_layout)
    store_side<Threads, InFlight>(column_side<Cell>(s, t, thread, Threads / 32, InFlight), shared, target,
                                  thread);
  else if constexpr (WholeRows)
    store_side<Threads, InFlight>(whole_row_side<Cell, Threads>(s, t, thread), shared, target,
                                  thread);
  else
    store_side<Threads, InFlight>(cut_row_side<Cell>(s, t, thread, Threads / 32), shared, target, thread);
}

} // namespace colonnade::bulk::detail
