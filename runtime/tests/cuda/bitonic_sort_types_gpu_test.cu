//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bitonic sorts on the GPU: keys and pairs of 1 to 16 bytes, floats with NaN.
//
//   --small   a few thousand items, for the sanitizers
//   --huge    more than 2^32 items as well (5 GB of device memory)
//
//===----------------------------------------------------------------------===//

#include "bitonic_sort_case.cuh"

#include <colonnade/order.hpp>

#include <limits>

using namespace colonnade;

namespace {

/// One kind of part, so that half as much is compiled.
struct one_size : bitonic_policy {
  static constexpr bitonic_tuning large_tuning(uint32_t item_words) { return tuning(item_words); }
};

/// NaN breaks the order; nothing may be lost.
void check_nan(uint64_t n) {
  std::vector<float> keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = i % 5 == 3 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(scramble(i) % 1000);
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

/// How often each byte comes, and how often one is before a smaller one.
__global__ void count_bytes(const uint8_t *keys, uint64_t n, unsigned long long *counts) {
  __shared__ uint32_t here[257];
  for (uint32_t b = threadIdx.x; b < 257; b += blockDim.x)
    here[b] = 0;
  __syncthreads();
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    atomicAdd(here + keys[i], 1u);
    if (i + 1 < n && keys[i + 1] < keys[i])
      atomicAdd(here + 256, 1u);
  }
  __syncthreads();
  for (uint32_t b = threadIdx.x; b < 257; b += blockDim.x)
    atomicAdd(counts + b, static_cast<unsigned long long>(here[b]));
}

void check_huge() {
  const uint64_t n = (uint64_t{1} << 32) + 12345;
  uint8_t *d_keys = nullptr;
  CUDA_OK(cudaMalloc(&d_keys, n));
  const device_array<unsigned long long> counts(std::vector<unsigned long long>(257));
  fill_with_scrambled<<<4096, 256>>>(d_keys, n);
  count_bytes<<<4096, 256>>>(d_keys, n, counts.get());
  auto before = counts.read();
  counts.write(std::vector<unsigned long long>(257));
  CUDA_OK(bitonic_sort_keys(d_keys, n, ascending{}, {}, one_size{}));
  count_bytes<<<4096, 256>>>(d_keys, n, counts.get());
  before[256] = 0;
  EXPECT(counts.read() == before, "more than 2^32 items");
  CUDA_OK(cudaFree(d_keys));
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
  if (has_option(argc, argv, "--huge"))
    check_huge();
  return gpu_result("bitonic sort of types");
}
