//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Merge sorts of 32-bit keys on the GPU, by merging: sizes around warps, tiles, groups
// of runs and 2^20; equal and skewed keys; pairs, argsort; iterators; argument errors; a
// captured graph. Other types: merge_sort_types_gpu_test.cu; the default's choice:
// merge_sort_default_gpu_test.cu; more than 2^32 keys: merge_sort_huge_gpu_test.cu.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "merge_sort_case.cuh"

using namespace colonnade;

namespace {

bool small = false;
constexpr merge_sort_tuning tuning = merging_policy::tuning(gpu_architecture::sm_90, 4, 0);
constexpr uint64_t tile = tuning.threads * tuning.items_per_thread;

/// The high bits alone: equal keys, told apart by the rest.
struct by_high_bits {
  uint32_t shift;
  __host__ __device__ bool operator()(uint32_t a, uint32_t b) const {
    return a >> shift < b >> shift;
  }
};

void test_sizes() {
  std::vector<uint64_t> sizes = {0, 1, 2, 31, 32, 33, 1000};
  if (!small)
    sizes.insert(sizes.end(), {tile - 1, tile, tile + 1, 4 * tile, 4 * tile + 1, 9 * tile + 77,
                               (1u << 20) - 1, 1u << 20, (1u << 20) + 1});
  else
    sizes.push_back(5 * tile + 3);
  for (uint64_t n : sizes)
    for (uint32_t shift : {0, 20, 31}) {
      const auto keys = some_keys<uint32_t>(n, n + shift);
      check_merge_keys<merging_policy>(keys, by_high_bits{shift});
      check_merge_keys<merging_policy, sort_form::unstable>(keys, by_high_bits{shift});
      check_merge_pairs<merging_policy, uint32_t>(keys, by_high_bits{shift});
      check_merge_argsort<merging_policy, uint64_t, sort_form::unstable>(keys, by_high_bits{shift});
    }
}

void test_skewed() {
  const uint64_t n = small ? 3 * tile : 41 * tile + 3;
  std::vector<uint32_t> keys(n, 0xdeadbeef);
  check_merge_pairs<merging_policy, uint32_t>(keys, by_high_bits{0});
  std::iota(keys.begin(), keys.end(), 0u);
  check_merge_pairs<merging_policy, uint32_t>(keys, by_high_bits{0});
  std::reverse(keys.begin(), keys.end());
  check_merge_pairs<merging_policy, uint32_t>(keys, by_high_bits{0});
  for (uint64_t i = 0; i < n; ++i) // most keys equal, a few anything
    keys[i] = scramble(i) % 10 ? 5u << 20 : static_cast<uint32_t>(scramble(i + n));
  check_merge_pairs<merging_policy, uint32_t>(keys, by_high_bits{20});
}

void test_argument_errors() {
  const device_array<uint32_t> a(100), b(100), c(100);
  const uint32_t *in = a.get(), *values = c.get();
  size_t bytes = 0;
  const auto sort = [&](void *d_temp, size_t &size, const uint32_t *from, uint32_t *to,
                        uint64_t n) {
    return stable_merge_sort_keys(d_temp, size, from, to, n, by_high_bits{0}, {}, merging_policy{});
  };
  CUDA_OK(sort(nullptr, bytes, in, b.get(), 100));
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(sort(temp.get(), less, in, b.get(), 100) == cudaErrorInvalidValue, "storage");
  EXPECT(sort(temp.get(), bytes, in, nullptr, 100) == cudaErrorInvalidValue, "no output");
  EXPECT(sort(temp.get(), bytes, nullptr, b.get(), 100) == cudaErrorInvalidValue, "no input");
  EXPECT(sort(temp.get(), bytes, in, a.get() + 49, 50) == cudaErrorInvalidValue, "overlap");
  EXPECT(sort(temp.get(), bytes, in,
              reinterpret_cast<uint32_t *>(reinterpret_cast<char *>(b.get()) + 2),
              20) == cudaErrorInvalidValue,
         "alignment");
  EXPECT(stable_merge_sort_pairs(temp.get(), bytes, in, b.get(), values, b.get(), 100,
                                 by_high_bits{0}, {}, merging_policy{}) == cudaErrorInvalidValue,
         "two outputs that are one");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

void test_graph() {
  const uint64_t n = small ? 2 * tile + 5 : 23 * tile + 1;
  check_sort_replayed(
      n, some_keys<uint32_t>,
      [&](void *d_temp, size_t &bytes, const uint32_t *d_in, uint32_t *d_out, cudaStream_t stream) {
        return merge_sort_keys(d_temp, bytes, d_in, d_out, n, by_high_bits{0}, {stream},
                               merging_policy{});
      });
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  small = has_option(argc, argv, "--small");
  test_sizes();
  test_skewed();
  test_argument_errors();
  test_graph();
  return gpu_result("merge sort");
}
