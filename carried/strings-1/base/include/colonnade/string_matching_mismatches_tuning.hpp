//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_mismatches_tuning.hpp: the tuning of matching with mismatches.
//
// In: the architecture. Out: a string_matching_tuning, of which `loads` are 2 or 4. A policy is a
// type with the members of string_mismatch_policy; derive from it to change some. Invariant:
// results do not depend on it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_tuning.hpp>

namespace colonnade {

struct string_mismatch_policy {
  /// Steps of a warp's segment, at most; a step is 512 bytes for each load, a segment at most 64
  /// KB. Where mismatches are counted, 31 steps are 32 overlapping ones, with 1 byte in 32 read
  /// twice; 16 would be 17.
  static constexpr uint32_t most_rounds = 31;

  static constexpr string_matching_tuning tuning(gpu_architecture) { return {}; }
};

} // namespace colonnade
