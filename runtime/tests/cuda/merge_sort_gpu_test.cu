//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Merge sorts of 32-bit keys on the GPU, by merging: sizes around warps, tiles, groups
// of runs and 2^20; equal and skewed keys; pairs, argsort; iterators; argument errors; a
// captured graph. Other types: merge_sort_types_gpu_test.cu; the default's choice:
// merge_sort_default_gpu_test.cu.
//
//   --small   a few thousand items, for the sanitizers
//   --huge    more than 2^32 keys as well (40 GB of device memory)
//
//===----------------------------------------------------------------------===//

#include "merge_sort_case.cuh"

using namespace colonnade;

namespace {

bool small = false;
constexpr merge_sort_tuning tuning = merging_policy::tuning(4, 0);
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
  const auto sort = [&](void *d_temp, size_t &size, const uint32_t *from, uint32_t *to, uint64_t n) {
    return stable_merge_sort_keys(d_temp, size, from, to, n, by_high_bits{0}, {}, merging_policy{});
  };
  CUDA_OK(sort(nullptr, bytes, in, b.get(), 100));
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(sort(temp.get(), less, in, b.get(), 100) == cudaErrorInvalidValue, "storage");
  EXPECT(sort(temp.get(), bytes, in, nullptr, 100) == cudaErrorInvalidValue, "no output");
  EXPECT(sort(temp.get(), bytes, nullptr, b.get(), 100) == cudaErrorInvalidValue, "no input");
  EXPECT(sort(temp.get(), bytes, in, a.get() + 49, 50) == cudaErrorInvalidValue, "overlap");
  EXPECT(sort(temp.get(), bytes, in, reinterpret_cast<uint32_t *>(reinterpret_cast<char *>(b.get()) + 2),
              20) == cudaErrorInvalidValue,
         "alignment");
  EXPECT(stable_merge_sort_pairs(temp.get(), bytes, in, b.get(), values, b.get(), 100, by_high_bits{0}, {},
                                 merging_policy{}) == cudaErrorInvalidValue,
         "two outputs that are one");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

void test_graph() {
  const uint64_t n = small ? 2 * tile + 5 : 23 * tile + 1;
  const device_array<uint32_t> in(n), out(n);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return merge_sort_keys(d_temp, bytes, static_cast<const uint32_t *>(in.get()), out.get(), n, by_high_bits{0},
                           {stream}, merging_policy{});
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t seed : {31, 32, 33}) {
    auto keys = some_keys<uint32_t>(n, seed);
    in.write(keys);
    graph.replay();
    std::sort(keys.begin(), keys.end());
    EXPECT(out.read() == keys, "replay %llu", static_cast<unsigned long long>(seed));
  }
}

__global__ void fill(uint32_t *keys, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    keys[i] = static_cast<uint32_t>(scramble(i));
}
/// Sorted, and the same sums before and after.
__global__ void check(const uint32_t *keys, uint64_t n, unsigned long long *wrong_and_sums) {
  unsigned long long wrong = 0, sum = 0, mixed = 0;
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    wrong += i > 0 && keys[i - 1] > keys[i];
    sum += keys[i];
    mixed += scramble(keys[i]);
  }
  atomicAdd(wrong_and_sums, wrong);
  atomicAdd(wrong_and_sums + 1, sum);
  atomicAdd(wrong_and_sums + 2, mixed);
}
void test_huge() {
  const uint64_t n = (uint64_t{1} << 32) + 100003;
  using facts = std::vector<unsigned long long>;
  const device_array<uint32_t> keys(n);
  const device_array<unsigned long long> before(facts(3)), after(facts(3));
  fill<<<2048, 256>>>(keys.get(), n);
  check<<<2048, 256>>>(keys.get(), n, before.get());
  call_twice([&](void *d_temp, size_t &bytes) {
    return merge_sort_keys(d_temp, bytes, static_cast<const uint32_t *>(keys.get()), keys.get(), n,
                           by_high_bits{0}, {}, merging_policy{});
  });
  check<<<2048, 256>>>(keys.get(), n, after.get());
  EXPECT(after.read()[0] == 0, "%llu keys of 2^32 + 100003 are out of order", after.read()[0]);
  EXPECT(before.read()[1] == after.read()[1] && before.read()[2] == after.read()[2], "other keys");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  bool huge = false;
  for (int i = 1; i < argc; ++i) {
    small = small || std::strcmp(argv[i], "--small") == 0;
    huge = huge || std::strcmp(argv[i], "--huge") == 0;
  }
  test_sizes();
  test_skewed();
  test_argument_errors();
  test_graph();
  if (huge)
    test_huge();
  return gpu_result("merge sort");
}
