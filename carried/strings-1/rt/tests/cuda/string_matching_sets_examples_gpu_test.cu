//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of sets of patterns, of character classes and of mismatches in the documentation,
// run.
//
//===----------------------------------------------------------------------===//

#include "../temporary_file.hpp"
#include "device_case.cuh"

#include <colonnade/string_matching_classes.cuh>
#include <colonnade/string_matching_mismatches.cuh>
#include <colonnade/string_matching_sets_stream.cuh>

#include <string>

namespace {

/// How often each of some words is in a text in device memory, in small or capital letters.
cudaError_t how_often_each(const std::vector<std::string> &words, const uint8_t *d_text,
                           uint64_t num_items, uint64_t *d_numbers_of_each) {
  std::vector<colonnade::set_pattern> patterns;
  for (const std::string &word : words)
    patterns.push_back({word.data(), word.size()});
  colonnade::matcher_set set;
  if (const cudaError_t error = colonnade::matcher_set::create(
          set, patterns.data(), static_cast<uint32_t>(patterns.size()), {.fold_case = true}))
    return error;
  return colonnade::single_phase(
      colonnade::async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
        return colonnade::count_matches_of_each(d_temp, bytes, set.ref(), d_text, num_items,
                                                d_numbers_of_each);
      });
}

/// Which of some words are where in a file that may be larger than the GPU's memory.
colonnade::stream_outcome where_each_in_file(const std::vector<std::string> &words,
                                             const std::string &path,
                                             std::vector<colonnade::set_match> &matches) {
  colonnade::file_text file;
  if (const int error = file.open(path))
    return {cudaSuccess, error, 0};
  std::vector<colonnade::set_pattern> patterns;
  for (const std::string &word : words)
    patterns.push_back({word.data(), word.size()});
  colonnade::matcher_set set;
  if (const cudaError_t error = colonnade::matcher_set::create(
          set, patterns.data(), static_cast<uint32_t>(patterns.size())))
    return {error, 0, 0};
  colonnade::text_stream stream;
  return colonnade::find_matches_of_set(stream, set.ref(), file, matches);
}

/// Where a binding site, written in codes of nucleotides, is in a sequence of letters.
cudaError_t where_it_binds(const std::string &site, const uint8_t *d_letters, uint64_t num_letters,
                           uint64_t *d_positions, uint64_t capacity, uint64_t *d_number) {
  colonnade::class_matcher matcher;
  if (const cudaError_t error = colonnade::class_matcher::create(
          matcher, site.data(), site.size(), {colonnade::class_letters::iupac, true}))
    return error;
  return colonnade::single_phase(
      colonnade::async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
        return colonnade::find_matches(d_temp, bytes, matcher.ref(), d_letters, num_letters,
                                       d_positions, capacity, d_number);
      });
}

/// Where a word is in a text with up to two other characters, and how many those are.
cudaError_t where_nearly(const std::string &word, const uint8_t *d_text, uint64_t num_items,
                         uint64_t *d_positions, uint8_t *d_mismatches, uint64_t capacity,
                         uint64_t *d_number) {
  colonnade::mismatch_matcher matcher;
  if (const cudaError_t error =
          colonnade::mismatch_matcher::create(matcher, word.data(), word.size(), 2))
    return error;
  return colonnade::single_phase(
      colonnade::async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
        return colonnade::find_matches(d_temp, bytes, matcher.ref(), d_text, num_items, d_positions,
                                       d_mismatches, capacity, d_number);
      });
}

} // namespace

int main() {
  require_gpu();
  const std::string words = "To be, or not to be";
  const device_array<uint8_t> text(std::vector<uint8_t>(words.begin(), words.end()));
  const device_array<uint64_t> numbers(4);
  CUDA_OK(how_often_each({"to", "be", "bee", "o"}, text.get(), words.size(), numbers.get()));
  EXPECT((numbers.read() == std::vector<uint64_t>{2, 2, 0, 4}), "words");

  const colonnade::testing::temporary_file place;
  place.write(words.data(), words.size());
  std::vector<colonnade::set_match> matches;
  EXPECT(where_each_in_file({"to", "be"}, place.path(), matches).ok() &&
             (matches == std::vector<colonnade::set_match>{{3, 1}, {14, 0}, {17, 1}}),
         "words in a file");

  const std::string letters = "ccTATAAAAGgctatatatg";
  const device_array<uint8_t> sequence(std::vector<uint8_t>(letters.begin(), letters.end()));
  const device_array<uint64_t> positions(5);
  CUDA_OK(where_it_binds("TATAWAWR", sequence.get(), letters.size(), positions.get(), 5,
                         numbers.get()));
  const std::vector<uint64_t> at = positions.read();
  EXPECT(numbers.read()[0] == 2 && at[0] == 2 && at[1] == 12, "where it binds");

  const std::string misspelt = "maintenance, maintainance, maintenence";
  const device_array<uint8_t> checked(std::vector<uint8_t>(misspelt.begin(), misspelt.end()));
  const device_array<uint8_t> mismatches(5);
  CUDA_OK(where_nearly("maintenance", checked.get(), misspelt.size(), positions.get(),
                       mismatches.get(), 5, numbers.get()));
  const std::vector<uint64_t> nearly = positions.read();
  EXPECT(numbers.read()[0] == 2 && nearly[0] == 0 && nearly[1] == 27 && mismatches.read()[0] == 0 &&
             mismatches.read()[1] == 1,
         "where nearly");
  return gpu_result("examples of sets, classes and mismatches");
}
