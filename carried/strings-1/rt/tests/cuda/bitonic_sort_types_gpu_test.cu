//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bitonic sorts on the GPU: keys and pairs of 1 to 16 bytes, floats with NaN.
// More than 2^32 keys: bitonic_sort_huge_gpu_test.cu.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "bitonic_sort_case.cuh"

#include <colonnade/order.hpp>

#include <limits>

using namespace colonnade;

namespace {

/// NaN breaks the order; nothing may be lost.
void check_nan(uint64_t n) {
  std::vector<float> keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = i % 5 == 3 ? std::numeric_limits<float>::quiet_NaN()
                         : static_cast<float>(scramble(i) % 1000);
  const device_array<float> array(keys);
  CUDA_OK(bitonic_sort_keys(array.get(), n, ascending{}, {}, one_size{}));
  CUDA_OK(cudaDeviceSynchronize());
  std::vector<float> got = array.read();
  const auto number = [](float f) { return f != f ? -1.0f : f; };
  const auto by = [&](float a, float b) { return number(a) < number(b); };
  std::sort(keys.begin(), keys.end(), by);
  std::sort(got.begin(), got.end(), by);
  for (uint64_t i = 0; i < n; ++i)
    if (number(got[i]) != number(keys[i])) {
      EXPECT(false, "floats with NaN: item %llu", static_cast<unsigned long long>(i));
      break;
    }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  for (uint64_t n : small ? std::vector<uint64_t>{3000} : std::vector<uint64_t>{1, 777, 300007}) {
    check_bitonic_keys<one_size>(some_keys<uint8_t>(n, 1), ascending{});
    check_bitonic_keys<one_size>(some_keys<uint64_t>(n, 2), descending{});
    check_bitonic_pairs<one_size>(reduced_keys<blob<16>>(n, 3, 100), by_number{});
    check_bitonic_pairs<one_size>(reduced_keys<blob<5>>(n, 4, 1 << 30), by_number{});
    check_nan(n);
  }
  return gpu_result("bitonic sort of types");
}
