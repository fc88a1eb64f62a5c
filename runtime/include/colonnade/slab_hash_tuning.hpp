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
  uint32_t blocks_per_sm = 8; // at most
  uint32_t lanes = 8;         // that read a slab together: 1, 4, 8, 16 or 32
  uint32_t in_flight = 4;     // slabs that such lanes have asked for before they look at one
  uint32_t resident = 5;      // blocks on an SM that the registers suffice for, at least
};

struct slab_hash_policy {
  /// Of find and contains.
  static constexpr slab_hash_tuning find_tuning(gpu_architecture architecture) {
    slab_hash_tuning t;
    t.resident = architecture == gpu_architecture::sm_90 ? 5 : 4; // others need more registers
    return t;
  }
  /// Of insert, insert_or_assign and erase.
  static constexpr slab_hash_tuning change_tuning(gpu_architecture) {
    slab_hash_tuning t;
    t.in_flight = 2;
    return t;
  }
};

namespace detail {
template <class Policy, bool Changes> struct slab_hash_tunings {
  template <gpu_architecture Architecture> struct on {
    static constexpr slab_hash_tuning value =
        Changes ? Policy::change_tuning(Architecture) : Policy::find_tuning(Architecture);
  };
};
} // namespace detail

} // namespace colonnade
