//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// marriage_hull_tuning.hpp: how the kernels of marriage before conquest are shaped.
//
// In: nothing. Out: a marriage_hull_policy, by which convex_hull.cuh takes this algorithm. A policy
// is a type with its members. Invariant: all values give the same hull.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace colonnade {

/// How a convex hull is found.
enum class hull_method : uint8_t {
  hoods,                    // a sieve, a sort by x, hoods joined: the default
  marriage_before_conquest, // the algorithm of marriage_hull.cuh
};

struct marriage_hull_policy {
  static constexpr hull_method method = hull_method::marriage_before_conquest;

  /// As in convex_hull_tuning.hpp.
  static constexpr uint64_t most_at_once = 0xffffffff;
  static constexpr size_t most_temporary = ~size_t{0};

  /// Subproblems of n / processors points and more, but no fewer than split_least, are split by all
  /// blocks together; smaller ones are a warp's. The stage of splitting has splits_per_level times
  /// the logarithm of n by that size, and 4 iterations at most.
  static constexpr uint32_t processors = 4096, split_least = 512, splits_per_level = 2;
  static constexpr uint32_t split_threads = 64, split_bytes = 64; // of a thread's points
  /// While the input is read; scan: when nothing is moved.
  static constexpr uint32_t read_threads = 256, read_items = 8, scan_items = 4;
  static constexpr uint32_t independent_threads = 128, independent_rows = 4;
  static constexpr uint32_t finish_threads = 256;
  /// How many threads of each stage a multiprocessor has registers for; half as many of doubles.
  static constexpr uint32_t read_resident = 1024, split_resident = 768, independent_resident = 384;

  /// Of two points of a subproblem, one that is within the triangle of the other and the two ends
  /// is dropped.
  static constexpr bool prune_pairs = false;
  /// Whether marriage_counts stand at the begin of the temporary storage after the call.
  static constexpr bool count_iterations = false;
};

/// How often the loops of the algorithm ran; from the first multiple of 256 bytes of the temporary
/// storage on.
struct marriage_counts {
  uint64_t splitting_iterations;   // with a subproblem to split
  uint64_t independent_problems;   // given to warps
  uint64_t independent_iterations; // of all warps
  uint64_t longest_independent;    // most iterations of one such problem
};

} // namespace colonnade
