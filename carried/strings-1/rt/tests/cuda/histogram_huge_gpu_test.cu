//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Histograms of more than 2^32 samples on the GPU, in registers, in shared and in global
// memory; one bin takes more than 32 bits can count.
//
//   --small   a few thousand samples by the same code
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"

#include <colonnade/histogram.cuh>

using namespace colonnade;

namespace {

__global__ void fill_by_index(uint8_t *samples, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    samples[i] = static_cast<uint8_t>(i % 251);
}

std::vector<uint64_t> counted(const device_array<uint64_t> &counts) {
  counts.expect_intact("counts");
  return counts.read();
}

/// Sample i is i % 251: of each value, how many there are is known.
void test_known(const uint8_t *samples, uint64_t n, uint32_t num_bins) {
  std::vector<uint64_t> right(num_bins);
  for (uint64_t v = 0; v < 251; ++v)
    right[v * num_bins / 251] += n / 251 + (v < n % 251);
  const device_array<uint64_t> counts(num_bins);
  call_twice([&](void *d_temp, size_t &bytes) {
    return histogram_even(d_temp, bytes, samples, counts.get(), n, num_bins, 0, 251);
  });
  EXPECT(counted(counts) == right, "even, %u bins", num_bins);
  std::vector<int> bounds;
  for (uint32_t b = 0; b <= num_bins; ++b) // the first value in bin b; bins beyond 251 may be empty
    bounds.push_back(static_cast<int>((uint64_t{b} * 251 + num_bins - 1) / num_bins));
  const device_array<int> levels(bounds);
  call_twice([&](void *d_temp, size_t &bytes) {
    return histogram_range(d_temp, bytes, samples, counts.get(), n, num_bins,
                           static_cast<const int *>(levels.get()));
  });
  EXPECT(counted(counts) == right, "range, %u bins", num_bins);
}

/// All the same: one counter takes them all.
void test_one_bin(const uint8_t *samples, uint64_t n, uint32_t num_bins) {
  std::vector<uint64_t> right(num_bins);
  right[uint64_t{7} * num_bins / 256] = n;
  const device_array<uint64_t> counts(num_bins);
  call_twice([&](void *d_temp, size_t &bytes) {
    return histogram_even(d_temp, bytes, samples, counts.get(), n, num_bins, 0, 256);
  });
  EXPECT(counted(counts) == right, "one of %u bins", num_bins);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 1.1);
  const device_array<uint8_t> samples(n);
  fill_by_index<<<2048, 256>>>(samples.get(), n);
  for (uint32_t num_bins : {1, 8, 9, 251, 100000})
    test_known(samples.get(), n, num_bins);
  CUDA_OK(cudaMemset(samples.get(), 7, n));
  for (uint32_t num_bins : {1, 8, 256, 100000})
    test_one_bin(samples.get(), n, num_bins);
  samples.expect_intact("samples");
  return gpu_result("histogram of more than 2^32 samples");
}
