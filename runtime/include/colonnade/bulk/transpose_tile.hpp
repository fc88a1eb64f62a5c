//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose_tile.hpp: what one thread of a GPU transpose does with one tile.
//
// A tile is `instances` x `cells` cells, staged in shared memory as [j][i]. Its
// pitch is an odd number of 4-byte words (of 8-byte cells), so that neither
// walking j nor walking i meets bank conflicts. The global sides are walked so
// that a cell costs a handful of instructions, all addresses by additions:
//
//   whole rows   the tile's rows are one stretch of memory (any n that fits, so
//                also n = 3), taken in words of at least 4 bytes: a tile starts
//                at a multiple of 32 instances, so words are aligned whatever n
//   strips       a warp's lanes are neighbours in memory, one cell each; used for
//                columns (lanes are instances) and for rows too long for one tile
//                (lanes are cells)
//
// Nothing outside the arrays is touched; no two threads write the same byte.
// The same code runs on the host, thread by thread, in the tests.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/layout.hpp>

#include <cstdint>

#if defined(__CUDACC__)
#define COLONNADE_UNROLL _Pragma("unroll")
#else
#define COLONNADE_UNROLL
#endif

namespace colonnade::bulk::detail {

enum class transpose_way : uint8_t { rows_to_layout, layout_to_rows };

struct transpose_tuning {
  uint32_t threads = 256;
  uint32_t tile_bytes = 34816;   // shared memory per block
  uint32_t cut_row_bytes = 256;  // of a row, where rows are cut
  uint32_t max_instances = 8192;
  uint32_t min_column = 128;     // column-wise, 4 bytes and more: with fewer instances in a
                                 // tile its rows are cut
  uint32_t loads_in_flight = 8;  // per thread between two uses
};

/// Measured on an H200 (docs/results): writing columns gains from long runs,
/// reading them from many small blocks whose loads overlap.
constexpr transpose_tuning tuning_of(transpose_way way) {
  transpose_tuning tuning;
  if (way == transpose_way::layout_to_rows) {
    tuning.threads = 128;
    tuning.tile_bytes = 17408;
    tuning.min_column = 64;
  }
  return tuning;
}

/// Sizes of one transpose, made on the host.
struct transpose_shape {
  uint64_t count;          // p
  uint64_t cells;          // n
  uint64_t cell_stride;    // column side: cell distance between cells of an instance
  uint64_t strip_stride;   // column side: cell distance between groups of 32 instances
  uint64_t group_stride;   // column side: cell distance between groups of `run` instances
  uint64_t num_tiles;
  uint32_t run;            // neighbouring instances on the column side; divides 32 or is 32
  uint32_t tile_instances; // power of two, at least 32
  uint32_t tile_cells;
  uint32_t cell_tiles;     // tiles that cover the cells of an instance
  uint32_t pitch;          // in cells
  bool whole_rows;         // cell_tiles == 1
};

constexpr uint32_t conflict_free_pitch(uint32_t cells, uint32_t cell_bytes) {
  if (cell_bytes >= 4)
    return cells | 1;
  return (((cells * cell_bytes + 3) / 4) | 1) * 4 / cell_bytes;
}

constexpr transpose_shape make_transpose_shape(layout l, uint64_t tile, uint64_t count,
                                               uint64_t cells, uint32_t cell_bytes,
                                               const transpose_tuning &tuning = {}) {
  transpose_shape s{};
  s.count = count;
  s.cells = cells;
  s.whole_rows = cells < tuning.tile_bytes &&
                 uint64_t{l == layout::tiled || cell_bytes < 4 ? 32 : tuning.min_column} * cell_bytes *
                         conflict_free_pitch(static_cast<uint32_t>(cells), cell_bytes) <=
                     tuning.tile_bytes;
  s.cell_tiles = 1;
  s.tile_cells = static_cast<uint32_t>(cells);
  if (!s.whole_rows) { // equal pieces of whole 32-byte sectors
    const uint64_t most = tuning.cut_row_bytes / cell_bytes, sector = 32 / cell_bytes;
    const uint64_t pieces = (cells + most - 1) / most;
    const uint64_t piece = ((cells + pieces - 1) / pieces + sector - 1) / sector * sector;
    s.tile_cells = static_cast<uint32_t>(piece);
    s.cell_tiles = static_cast<uint32_t>((cells + piece - 1) / piece);
  }
  s.pitch = conflict_free_pitch(s.tile_cells, cell_bytes);
  s.tile_instances = 32;
  while (s.tile_instances < tuning.max_instances &&
         uint64_t{2} * s.tile_instances * s.pitch * cell_bytes <= tuning.tile_bytes)
    s.tile_instances *= 2;
  const bool tiled = l == layout::tiled;
  s.run = tiled ? static_cast<uint32_t>(tile) : 32;
  s.cell_stride = tiled ? tile : count;
  s.group_stride = tiled ? cells * tile : 32;
  s.strip_stride = s.group_stride * (32 / s.run);
  s.num_tiles = (count + s.tile_instances - 1) / s.tile_instances * s.cell_tiles;
  return s;
}

/// The instances and cells of tile `index`; cell tiles of one instance group are
/// neighbours, so that the sectors they share meet in the cache.
struct transpose_tile {
  uint64_t first_instance;
  uint64_t first_cell;
  uint32_t instances;
  uint32_t cells;
};

COLONNADE_HOST_DEVICE transpose_tile tile_at(const transpose_shape &s, uint64_t index) {
  transpose_tile t;
  const uint64_t group = s.cell_tiles == 1 ? index : index / s.cell_tiles;
  t.first_instance = group * s.tile_instances;
  t.first_cell = (index - group * s.cell_tiles) * s.tile_cells;
  const uint64_t instances = s.count - t.first_instance, cells = s.cells - t.first_cell;
  t.instances = instances < s.tile_instances ? static_cast<uint32_t>(instances) : s.tile_instances;
  t.cells = cells < s.tile_cells ? static_cast<uint32_t>(cells) : s.tile_cells;
  return t;
}

/// Words of at least four bytes, so that a warp moves 128 bytes at once.
template <class Cell> struct word_of { using type = uint32_t; };
template <> struct word_of<uint64_t> { using type = uint64_t; };

template <class Cell> union word_cells {
  typename word_of<Cell>::type word;
  Cell cell[sizeof(typename word_of<Cell>::type) / sizeof(Cell)];
};

/// How many cells or words one step moves: InFlight, and 1 for the rest. A
/// constant, so that no load of a batch waits for a guard.
template <uint32_t N> struct batch_of { static constexpr uint32_t value = N; };

/// Every Threads-th of `num_words` words, from `thread` on.
template <uint32_t Threads, uint32_t InFlight, class Move>
COLONNADE_HOST_DEVICE void walk_words(uint32_t num_words, uint32_t thread, Move move) {
  uint32_t first = thread;
  for (; first + (InFlight - 1) * Threads < num_words; first += InFlight * Threads)
    move(first, batch_of<InFlight>{});
  for (; first < num_words; first += Threads)
    move(first, batch_of<1>{});
}

/// A thread's position in a tile that holds whole rows: every Threads-th word.
template <class Cell, uint32_t Threads> struct whole_rows {
  static constexpr uint32_t v = sizeof(typename word_of<Cell>::type) / sizeof(Cell);
  uint32_t n, pitch, step_column, step_index;
  uint32_t column, index; // i, and the place in shared memory

  COLONNADE_HOST_DEVICE whole_rows(const transpose_shape &s, uint32_t thread)
      : n(s.tile_cells), pitch(s.pitch), step_column(Threads * v % n),
        step_index(Threads * v / n * pitch + step_column), column(thread * v % n),
        index(thread * v / n * pitch + column) {}
  COLONNADE_HOST_DEVICE void next() {
    column += step_column;
    index += step_index;
    if (column >= n) {
      column -= n;
      index += pitch - n;
    }
  }
  /// visit(k, place of the word's k-th cell)
  template <class Visit> COLONNADE_HOST_DEVICE void cells(Visit visit) const {
    uint32_t at = index, i = column;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < v; ++k) {
      visit(k, at);
      ++at;
      if (++i == n) {
        i = 0;
        at += pitch - n;
      }
    }
  }
};

