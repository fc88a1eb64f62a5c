//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_sets_tuning.hpp: the tuning of matching with sets of patterns.
//
// In: the architecture. Out: a string_set_tuning. A policy is a type with the members of
// string_set_policy; derive from it to change some. Invariant: results do not depend on it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstdint>

namespace colonnade {

struct string_set_tuning {
  uint32_t threads = 1024; // of a block; it fills its filters, 64 to 96 KB, once
  uint32_t loads = 4;      // of 16 bytes that a thread has in flight, at most 4
  uint32_t min_blocks = 1; // per SM: bounds the registers; as many blocks walk through the text
};

struct string_set_policy {
  /// Steps of a warp's segment, at most; a step is 512 bytes for each load, a segment at most 64
  /// KB.
  static constexpr uint32_t most_rounds = 16;

  static constexpr string_set_tuning tuning(gpu_architecture) { return {}; }
};

namespace detail {
template <class Policy> using string_set_tunings = policy_tunings<Policy>;
} // namespace detail

} // namespace colonnade
