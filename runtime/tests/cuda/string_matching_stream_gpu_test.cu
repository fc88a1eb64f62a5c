//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Streams of text on a GPU: pinned, managed and pageable memory and files of many chunks, matches
// across chunks, more matches than there is room for, matches that must not overlap; a file that is
// cut off; sets of patterns, of all lengths and many at one place. (Calls of a text_stream return
// when all is done: there is nothing to capture in a graph.)
//
//   --small   fewer and smaller texts
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

/// A case with what is right for it.
struct stream_case {
  explicit stream_case(const string_case &c) : all(naive_matches(c)), apart(naive_apart(c)) {
    CUDA_OK(matcher::create(pattern, c.pattern.data(), c.pattern.size(), {c.fold_case}));
  }
  std::vector<uint64_t> all, apart;
  matcher pattern;
};

void check(text_stream &stream, const stream_case &c, const text_source &source,
           const std::string &what) {
  const matcher &m = c.pattern;
  for (const auto selection : {match_selection::all, match_selection::non_overlapping}) {
    const std::vector<uint64_t> &right = selection == match_selection::all ? c.all : c.apart;
    uint64_t number = ~uint64_t{0};
    const stream_outcome counted = stream.count_matches(m.ref(selection), source, number);
    EXPECT(counted.ok() && number == right.size(), "%s: %llu, not %llu", what.c_str(),
           static_cast<unsigned long long>(number), static_cast<unsigned long long>(right.size()));
    std::vector<uint64_t> positions;
    const stream_outcome found = stream.find_matches(m.ref(selection), source, positions);
    EXPECT(found.ok() && positions == right, "%s: positions", what.c_str());
  }
}

std::vector<string_case> some_cases(uint64_t n, std::mt19937 &random) {
  std::vector<string_case> cases;
  for (const uint32_t alphabet : {2u, 20u}) {
    string_case c{some_text(n, text_kind::random, alphabet, random), {}};
    const auto from = c.text.begin() + static_cast<int64_t>(n / 2);
    c.pattern.assign(from, from + 9);
    for (uint64_t border = 1 << 20; border + 20 < n; border += (1 << 20) - 8) // of chunks
      std::copy(c.pattern.begin(), c.pattern.end(),
                c.text.begin() + static_cast<int64_t>(border - random() % 10));
    cases.push_back(c);
  }
  cases.push_back({std::vector<uint8_t>(n, 'a'), std::vector<uint8_t>(7, 'a')});
  string_case one_long{some_text(n, text_kind::random, 4, random), {}};
  const uint64_t length = std::min<uint64_t>(n / 4, 1 << 20);
  one_long.pattern.assign(one_long.text.begin() + 5,
                          one_long.text.begin() + static_cast<int64_t>(5 + length));
  cases.push_back(one_long);
  cases.push_back({one_long.text, {'-'}});
  return cases;
}

void test_sources(uint64_t n) {
  std::mt19937 random(1);
  text_stream small_chunks({1 << 20, 3, {}}), large_chunks;
  uint8_t *pinned = nullptr, *managed = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, n));
  CUDA_OK(cudaMallocManaged(&managed, n));
  const temporary_file place;
  for (const string_case &c : some_cases(n, random)) {
    const std::string what = ", m = " + std::to_string(c.pattern.size());
    std::copy(c.text.begin(), c.text.end(), pinned);
    std::copy(c.text.begin(), c.text.end(), managed);
    place.write(c.text.data(), n);
    file_text file;
    EXPECT(file.open(place.path()) == 0, "opening");
    const stream_case known(c);
    for (text_stream *stream : {&small_chunks, &large_chunks}) {
      check(*stream, known, memory_text(c.text.data(), n), "pageable" + what);
      check(*stream, known, memory_text(pinned, n), "pinned" + what);
      check(*stream, known, memory_text(managed, n), "managed" + what);
      check(*stream, known, file, "file" + what);
    }
    const uint64_t chunk = std::max<uint64_t>(1 << 20, 4 * c.pattern.size());
    EXPECT(small_chunks.bytes() <= 3 * std::max<uint64_t>(chunk, 4 << 20),
           "%zu bytes of device memory", small_chunks.bytes());
  }
  file_text cut;
  EXPECT(cut.open(place.path()) == 0, "opening");
  place.cut_off(n / 2);
  matcher m;
  CUDA_OK(matcher::create(m, "abc", 3));
  uint64_t number = 1;
  const stream_outcome outcome = small_chunks.count_matches(m.ref(), cut, number);
  EXPECT(outcome.read_error == EIO && outcome.read_offset == n / 2 && number == 0,
         "a file that was cut off: %d at %llu", outcome.read_error,
         static_cast<unsigned long long>(outcome.read_offset));
  const stream_outcome none = small_chunks.count_matches(m.ref(), memory_text("ab", 2), number);
  EXPECT(none.ok() && number == 0, "a short text");
  EXPECT(small_chunks.count_matches(matcher().ref(), memory_text("ab", 2), number).error ==
             cudaErrorInvalidValue,
         "no pattern");
  CUDA_OK(cudaFreeHost(pinned));
  CUDA_OK(cudaFree(managed));
}

std::vector<string_set_case> some_sets(uint64_t n, std::mt19937 &random) {
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
  for (uint64_t i = 0; i < most_set_patterns; ++i) {
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

void test_sets(uint64_t n) {
  std::mt19937 random(2);
  text_stream stream({1 << 20, 3, {}});
  uint8_t *pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, n));
  const temporary_file place;
  for (const string_set_case &c : some_sets(n, random)) {
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
    check(stream, set, right, memory_text(c.text.data(), c.text.size()), "pageable" + what);
    check(stream, set, right, memory_text(pinned, c.text.size()), "pinned" + what);
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
  test_sets(small_run(argc, argv) ? (2 << 20) + 77 : (10 << 20) + 77);
  test_sources(small_run(argc, argv) ? (3 << 20) + 77 : (20 << 20) + 77);
  return gpu_result("streams of text");
}
