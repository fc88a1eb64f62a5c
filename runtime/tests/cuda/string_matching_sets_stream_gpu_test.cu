//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Streams of text for sets of patterns on a GPU: pinned and pageable memory and files of several
// chunks; patterns of all lengths, many at one place, more matches than there is room for, texts
// shorter than the longest pattern. (Calls return when all is done: there is nothing to capture in
// a graph.)
//
//   --small   smaller texts, fewer patterns, dense ones from one source
//
//===----------------------------------------------------------------------===//

#include "../string_set_cases.hpp"
#include "../temporary_file.hpp"
#include "device_case.cuh"
#include "replay_case.cuh"

#include <colonnade/host_string_matching_sets.hpp>
#include <colonnade/string_matching_sets_stream.cuh>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

std::vector<string_set_case> some_sets(uint64_t n, uint64_t most_patterns, std::mt19937 &random) {
  const auto drawn = [&](uint32_t alphabet, std::initializer_list<uint64_t> lengths) {
    string_set_case c{some_text(n, text_kind::random, alphabet, random), {}, false};
    for (const uint64_t length : lengths) {
      const auto from = c.text.begin() + static_cast<int64_t>(random() % (n - length));
      c.patterns.emplace_back(from, from + static_cast<int64_t>(length));
    }
    return c;
  };
  std::vector<string_set_case> cases = {drawn(20, {9, 12, 64, 9, 300}), drawn(4, {1, 2, 3, 11}),
                                        drawn(4, {8, most_set_pattern, 7})};
  cases[0].patterns.push_back({cases[0].patterns[1].begin(), cases[0].patterns[1].begin() + 8});
  cases[0].fold_case = true;
  string_set_case same{std::vector<uint8_t>(n, 'a'), {}, false}; // 8 at each place
  for (uint64_t i = 0; i < 8; ++i)
    same.patterns.emplace_back(1 + i * i, 'a');
  same.text.resize(n / 8);
  cases.push_back(std::move(same));
  string_set_case many{some_text(n, text_kind::random, 20, random), {}, false};
  for (uint64_t i = 0; i < most_patterns; ++i) {
    const auto from = many.text.begin() + static_cast<int64_t>(random() % (n - 100));
    many.patterns.emplace_back(from, from + static_cast<int64_t>(7 + random() % 80));
  }
  cases.push_back(std::move(many));
  return cases;
}

void check(text_stream &stream, const matcher_set &set, const std::vector<set_match> &right,
           const text_source &source, const std::string &what) {
  uint64_t number = ~uint64_t{0};
  EXPECT(count_matches_of_set(stream, set.ref(), source, number).ok() && number == right.size(),
         "%s: %llu, not %zu", what.c_str(), static_cast<unsigned long long>(number), right.size());
  std::vector<set_match> matches;
  EXPECT(find_matches_of_set(stream, set.ref(), source, matches).ok() && matches == right,
         "%s: matches", what.c_str());
}

/// few: sets with more matches than the text has bytes from one source, since they are handed out
/// in parts, by thousands of launches, which under racecheck takes minutes.
void test_sets(uint64_t n, uint64_t most_patterns, bool few) {
  std::mt19937 random(2);
  text_stream stream({1 << 20, 3, {}});
  uint8_t *pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, n));
  const temporary_file place;
  for (const string_set_case &c : some_sets(n, most_patterns, random)) {
    const std::string what = ", " + std::to_string(c.patterns.size()) + " patterns";
    const std::vector<set_pattern> all = c.given();
    const auto size = static_cast<uint32_t>(all.size());
    matcher_set set;
    CUDA_OK(matcher_set::create(set, all.data(), size, {c.fold_case}));
    const std::vector<set_match> right =
        host_find_matches_of_set(c.text.data(), c.text.size(), all.data(), size, {c.fold_case});
    std::copy(c.text.begin(), c.text.end(), pinned);
    place.write(c.text.data(), c.text.size());
    file_text file;
    EXPECT(file.open(place.path()) == 0, "opening");
    if (!few || right.size() <= c.text.size()) {
      check(stream, set, right, memory_text(c.text.data(), c.text.size()), "pageable" + what);
      check(stream, set, right, memory_text(pinned, c.text.size()), "pinned" + what);
    }
    check(stream, set, right, file, "file" + what);
    // A text that is shorter than the longest pattern; then none.
    const uint64_t few = set.ref().longest_length() - 1;
    const std::vector<set_match> in_few =
        host_find_matches_of_set(c.text.data(), few, all.data(), size, {c.fold_case});
    check(stream, set, in_few, memory_text(c.text.data(), few), "a short text" + what);
    check(stream, set, {}, memory_text(c.text.data(), 0), "no text" + what);
  }
  CUDA_OK(cudaFreeHost(pinned));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  if (small_run(argc, argv))
    test_sets((1 << 20) + (1 << 17), 500, true);
  else
    test_sets((5 << 20) + 77, most_set_patterns, false);
  return gpu_result("streams of text for sets of patterns");
}
