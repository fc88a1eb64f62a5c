//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Both histograms captured in a graph on the GPU and replayed: counters in registers,
// in shared and in global memory.
//
//   --small   a few thousand samples, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "replay_case.cuh"

#include <colonnade/histogram.cuh>

using namespace colonnade;

namespace {

/// Levels change from replay to replay too.
void test(uint64_t n, uint32_t num_bins) {
  const device_array<uint32_t> samples(n), levels(num_bins + 1);
  const device_array<uint64_t> counts(num_bins);
  const uint32_t *in = samples.get(), *d_levels = levels.get();
  const auto fill = [&](uint64_t seed) {
    samples.write(some_keys<uint32_t>(n, seed));
    std::vector<uint32_t> bounds = some_keys<uint32_t>(num_bins + 1, seed + 50);
    std::sort(bounds.begin(), bounds.end());
    levels.write(bounds);
  };
  check_replays(
      "histogram_even", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return histogram_even(d_temp, bytes, in, counts.get(), n, num_bins, 1000u, 4000000000u,
                              {stream});
      },
      counts);
  check_replays(
      "histogram_range", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return histogram_range(d_temp, bytes, in, counts.get(), n, num_bins, d_levels, {stream});
      },
      counts);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = small_run(argc, argv) ? 2500 : 300007;
  for (uint32_t num_bins : {5, 100, 80000})
    test(n, num_bins);
  return gpu_result("entry points of histogram");
}
