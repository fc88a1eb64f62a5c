//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash_tuning.hpp: the tuning of bulk operations on slab hashes.
//
// In: the architecture. Out: a slab_hash_tuning. A policy is a type with the members of
// slab_hash_policy; derive from it to change some. Invariant: maps may be used under several
// policies at once, and hold the same under each.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstdint>

namespace colonnade {

struct slab_hash_tuning {
  uint32_t threads = 256;     // of a block
  uint32_t blocks_per_sm = 4; // at most
  uint32_t lanes = 8;         // that read a slab together: 1, 4, 8, 16 or 32
  uint32_t in_flight = 4;     // slabs that such lanes have asked for before they look at one
  uint32_t resident = 4;      // blocks on an SM that the registers suffice for, at least
};

/// Measured on sm_90; docs/decisions/0020-slab-hash.md has the figures.
struct slab_hash_policy {
  /// Of find and contains, and of what is done to all pairs of a key: as many blocks as are
  /// resident at once.
  static constexpr slab_hash_tuning find_tuning(gpu_architecture) {
    slab_hash_tuning t;
    t.threads = 512;
    t.blocks_per_sm = 2;
    t.resident = 2;
    return t;
  }
  /// Of find and contains where slabs are mostly read from outside the second-level cache, and of
  /// few keys: all slabs for 32 keys are asked for at once, though each sector twice. Many blocks,
  /// so that those that run at one time have keys that stand near each other: then what they write
  /// does, too.
  static constexpr slab_hash_tuning far_find_tuning(gpu_architecture architecture) {
    slab_hash_tuning t;
    t.threads = 128;
    t.blocks_per_sm = 512;
    t.lanes = 4;
    t.resident = architecture == gpu_architecture::sm_120 ? 5 : 6; // 6 would spill there
    return t;
  }
  /// Of both, where keys or values have 64 bits.
  static constexpr slab_hash_tuning wide_find_tuning(gpu_architecture) {
    slab_hash_tuning t;
    t.threads = 512;
    t.blocks_per_sm = 2;
    t.lanes = 4;
    t.in_flight = 2;
    t.resident = 2;
    return t;
  }
  static constexpr slab_hash_tuning far_wide_find_tuning(gpu_architecture architecture) {
    slab_hash_tuning t;
    t.threads = 128;
    t.blocks_per_sm = 256;
    t.lanes = 4;
    t.resident = 6;
    if (architecture > gpu_architecture::sm_90) {
      t.in_flight = 2; // not measured there; 4 spill
      t.resident = 8;
    }
    return t;
  }
  /// Of more bytes slabs are read from outside: six times the second-level cache. How many bytes is
  /// not known: no more than a slab a key, nor than all slabs that the dictionary was created with,
  /// those included that are in no chain.
  static constexpr uint64_t near_bytes(gpu_architecture architecture) {
    const uint64_t megabytes = architecture == gpu_architecture::sm_80   ? 240
                               : architecture == gpu_architecture::sm_90 ? 300
                                                                         : 750;
    return megabytes << 20;
  }
  /// Up to so many keys are few.
  static constexpr uint64_t few_keys = 1 << 14;
  /// Of insert, insert_or_assign and erase, whose warps take different times: many blocks, so that
  /// one that ends late does not leave its SM alone at the end.
  static constexpr slab_hash_tuning change_tuning(gpu_architecture architecture) {
    slab_hash_tuning t;
    t.blocks_per_sm = 64;
    t.in_flight = 2;
    t.resident = architecture <= gpu_architecture::sm_90 ? 5 : 4; // from sm_100 on 5 spill
    return t;
  }
};

namespace detail {
enum class slab_tuning_of { changes, finds, far_finds };
template <class Policy, slab_tuning_of Of, bool Wide> struct slab_hash_tunings {
  template <gpu_architecture A> struct on {
    static constexpr slab_hash_tuning find =
        Wide ? Policy::wide_find_tuning(A) : Policy::find_tuning(A);
    static constexpr slab_hash_tuning far_find =
        Wide ? Policy::far_wide_find_tuning(A) : Policy::far_find_tuning(A);
    static constexpr slab_hash_tuning value = Of == slab_tuning_of::changes
                                                  ? Policy::change_tuning(A)
                                              : Of == slab_tuning_of::finds ? find
                                                                            : far_find;
  };
};
} // namespace detail

} // namespace colonnade