/// Cells behind the last word of the last tile: one thread each.
template <class Cell>
COLONNADE_HOST_DEVICE bool leftover(const transpose_shape &s, const transpose_tile &t,
                                    uint32_t thread, uint32_t &element, uint32_t &index) {
  constexpr uint32_t v = sizeof(typename word_of<Cell>::type) / sizeof(Cell);
  const uint32_t num_elements = t.instances * t.cells;
  element = num_elements / v * v + thread;
  index = element / t.cells * s.pitch + element % t.cells;
  return element < num_elements;
}

template <class Cell, uint32_t Threads, uint32_t InFlight>
COLONNADE_HOST_DEVICE void rows_to_tile(const transpose_shape &s, const transpose_tile &t,
                                        const Cell *rows, Cell *shared, uint32_t thread) {
  using word = typename word_of<Cell>::type;
  constexpr uint32_t v = sizeof(word) / sizeof(Cell);
  const Cell *cells = rows + t.first_instance * s.cells;
  const word *words = reinterpret_cast<const word *>(cells);
  const uint32_t num_words = t.instances * t.cells / v;
  whole_rows<Cell, Threads> place(s, thread);
  const auto move = [&](uint32_t first, auto batch) {
    word_cells<Cell> loaded[batch.value];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k)
      loaded[k].word = words[first + k * Threads];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, place.next())
      place.cells([&](uint32_t c, uint32_t at) { shared[at] = loaded[k].cell[c]; });
  };
  walk_words<Threads, InFlight>(num_words, thread, move);
  uint32_t element, index;
  if (v > 1 && leftover<Cell>(s, t, thread, element, index))
    shared[index] = cells[element];
}

