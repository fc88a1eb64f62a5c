//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/string_matching.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/string_matching.cuh>

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
  return gpu_result("examples of string matching");
}
