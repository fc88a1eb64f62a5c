//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// words.cu: counts words on the GPU: one thread a word, one atomic step each.
//
//===----------------------------------------------------------------------===//

#include "../common/gpu_example.cuh"
#include "words.hpp"

#include <colonnade/slab_hash.cuh>

int count_words(const std::vector<char> &text, const std::vector<uint64_t> &words,
                word_counts &result) {
  using dictionary = colonnade::growing_slab_map<uint64_t, uint64_t, word_hash, word_equal>;
  if (const int none = no_gpu())
    return none;
  const gpu_array<char> d_text(text);
  const gpu_array<uint64_t> d_words(words), d_ones(std::vector<uint64_t>(words.size(), 1));
  dictionary counts;
  colonnade::device_status status;
  const auto options = colonnade::slab_map_options_for<uint64_t, uint64_t>(words.size() / 8 + 1);
  const bool counted =
      done(dictionary::create(counts, options, nullptr, {}, word_hash{d_text.get()},
                              word_equal{d_text.get()})) &&
      done(counts.insert_or_apply(d_words, d_ones, sum{}, status)) &&
      done(counts.to_host(result.words, result.counts));
  return counted ? 0 : 1;
}