template <class Cell, uint32_t Threads, uint32_t InFlight>
COLONNADE_HOST_DEVICE void tile_to_rows(const transpose_shape &s, const transpose_tile &t,
                                        const Cell *shared, Cell *rows, uint32_t thread) {
  using word = typename word_of<Cell>::type;
  constexpr uint32_t v = sizeof(word) / sizeof(Cell);
  Cell *cells = rows + t.first_instance * s.cells;
  word *words = reinterpret_cast<word *>(cells);
  const uint32_t num_words = t.instances * t.cells / v;
  whole_rows<Cell, Threads> place(s, thread);
  const auto move = [&](uint32_t first, auto batch) {
    word_cells<Cell> gathered[batch.value];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k, place.next())
      place.cells([&](uint32_t c, uint32_t at) { gathered[k].cell[c] = shared[at]; });
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch.value; ++k)
      words[first + k * Threads] = gathered[k].word;
  };
  walk_words<Threads, InFlight>(num_words, thread, move);
  uint32_t element, index;
  if (v > 1 && leftover<Cell>(s, t, thread, element, index))
    cells[element] = shared[index];
}

/// A side whose lanes are neighbours in memory: `num_strips` groups of 32 lanes,
/// each `length` steps long.
struct strips {
  uint64_t global, global_strip, global_step; // this lane's first cell, and strides
  uint32_t shared, shared_strip, shared_step;
  uint32_t extent;                            // lanes in all
  uint32_t length;

  /// Warps share the strips first, then the steps of a strip.
  COLONNADE_HOST_DEVICE static uint32_t split(uint32_t extent, uint32_t warps) {
    uint32_t s = 1;
    while (2 * s <= warps && 64 * s <= extent + 32)
      s *= 2;
    return s;
  }
};

/// Columns: lanes are instances, steps are cells.
COLONNADE_HOST_DEVICE strips columns(const transpose_shape &s, const transpose_tile &t,
                                     uint32_t lane) {
  const uint64_t lane_cell = lane / s.run * s.group_stride + lane % s.run;
  return {t.first_instance / 32 * s.strip_stride + t.first_cell * s.cell_stride + lane_cell,
          s.strip_stride, s.cell_stride, lane * s.pitch, 32 * s.pitch, 1, t.instances, t.cells};
}

