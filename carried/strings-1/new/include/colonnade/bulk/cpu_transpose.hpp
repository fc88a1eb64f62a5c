//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_transpose.hpp: transposes the rows of one group of instances into a tile, and back,
// in registers. Part of cpu_lanes.hpp.
//
// In: W rows of `cells` cells, one for each lane. Out: the tile, where cell i of lane l is
// at i * W + l; or the other way round. Invariant: cells are moved, never interpreted, and
// nothing outside the rows and the tile is touched.
//
// A register holds chunks of neighbouring cells, each from another row. Chunk c of all
// registers is one square transpose, so several squares are transposed at once, and with
// chunks of 16 bytes no instruction has to move cells across 128-bit lanes.
//
//===----------------------------------------------------------------------===//

namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE {

/// The block that is in registers at once: `side` cells of `lanes` instances, a chunk being
/// `side` cells. With AVX-512, for cells of 4 and 8 bytes, a chunk is a register of 64 bytes and
/// with that a cache line of one row. Else chunks have 16 bytes and registers at most 32,
/// because splitting one of 64 takes longer than two of 32.
/// line: the cells of a cache line. A cache line of each row is used up before the next one,
/// since where rows are a power of two apart few of their lines fit in the first-level cache.
template <class T, int W> struct block_shape {
  static constexpr int cell_bytes = sizeof(T);
  static constexpr bool whole_lines = native_bytes == 64 && cell_bytes >= 4;
  static constexpr int lanes =
      std::min(W, (whole_lines ? 64 : std::min(native_bytes, 32)) / cell_bytes);
  static constexpr int side = std::min(lanes, (whole_lines ? 64 : 16) / cell_bytes);
  static constexpr uint64_t line = 64 / cell_bytes;
};

/// One register: Side cells from each of the rows 0, Side, 2 Side, … after `row`.
template <int Side, int Lanes, class T>
COLONNADE_INLINE vec<T, Lanes> load_chunks(const T *row, uint64_t row_cells) {
  if constexpr (Lanes == Side) {
    return load<Side>(row);
  } else {
    return combine(load_chunks<Side, Lanes / 2>(row, row_cells),
                   load_chunks<Side, Lanes / 2>(row + Lanes / 2 * row_cells, row_cells));
  }
}
template <int Side, int Lanes, class T>
COLONNADE_INLINE void store_chunks(T *row, uint64_t row_cells, vec<T, Lanes> v) {
  if constexpr (Lanes == Side) {
    store(row, v);
  } else {
    store_chunks<Side>(row, row_cells, lower(v));
    store_chunks<Side>(row + Lanes / 2 * row_cells, row_cells, upper(v));
  }
}

/// Within each chunk of Side cells: interleaves the lower (First = 0) or the upper (First = 1)
/// halves of a and b.
template <int Side, int First, class V, int... I>
COLONNADE_INLINE auto zip_chunks(V a, V b, std::integer_sequence<int, I...>) {
  constexpr int width = sizeof...(I);
  return __builtin_shufflevector(
      a, b, (I / Side * Side + First * Side / 2 + I % Side / 2 + (I % 2) * width)...);
}

/// Transposes every square of Side chunks in log2(Side) steps: each interleaves the cells of
/// register i with those of register i + Side / 2 (a perfect shuffle).
template <int Side, class T, int Lanes>
COLONNADE_INLINE void transpose_chunks(vec<T, Lanes> (&rows)[Side]) {
  using all = std::make_integer_sequence<int, Lanes>;
  vec<T, Lanes> next[Side];
#pragma GCC unroll 6
  for (int step = 1; step < Side; step *= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < Side / 2; ++i) {
      const auto a = rows[i].v, b = rows[i + Side / 2].v;
      next[2 * i] = vec<T, Lanes>((native<T, Lanes>)zip_chunks<Side, 0>(a, b, all()));
      next[2 * i + 1] = vec<T, Lanes>((native<T, Lanes>)zip_chunks<Side, 1>(a, b, all()));
    }
#pragma GCC unroll 16
    for (int i = 0; i < Side; ++i)
      rows[i] = next[i];
  }
}

/// One block; `rows` and `tile` point at its first cell.
template <bool ToTile, class T, int W, class Row, class Tile>
COLONNADE_INLINE void transpose_block(Row *rows, Tile *tile, uint64_t cells) {
  constexpr int side = block_shape<T, W>::side, lanes = block_shape<T, W>::lanes;
  vec<T, lanes> block[side];
#pragma GCC unroll 16
  for (int j = 0; j < side; ++j)
    if constexpr (ToTile)
      block[j] = load_chunks<side, lanes>(rows + j * cells, cells);
    else
      block[j] = load<lanes>(tile + j * W);
  transpose_chunks<side>(block);
#pragma GCC unroll 16
  for (int j = 0; j < side; ++j)
    if constexpr (ToTile)
      store(tile + j * W, block[j]);
    else
      store_chunks<side>(rows + j * cells, cells, block[j]);
}

