//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sets of patterns in a text of more than 2^32 bytes: matches at its ends and on both sides of
// 2^32.
//
//   --small   a few thousand bytes
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"

#include <colonnade/string_matching_sets.cuh>

using namespace colonnade;

namespace {

/// No byte of it is above 127.
__global__ void fill_set_text(uint8_t *text, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    text[i] = static_cast<uint8_t>(scramble(i) & 0x7f);
}

/// Of two patterns of which one is the beginning of the other, and one that is nowhere.
void check(const device_array<uint8_t> &text, uint64_t n, uint64_t length) {
  std::vector<uint8_t> longer(length), absent(length, 0xff);
  for (uint64_t i = 0; i < length; ++i)
    longer[i] = static_cast<uint8_t>(0x80 | scramble(i + 77));
  const set_pattern patterns[] = {
      {longer.data(), length}, {absent.data(), length}, {longer.data(), length - 1}};
  std::vector<uint64_t> places, right;
  for (const uint64_t at : {uint64_t{0}, n / 2, (uint64_t{1} << 32) - 1, uint64_t{1} << 32,
                            (uint64_t{1} << 32) + 700, n - length})
    if (at + length <= n && (places.empty() || at >= places.back() + length))
      places.push_back(at);
  for (const uint64_t at : places) {
    CUDA_OK(cudaMemcpy(text.get() + at, longer.data(), length, cudaMemcpyHostToDevice));
    right.insert(right.end(), 2, at);
  }
  matcher_set set;
  CUDA_OK(matcher_set::create(set, patterns, 3));
  const device_array<uint64_t> positions(right.size()), number(2), each(3);
  const device_array<uint32_t> which(right.size());
  call_twice([&](void *t, size_t &b) {
    return count_matches_of_set(t, b, set.ref(), text.get(), n, number.get());
  });
  call_twice([&](void *t, size_t &b) {
    return count_matches_of_each(t, b, set.ref(), text.get(), n, each.get());
  });
  call_twice([&](void *t, size_t &b) {
    return find_matches_of_set(t, b, set.ref(), text.get(), n, positions.get(), which.get(),
                               right.size(), number.get() + 1);
  });
  const auto got = number.read();
  EXPECT(got[0] == right.size() && got[1] == right.size(), "%llu, %llu matches",
         static_cast<unsigned long long>(got[0]), static_cast<unsigned long long>(got[1]));
  EXPECT((each.read() == std::vector<uint64_t>{places.size(), 0, places.size()}), "of each");
  EXPECT(positions.read() == right, "positions, length %llu",
         static_cast<unsigned long long>(length));
  const std::vector<uint32_t> numbers = which.read();
  for (uint64_t i = 0; i < right.size(); ++i)
    EXPECT(numbers[i] == i % 2 * 2, "pattern %u", numbers[i]);
  for (const uint64_t at : places)
    CUDA_OK(cudaMemset(text.get() + at, 1, length));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 1.3);
  const device_array<uint8_t> text(n);
  fill_set_text<<<2048, 256>>>(text.get(), n);
  for (const uint64_t length : {5, 9, 100})
    check(text, n, length);
  return gpu_result("sets of patterns in huge texts");
}
