//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_classes_tuning.hpp: the tuning of matching patterns of character classes.
//
// In: the architecture. Out: a string_matching_tuning, of which `loads` are the vectors of a lane's
// stretch: even. A policy is a type with the members of string_class_policy; derive from it to
// change some. Invariant: results do not depend on it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_tuning.hpp>

namespace colonnade {

struct string_class_policy {
  /// Steps of a warp's segment, at most; a step is 512 bytes for each load, a segment at most 64
  /// KB.
  static constexpr uint32_t most_rounds = 16;

  static constexpr string_matching_tuning tuning(gpu_architecture) { return {256, 8, 4}; }
};

} // namespace colonnade
