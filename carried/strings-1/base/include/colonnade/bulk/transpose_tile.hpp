//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose_tile.hpp: moves one tile of a GPU transpose, through shared memory.
//
// In: the shape of the transpose, a tile with all its instances, a thread of the block.
// Out: after load_tile, a barrier and store_tile by all threads, the tile is in the
// target. A tile with missing instances is moved by move_partial_tile alone, cell by cell.
// Invariant: nothing outside the arrays is touched, and no two threads write the same
// byte. The host runs the same code in the tests, thread by thread.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/transpose_sides.hpp>

namespace colonnade::runtime::detail {

/// The number of words that a thread moves at once, as a type: a compile-time constant, so that
/// all loads of a batch are issued before the first is used.
template <uint32_t N> struct batch_of {
  static constexpr uint32_t value = N;
};

/// Calls move(cursor, batch) for all words of the thread: batches of InFlight, then one of half
/// as many, then single words.
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

/// Memory to shared memory: whole words, then the edges.
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

/// Shared memory to memory: whole words, then the edges.
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

/// A tile with missing instances: straight from source to target, cell by cell.
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

/// The first half of a tile: source to shared memory. The caller's barrier follows.
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

/// The second half: shared memory to target.
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
