//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// words.cpp: counts words by threads of the CPU.
//
//===----------------------------------------------------------------------===//

#include "words.hpp"

#include <colonnade/host_slab_hash.hpp>

int count_words(const std::vector<char> &text, const std::vector<uint64_t> &words,
                word_counts &result) {
  using dictionary = colonnade::host_slab_map<uint64_t, uint64_t, word_hash, word_equal>;
  dictionary counts(colonnade::slab_map_options_for<uint64_t, uint64_t>(words.size() / 8 + 1),
                    word_hash{text.data()}, word_equal{text.data()});
  const std::vector<uint64_t> ones(words.size(), 1);
  counts.insert_or_apply(words.data(), ones.data(), words.size(), sum{});
  counts.retrieve_all(result.words, result.counts);
  return 0;
}
