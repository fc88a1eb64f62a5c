//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_options.hpp: what is said of a pattern when its matcher is created.
//
// In: nothing. Out: matcher_options. Invariant: they stay as they are as long as the matcher lives.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace colonnade {

struct matcher_options {
  /// A to Z equal a to z, in the text and in the pattern; all other bytes only themselves.
  bool fold_case = false;
};

} // namespace colonnade
