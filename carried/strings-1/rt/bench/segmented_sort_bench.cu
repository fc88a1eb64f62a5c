//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_bench.cu: segmented sorts of floats against a device copy, and against
// the fastest of CUB's DeviceSegmentedSort, DeviceSegmentedRadixSort and one
// DeviceRadixSort of words (segment, key); all memsets and kernels timed, alternating.
// Of equal segments ours is told the length; of unequal ones, offsets.
//
//   segmented_sort_bench [--json FILE] [--log2-items 26] [--length L | 1] [--quick 1]
//
// Targets: ahead of the peers at every length; 0.50, 0.40, 0.30, 0.20, 0.15 and 0.12 of
// the copy at lengths of 32, 64, 128, 256, 1024 and 4096.
//
//===----------------------------------------------------------------------===//

#include "segmented_sort_bench.hpp"
#include "timed_call.hpp"

#include <memory>

using namespace bench;

namespace {

/// Finite, both signs, no zeros: all sorts agree bit for bit.
__global__ void fill(uint32_t *words, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    words[i] = (static_cast<uint32_t>(scramble(i) >> 16) & 0xbfffffffu) | 1;
}
__global__ void make_words(const uint32_t *keys, const int *offsets, uint64_t num_segments,
                           uint64_t *words) {
  for (uint64_t s = blockIdx.x; s < num_segments; s += gridDim.x)
    for (int i = offsets[s] + static_cast<int>(threadIdx.x); i < offsets[s + 1];
         i += static_cast<int>(blockDim.x)) {
      const uint32_t key = keys[i];
      words[i] = s << 32 | (key >> 31 ? ~key : key | 0x80000000u);
    }
}
__global__ void count_differences(const uint32_t *keys, const uint64_t *words, uint64_t n,
                                  unsigned long long *wrong) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint32_t word = static_cast<uint32_t>(words[i]);
    if (keys[i] != (word >> 31 ? word & 0x7fffffffu : ~word))
      atomicAdd(wrong, 1ull);
  }
}

std::vector<int> equal_offsets(uint64_t n, uint64_t length) {
  std::vector<int> offsets(n / length + 1);
  for (uint64_t s = 0; s < offsets.size(); ++s)
    offsets[s] = static_cast<int>(s * length);
  return offsets;
}
/// P(length >= x) = 1 / x up to 2^20; one in ten is empty.
std::vector<int> power_law_offsets(uint64_t n) {
  std::vector<int> offsets = {0};
  for (uint64_t i = 0, at = 0; at < n; ++i) {
    const double u = (static_cast<double>(scramble(i) >> 11) + 1) / 9007199254740993.0;
    const uint64_t length =
        i % 10 == 7 ? 0 : std::min<uint64_t>(1 << 20, static_cast<uint64_t>(1 / u));
    at = std::min(n, at + length);
    offsets.push_back(static_cast<int>(at));
  }
  return offsets;
}

struct peer {
  const char *name;
  timed_call call;
  float time = 0;
  peer(const char *n, timed_call::function f) : name(n), call(std::move(f)) {}
};
using peer_list = std::vector<std::unique_ptr<peer>>;

peer_list peers_of(const segmented_arrays &a, segmented_kind kind) {
  peer_list peers;
  peers.push_back(std::make_unique<peer>("CUB segmented sort", [&, kind](void *t, size_t &b) {
    return cub_segmented_sort(t, b, a, kind);
  }));
  peers.push_back(std::make_unique<peer>("CUB segmented radix sort", [&, kind](void *t, size_t &b) {
    return cub_segmented_radix_sort(t, b, a, kind);
  }));
  if (kind == segmented_kind::keys)
    peers.push_back(
        std::make_unique<peer>("CUB radix sort of (segment, key)",
                               [&](void *t, size_t &b) { return cub_sort_of_words(t, b, a); }));
  return peers;
}

peer &fastest_of(const peer_list &peers, uint64_t num_items) {
  peer *fastest = peers.front().get();
  for (const std::unique_ptr<peer> &p : peers) {
    p->call.run();
    p->time = p->call.run();
    fastest = p->time < fastest->time ? p.get() : fastest;
    std::printf("  %s: %.2f Gkeys/s\n", p->name, static_cast<double>(num_items) / 1e6 / p->time);
  }
  return *fastest;
}

