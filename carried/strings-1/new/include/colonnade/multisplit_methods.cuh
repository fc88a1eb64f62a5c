//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_methods.cuh: the methods that multisplit is compared with, as policies.
//
//   direct_policy        direct multisplit: each warp counts and writes a chunk of its own
//   warp_level_policy    warp-level: the same, and warps reorder items before they write them
//   block_level_policy   block-level: chunks of a block, which blocks reorder
//   reduced_bit_policy   reduced-bit sort: bucket ids are written to memory and sorted by their
//                        bits, and the items with them
//
//   #include <colonnade/multisplit_methods.cuh>
//   error = colonnade::multisplit_keys(d_temp, bytes, d_in, d_out, n, m, bucket, d_offsets,
//                                      {}, colonnade::block_level_policy{});
//
// In, out: as in multisplit.cuh, of whose functions they are the last argument. Invariant: they
// give the same bits as the default policy. They are slower. Work, depth, stability, determinism,
// aliasing, bad ids and what is returned are as in multisplit.cuh. What differs:
//   traffic      direct, warp-level, block-level: as the default, and 16 m bytes a chunk;
//                reduced-bit: ids are written, then read and written once more
//   temporary    16 m bytes a chunk: direct and warp-level of 2048 items, block-level of
//                at least 128 KB; reduced-bit: 8 bytes an item
//   m > 256      by the default's digit passes, reduced-bit with ids carried
//   discards     not supported
//
// Source: S. Ashkiani, thesis (2017), sections 3.3.3 (reduced-bit sort) and 3.5.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/chunk_tuning.hpp>
#include <colonnade/detail/multisplit/methods/methods.cuh>
#include <colonnade/multisplit.cuh>

namespace colonnade {

struct direct_policy : multisplit_policy {
  static constexpr multisplit_method method = multisplit_method::direct;
  static constexpr uint32_t warp_chunk_rows = 64; // rows of 32 items of a warp; a multiple of 8
  static constexpr uint32_t round_up_bits(uint32_t bits) { return bits; }
  /// Tiles and chunks of the block-level method.
  static constexpr chunk_tuning chunks(gpu_architecture, size_t item_bytes) {
    chunk_tuning t;
    t.items_per_thread = item_bytes <= 4 ? 32 : item_bytes <= 8 ? 16 : item_bytes <= 16 ? 8 : 4;
    t.chunk_tiles = item_bytes <= 2 ? 8 : 4;
    return t;
  }
};
struct warp_level_policy : direct_policy {
  static constexpr multisplit_method method = multisplit_method::warp_level;
};
struct block_level_policy : direct_policy {
  static constexpr multisplit_method method = multisplit_method::block_level;
};
struct reduced_bit_policy : multisplit_policy {
  static constexpr multisplit_method method = multisplit_method::reduced_bit_sort;
};

} // namespace colonnade
