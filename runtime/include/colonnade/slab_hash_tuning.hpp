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
  /// Of find and contains: as many blocks as are resident at once.
  static constexpr slab_hash_tuning find_tuning(gpu_architecture) { return {}; }
  /// Of the same, where keys or values have 64 bits.
  static constexpr slab_hash_tuning wide_find_tuning(gpu_architecture architecture) {
    slab_hash_tuning t;
    t.blocks_per_sm = 64;
    t.lanes = 4;
    if (architecture <= gpu_architecture::sm_90)
      t.resident = 3;
    else
      t.in_flight = 2; // not measured there; 4 spill
    return t;
  }
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
template <class Policy, bool Changes, bool Wide> struct slab_hash_tunings {
  template <gpu_architecture Architecture> struct on {
    static constexpr slab_hash_tuning value =
        Changes
            ? Policy::change_tuning(Architecture)
            : (Wide ? Policy::wide_find_tuning(Architecture) : Policy::find_tuning(Architecture));
  };
};
} // namespace detail

} // namespace colonnade
