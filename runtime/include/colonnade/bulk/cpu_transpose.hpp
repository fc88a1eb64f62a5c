//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_transpose.hpp: rows of whole instances to a tile and back, in registers. A
// register is made of 16-byte chunks, one from each of its rows, so that chunks
// are transposed within their 128 bits: no instruction crosses them. Part of
// cpu_lanes.hpp.
//
//===----------------------------------------------------------------------===//

namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE {

/// What stays in registers at once: `side` cells of `lanes` instances. Taking 64
/// bytes apart again takes longer than twice 32.
template <class T, int W, bool ToTile> struct block_shape {
  static constexpr int bytes = ToTile ? native_bytes : std::min(native_bytes, 32);
  static constexpr int lanes = std::min(W, bytes / static_cast<int>(sizeof(T)));
  static constexpr int side = std::min(lanes, 16 / static_cast<int>(sizeof(T)));
};

/// `Side` cells from each of rows 0, Side, 2 Side …: the chunks of one register.
template <int Side, int Lanes, class T>
COLONNADE_INLINE vec<T, Lanes> load_chunks(const T *row, uint64_t row_cells) {
  if constexpr (Lanes == Side) {
    return load<Side>(row);
#if COLONNADE_ISA == 3
  } else if constexpr (Lanes == 4 * Side) {
    // Four insertions from memory: halves would have to be joined by a shuffle.
    const auto chunk = [&](int k) { return (__m128i)load<Side>(row + k * Side * row_cells).v; };
    __m512i v = _mm512_zextsi128_si512(chunk(0));
    v = _mm512_maskz_inserti32x4(-1, v, chunk(1), 1);
    v = _mm512_maskz_inserti32x4(-1, v, chunk(2), 2);
    v = _mm512_maskz_inserti32x4(-1, v, chunk(3), 3);
    return vec<T, Lanes>((native<T, Lanes>)v);
#endif
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

/// Within each chunk of Side cells: the lower (First = 0) or upper halves of a and
/// b, interleaved.
template <int Side, int First, class V, int... I>
COLONNADE_INLINE auto zip_chunks(V a, V b, std::integer_sequence<int, I...>) {
  constexpr int width = sizeof...(I);
  return __builtin_shufflevector(
      a, b, (I / Side * Side + First * Side / 2 + I % Side / 2 + (I % 2) * width)...);
}

/// Transposes chunks in log2(Side) rounds, each a perfect shuffle of the upper half
/// of the registers with the lower half.
template <int Side, class T, int Lanes>
COLONNADE_INLINE void transpose_chunks(vec<T, Lanes> (&rows)[Side]) {
  using all = std::make_integer_sequence<int, Lanes>;
  vec<T, Lanes> next[Side];
#pragma GCC unroll 6
  for (int round = 1; round < Side; round *= 2) {
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

/// Between rows of `cells` cells and a tile of W lanes.
template <bool ToTile, class T, int W, class Row, class Tile>
COLONNADE_INLINE void transpose_rows(Row *rows, Tile *tile, uint64_t cells) {
  using shape = block_shape<T, W, ToTile>;
  constexpr int side = shape::side, lanes = shape::lanes;
  uint64_t i = 0;
  for (; i + side <= cells; i += side)
    for (int first = 0; first < W; first += lanes) {
      vec<T, lanes> block[side];
#pragma GCC unroll 16
      for (int j = 0; j < side; ++j)
        if constexpr (ToTile)
          block[j] = load_chunks<side, lanes>(rows + (first + j) * cells + i, cells);
        else
          block[j] = load<lanes>(tile + (i + j) * W + first);
      transpose_chunks<side>(block);
#pragma GCC unroll 16
      for (int j = 0; j < side; ++j)
        if constexpr (ToTile)
          store(tile + (i + j) * W + first, block[j]);
        else
          store_chunks<side>(rows + (first + j) * cells + i, cells, block[j]);
    }
  for (; i < cells; ++i)
    for (int lane = 0; lane < W; ++lane)
      if constexpr (ToTile)
        tile[i * W + lane] = rows[lane * cells + i];
      else
        rows[lane * cells + i] = tile[i * W + lane];
}

template <class T, int W> void rows_to_tile(const void *from, void *to, uint64_t cells) {
  transpose_rows<true, T, W>(static_cast<const T *>(from), static_cast<T *>(to), cells);
}
template <class T, int W> void tile_to_rows(const void *from, void *to, uint64_t cells) {
  transpose_rows<false, T, W>(static_cast<T *>(to), static_cast<const T *>(from), cells);
}

} // namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE
