//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_tuning.hpp: the tuning of string matching.
//
// In: the architecture. Out: a string_matching_tuning. A policy is a type with the members of
// string_matching_policy; derive from it to change some. Invariant: results do not depend on it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstdint>

namespace colonnade {

struct string_matching_tuning {
  uint32_t threads = 256;  // of a block
  uint32_t loads = 4;      // of 16 bytes that a thread has in flight; a warp's step is 512 times it
  uint32_t min_blocks = 4; // per SM: bounds the registers
};

struct string_matching_policy {
  /// Steps of a warp's segment, at most; a segment is at most 64 KB.
  static constexpr uint32_t most_rounds = 16;
  /// Texts from this size on are sampled, to choose what to skim for.
  static constexpr uint64_t least_sampled_bytes = 1u << 20;

  static constexpr string_matching_tuning tuning(gpu_architecture) { return {}; }
};

namespace detail {
template <class Policy> using string_matching_tunings = policy_tunings<Policy>;
} // namespace detail

} // namespace colonnade
