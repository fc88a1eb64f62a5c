//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose_tile.hpp: what one thread of a GPU transpose does with one tile.
//
// A tile is `instances` x `cells` cells, staged in shared memory as [j][i] with
// an odd pitch, so that neither walking j nor walking i meets bank conflicts
// (for 1- and 2-byte cells too: the lanes are a word apart, and words l*pitch of
// an odd pitch lie in different banks). Both sides are walked in *words* of
// global memory, aligned whatever n and p are:
//
//   row side     rows j*n + i: one run over the whole tile if it holds entire
//                rows (any n <= max_cells, so also n = 3), else a run per row
//   column side  cell i of `run` neighbouring instances: a run per (group, i)
//
// A word that sticks out of its run is read only if it lies within the array,
// and is written cell by cell: nothing outside the array is ever touched, and
// no two threads write the same byte.
//
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

/// Sizes of one transpose, made on the host.
struct transpose_shape {
  uint64_t count;        // p
  uint64_t cells;        // n
  uint64_t group_stride; // column side: cell distance between groups of `run` instances
  uint64_t cell_stride;  // column side: cell distance between cells of an instance
  uint64_t num_cells_laid; // cells of the laid-out array
  uint64_t num_tiles;
  uint32_t tile_instances; // power of two
  uint32_t tile_cells;
  uint32_t cell_tiles;     // tiles that cover the cells of an instance
  uint32_t pitch;          // odd
  uint32_t run;            // instances in one run of the column side
  bool full_rows;          // cell_tiles == 1
};

struct transpose_tuning {
  uint32_t threads = 256;
  uint32_t tile_bytes = 16384;  // shared memory per block, before padding
  uint32_t max_run_bytes = 256; // of a row, where rows are cut
  uint32_t max_instances = 4096;
  uint32_t loads_in_flight = 8; // words per thread between two uses
};

constexpr transpose_shape make_transpose_shape(layout l, uint64_t tile, uint64_t count,
                                               uint64_t cells, uint32_t cell_bytes,
                                               const transpose_tuning &tuning = {}) {
  transpose_shape s{};
  s.count = count;
  s.cells = cells;
  const uint64_t max_cells =
      cell_bytes == 1 ? tuning.max_run_bytes / 2 : tuning.max_run_bytes / cell_bytes;
  s.cell_tiles = static_cast<uint32_t>((cells + max_cells - 1) / max_cells);
  s.tile_cells = static_cast<uint32_t>((cells + s.cell_tiles - 1) / s.cell_tiles);
  s.cell_tiles = static_cast<uint32_t>((cells + s.tile_cells - 1) / s.tile_cells);
  s.full_rows = s.cell_tiles == 1;
  s.tile_instances = 32;
  while (s.tile_instances < tuning.max_instances &&
         uint64_t{2} * s.tile_instances * s.tile_cells * cell_bytes <= tuning.tile_bytes)
    s.tile_instances *= 2;
  s.pitch = s.tile_cells | 1;
  const bool tiled = l == layout::tiled;
  s.run = tiled ? static_cast<uint32_t>(tile) : s.tile_instances;
  s.group_stride = tiled ? cells * tile : s.tile_instances;
  s.cell_stride = tiled ? tile : count;
  s.num_cells_laid = tiled ? (count + tile - 1) / tile * tile * cells : count * cells;
  s.num_tiles = (count + s.tile_instances - 1) / s.tile_instances * s.cell_tiles;
  return s;
}

/// The instances and cells of tile `index`; cell tiles of one instance group are
/// neighbours, so that the lines they share meet in the cache.
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

/// One word of a side: elements [begin, end) of the array's cells first …
/// first + V - 1 belong to the tile, at (j, i), (j, i)+1, ….
struct transpose_word {
  uint64_t first;
  int32_t begin, end;
};