/// As transpose_block, but of each row only the first `count` cells.
template <bool ToTile, class T, int W, class Row, class Tile>
COLONNADE_INLINE void transpose_first(Row *rows, Tile *tile, uint64_t cells, unsigned count) {
#if COLONNADE_ISA == 3
  if constexpr (block_shape<T, W>::whole_lines && block_shape<T, W>::side * sizeof(T) >= 32) {
    constexpr int side = block_shape<T, W>::side;
    vec<T, side> block[side];
#pragma GCC unroll 16
    for (unsigned j = 0; j < side; ++j)
      if constexpr (ToTile)
        block[j] = load_first<side>(rows + j * cells, count);
      else
        block[j] = j < count ? load<side>(tile + j * W) : vec<T, side>(T(0));
    transpose_chunks<side>(block);
#pragma GCC unroll 16
    for (unsigned j = 0; j < side; ++j)
      if constexpr (!ToTile)
        store_first(rows + j * cells, block[j], count);
      else if (j < count)
        store(tile + j * W, block[j]);
    return;
  }
#endif
  for (uint64_t i = 0; i < count; ++i)
    for (int lane = 0; lane < block_shape<T, W>::lanes; ++lane)
      if constexpr (ToTile)
        tile[i * W + lane] = rows[lane * cells + i];
      else
        rows[lane * cells + i] = tile[i * W + lane];
}

/// Cells begin to end - 1 of all rows, where they are less than a block, or a few.
template <bool ToTile, class T, int W, class Row, class Tile>
COLONNADE_INLINE void transpose_few(Row *rows, Tile *tile, uint64_t cells, uint64_t begin,
                                    uint64_t end) {
  using shape = block_shape<T, W>;
  if (!shape::whole_lines && begin < end && end >= shape::side) { // some cells once more
    for (int first = 0; first < W; first += shape::lanes)
      transpose_block<ToTile, T, W>(rows + first * cells + end - shape::side,
                                    tile + (end - shape::side) * W + first, cells);
    return;
  }
  for (uint64_t i = begin; i < end; i += shape::side)
    for (int first = 0; first < W; first += shape::lanes)
      transpose_first<ToTile, T, W>(
          rows + first * cells + i, tile + i * W + first, cells,
          static_cast<unsigned>(std::min<uint64_t>(shape::side, end - i)));
}

/// Cells before the first that begins a cache line, if all rows have as many and they pay: where
/// rows of a power of two lie across lines, the second line of each is gone before it is used.
template <class T, int W> uint64_t cells_before_line(const T *rows, uint64_t cells) {
  using shape = block_shape<T, W>;
  if (!shape::whole_lines || cells < 8 * shape::line || cells % shape::line != 0)
    return 0;
  return (64 - reinterpret_cast<uintptr_t>(rows) % 64) % 64 / sizeof(T);
}

/// Asks for the lines of a block's rows that come two lines later: those of the next W rows where
/// these end. The hardware fetches one row's lines ahead, but not a line of each.
template <class T, int W>
COLONNADE_INLINE void fetch_ahead(const T *rows, uint64_t line, uint64_t cells) {
  using shape = block_shape<T, W>;
  uint64_t ahead = line + 2 * shape::line;
  if (ahead >= cells)
    ahead += (W - 1) * cells;
#pragma GCC unroll 16
  for (int j = 0; j < shape::lanes; ++j)
    __builtin_prefetch(rows + j * cells + ahead, 0, 2);
}

/// Between W rows of `cells` cells and a tile: line by line, then the cells left of each row.
template <bool ToTile, class T, int W, class Row, class Tile>
COLONNADE_INLINE void transpose_rows(Row *rows, Tile *tile, uint64_t cells) {
  using shape = block_shape<T, W>;
  const uint64_t head = cells_before_line<T, W>(rows, cells);
  transpose_few<ToTile, T, W>(rows, tile, cells, 0, head);
  const uint64_t whole = head + (cells - head) / shape::side * shape::side;
  for (uint64_t line = head; line < whole; line += shape::line)
    for (int first = 0; first < W; first += shape::lanes) {
      if constexpr (ToTile)
        fetch_ahead<T, W>(rows + first * cells, line, cells);
      for (uint64_t i = line; i < std::min(line + shape::line, whole); i += shape::side)
        transpose_block<ToTile, T, W>(rows + first * cells + i, tile + i * W + first, cells);
    }
  transpose_few<ToTile, T, W>(rows, tile, cells, whole, cells);
}

template <class T, int W> void rows_to_tile(const void *from, void *to, uint64_t cells) {
  transpose_rows<true, T, W>(static_cast<const T *>(from), static_cast<T *>(to), cells);
}
template <class T, int W> void tile_to_rows(const void *from, void *to, uint64_t cells) {
  transpose_rows<false, T, W>(static_cast<T *>(to), static_cast<const T *>(from), cells);
}

} // namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE
