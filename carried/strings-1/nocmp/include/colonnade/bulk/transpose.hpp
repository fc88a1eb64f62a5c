//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose.hpp: instances between row-wise and the other layouts, on the CPU.
//
// A layout change is one matrix transpose (column-wise: p x n) or one per tile
// (tiled<w>: w x n). Blocks of K x K cells, K = 16 / bytes of a cell, are transposed in
// registers by log2 K steps that interleave two of them (punpckl/punpckh on x86, zip on
// ARM), and the matrix is walked in squares of 64 x 64 cells, so that the cache lines of
// both sides are still there when their next cells are moved.
//
// In: an array in one layout. Out: the same instances in another layout, in another array.
// Invariant: cells of 1, 2, 4 or 8 bytes are moved, never interpreted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace colonnade::runtime {
namespace detail {

/// 16 bytes as K cells of `Bytes` each. low and high interleave the lower, or the upper, halves
/// of two such vectors: a0 b0 a1 b1 …
template <size_t Bytes> struct cell_vector;
template <> struct cell_vector<1> {
  using cell = uint8_t;
  typedef uint8_t type __attribute__((vector_size(16)));
  static type low(type a, type b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  }
  static type high(type a, type b) {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
  }
};
template <> struct cell_vector<2> {
  using cell = uint16_t;
  typedef uint16_t type __attribute__((vector_size(16)));
  static type low(type a, type b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  }
  static type high(type a, type b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  }
};
template <> struct cell_vector<4> {
  using cell = uint32_t;
  typedef uint32_t type __attribute__((vector_size(16)));
  static type low(type a, type b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
  static type high(type a, type b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
};
template <> struct cell_vector<8> {
  using cell = uint64_t;
  typedef uint64_t type __attribute__((vector_size(16)));
  static type low(type a, type b) { return __builtin_shufflevector(a, b, 0, 2); }
  static type high(type a, type b) { return __builtin_shufflevector(a, b, 1, 3); }
};

/// Transposes K x K cells: log2 K times, rows i and i + K/2 are interleaved into rows 2i and
/// 2i + 1. Strides are in bytes.
template <size_t Bytes>
inline void transpose_registers(const char *source, size_t source_stride, char *target,
                                size_t target_stride) {
  using vector = cell_vector<Bytes>;
  constexpr size_t k = 16 / Bytes;
  typename vector::type rows[k], mixed[k];
  for (size_t i = 0; i < k; ++i)
    std::memcpy(&rows[i], source + i * source_stride, 16);
  for (size_t step = 1; step < k; step *= 2) {
    for (size_t i = 0; i < k / 2; ++i) {
      mixed[2 * i] = vector::low(rows[i], rows[i + k / 2]);
      mixed[2 * i + 1] = vector::high(rows[i], rows[i + k / 2]);
    }
    for (size_t i = 0; i < k; ++i)
      rows[i] = mixed[i];
  }
  for (size_t i = 0; i < k; ++i)
    std::memcpy(target + i * target_stride, &rows[i], 16);
}

/// Any rows x columns, cell by cell.
template <size_t Bytes>
inline void transpose_cells(const char *source, size_t source_stride, char *target,
                            size_t target_stride, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c)
      std::memcpy(target + c * target_stride + r * Bytes, source + r * source_stride + c * Bytes,
                  Bytes);
}

/// At most 64 x 64 cells: squares of K x K in registers, the rest cell by cell.
template <size_t Bytes>
inline void transpose_block(const char *source, size_t source_stride, char *target,
                            size_t target_stride, size_t rows, size_t columns) {
  constexpr size_t k = 16 / Bytes;
  const size_t full_rows = rows / k * k, full_columns = columns / k * k;
  for (size_t c = 0; c < full_columns; c += k)
    for (size_t r = 0; r < full_rows; r += k)
      transpose_registers<Bytes>(source + r * source_stride + c * Bytes, source_stride,
                                 target + c * target_stride + r * Bytes, target_stride);
  if (full_columns < columns)
    transpose_cells<Bytes>(source + full_columns * Bytes, source_stride,
                           target + full_columns * target_stride, target_stride, full_rows,
                           columns - full_columns);
  if (full_rows < rows)
    transpose_cells<Bytes>(source + full_rows * source_stride, source_stride,
                           target + full_rows * Bytes, target_stride, rows - full_rows, columns);
}

/// target[c][r] = source[r][c]; strides in bytes.
template <size_t Bytes>
inline void transpose_matrix(const void *source, size_t source_stride, void *target,
                             size_t target_stride, size_t rows, size_t columns) {
  constexpr size_t block = 64; // at least a cache line of each row; 4 to 32 KiB a block
  const char *from = static_cast<const char *>(source);
  char *to = static_cast<char *>(target);
  for (size_t r = 0; r < rows; r += block)
    for (size_t c = 0; c < columns; c += block)
      transpose_block<Bytes>(from + r * source_stride + c * Bytes, source_stride,
                             to + c * target_stride + r * Bytes, target_stride,
                             rows - r < block ? rows - r : block,
                             columns - c < block ? columns - c : block);
}

template <size_t Bytes>
inline void rows_to_layout(layout l, uint64_t tile, const char *rows, char *laid, uint64_t count,
                           uint64_t cells) {
  if (l == layout::column_wise)
    return transpose_matrix<Bytes>(rows, cells * Bytes, laid, count * Bytes, count, cells);
  for (uint64_t j = 0; j < count; j += tile) {
    const uint64_t lanes = count - j < tile ? count - j : tile;
    char *group = laid + j * cells * Bytes;
    transpose_matrix<Bytes>(rows + j * cells * Bytes, cells * Bytes, group, tile * Bytes, lanes,
                            cells);
    for (uint64_t i = 0; lanes < tile && i < cells; ++i) // lanes without an instance
      std::memset(group + (i * tile + lanes) * Bytes, 0, (tile - lanes) * Bytes);
  }
}

template <size_t Bytes>
inline void layout_to_rows(layout l, uint64_t tile, const char *laid, char *rows, uint64_t count,
                           uint64_t cells) {
  if (l == layout::column_wise)
    return transpose_matrix<Bytes>(laid, count * Bytes, rows, cells * Bytes, cells, count);
  for (uint64_t j = 0; j < count; j += tile)
    transpose_matrix<Bytes>(laid + j * cells * Bytes, tile * Bytes, rows + j * cells * Bytes,
                            cells * Bytes, cells, count - j < tile ? count - j : tile);
}

} // namespace detail

/// Cells that an array of `count` instances of `cells` cells has in a layout: tiled, the last
/// tile is whole.
constexpr uint64_t storage_cells(layout l, uint64_t tile, uint64_t count, uint64_t cells) {
  return l == layout::tiled ? (count + tile - 1) / tile * tile * cells : count * cells;
}

/// Row-wise instances to layout `l`, in distinct memory. tile: of the tiled layout; lanes of the
/// last tile that have no instance become zero. cell_bytes: 1, 2, 4 or 8.
/// Work: one read and one write of every cell. On the calling thread alone.
inline void rows_to_layout(layout l, uint64_t tile, const void *rows, void *laid, uint64_t count,
                           uint64_t cells, size_t cell_bytes) {
  const char *from = static_cast<const char *>(rows);
  char *to = static_cast<char *>(laid);
  if (l == layout::row_wise)
    std::memcpy(to, from, count * cells * cell_bytes);
  else if (cell_bytes == 1)
    detail::rows_to_layout<1>(l, tile, from, to, count, cells);
  else if (cell_bytes == 2)
    detail::rows_to_layout<2>(l, tile, from, to, count, cells);
  else if (cell_bytes == 4)
    detail::rows_to_layout<4>(l, tile, from, to, count, cells);
  else
    detail::rows_to_layout<8>(l, tile, from, to, count, cells);
}

/// The inverse; lanes that have no instance are not read.
inline void layout_to_rows(layout l, uint64_t tile, const void *laid, void *rows, uint64_t count,
                           uint64_t cells, size_t cell_bytes) {
  const char *from = static_cast<const char *>(laid);
  char *to = static_cast<char *>(rows);
  if (l == layout::row_wise)
    std::memcpy(to, from, count * cells * cell_bytes);
  else if (cell_bytes == 1)
    detail::layout_to_rows<1>(l, tile, from, to, count, cells);
  else if (cell_bytes == 2)
    detail::layout_to_rows<2>(l, tile, from, to, count, cells);
  else if (cell_bytes == 4)
    detail::layout_to_rows<4>(l, tile, from, to, count, cells);
  else
    detail::layout_to_rows<8>(l, tile, from, to, count, cells);
}

} // namespace colonnade::runtime
