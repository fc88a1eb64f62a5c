//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose_shape.hpp: how a GPU transpose is cut into tiles of instances x cells.
//
// In: the layout, count instances of n cells, the bytes of a cell, a tuning. Out: a
// transpose_shape, the numbers that the kernel needs; tile_at gives one tile of it.
// Invariant: the tiles cover every cell of every instance once, and a tile fits in the
// tuning's shared memory.
//
// Memory is read and written in words: 4 bytes, or 8 for 8-byte cells. V is the number of
// cells in a word (4, 2, 1, 1 for cells of 1, 2, 4, 8 bytes). In shared memory cell i of
// the tile's instance q has the number q * row_pitch + i, and after every 2^log2_pad words
// comes a word of padding:
//
//   whole rows   row_pitch = n: the rows follow each other as they do in memory. For any
//                n of which enough rows fit, n = 3 as well
//   cut rows     longer rows are cut into pieces of whole words. row_pitch is n modulo V,
//                plus a multiple of V: cells that share a word in memory share one here
//
// Lanes of the column side are V rows apart; the padding is the one with which they have
// the fewest bank conflicts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/layout.hpp>

#include <cstdint>

namespace colonnade::runtime::detail {

enum class transpose_way : uint8_t { rows_to_layout, layout_to_rows };

/// One way to cut. Of a table the first whose rows fit is taken; its last one cuts rows
/// and always fits.
struct transpose_tuning {
  uint32_t threads;         // per block
  uint32_t loads_in_flight; // words per thread between two uses
  uint32_t min_blocks;      // per multiprocessor: bounds the registers
  uint32_t tile_bytes;      // most shared memory per block
  uint32_t min_instances;   // in a tile of whole rows; 0: rows are cut
  uint32_t cut_row_bytes;   // of a row, a power of two; 0: whole rows
};

constexpr uint32_t num_transpose_tunings = 4;
constexpr uint32_t max_tile_instances = 8192;

/// The tables, measured on an H200 (docs/decisions/0006). Writing columns is fastest in long
/// runs, most of all where columns do not begin at a 32-byte sector; reading them is fastest
/// with many small tiles.
constexpr transpose_tuning transpose_tuning_at(transpose_way way, uint32_t cell_bytes,
                                               uint32_t rank) {
  constexpr transpose_tuning to_layout[4][num_transpose_tunings] = {
      {{512, 8, 2, 69632, 512, 0}, {512, 8, 2, 69632, 0, 64}},
      {{256, 8, 4, 34816, 256, 0}, {256, 8, 4, 34816, 0, 64}},
      {{256, 8, 4, 34816, 256, 0}, {256, 8, 4, 34816, 0, 128}},
      {{256, 8, 4, 34816, 128, 0}, {256, 8, 4, 34816, 0, 128}}};
  constexpr transpose_tuning to_rows[4][num_transpose_tunings] = {
      {{256, 8, 4, 34816, 128, 0}, {256, 8, 4, 34816, 0, 256}},
      {{256, 8, 4, 34816, 64, 0}, {256, 8, 4, 34816, 0, 512}},
      {{256, 8, 4, 69632, 256, 0},
       {256, 8, 4, 17408, 32, 0},
       {256, 8, 6, 34816, 32, 0},
       {256, 8, 4, 17408, 0, 512}},
      {{256, 8, 4, 69632, 128, 0}, {256, 8, 4, 34816, 32, 0}, {256, 8, 4, 17408, 0, 512}}};
  const uint32_t row = cell_bytes == 1 ? 0 : cell_bytes == 2 ? 1 : cell_bytes == 4 ? 2 : 3;
  return way == transpose_way::rows_to_layout ? to_layout[row][rank] : to_rows[row][rank];
}

/// Words have at least four bytes, so that a warp moves 128 bytes or more at once.
template <class Cell> struct word_of {
  using type = uint32_t;
};
template <> struct word_of<uint64_t> {
  using type = uint64_t;
};

/// V: cells per word.
COLONNADE_HOST_DEVICE constexpr uint32_t cells_per_word(uint32_t cell_bytes) {
  return cell_bytes < 4 ? 4 / cell_bytes : 1;
}

/// Sizes of one transpose, computed on the host. The column side is the array in the
/// column-wise or tiled layout: its words come in runs of neighbouring words, which are as long
/// as a tile of the layout or, column-wise, as a strip of 32 words.
struct transpose_shape {
  uint64_t count; // p
  uint64_t cells; // n
  uint64_t num_tiles;
  uint64_t cell_stride;    // column side: cells from one cell of an instance to its next
  uint64_t first_stride;   // column side: a tile begins at cell first_instance * first_stride
  uint64_t strip_words;    // column side: words from a strip of 32 words to the next
  uint64_t run_stride;     // column side: words from a run to the next
  uint32_t run;            // column side: words of a run; divides 32
  uint32_t tile_instances; // a power of two, at least 32 * V
  uint32_t tile_cells;
  uint32_t cell_tiles; // tiles that cover the cells of an instance; whole rows: 1
  uint32_t row_pitch;  // shared memory: cells between rows
  uint32_t log2_pad;   // shared memory: words between words of padding; 31: none
};

/// A word's place in shared memory, padding included.
COLONNADE_HOST_DEVICE constexpr uint32_t transpose_padded(uint32_t word, uint32_t log2_pad) {
  return word + (word >> log2_pad);
}

/// Words of shared memory that a tile takes.
constexpr uint32_t transpose_shared_words(const transpose_shape &s, uint32_t cell_bytes) {
  return transpose_padded(s.tile_instances / cells_per_word(cell_bytes) * s.row_pitch, s.log2_pad);
}

/// The most lanes that access the same bank at once, if the lanes of a warp are `stride` words
/// apart. 8-byte words are served half a warp at a time.
constexpr uint32_t bank_conflicts(uint32_t stride, uint32_t log2_pad, uint32_t word_bytes) {
  const uint32_t lanes = 128 / word_bytes;
  uint32_t worst = 0, served[32] = {};
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint32_t &bank = served[transpose_padded(lane * stride, log2_pad) % lanes];
    ++bank;
    worst = bank > worst ? bank : worst;
  }
  return worst;
}

