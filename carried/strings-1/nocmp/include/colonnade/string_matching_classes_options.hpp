//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_classes_options.hpp: how a pattern of character classes is written.
//
//   class_letters::expression  a byte stands for itself, . for every byte, [abc], [a-z], [^a-z] for
//                              one of these, or none of them (] stands for itself where it is the
//                              first of them, - where it is the first or the last, ^ where it is
//                              not the first); a byte behind \\ stands for itself, also in brackets
//   class_letters::iupac       the codes of nucleotides: A C G T, R (A or G), Y (C T), S (C G),
//                              W (A T), K (G T), M (A C), B (not A), D (not C), H (not G),
//                              V (not T), N (all four); U is T, in the text too
//
// In: nothing. Out: class_options. Invariant: each class is one character of a match.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

enum class class_letters : uint8_t { expression, iupac };

struct class_options {
  class_letters letters = class_letters::expression;
  /// A to Z equal a to z, in the text and in the pattern; all other bytes only themselves.
  bool fold_case = false;
};

constexpr uint32_t most_classes = 64;

} // namespace colonnade
