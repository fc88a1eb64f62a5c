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
  uint32_t halvings = 0;   // 1: filters of half the size
  uint32_t queued = 288;   // words in a warp's queue, at least 32; it has two bytes for each
  uint32_t min_blocks = 1; // per SM: bounds the registers; as many blocks walk through the text
  // Of a block that has the keys in shared memory, 168 KB, and two bytes for each byte that it
  // looks at; 0: they are not there.
  uint32_t resident_threads = 768;
  uint32_t positions_queued = 448; // of its warps, at least 32; two bytes each
  // The same where patterns are looked for by anchors; half as many, at least 32, where there are
  // large tables of keys and short patterns.
  uint32_t anchors_queued = 448;
  uint32_t anchor_threads = 896;
};

struct string_set_policy {
  /// Steps of a warp's segment, at most; a step is 512 bytes for each load, a segment at most 64
  /// KB.
  static constexpr uint32_t most_rounds = 16;

  /// Where a block has no more than 99 KB of shared memory, queues are short and filters small.
  static constexpr string_set_tuning tuning(gpu_architecture architecture) {
    const bool roomy =
        architecture == gpu_architecture::sm_90 || architecture == gpu_architecture::sm_100;
    return roomy ? string_set_tuning{}
                 : string_set_tuning{
                       .threads = 768, .halvings = 1, .queued = 48, .resident_threads = 0};
  }
  /// Of texts of so many bytes 4,096 positions are sampled. To count, where so many are in words
  /// that pass the first filter, all positions are asked for anchors in shared memory (sets of
  /// patterns of 8 bytes and more; with patterns of 4 to 7 bytes always); for other results, and
  /// for sets without anchors, for keys (patterns of 8 bytes and more), where so many positions
  /// begin like a pattern.
  static constexpr uint64_t least_sampled = uint64_t{1} << 26;
  static constexpr uint32_t least_frequent = 400;
  static constexpr uint32_t least_passing_words = 200;
};

namespace detail {
template <class Policy> using string_set_tunings = policy_tunings<Policy>;
} // namespace detail

} // namespace colonnade
