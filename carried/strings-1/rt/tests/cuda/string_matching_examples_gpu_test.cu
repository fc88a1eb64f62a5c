//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/string_matching.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "../temporary_file.hpp"
#include "device_case.cuh"

#include <colonnade/string_matching.cuh>
#include <colonnade/string_matching_packed.cuh>
#include <colonnade/string_matching_stream.cuh>

#include <cerrno>
#include <string>

namespace {

/// How often a word is in a text in device memory; all that this needs is freed before it returns.
cudaError_t how_often(const std::string &word, const uint8_t *d_text, uint64_t num_items,
                      uint64_t *d_number, cudaStream_t stream) {
  colonnade::matcher matcher;
  if (const cudaError_t error =
          colonnade::matcher::create(matcher, word.data(), word.size(), {}, stream))
    return error;
  return colonnade::single_phase(
      colonnade::async_resource{}, stream, [&](void *d_temp, size_t &bytes) {
        return colonnade::count_matches(d_temp, bytes, matcher.ref(), d_text, num_items, d_number,
                                        {stream, nullptr});
      });
}

/// Where a sequence is in bases as .2bit files have them. What touches one of the intervals, in
/// which such a file has N, is no match.
cudaError_t where_in_genome(const std::string &sequence, const uint8_t *d_bases, uint64_t num_bases,
                            const colonnade::unknown_characters *d_n, uint64_t num_n,
                            uint64_t *d_positions, uint64_t capacity, uint64_t *d_number) {
  colonnade::packed_matcher matcher;
  if (const cudaError_t error = colonnade::packed_matcher::create(
          matcher, sequence.data(), sequence.size(), colonnade::two_bit_file))
    return error;
  const colonnade::packed_text genome{d_bases, num_bases, d_n, num_n};
  return colonnade::single_phase(
      colonnade::async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
        return colonnade::find_matches(d_temp, bytes, matcher.ref(), genome, d_positions, capacity,
                                       d_number);
      });
}

/// Where a word is in a file that may be larger than the GPU's memory.
colonnade::stream_outcome where_in_file(const std::string &word, const std::string &path,
                                        std::vector<uint64_t> &positions) {
  colonnade::file_text file;
  if (const int error = file.open(path))
    return {cudaSuccess, error, 0};
  colonnade::matcher matcher;
  if (const cudaError_t error = colonnade::matcher::create(matcher, word.data(), word.size()))
    return {error, 0, 0};
  colonnade::text_stream stream; // takes many files one after the other
  return stream.find_matches(matcher.ref(), file, positions);
}

} // namespace

int main() {
  require_gpu();
  const std::string words = "to be or not to be";
  const device_array<uint8_t> text(std::vector<uint8_t>(words.begin(), words.end()));
  const device_array<uint64_t> number(1);
  CUDA_OK(how_often("be", text.get(), words.size(), number.get(), nullptr));
  EXPECT(number.read()[0] == 2, "be");
  CUDA_OK(how_often("o", text.get(), words.size(), number.get(), nullptr));
  EXPECT(number.read()[0] == 4, "o");
  CUDA_OK(how_often("bee", text.get(), words.size(), number.get(), nullptr));
  EXPECT(number.read()[0] == 0, "bee");

  // TTCA NTCA GTCA, of which N is stored as T.
  const device_array<uint8_t> bases(std::vector<uint8_t>{0b00000110, 0b00000110, 0b11000110});
  const device_array<colonnade::unknown_characters> unknown(
      std::vector<colonnade::unknown_characters>{{4, 1}});
  const device_array<uint64_t> positions(5);
  CUDA_OK(
      where_in_genome("tca", bases.get(), 12, unknown.get(), 1, positions.get(), 5, number.get()));
  EXPECT(number.read()[0] == 3, "tca");
  EXPECT(positions.read()[2] == 9, "where tca is");
  CUDA_OK(
      where_in_genome("TTCA", bases.get(), 12, unknown.get(), 1, positions.get(), 5, number.get()));
  EXPECT(number.read()[0] == 1, "TTCA");

  const colonnade::testing::temporary_file place;
  place.write(words.data(), words.size());
  std::vector<uint64_t> where;
  EXPECT(where_in_file("to", place.path(), where).ok() && where == (std::vector<uint64_t>{0, 13}),
         "to");
  place.remove();
  EXPECT(where_in_file("to", place.path(), where).read_error == ENOENT, "no file");
  return gpu_result("examples of string matching");
}
