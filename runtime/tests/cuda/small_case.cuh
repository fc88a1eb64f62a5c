//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// small_case.cuh: calls on small inputs, which one launch does, against the same calls
// by the kernels of large inputs: the same bits. And captured, replayed with other input.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "replay_case.cuh"

/// Around all sizes at which another shape, or another kernel, takes over.
inline std::vector<uint64_t> sizes_around_switches(bool small) {
  if (small)
    return {0, 1, 33, 161, 700, 1300, 2600, 5200};
  std::vector<uint64_t> sizes{0, 1, 2, 3};
  for (const uint64_t n : {32,    160,   256,   320,   640,   1024,  1280,  2304,  2560,  3072,
                           4096,  4352,  4608,  5120,  5888,  6144,  8192,  8448,  9216,  12288,
                           16384, 16896, 18432, 24576, 32768, 36864, 45056, 49152, 65536, 73728})
    sizes.insert(sizes.end(), {n - 1, n, n + 1});
  for (uint64_t i = 0; i < 30; ++i)
    sizes.push_back(scramble(i) % 70001);
  return sizes;
}

/// call(policy, d_temp, bytes, stream).
template <class Large, class Small, class Call, class... Outputs>
void check_same_bits(const char *what, uint64_t n, Call call, const Outputs &...outputs) {
  std::vector<uint8_t> bits[2];
  const auto run = [&](auto policy, std::vector<uint8_t> &result) {
    (forget(outputs), ...);
    call_twice(
        [&](void *d_temp, size_t &bytes) { return call(policy, d_temp, bytes, cudaStream_t{}); });
    result = all_bytes(outputs...);
    (outputs.expect_intact(what), ...);
  };
  run(Large{}, bits[0]);
  run(Small{}, bits[1]);
  EXPECT(bits[0] == bits[1], "%s: %llu items: other bits than of a large input", what,
         static_cast<unsigned long long>(n));
}