/// log2 of the words between padding words that gives the fewest conflicts, and of those the
/// one with the least padding; 31: none.
constexpr uint32_t log2_padding(uint32_t stride, uint32_t word_bytes) {
  uint32_t best = 31, fewest = bank_conflicts(stride, best, word_bytes);
  for (uint32_t log2_pad = 7; log2_pad >= 3; --log2_pad) {
    const uint32_t conflicts = bank_conflicts(stride, log2_pad, word_bytes);
    if (conflicts < fewest) {
      best = log2_pad;
      fewest = conflicts;
    }
  }
  return best;
}

/// Whether a tile holds enough whole rows; always true of a tuning that cuts.
constexpr bool transpose_fits(const transpose_tuning &tuning, uint64_t cells, uint32_t cell_bytes) {
  if (tuning.cut_row_bytes > 0)
    return true;
  const uint32_t v = cells_per_word(cell_bytes), word_bytes = v * cell_bytes;
  if (cells > tuning.tile_bytes)
    return false;
  const uint32_t pitch = static_cast<uint32_t>(cells);
  return transpose_padded(tuning.min_instances / v * pitch, log2_padding(pitch, word_bytes)) *
             word_bytes <=
         tuning.tile_bytes;
}

constexpr transpose_shape make_transpose_shape(layout l, uint64_t tile, uint64_t count,
                                               uint64_t cells, uint32_t cell_bytes,
                                               const transpose_tuning &tuning) {
  const uint32_t v = cells_per_word(cell_bytes), word_bytes = v * cell_bytes;
  transpose_shape s{};
  s.count = count;
  s.cells = cells;
  s.tile_instances = 32 * v;
  if (tuning.cut_row_bytes > 0) {
    s.tile_cells = tuning.cut_row_bytes / cell_bytes;
    s.cell_tiles = static_cast<uint32_t>((cells + s.tile_cells - 1) / s.tile_cells);
    s.row_pitch = s.tile_cells + static_cast<uint32_t>(v == 1 ? 1 : cells % v);
  } else {
    s.cell_tiles = 1;
    s.tile_cells = s.row_pitch = static_cast<uint32_t>(cells);
  }
  s.log2_pad = log2_padding(s.row_pitch, word_bytes);
  while (s.tile_instances < max_tile_instances &&
         2 * transpose_shared_words(s, cell_bytes) * word_bytes <= tuning.tile_bytes)
    s.tile_instances *= 2;
  const bool tiled = l == layout::tiled;
  s.cell_stride = tiled ? tile : count;
  s.first_stride = tiled ? cells : 1;
  s.run = tiled ? static_cast<uint32_t>(tile) / v : 32;
  s.run_stride = tiled ? cells * s.run : 32;
  s.strip_words = s.run_stride * (32 / s.run);
  s.num_tiles = (count + s.tile_instances - 1) / s.tile_instances * s.cell_tiles;
  return s;
}

/// The instances and cells of a tile. Tiles of the same instances have neighbouring indices, so
/// that the sectors they share are in the cache when the second of them comes.
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

} // namespace colonnade::runtime::detail
