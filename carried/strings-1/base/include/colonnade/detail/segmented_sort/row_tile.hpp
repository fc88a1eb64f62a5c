//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_tile.hpp: the rows of a tile in shared memory, a piece of E items for every thread.
//
// In: the number of an item in the tile, or of a piece. Out: its place. A tile has rows of G * E
// items, a row has a piece of E items for each of its G threads. A pack is 16 bytes of items.
// Invariant: pieces begin an odd number of packs apart, so there are no bank conflicts, neither
// where threads read their own pieces pack by pack nor where neighbours read neighbouring items.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::detail {

template <class T> struct alignas(16) pack_of {
  static constexpr uint32_t count = 16 / sizeof(T);
  T item[count];
};

template <class T, uint32_t E> struct row_tile {
  using pack = pack_of<T>;
  static constexpr uint32_t packs = E / pack::count;
  static constexpr uint32_t stride = (packs | 1) * pack::count;
  static_assert(E % pack::count == 0, "a piece is a number of 16-byte packs");

  static constexpr COLONNADE_HOST_DEVICE size_t bytes(uint32_t threads) {
    return size_t{threads} * stride * sizeof(T);
  }

  T *items; // aligned to 16 bytes

  /// Item `i` of the tile, counted through all pieces.
  COLONNADE_KERNEL_CODE T &at(uint32_t i) const { return items[i / E * stride + i % E]; }
  COLONNADE_KERNEL_CODE pack &pack_at(uint32_t i) const { return reinterpret_cast<pack &>(at(i)); }

  COLONNADE_KERNEL_CODE void read_piece(uint32_t piece, T (&x)[E]) const {
    const pack *from = reinterpret_cast<const pack *>(items + piece * stride);
    COLONNADE_UNROLL
    for (uint32_t p = 0; p < packs; ++p) {
      const pack read = from[p];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < pack::count; ++k)
        x[p * pack::count + k] = read.item[k];
    }
  }
  COLONNADE_KERNEL_CODE void write_piece(uint32_t piece, const T (&x)[E]) const {
    pack *to = reinterpret_cast<pack *>(items + piece * stride);
    COLONNADE_UNROLL
    for (uint32_t p = 0; p < packs; ++p) {
      pack write;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < pack::count; ++k)
        write.item[k] = x[p * pack::count + k];
      to[p] = write;
    }
  }
};

} // namespace colonnade::detail