/// Row side, whole rows: one run of instances * n cells.
template <uint32_t V> struct whole_rows {
  uint64_t base;
  uint32_t element, num_elements, step, j, i, step_j, step_i, n, pitch;

  COLONNADE_HOST_DEVICE whole_rows(const transpose_shape &s, const transpose_tile &t,
                                   uint32_t thread, uint32_t threads)
      : base(t.first_instance * s.cells), element(thread * V), num_elements(t.instances * t.cells),
        step(threads * V), j(thread * V / t.cells), i(thread * V % t.cells),
        step_j(threads * V / t.cells), step_i(threads * V % t.cells), n(t.cells), pitch(s.pitch) {}
  COLONNADE_HOST_DEVICE bool done() const { return element >= num_elements; }
  COLONNADE_HOST_DEVICE transpose_word word() const {
    const uint32_t left = num_elements - element;
    return {base + element, 0, static_cast<int32_t>(left < V ? left : V)};
  }
  /// Shared-memory index of each of the word's V cells, in turn.
  template <class Visit> COLONNADE_HOST_DEVICE void cells(Visit visit) const {
    uint32_t index = j * pitch + i, column = i;
    for (uint32_t v = 0; v < V; ++v) {
      visit(v, index);
      ++index;
      if (++column == n) {
        column = 0;
        index += pitch - n;
      }
    }
  }
  COLONNADE_HOST_DEVICE void next() {
    element += step;
    j += step_j;
    i += step_i;
    if (i >= n) {
      i -= n;
      ++j;
    }
  }
};

/// Where the runs of a side lie: `outer` groups of `inner` runs each, all affine.
struct run_map {
  uint64_t base, inner_stride, outer_stride; // in cells of global memory
  uint32_t shared_inner, shared_outer, shared_cell;
  uint32_t num_runs, inner, max_length, total_length;
  bool aligned; // every run starts at a word
};

/// Rows cut into pieces: a run per instance.
COLONNADE_HOST_DEVICE run_map cut_rows(const transpose_shape &s, const transpose_tile &t,
                                       uint32_t v) {
  return {t.first_instance * s.cells + t.first_cell, s.cells, 0, s.pitch, 0, 1,
          t.instances, t.instances, s.tile_cells, t.cells,
          s.cells % v == 0 && s.tile_cells % v == 0};
}

/// Columns: a run per group of neighbouring instances and cell.
COLONNADE_HOST_DEVICE run_map columns(const transpose_shape &s, const transpose_tile &t,
                                      uint32_t v) {
  return {t.first_instance / s.run * s.group_stride + t.first_cell * s.cell_stride,
          s.cell_stride, s.group_stride, 1, s.run * s.pitch, s.pitch,
          (t.instances + s.run - 1) / s.run * t.cells, t.cells, s.run, t.instances,
          s.cell_stride % v == 0 && s.group_stride % v == 0};
}

/// A side made of runs, each walked in words from its aligned-down start. All
/// positions advance by additions: a division per cell would cost as much as
/// the copy.
template <uint32_t V> struct runs {
  run_map map;
  uint32_t words, step_run, step_word, step_inner, step_outer;
  uint32_t run, word_in_run, inner, shared, length_left;
  uint64_t address;

  COLONNADE_HOST_DEVICE runs(const run_map &m, uint32_t thread, uint32_t threads)
      : map(m), words((m.max_length + V - 1) / V + (m.aligned ? 0 : 1)), step_run(threads / words),
        step_word(threads % words), step_inner(step_run % m.inner), step_outer(step_run / m.inner),
        run(thread / words), word_in_run(thread % words), inner(run % m.inner) {
    const uint32_t outer = run / m.inner;
    shared = inner * m.shared_inner + outer * m.shared_outer;
    length_left = m.total_length - outer * (m.inner == m.num_runs ? 0 : m.max_length);
    address = m.base + inner * m.inner_stride + outer * m.outer_stride;
  }
  COLONNADE_HOST_DEVICE bool done() const { return run >= map.num_runs; }
  COLONNADE_HOST_DEVICE int32_t offset() const {
    return static_cast<int32_t>(word_in_run * V) - static_cast<int32_t>(address % V);
  }
  COLONNADE_HOST_DEVICE transpose_word word() const {
    const int32_t o = offset();
    const int32_t length = static_cast<int32_t>(
        length_left < map.max_length ? length_left : map.max_length);
    const int32_t left = length - o;
    return {address + static_cast<uint64_t>(static_cast<int64_t>(o)), o < 0 ? -o : 0,
            left < static_cast<int32_t>(V) ? left : static_cast<int32_t>(V)};
  }
  template <class Visit> COLONNADE_HOST_DEVICE void cells(Visit visit) const {
    const uint32_t first = shared + static_cast<uint32_t>(offset()) * map.shared_cell;
    for (uint32_t v = 0; v < V; ++v)
      visit(v, first + v * map.shared_cell);
  }
  COLONNADE_HOST_DEVICE void next() {
    if (step_run)
      advance(step_run, step_inner, step_outer);
    word_in_run += step_word;
    if (word_in_run >= words) {
      word_in_run -= words;
      advance(1, map.inner == 1 ? 0 : 1, map.inner == 1 ? 1 : 0);
    }
  }

private:
  COLONNADE_HOST_DEVICE void advance(uint32_t by, uint32_t by_inner, uint32_t by_outer) {
    run += by;
    inner += by_inner;
    shared += by_inner * map.shared_inner;
    address += by_inner * map.inner_stride;
    if (inner >= map.inner) {
      inner -= map.inner;
      shared -= map.inner * map.shared_inner;
      address -= map.inner * map.inner_stride;
      ++by_outer;
    }
    if (by_outer == 0)
      return;
    shared += by_outer * map.shared_outer;
    address += by_outer * map.outer_stride;
    length_left -= by_outer * map.max_length; // only columns have several groups
  }
};

/// The V cells of one word, in registers.
template <class Word, class Cell> union word_cells {
  Word word;
  Cell cell[sizeof(Word) / sizeof(Cell)];
};

template <class Word, class Cell>
COLONNADE_HOST_DEVICE Word load_word(const Cell *array, uint64_t num_cells, transpose_word at) {
  constexpr int32_t v = sizeof(Word) / sizeof(Cell);
  if (at.begin >= at.end)
    return 0;
  if constexpr (v == 1) {
    return array[at.first];
  } else {
    if (at.first + v <= num_cells) // also where it sticks out of its run
      return *reinterpret_cast<const Word *>(array + at.first);
    word_cells<Word, Cell> w;
    w.word = 0;
    for (int32_t k = 0; k < v; ++k)
      if (k >= at.begin && k < at.end)
        w.cell[k] = array[at.first + static_cast<uint64_t>(k)];
    return w.word;
  }
}

template <class Word, class Cell>
COLONNADE_HOST_DEVICE void store_word(Cell *array, transpose_word at, Word word) {
  constexpr int32_t v = sizeof(Word) / sizeof(Cell);
  if (at.begin == 0 && at.end == v) {
    *reinterpret_cast<Word *>(array + at.first) = word;
    return;
  }
  word_cells<Word, Cell> w;
  w.word = word;
  for (int32_t k = 0; k < v; ++k)
    if (k >= at.begin && k < at.end)
      array[at.first + static_cast<uint64_t>(k)] = w.cell[k];
}

/// Global memory to the tile, by one thread; InFlight loads precede their uses.
template <class Word, uint32_t InFlight, class Walk, class Cell>
COLONNADE_HOST_DEVICE void fill_tile(Walk loads, const Cell *array, uint64_t num_cells,
                                     Cell *shared) {
  constexpr int32_t v = sizeof(Word) / sizeof(Cell);
  Walk uses = loads;
  while (!loads.done()) {
    word_cells<Word, Cell> words[InFlight];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < InFlight; ++k, loads.next())
      if (!loads.done())
        words[k].word = load_word<Word>(array, num_cells, loads.word());
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < InFlight; ++k, uses.next()) {
      if (uses.done())
        continue;
      const transpose_word at = uses.word();
      const word_cells<Word, Cell> w = words[k];
      uses.cells([&](uint32_t c, uint32_t index) {
        if (v == 1 || (static_cast<int32_t>(c) >= at.begin && static_cast<int32_t>(c) < at.end))
          shared[index] = w.cell[c];
      });
    }
  }
}

/// The tile to global memory, by one thread.
template <class Word, class Walk, class Cell>
COLONNADE_HOST_DEVICE void drain_tile(Walk walk, Cell *array, const Cell *shared) {
  constexpr int32_t v = sizeof(Word) / sizeof(Cell);
  for (; !walk.done(); walk.next()) {
    const transpose_word at = walk.word();
    if (at.begin >= at.end)
      continue;
    word_cells<Word, Cell> w;
    w.word = 0;
    walk.cells([&](uint32_t c, uint32_t index) {
      if (v == 1 || (static_cast<int32_t>(c) >= at.begin && static_cast<int32_t>(c) < at.end))
        w.cell[c] = shared[index];
    });
    store_word<Word>(array, at, w.word);
  }
}

/// Words of at least four bytes, so that a warp moves 128 bytes at once.
template <class Cell> struct word_of { using type = uint32_t; };
template <> struct word_of<uint64_t> { using type = uint64_t; };

} // namespace colonnade::bulk::detail
