//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_options.hpp: what is said of a pattern when its matcher is created, and of its
// matches when they are looked for.
//
// In: nothing. Out: matcher_options, match_selection. Invariant: options of a matcher stay as they
// are as long as it lives.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

struct matcher_options {
  /// A to Z equal a to z, in the text and in the pattern; all other bytes only themselves.
  bool fold_case = false;
};

/// Which of the positions at which a pattern begins are its matches.
enum class match_selection : uint8_t {
  all,             // also those that overlap others: `aa` is in `aaaa` at 0, 1, 2
  non_overlapping, // the first one, then the first behind its end, and so on: at 0, 2
};

} // namespace colonnade
