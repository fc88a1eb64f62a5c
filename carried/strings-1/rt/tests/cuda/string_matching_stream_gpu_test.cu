//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Streams of text on a GPU: pinned, managed and pageable memory and files of many chunks, matches
// across chunks, more matches than there is room for, matches that must not overlap; a file that is
// cut off. (Calls of a text_stream return
// when all is done: there is nothing to capture in a graph.)
//
//   --small   smaller texts, dense ones from fewer sources
//
//===----------------------------------------------------------------------===//

#include "../string_cases.hpp"
#include "../temporary_file.hpp"
#include "device_case.cuh"
#include "replay_case.cuh"

#include <colonnade/string_matching_stream.cuh>

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

/// Every source by both streams takes thousands of launches where matches are dense, as they are
/// handed out in parts; under racecheck that is minutes. `few`: then one source for each stream.
void test_sources(uint64_t n, bool few) {
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
    const bool is_dense = known.all.size() > n / 2; // handed out in parts
    if (few && is_dense) {
      check(small_chunks, known, file, "file" + what);
      check(large_chunks, known, memory_text(pinned, n), "pinned" + what);
      continue;
    }
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

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  test_sources(small ? (2 << 20) + 77 : (20 << 20) + 77, small);
  return gpu_result("streams of text");
}