/// Rows that do not fit one tile: lanes are cells, steps are instances.
COLONNADE_HOST_DEVICE strips cut_rows(const transpose_shape &s, const transpose_tile &t,
                                      uint32_t lane) {
  return {t.first_instance * s.cells + t.first_cell + lane, 32, s.cells, lane, 32, s.pitch,
          t.cells, t.instances};
}

/// Calls move(address, stride, place, step, batch) for a thread's cells.
/// A batch runs along a strip, or across strips where these are short (n = 3).
template <uint32_t Threads, uint32_t InFlight, class Move>
COLONNADE_HOST_DEVICE void walk_strips(const strips &side, uint32_t thread, Move move) {
  constexpr uint32_t warps = Threads / 32;
  const uint32_t lane = thread % 32, warp = thread / 32;
  const uint32_t split = strips::split(side.extent, warps);
  const bool along = side.length >= InFlight * (warps / split);
  // Positions with 32 * outer + lane or 32 * inner + lane beyond the extent hold nothing.
  const uint32_t strip_limit = side.extent > lane ? (side.extent - lane + 31) / 32 : 0;
  const uint32_t inner_limit = along ? side.length : strip_limit;
  const uint32_t outer_limit = along ? strip_limit : side.length;
  const uint32_t inner_first = along ? warp / split : warp % split;
  const uint32_t outer_first = along ? warp % split : warp / split;
  const uint32_t inner_step = along ? warps / split : split;
  const uint32_t outer_step = along ? split : warps / split;
  const uint64_t inner_global = along ? side.global_step : side.global_strip;
  const uint64_t outer_global = along ? side.global_strip : side.global_step;
  const uint32_t inner_shared = along ? side.shared_step : side.shared_strip;
  const uint32_t outer_shared = along ? side.shared_strip : side.shared_step;
  const uint64_t stride = inner_step * inner_global;
  const uint32_t shared_stride = inner_step * inner_shared;
  for (uint32_t outer = outer_first; outer < outer_limit; outer += outer_step) {
    uint64_t global = side.global + outer * outer_global + inner_first * inner_global;
    uint32_t shared = side.shared + outer * outer_shared + inner_first * inner_shared;
    uint32_t i = inner_first;
    for (; i + (InFlight - 1) * inner_step < inner_limit; i += inner_step * InFlight) {
      move(global, stride, shared, shared_stride, batch_of<InFlight>{});
      global += InFlight * stride;
      shared += InFlight * shared_stride;
    }
    for (; i < inner_limit; i += inner_step) {
      move(global, stride, shared, shared_stride, batch_of<1>{});
      global += stride;
      shared += shared_stride;
    }
  }
}

template <uint32_t Threads, uint32_t InFlight, class Cell>
COLONNADE_HOST_DEVICE void strips_to_tile(const strips &side, const Cell *array, Cell *shared,
                                          uint32_t thread) {
  walk_strips<Threads, InFlight>(
      side, thread,
      [&](uint64_t global, uint64_t stride, uint32_t place, uint32_t step, auto batch) {
        const Cell *from = array + global;
        Cell loaded[batch.value];
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < batch.value; ++k, from += stride)
          loaded[k] = *from;
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < batch.value; ++k)
          shared[place + k * step] = loaded[k];
      });
}

template <uint32_t Threads, uint32_t InFlight, class Cell>
COLONNADE_HOST_DEVICE void tile_to_strips(const strips &side, const Cell *shared, Cell *array,
                                          uint32_t thread) {
  walk_strips<Threads, InFlight>(
      side, thread,
      [&](uint64_t global, uint64_t stride, uint32_t place, uint32_t step, auto batch) {
        Cell *to = array + global;
        Cell gathered[batch.value];
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < batch.value; ++k)
          gathered[k] = shared[place + k * step];
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < batch.value; ++k, to += stride)
          *to = gathered[k];
      });
}

} // namespace colonnade::bulk::detail
