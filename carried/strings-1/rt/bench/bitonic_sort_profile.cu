//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bitonic_sort_profile.cu: one sort of 2^LOG2 uniform 32-bit keys, for what the K-model's
// evaluation table counts (scripts/gpu/counters.py) and times.
//
//   bitonic_sort_profile --list             the cases, one a line
//   bitonic_sort_profile METHOD LOG2        one line of JSON: 128-byte transactions by the
//                                           model (bitonic sort), median time of nine calls
//   bitonic_sort_profile METHOD LOG2 --once one call and no more
//
// Exits 1 if the result is not sorted.
//
//===----------------------------------------------------------------------===//

#include "comparison_sorts.hpp"
#include "timed_call.hpp"

#include <colonnade/bitonic_sort.cuh>

using namespace bench;
using namespace colonnade;

namespace {

/// G = 2 (n / k) passes, k = 32 words.
constexpr uint64_t model_transactions(uint64_t n) {
  const bitonic_tuning t = n < bitonic_sort_policy::large
                               ? bitonic_sort_policy::tuning(gpu_architecture::sm_90, 1)
                               : bitonic_sort_policy::large_tuning(gpu_architecture::sm_90, 1);
  const detail::bitonic_plan plan{n, t.log2_part, t.log2_items};
  return 2 * (n / 32) * plan.num_passes();
}

} // namespace

int main(int argc, char **argv) {
  const std::string method = argc > 1 ? argv[1] : "";
  if (method == "--list") {
    for (int log2 = 20; log2 <= 26; log2 += 2)
      std::printf("bitonic %d\nmerge %d\nradix %d\n", log2, log2, log2);
    return 0;
  }
  if (argc < 3)
    return 3;
  require_gpu();
  const bool once = argc > 3 && std::strcmp(argv[3], "--once") == 0;
  const uint64_t n = uint64_t{1} << std::stoul(argv[2]);
  std::vector<uint32_t> keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = static_cast<uint32_t>(scramble(i) >> 16);
  uint32_t *const in = static_cast<uint32_t *>(random_memory(n * 4));
  uint32_t *const out = static_cast<uint32_t *>(random_memory(n * 4));
  CUDA_OK(cudaMemcpy(in, keys.data(), n * 4, cudaMemcpyHostToDevice));
  const bool in_place = method == "bitonic";
  timed_call sort([&](void *t, size_t &b) {
    if (!in_place)
      return peer_sort(method == "merge" ? peer_sort_kind::merge : peer_sort_kind::radix, t, b, in,
                       out, n);
    b = 1; // needs none
    return t ? bitonic_sort_keys(out, n) : cudaSuccess;
  });
  std::vector<double> times;
  for (int i = 0; i < (once ? 1 : warm_ups + 9); ++i) {
    if (in_place)
      CUDA_OK(cudaMemcpyAsync(out, in, n * 4, cudaMemcpyDeviceToDevice, nullptr));
    const float time = sort.run();
    if (once || i >= warm_ups)
      times.push_back(time);
  }
  CUDA_OK(cudaMemcpy(keys.data(), out, n * 4, cudaMemcpyDeviceToHost));
  const bool sorted = std::is_sorted(keys.begin(), keys.end());
  std::printf(
      "{\"method\": \"%s\", \"n\": %llu, \"model_transactions\": %llu, \"milliseconds\": %.5g}\n",
      (in_place            ? "bitonic sort"
       : method == "merge" ? "CUB's merge sort"
                           : "CUB's radix sort"),
      static_cast<unsigned long long>(n),
      static_cast<unsigned long long>(in_place ? model_transactions(n) : 0), quantile(times, 0.5));
  return sorted ? 0 : 1;
}
