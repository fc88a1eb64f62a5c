//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_mismatches_options.hpp: how a pattern is looked for that may be there with some
// characters replaced by others.
//
// In: nothing. Out: mismatch_options. Invariant: results do not depend on the method.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

constexpr uint32_t most_mismatches_of_all = 8;

enum class mismatch_method : uint8_t {
  automatic, // by the pattern: pieces if there is room for them and their bytes differ enough
  pieces,    // one of k + 1 pieces of 7 bytes is there exactly; needs a pattern of 7 (k + 1) bytes
  counting,  // the mismatches of the pattern's bytes, up to 32 of them, at every position
};

struct mismatch_options {
  /// A to Z equal a to z, in the text and in the pattern; all other bytes only themselves.
  bool fold_case = false;
  mismatch_method method = mismatch_method::automatic;
};

} // namespace colonnade
