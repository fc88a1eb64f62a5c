//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// word_sort.cuh: sorts indices by words, stably, where they stand.
//
// In: digit passes over words and indices, two arrays of each. Out: both sorted, in the first
// arrays. Invariant: there is an even number of digits, so the items end where they began.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/digits/digit_passes.cuh>

namespace colonnade::detail {

template <class Passes, class Word>
cudaError_t sort_by_words(Passes &passes, Word *const (&words)[2], uint32_t *const (&indices)[2],
                          uint32_t digits = sizeof(Word)) {
  if (const cudaError_t error = passes.count(static_cast<const Word *>(words[0]),
                                             word_ids<integer_word<Word>>{}, nothing{}))
    return error;
  for (uint32_t pass = 0; pass < digits; ++pass) {
    const uint32_t from = pass % 2, to = 1 - from;
    if (const cudaError_t error =
            passes.scatter(pass, integer_word<Word>{}, static_cast<const Word *>(words[from]),
                           words[to], static_cast<const uint32_t *>(indices[from]), indices[to]))
      return error;
  }
  return cudaSuccess;
}

} // namespace colonnade::detail
