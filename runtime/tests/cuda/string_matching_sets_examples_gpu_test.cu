//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of sets of patterns in the documentation, run.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/string_matching_sets.cuh>

#include <string>

namespace {

/// How often each of some words is in a text in device memory, in small or capital letters.
cudaError_t how_often_each(const std::vector<std::string> &words, const uint8_t *d_text,
                           uint64_t num_items, uint64_t *d_numbers) {
  std::vector<colonnade::set_pattern> patterns;
  for (const std::string &word : words)
    patterns.push_back({word.data(), word.size()});
  colonnade::matcher_set set;
  if (const cudaError_t error = colonnade::matcher_set::create(
          set, patterns.data(), static_cast<uint32_t>(patterns.size()), {.fold_case = true}))
    return error;
  return colonnade::single_phase(colonnade::async_resource{}, nullptr,
                                 [&](void *d_temp, size_t &bytes) {
                                   return colonnade::count_matches_of_each(
                                       d_temp, bytes, set.ref(), d_text, num_items, d_numbers);
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
  return gpu_result("examples of sets of patterns");
}
