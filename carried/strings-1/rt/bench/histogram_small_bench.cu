//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_small_bench.cu: histograms of small inputs into 2, 32 and 256 bins against CUB's:
// even bins, and levels of the caller's.
//
//===----------------------------------------------------------------------===//

#include "small_bench.hpp"

#include <colonnade/histogram.cuh>

#include <cub/device/device_histogram.cuh>

using namespace bench;
using namespace colonnade;

namespace {

template <class Sample>
void counts(report &out, const std::string &what, uint32_t bins, uint64_t seed) {
  const uint64_t most = small_arrays<Sample, Sample>::most;
  std::vector<Sample> samples(most), levels(bins + 1);
  for (uint64_t i = 0; i < most; ++i)
    samples[i] = static_cast<Sample>(scramble(i + seed) % 1000003) / 1000003;
  for (uint32_t i = 0; i <= bins; ++i)
    levels[i] = static_cast<Sample>(i) / static_cast<Sample>(bins);
  Sample *d_samples = nullptr, *d_levels = nullptr;
  uint64_t *d_counts = nullptr;
  CUDA_OK(cudaMalloc(&d_samples, most * sizeof(Sample)));
  CUDA_OK(cudaMalloc(&d_levels, levels.size() * sizeof(Sample)));
  CUDA_OK(cudaMalloc(&d_counts, bins * sizeof(uint64_t)));
  CUDA_OK(cudaMemcpy(d_samples, samples.data(), most * sizeof(Sample), cudaMemcpyHostToDevice));
  CUDA_OK(
      cudaMemcpy(d_levels, levels.data(), levels.size() * sizeof(Sample), cudaMemcpyHostToDevice));
  uint32_t *peer_counts = reinterpret_cast<uint32_t *>(d_counts);
  const int num_levels = static_cast<int>(bins) + 1;
  const std::string into = ", m = " + std::to_string(bins);
  for (const uint64_t n : small_sizes(seed)) {
    const int items = static_cast<int>(n);
    const run_options options{small_stream()};
    small_against(
        out, "histogram, even, " + what + into, n,
        [&](void *t, size_t &b) {
          return histogram_even(t, b, d_samples, d_counts, n, bins, Sample{0}, Sample{1}, options);
        },
        {[&](void *t, size_t &b) {
          return cub::DeviceHistogram::HistogramEven(t, b, d_samples, peer_counts, num_levels,
                                                     Sample{0}, Sample{1}, items, small_stream());
        }});
    small_against(out, "histogram, levels, " + what + into, n,
                  [&](void *t, size_t &b) {
                    return histogram_range(t, b, d_samples, d_counts, n, bins, d_levels, options);
                  },
                  {[&](void *t, size_t &b) {
                    return cub::DeviceHistogram::HistogramRange(
                        t, b, d_samples, peer_counts, num_levels, d_levels, items, small_stream());
                  }});
  }
  for (void *d_array : {static_cast<void *>(d_samples), static_cast<void *>(d_levels),
                        static_cast<void *>(d_counts)})
    CUDA_OK(cudaFree(d_array));
}

} // namespace

int main(int argc, char **argv) {
  return small_main(argc, argv, [](report &out, uint64_t seed) {
    for (const uint32_t bins : {2u, 32u, 256u}) {
      counts<float>(out, "4 bytes", bins, seed);
      counts<double>(out, "8 bytes", bins, seed);
    }
  });
}
