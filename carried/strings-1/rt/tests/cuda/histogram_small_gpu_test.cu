//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_small_gpu_test.cu: histograms of small inputs by one block or one cluster against
// those by the kernels of large inputs.
//
//===----------------------------------------------------------------------===//

#include "small_case.cuh"

#include <colonnade/histogram.cuh>

using namespace colonnade;

namespace {

struct large : histogram_policy {
  static constexpr uint64_t most_team_samples = 0;
};

template <class Sample> void counts(const std::vector<uint64_t> &sizes, uint32_t bins) {
  std::vector<Sample> some_levels(bins + 1);
  for (uint32_t i = 0; i <= bins; ++i)
    some_levels[i] = static_cast<Sample>(i * (sizeof(Sample) == 1 ? 200 / bins : 1000 / bins + 1));
  const device_array<Sample> levels(some_levels);
  for (const uint64_t n : sizes) {
    std::vector<Sample> some(n);
    for (uint64_t i = 0; i < n; ++i)
      some[i] = static_cast<Sample>(scramble(i + n) % 1100);
    const device_array<Sample> samples(some);
    const device_array<uint64_t> out(bins);
    check_same_bits<large, histogram_policy>(
        "even bins", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return histogram_even(d_temp, bytes, samples.get(), out.get(), n, bins, Sample{3},
                                Sample{120}, {stream}, policy);
        },
        out);
    check_same_bits<large, histogram_policy>(
        "levels", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return histogram_range(d_temp, bytes, samples.get(), out.get(), n, bins, levels.get(),
                                 {stream}, policy);
        },
        out);
  }
}
void replayed(uint64_t n) {
  const device_array<float> samples(n);
  const device_array<uint64_t> out(100);
  check_replays(
      "histogram",
      [&](uint64_t seed) {
        std::vector<float> some(n);
        for (uint64_t i = 0; i < n; ++i)
          some[i] = static_cast<float>(scramble(i * seed) % 1000);
        samples.write(some);
      },
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return histogram_even(d_temp, bytes, samples.get(), out.get(), n, 100, 0.0f, 1000.0f,
                              {stream});
      },
      out);
}

void waits(uint64_t n) {
  const device_array<float> samples(n);
  const device_array<uint64_t> out(100);
  std::vector<float> some(n);
  for (uint64_t i = 0; i < n; ++i)
    some[i] = static_cast<float>(scramble(i) % 1000);
  check_waits(
      "histogram", some, samples,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return histogram_even(d_temp, bytes, samples.get(), out.get(), n, 100, 0.0f, 1000.0f,
                              {stream});
      },
      out);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const auto sizes = sizes_around_switches(small);
  for (const uint32_t bins : {1u, 2u, 32u, 200u}) {
    counts<float>(sizes, bins);
    counts<double>(sizes, bins);
    counts<uint8_t>(sizes, bins);
  }
  counts<int32_t>(sizes, 8000);
  counts<int32_t>(sizes, 9000);
  replayed(900);
  replayed(4096);
  for (const uint64_t n :
       small ? std::vector<uint64_t>{900, 20000} : std::vector<uint64_t>{900, 5000, 20000, 3000000})
    waits(n);
  return gpu_result("small histograms");
}
