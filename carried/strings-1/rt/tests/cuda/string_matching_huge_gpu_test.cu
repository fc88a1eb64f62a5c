//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A text of more than 2^32 bytes: matches at its ends and on both sides of 2^32.
//
//   --small   a few thousand bytes
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"

#include <colonnade/string_matching.cuh>

using namespace colonnade;

namespace {

/// No byte of it is above 127.
__global__ void fill_text(uint8_t *text, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    text[i] = static_cast<uint8_t>(scramble(i) & 0x7f);
}

void check(const device_array<uint8_t> &text, uint64_t n, uint64_t length) {
  std::vector<uint8_t> pattern(length);
  for (uint64_t i = 0; i < length; ++i)
    pattern[i] = static_cast<uint8_t>(0x80 | scramble(i + 77));
  std::vector<uint64_t> right;
  for (const uint64_t at : {uint64_t{0}, n / 2, (uint64_t{1} << 32) - 1, uint64_t{1} << 32,
                            (uint64_t{1} << 32) + 700, n - length})
    if (at + length <= n && (right.empty() || at >= right.back() + length))
      right.push_back(at);
  for (const uint64_t at : right)
    CUDA_OK(cudaMemcpy(text.get() + at, pattern.data(), length, cudaMemcpyHostToDevice));
  matcher owner;
  CUDA_OK(matcher::create(owner, pattern.data(), length));
  const device_array<uint64_t> positions(right.size()), results(3);
  call_twice([&](void *t, size_t &b) {
    return count_matches(t, b, owner.ref(), text.get(), n, results.get());
  });
  call_twice([&](void *t, size_t &b) {
    return find_matches(t, b, owner.ref(), text.get(), n, positions.get(), right.size(),
                        results.get() + 1);
  });
  call_twice([&](void *t, size_t &b) {
    return find_first(t, b, owner.ref(), text.get() + 1, n - 1, results.get() + 2);
  });
  const auto got = results.read();
  EXPECT(got[0] == right.size() && got[1] == right.size(), "%llu, %llu matches",
         static_cast<unsigned long long>(got[0]), static_cast<unsigned long long>(got[1]));
  EXPECT(got[2] + 1 == right[1], "first: %llu", static_cast<unsigned long long>(got[2]));
  EXPECT(positions.read() == right, "positions, length %llu",
         static_cast<unsigned long long>(length));
  for (const uint64_t at : right)
    CUDA_OK(cudaMemset(text.get() + at, 1, length));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 1.2);
  const device_array<uint8_t> text(n);
  fill_text<<<2048, 256>>>(text.get(), n);
  for (const uint64_t length : {2, 8, 100})
    check(text, n, length);
  return gpu_result("huge texts");
}
