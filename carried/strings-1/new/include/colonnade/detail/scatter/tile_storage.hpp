//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// tile_storage.hpp: where in a scatter block's shared memory each array lies.
//
//   counters     per warp and bucket: first counts, then the place of the warp's
//                next item of that bucket within the tile
//   tile_start   per bucket: where its items start in the tile; one more at the end
//   target       per bucket: output index of its item at place p, less p; modulo 2^32
//   keys, values the tile, sorted by bucket; in turn: in the same place
//
// In: a tuning and the types. Out: offsets and the bytes in all, as constants. Every array is
// aligned to 16 bytes, and none overlap but keys and values that take turns.
// Invariant: the layout is the same for all architectures that share a tuning, and known when
// the kernel is compiled.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/nothing.hpp>
#include <colonnade/detail/compiler.hpp>
#include <colonnade/multisplit_tuning.hpp>

#include <cstdint>

namespace colonnade::detail {

template <class Tuning, uint32_t Bits, class Key, class Value> struct tile_storage {
  static constexpr uint32_t buckets = 1u << Bits;
  static constexpr uint32_t warps = Tuning::value.threads / 32;
  static constexpr uint32_t tile_items = Tuning::value.threads * Tuning::value.items_per_thread;

  static constexpr size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }
  static constexpr size_t target_at = aligned(size_t{warps} * buckets * 4);
  static constexpr size_t start_at = aligned(target_at + buckets * 4);
  static constexpr size_t scratch_at = aligned(start_at + (buckets + 1) * 4);
  static constexpr size_t keys_at = aligned(scratch_at + (warps + 2) * 4);
  static constexpr bool in_turn = Tuning::value.values_in_turn && bytes_of<Value> > 0;
  static constexpr size_t keys_end = aligned(keys_at + tile_items * bytes_of<Key>);
  static constexpr size_t values_at = in_turn ? keys_at : keys_end;
  static constexpr size_t values_end = aligned(values_at + tile_items * bytes_of<Value>);
  static constexpr size_t bytes = keys_end > values_end ? keys_end : values_end;

  char *base; // aligned to 16

  COLONNADE_KERNEL_CODE uint32_t *counters(uint32_t warp) const {
    return reinterpret_cast<uint32_t *>(base) + warp * buckets;
  }
  COLONNADE_KERNEL_CODE uint32_t *target() const {
    return reinterpret_cast<uint32_t *>(base + target_at);
  }
  COLONNADE_KERNEL_CODE uint32_t *tile_start() const {
    return reinterpret_cast<uint32_t *>(base + start_at);
  }
  COLONNADE_KERNEL_CODE uint32_t *scratch() const { // one a warp
    return reinterpret_cast<uint32_t *>(base + scratch_at);
  }
  /// And how many items the tile has.
  COLONNADE_KERNEL_CODE uint32_t *ticket() const { return scratch() + warps; }
  COLONNADE_KERNEL_CODE Key *keys() const { return reinterpret_cast<Key *>(base + keys_at); }
  COLONNADE_KERNEL_CODE Value *values() const {
    return reinterpret_cast<Value *>(base + values_at);
  }

  /// Places are multiplied by this, so that addresses are sums: by a key's bytes
  /// where a value's are a multiple of them.
  static constexpr uint32_t scale = bytes_of<Value> % sizeof(Key) == 0 ? sizeof(Key) : 1;
  COLONNADE_KERNEL_CODE Key *key_at(uint32_t scaled_place) const {
    return reinterpret_cast<Key *>(base + keys_at + scaled_place * (sizeof(Key) / scale));
  }
  COLONNADE_KERNEL_CODE Value *value_at(uint32_t scaled_place) const {
    return reinterpret_cast<Value *>(base + values_at + scaled_place * (sizeof(Value) / scale));
  }
};

} // namespace colonnade::detail
