//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bitonic_sort_profile.cu: one sort of 2^LOG2 uniform 32-bit keys, for a profiler to
// count what the K-model's evaluation table counts; and what the model says.
//
//   bitonic_sort_profile bitonic|merge|radix LOG2
//
// Prints one line of JSON: passes and 128-byte transactions by the plan (bitonic), and
// whether the result is sorted.
//
//===----------------------------------------------------------------------===//

#include "comparison_sorts.hpp"
#include "timed_call.hpp"

#include <colonnade/bitonic_sort.cuh>

using namespace bench;
using namespace colonnade;

namespace {

constexpr uint64_t model_transactions(uint64_t n) {
  const bitonic_tuning t = n < bitonic_policy::large ? bitonic_policy::tuning(1) : bitonic_policy::large_tuning(1);
  const detail::bitonic_plan plan{n, t.log2_part, t.log2_items};
  return 2 * (n / 32) * plan.num_passes();
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 3;
  require_gpu();
  const std::string method = argv[1];
  const uint64_t n = uint64_t{1} << std::stoul(argv[2]);
  std::vector<uint32_t> keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = static_cast<uint32_t>(scramble(i) >> 16);
  uint32_t *const in = static_cast<uint32_t *>(random_memory(n * 4));
  uint32_t *const out = static_cast<uint32_t *>(random_memory(n * 4));
  CUDA_OK(cudaMemcpy(in, keys.data(), n * 4, cudaMemcpyHostToDevice));
  if (method == "bitonic") {
    CUDA_OK(bitonic_sort_keys(in, n));
    CUDA_OK(cudaMemcpy(keys.data(), in, n * 4, cudaMemcpyDeviceToHost));
  } else {
    const auto kind = method == "merge" ? peer_sort_kind::merge : peer_sort_kind::radix;
    timed_call([&](void *t, size_t &b) { return peer_sort(kind, t, b, in, out, n); }).queue();
    CUDA_OK(cudaMemcpy(keys.data(), out, n * 4, cudaMemcpyDeviceToHost));
  }
  const bool sorted = std::is_sorted(keys.begin(), keys.end());
  std::printf("{\"method\": \"%s\", \"n\": %llu, \"model_transactions\": %llu, \"sorted\": %s}\n", method.c_str(),
              static_cast<unsigned long long>(n),
              static_cast<unsigned long long>(method == "bitonic" ? model_transactions(n) : 0),
              sorted ? "true" : "false");
  return sorted ? 0 : 1;
}