/// Sorted keys are those of the words that CUB has sorted.
void check_keys(const segmented_arrays &a, const std::string &name) {
  unsigned long long *d_wrong, wrong = 0;
  CUDA_OK(cudaMalloc(&d_wrong, 8));
  CUDA_OK(cudaMemset(d_wrong, 0, 8));
  count_differences<<<2048, 256>>>(reinterpret_cast<const uint32_t *>(a.keys_out), a.words_out,
                                   a.num_items, d_wrong);
  CUDA_OK(cudaMemcpy(&wrong, d_wrong, 8, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaFree(d_wrong));
  EXPECT(wrong == 0, "%s: %llu of %llu keys differ from CUB's", name.c_str(), wrong,
         static_cast<unsigned long long>(a.num_items));
}

/// Ours, the peer and a copy, in turn.
void compare(report &out, const std::string &what, const segmented_arrays &a, segmented_kind kind,
             int repeats, timed_call &ours, peer &other) {
  std::vector<double> rates, peer_rates, bandwidths, copies;
  const double items = static_cast<double>(a.num_items);
  const double item_bytes = kind == segmented_kind::pairs ? 16 : 8;
  for (int i = 0; i < warm_ups + repeats; ++i) {
    const float time = ours.run(), peer_time = other.call.run();
    const float copy = milliseconds([&] { // as many bytes as a sort of words has to hand
      CUDA_OK(cudaMemcpyAsync(a.words_out, a.words_in, a.num_items * 8, cudaMemcpyDeviceToDevice,
                              nullptr));
    });
    if (i < warm_ups)
      continue;
    rates.push_back(items / 1e6 / time);
    peer_rates.push_back(items / 1e6 / peer_time);
    bandwidths.push_back(items * item_bytes / time / 1e6);
    copies.push_back(items * 16 / copy / 1e6);
  }
  out.add(what, kind == segmented_kind::pairs ? "Gpairs/s" : "Gkeys/s", other.name, rates,
          peer_rates);
  out.add(what, "GB/s", "device copy, read + write", bandwidths, copies);
}

void measure(report &out, const std::string &name, segmented_arrays a,
             const std::vector<int> &offsets, segmented_kind kind, int repeats) {
  int *d_offsets = nullptr;
  CUDA_OK(cudaMalloc(&d_offsets, offsets.size() * sizeof(int)));
  CUDA_OK(
      cudaMemcpy(d_offsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice));
  a.offsets = d_offsets;
  a.num_segments = offsets.size() - 1;
  a.num_items = static_cast<uint64_t>(offsets.back());
  make_words<<<4096, 128>>>(reinterpret_cast<const uint32_t *>(a.keys_in), a.offsets,
                            a.num_segments, a.words_in);
  {
    timed_call ours([&](void *t, size_t &b) {
      return kind == segmented_kind::pairs ? our_segmented_pairs(t, b, a)
             : a.length                    ? our_equal_sort(t, b, a)
                                           : our_listed_sort(t, b, a);
    });
    const peer_list peers = peers_of(a, kind);
    peer &fastest = fastest_of(peers, a.num_items);
    CUDA_OK(cudaMemset(a.keys_out, 0, a.num_items * 4));
    ours.run();
    if (kind == segmented_kind::keys)
      check_keys(a, name);
    const char *what = kind == segmented_kind::pairs ? "stable pairs, " : "keys, ";
    compare(out,
            std::string("segmented sort, ") + what + name + ", n = " + std::to_string(a.num_items),
            a, kind, repeats, ours, fastest);
  }
  CUDA_OK(cudaFree(d_offsets));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t n = uint64_t{1} << std::stoul(option(argc, argv, "--log2-items", "26"));
  const uint64_t only = std::stoull(option(argc, argv, "--length", "0"));
  const int repeats = option(argc, argv, "--quick", "0") == "1" ? 5 : pairs;
  segmented_arrays a{};
  a.keys_in = static_cast<float *>(random_memory(n * 4));
  a.keys_out = static_cast<float *>(random_memory(n * 4));
  a.values_in = static_cast<uint32_t *>(random_memory(n * 4));
  a.values_out = static_cast<uint32_t *>(random_memory(n * 4));
  a.words_in = static_cast<uint64_t *>(random_memory(n * 8));
  a.words_out = static_cast<uint64_t *>(random_memory(n * 8));
  fill<<<2048, 256>>>(reinterpret_cast<uint32_t *>(const_cast<float *>(a.keys_in)), n);
  for (const uint64_t length : {16, 32, 64, 112, 128, 256, 1024, 4096, 5888, 65536}) {
    if (only && only != length)
      continue;
    a.length = length;
    measure(out, "segments of " + std::to_string(length), a, equal_offsets(n, length),
            segmented_kind::keys, repeats);
  }
  if (only > 1) // 1: unequal ones alone
    return out.finish();
  a.length = 0;
  for (const uint64_t length : {64, 1024})
    measure(out, "listed segments of " + std::to_string(length), a, equal_offsets(n, length),
            segmented_kind::keys, repeats);
  measure(out, "power-law lengths", a, power_law_offsets(n), segmented_kind::keys, repeats);
  for (const uint64_t length : {64, 1024})
    measure(out, "listed segments of " + std::to_string(length), a, equal_offsets(n, length),
            segmented_kind::pairs, repeats);
  measure(out, "power-law lengths", a, power_law_offsets(n), segmented_kind::pairs, repeats);
  return gpu_failures() ? 1 : out.finish();
}
