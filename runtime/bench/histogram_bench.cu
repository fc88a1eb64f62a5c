//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_bench.cu: histograms of floats against CUB's, all memsets and kernels
// timed, alternating.
//
//   histogram_bench [--json FILE] [--log2-items 28] [--seed S]
//   histogram_bench --sweep yes    tunings side by side, Gsamples/s
//
// Targets: even 0.97 of the peer for m >= 32, 1.2 for m <= 8; range 2.5 for every
// m <= 256; one-bin and sorted samples too.
//
//===----------------------------------------------------------------------===//

#include "bench.hpp"
#include "count_bench.hpp"
#include "timed_call.hpp"

#include <cmath>

using namespace bench;

namespace {

enum class input { uniform, one_bin, sorted };
const char *const input_names[] = {"uniform", "one bin", "sorted"};

__global__ void fill(float *samples, uint64_t n, input kind, uint64_t seed) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t random = scramble(i + seed * 0x9e3779b97f4a7c15u) >> 40;
    const float uniform = static_cast<float>(random) / static_cast<float>(1 << 24);
    samples[i] = kind == input::uniform   ? uniform
                 : kind == input::one_bin ? 0.7f
                                          : static_cast<float>(i) / static_cast<float>(n);
    if (samples[i] >= 1.0f)
      samples[i] = 0.99f;
  }
}

/// Inner levels where no even histogram would have them.
std::vector<float> uneven_levels(uint32_t num_bins) {
  std::vector<float> levels;
  for (uint32_t i = 0; i <= num_bins; ++i)
    levels.push_back(std::pow(static_cast<float>(i) / static_cast<float>(num_bins), 1.3f));
  return levels;
}

void against_peer(report &out, count_arrays a, input kind) {
  timed_call ours([&](void *t, size_t &b) { return our_counts(t, b, a); });
  timed_call peer([&](void *t, size_t &b) { return peer_counts(t, b, a); });
  std::vector<double> rates, peers;
  for (int i = 0; i < warm_ups + pairs; ++i) {
    const float t = ours.run(), t_peer = peer.run();
    if (i < warm_ups)
      continue;
    rates.push_back(static_cast<double>(a.num_samples) / 1e6 / t);
    peers.push_back(static_cast<double>(a.num_samples) / 1e6 / t_peer);
  }
  out.add(std::string("histogram ") + (a.levels ? "range" : "even") + ", m = " +
              std::to_string(a.num_bins) + ", " + input_names[static_cast<int>(kind)],
          "Gsamples/s", "CUB's histogram", rates, peers);
}

void sweep(count_arrays a, const char *what) {
  std::printf("%s, m = %u:", what, a.num_bins);
  for (int tuning = 0; tuning < num_count_tunings; ++tuning) {
    timed_call ours([&](void *t, size_t &b) { return our_counts(t, b, a, tuning); });
    std::vector<double> rates;
    for (int i = 0; i < 9; ++i)
      rates.push_back(static_cast<double>(a.num_samples) / 1e6 / ours.run());
    std::printf("  %s %.0f", count_tunings[tuning], quantile({rates.begin() + 2, rates.end()}, 0.5));
  }
  std::printf("\n");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t seed = std::stoull(option(argc, argv, "--seed", "1"));
  const uint64_t n = uint64_t{1} << std::stoul(option(argc, argv, "--log2-items", "28"));
  const bool sweeps = option(argc, argv, "--sweep", "no") == "yes";
  float *d_samples = static_cast<float *>(random_memory(n * 4));
  float *d_levels = static_cast<float *>(random_memory(65537 * 4));
  void *d_counts = random_memory(65536 * 8);
  for (const input kind : {input::uniform, input::one_bin, input::sorted}) {
    fill<<<2048, 256>>>(d_samples, n, kind, seed);
    CUDA_OK(cudaDeviceSynchronize());
    for (uint32_t m : {2, 8, 32, 64, 256, 1000, 32000, 60000})
      if (sweeps)
        sweep({d_samples, nullptr, d_counts, n, m}, "even");
      else
        against_peer(out, {d_samples, nullptr, d_counts, n, m}, kind);
    for (uint32_t m : {2, 8, 32, 64, 128, 256}) {
      const std::vector<float> levels = uneven_levels(m);
      CUDA_OK(cudaMemcpy(d_levels, levels.data(), levels.size() * 4, cudaMemcpyHostToDevice));
      if (sweeps)
        sweep({d_samples, d_levels, d_counts, n, m}, "range");
      else
        against_peer(out, {d_samples, d_levels, d_counts, n, m}, kind);
    }
  }
  for (void *d_array : {static_cast<void *>(d_samples), static_cast<void *>(d_levels), d_counts})
    CUDA_OK(cudaFree(d_array));
  return out.finish();
}
