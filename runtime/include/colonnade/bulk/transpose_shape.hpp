//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose_shape.hpp: how a GPU transpose is cut into tiles of instances x cells.
//
// Memory moves in words of V cells: 4 bytes (V = 4 or 2 for 1- and 2-byte cells,
// else 1), or 8 for 8-byte cells. In shared memory cell i of instance q of a tile
// is number q * row_pitch + i, and a word of padding follows every 2^log2_pad
// words:
//
//   whole rows   row_pitch = n: the row side is one stretch of words, as in
//                memory; any n that fits, so also n = 3
//   cut rows     longer rows come in pieces of whole words; row_pitch = n modulo V,
//                so that a row's words are words here
//
// Lanes of the column side are V rows apart; the padding is the one that leaves
// them the fewest bank conflicts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/layout.hpp>

#include <cstdint>

namespace colonnade::runtime::detail {

enum class transpose_way : uint8_t { rows_to_layout, layout_to_rows };

/// One way to cut. The first of a table whose rows fit is taken; the last one cuts
/// rows and always fits.
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

/// The tables, measured on an H200 (docs/decisions/0006). Columns that are written
/// want long runs, most of all where they do not begin at 32-byte sectors; columns
/// that are read want many small tiles.
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

/// Words of at least four bytes, so that a warp moves 128 bytes at once.
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

/// Sizes of one transpose, made on the host.
struct transpose_shape {
  uint64_t count; // p
  uint64_t cells; // n
  uint64_t num_tiles;
  uint64_t cell_stride;    // column side: cells between the cells of an instance
  uint64_t first_stride;   // column side: cells between neighbouring tiles, per instance
  uint64_t strip_words;    // column side: words between groups of 32 lines
  uint64_t run_stride;     // column side: words between runs
  uint32_t run;            // column side: neighbouring words; divides 32
  uint32_t tile_instances; // a power of two, at least 32 * V
  uint32_t tile_cells;
  uint32_t cell_tiles; // tiles that cover the cells of an instance; whole rows: 1
  uint32_t row_pitch;  // shared memory: cells between rows
  uint32_t log2_pad;   // shared memory: words between words of padding; 31: none
};

COLONNADE_HOST_DEVICE constexpr uint32_t transpose_padded(uint32_t word, uint32_t log2_pad) {
  return word + (word >> log2_pad);
}

constexpr uint32_t transpose_shared_words(const transpose_shape &s, uint32_t cell_bytes) {
  return transpose_padded(s.tile_instances / cells_per_word(cell_bytes) * s.row_pitch, s.log2_pad);
}

/// Accesses that a bank has to serve one after the other when 32 lanes, `stride`
/// words apart, meet. 8-byte words: half a warp at a time.
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

/// The padding with the fewest conflicts, and of these the least.
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

} // namespace colonnade::runtime::detail
