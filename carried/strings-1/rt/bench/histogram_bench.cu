//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_bench.cu: histograms of floats, and even ones of all types of samples, against
// CUB's, all memsets and kernels timed, alternating; and against reading the samples,
// which nothing can go faster than.
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

template <class Sample, class Upper>
__global__ void fill(Sample *samples, uint64_t n, input kind, uint64_t seed, Upper upper) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t random = scramble(i + seed * 0x9e3779b97f4a7c15u) >> 40;
    const double uniform = static_cast<double>(random) / static_cast<double>(1 << 24);
    const double share = kind == input::uniform   ? uniform
                         : kind == input::one_bin ? 0.7
                                                  : static_cast<double>(i) / static_cast<double>(n);
    if constexpr (std::is_integral_v<Sample>)
      samples[i] = static_cast<Sample>(share * static_cast<double>(upper));
    else
      samples[i] = static_cast<Sample>(static_cast<float>(share < 0.999 ? share : 0.999));
  }
}

constexpr uint32_t read_threads = 256, read_loads = 8;
__global__ void read_alone(const uint4 *from, uint32_t *sum_out) {
  const uint4 *mine = from + uint64_t{blockIdx.x} * read_threads * read_loads + threadIdx.x;
  uint4 loaded[read_loads];
#pragma unroll
  for (uint32_t k = 0; k < read_loads; ++k)
    loaded[k] = mine[k * read_threads];
  uint32_t sum = 0;
#pragma unroll
  for (uint32_t k = 0; k < read_loads; ++k)
    sum += loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
  if (sum == 0x12345678)
    *sum_out = sum;
}

/// Inner levels where no even histogram would have them.
std::vector<float> uneven_levels(uint32_t num_bins) {
  std::vector<float> levels;
  for (uint32_t i = 0; i <= num_bins; ++i)
    levels.push_back(std::pow(static_cast<float>(i) / static_cast<float>(num_bins), 1.3f));
  return levels;
}

/// Ours, the peer's and the reading of `bytes` alternate.
void against_peer(report &out, const std::string &name, const void *samples, uint64_t num_samples,
                  uint64_t bytes, timed_call &ours, timed_call &peer, uint32_t *d_sum) {
  const uint32_t read_blocks = static_cast<uint32_t>(bytes / (16 * read_threads * read_loads));
  const double scale = static_cast<double>(num_samples) / 1e6;
  std::vector<double> rates, peers, reads;
  for (int i = 0; i < warm_ups + pairs; ++i) {
    const float t = ours.run(), t_peer = peer.run();
    const float t_read = milliseconds([&] {
      read_alone<<<read_blocks, read_threads>>>(static_cast<const uint4 *>(samples), d_sum);
    });
    if (i < warm_ups)
      continue;
    rates.push_back(scale / t);
    peers.push_back(scale / t_peer);
    reads.push_back(scale / t_read);
  }
  out.add(name, "Gsamples/s", "CUB's histogram", rates, peers);
  out.add(name + ", share of reading", "Gsamples/s", "reading the samples", rates, reads);
}

void floats(report &out, count_arrays a, input kind) {
  timed_call ours([&](void *t, size_t &b) { return our_counts(t, b, a); });
  timed_call peer([&](void *t, size_t &b) { return peer_counts(t, b, a); });
  against_peer(out,
               std::string("histogram ") + (a.levels ? "range" : "even") + ", m = " +
                   std::to_string(a.num_bins) + ", " + input_names[static_cast<int>(kind)],
               a.samples, a.num_samples, a.num_samples * sizeof(float), ours, peer,
               static_cast<uint32_t *>(a.counts));
}

/// In `d_memory`, of `bytes`.
void other_types(report &out, void *d_memory, uint64_t bytes, void *d_counts, input kind,
                 uint64_t seed) {
  for (const sample_type type : sample_types) {
    const uint64_t n = with_sample_type(type, [&](auto sample, auto upper) {
      const uint64_t count = bytes / sizeof(sample);
      fill<<<2048, 256>>>(static_cast<decltype(sample) *>(d_memory), count, kind, seed, upper);
      return count;
    });
    CUDA_OK(cudaDeviceSynchronize());
    for (uint32_t m : {2, 4, 6, 8, 32, 100}) {
      const typed_samples a{type, d_memory, d_counts, n, m};
      timed_call ours([&](void *t, size_t &b) { return our_even_counts(t, b, a); });
      timed_call peer([&](void *t, size_t &b) { return peer_even_counts(t, b, a); });
      against_peer(out,
                   std::string("histogram even, ") + sample_names[static_cast<int>(type)] +
                       ", m = " + std::to_string(m) + ", " + input_names[static_cast<int>(kind)],
                   d_memory, n, bytes, ours, peer, static_cast<uint32_t *>(d_counts));
    }
  }
}

void sweep(count_arrays a, const char *what) {
  std::printf("%s, m = %u:", what, a.num_bins);
  for (int tuning = 0; tuning < num_count_tunings; ++tuning) {
    timed_call ours([&](void *t, size_t &b) { return our_counts(t, b, a, tuning); });
    std::vector<double> rates;
    for (int i = 0; i < 9; ++i)
      rates.push_back(static_cast<double>(a.num_samples) / 1e6 / ours.run());
    std::printf("  %s %.0f", count_tunings[tuning],
                quantile({rates.begin() + 2, rates.end()}, 0.5));
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
    fill<<<2048, 256>>>(d_samples, n, kind, seed, 1.0f);
    CUDA_OK(cudaDeviceSynchronize());
    for (uint32_t m : {2, 3, 4, 6, 8, 16, 32, 64, 256, 1000, 32000, 60000})
      if (sweeps)
        sweep({d_samples, nullptr, d_counts, n, m}, "even");
      else
        floats(out, {d_samples, nullptr, d_counts, n, m}, kind);
    for (uint32_t m : {2, 8, 32, 64, 128, 256}) {
      const std::vector<float> levels = uneven_levels(m);
      CUDA_OK(cudaMemcpy(d_levels, levels.data(), levels.size() * 4, cudaMemcpyHostToDevice));
      if (sweeps)
        sweep({d_samples, d_levels, d_counts, n, m}, "range");
      else
        floats(out, {d_samples, d_levels, d_counts, n, m}, kind);
    }
    if (!sweeps)
      other_types(out, d_samples, n * 4, d_counts, kind, seed);
  }
  for (void *d_array : {static_cast<void *>(d_samples), static_cast<void *>(d_levels), d_counts})
    CUDA_OK(cudaFree(d_array));
  return out.finish();
}
