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

namespace colonnade::runtime::detail {

template <class Cell> union word_cells {
  typename word_of<Cell>::type word;
  Cell cell[sizeof(typename word_of<Cell>::type) / sizeof(Cell)];
};

/// A thread's way through a side: words in memory, each with its place in the
/// tile, both a constant step apart.
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

COLONNADE_HOST_DEVICE uint32_t steps_to(uint32_t end, uint32_t begin, uint32_t step) {
  return begin < end ? (end - begin + step - 1) / step : 0;
}

/// What the sides share: where the tile's cells are in shared memory.
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

/// A column, or a piece of a row, that begins `skew` cells behind a word of memory:
/// word x, counted from there, holds its cells from v * x - skew on.
template <class Cell> struct skewed {
  static constexpr uint32_t v = tile_memory<Cell>::v;
  static constexpr uint32_t edge_slots = 2 * (v - 1);
  uint32_t skew, length;

  COLONNADE_HOST_DEVICE bool whole(uint32_t x) const {
    return v * x >= skew && v * x - skew + v <= length;
  }
  /// Cells before the first whole word and behind the last: the k-th of
  /// edge_slots, or `length` if there is none.
  COLONNADE_HOST_DEVICE uint32_t edge(uint32_t k) const {
    const uint32_t before = (v - skew) % v, head = before < length ? before : length;
    const uint32_t tail = (length - head) % v, slots = edge_slots / 2;
    if (k < slots)
      return k < head ? k : length;
    return k - slots < tail ? length - 1 - (k - slots) : length;
  }
};

/// Columns: a warp's lanes are neighbouring words of one column, 32 of them a strip.
/// Warps share the cells, or the strips if these are more than the cells; a warp
/// runs along cells `warps` apart, or along strips. Either way its skew stays.
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
  /// A column's first word may be another tile's, too.
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

/// Whole rows: one stretch of memory, every Threads-th word.
template <class Cell, uint32_t Threads> struct whole_row_side : tile_memory<Cell> {
  using memory = tile_memory<Cell>;
  using memory::s, memory::t, memory::v;
  using typename memory::word;
  static constexpr bool has_edges = false;
  static_assert(Threads % 128 == 0, "a step is whole stretches between padding");

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

/// Cut rows: a warp's lanes are neighbouring words of one row. A warp runs along
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

/// How many words one step moves: InFlight, half of it, and 1 for the rest. A
/// constant, so that no load of a batch waits for a guard.
template <uint32_t N> struct batch_of {
  static constexpr uint32_t value = N;
};

template <uint32_t InFlight, class Side, class Word, class Move>
COLONNADE_HOST_DEVICE void walk(const Side &side, Word *words, Move move) {
  for (uint32_t at = side.first(); at < side.end(); at += side.step()) {
    cursor<Word> c = side.start(words, at);
    for (; c.left >= InFlight; c.left -= InFlight)
      move(c, batch_of<InFlight>{});
    if (c.left >= InFlight / 2) {
      move(c, batch_of<InFlight / 2>{});
      c.left -= InFlight / 2;
    }
    for (; c.left > 0; --c.left)
      move(c, batch_of<1>{});
  }
}

template <uint32_t Threads, uint32_t InFlight, class Side, class Cell>
COLONNADE_HOST_DEVICE void load_side(const Side &side, const Cell *array, Cell *shared,
                                     uint32_t thread) {
  using word = const typename Side::word;
  walk<InFlight>(side, reinterpret_cast<word *>(array), [&](cursor<word> &c, auto batch) {
    word_cells<Cell> loaded[batch.value];
    uint32_t place = c.place;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, c.advance())
      if (side.valid(c.place))
        loaded[k].word = *c.word;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, place += c.place_step)
      if (side.valid(place))
        side.scatter(shared, place, loaded[k]);
  });
  if constexpr (Side::has_edges)
    for (uint32_t k = thread; k < side.num_edges(); k += Threads)
      side.edge(k, [&](uint64_t index, uint32_t at) { shared[at] = array[index]; });
}

template <uint32_t Threads, uint32_t InFlight, class Side, class Cell>
COLONNADE_HOST_DEVICE void store_side(const Side &side, const Cell *shared, Cell *array,
                                      uint32_t thread) {
  using word = typename Side::word;
  walk<InFlight>(side, reinterpret_cast<word *>(array), [&](cursor<word> &c, auto batch) {
    word_cells<Cell> gathered[batch.value];
    uint32_t place = c.place;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, place += c.place_step)
      if (side.valid(place))
        gathered[k] = side.gather(shared, place);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, c.advance())
      if (side.valid(c.place))
        *c.word = gathered[k].word;
  });
  if constexpr (Side::has_edges)
    for (uint32_t k = thread; k < side.num_edges(); k += Threads)
      side.edge(k, [&](uint64_t index, uint32_t at) { array[index] = shared[at]; });
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
    load_side<Threads, InFlight>(column_side<Cell>(s, t, thread, Threads / 32), source, shared,
                                 thread);
  else if constexpr (WholeRows)
    load_side<Threads, InFlight>(whole_row_side<Cell, Threads>(s, t, thread), source, shared,
                                 thread);
  else
    load_side<Threads, InFlight>(cut_row_side<Cell>(s, t, thread, Threads / 32), source, shared,
                                 thread);
}

/// The second half, shared memory to memory.
template <transpose_way Way, bool WholeRows, uint32_t Threads, uint32_t InFlight, class Cell>
COLONNADE_HOST_DEVICE void store_tile(const transpose_shape &s, const transpose_tile &t,
                                      const Cell *shared, Cell *target, uint32_t thread) {
  if constexpr (Way == transpose_way::rows_to_layout)
    store_side<Threads, InFlight>(column_side<Cell>(s, t, thread, Threads / 32), shared, target,
                                  thread);
  else if constexpr (WholeRows)
    store_side<Threads, InFlight>(whole_row_side<Cell, Threads>(s, t, thread), shared, target,
                                  thread);
  else
    store_side<Threads, InFlight>(cut_row_side<Cell>(s, t, thread, Threads / 32), shared, target,
                                  thread);
}

} // namespace colonnade::runtime::detail
