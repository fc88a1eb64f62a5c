//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Radix sorts of 32-bit keys on the GPU: sizes around warps, tiles and 2^20; orders
// and bit ranges; skewed keys; pairs, argsort; argument errors; a captured graph.
// Other types: radix_sort_integers_gpu_test.cu and radix_sort_floats_gpu_test.cu.
//
//   --small   a few thousand items, for the sanitizers
//   --huge    more than 2^32 keys as well (30 GB of device memory)
//
//===----------------------------------------------------------------------===//

#include "radix_sort_case.cuh"

using namespace colonnade;

namespace {

bool small = false;
constexpr multisplit_tuning tuning = default_policy::tuning(8, 4, 0);
constexpr uint64_t tile = tuning.threads * tuning.items_per_thread;

struct below_2_32 : default_policy {
  static constexpr uint64_t max_items = 0xffffffff;
};

void test_sizes() {
  std::vector<uint64_t> sizes = {0, 1, 2, 31, 32, 33, 1000};
  if (!small)
    sizes.insert(sizes.end(), {tile - 1, tile, tile + 1, (1u << 20) - 1, 1u << 20, (1u << 20) + 1});
  for (uint64_t n : sizes)
    for (const bool descending : {false, true}) {
      check_sort_keys<default_policy>(sort_keys_of<uint32_t>(n, n), {descending});
      check_sort_pairs<below_2_32, uint32_t>(sort_keys_of<uint32_t>(n, n + 1), {descending});
      check_argsort<light_sort_policy, uint32_t>(sort_keys_of<uint32_t>(n, n + 2), {descending});
    }
}

void test_bit_ranges() {
  const auto keys = sort_keys_of<uint32_t>(small ? 900 : 3 * tile + 7, 3);
  const std::pair<uint32_t, uint32_t> ranges[] = {{0, 1},  {0, 8},   {3, 20}, {31, 32}, {0, 9},
                                                  {5, 29}, {16, 16}, {0, 0},  {32, 32}, {8, 100}};
  for (const auto &[begin, end] : ranges)
    for (const bool descending : {false, true}) {
      check_sort_keys<default_policy>(keys, {descending, begin, end});
      check_argsort<light_sort_policy, uint32_t>(keys, {descending, begin, end});
    }
}

void test_skewed() {
  const uint64_t n = small ? 1000 : 5 * tile + 3;
  std::vector<uint32_t> keys(n, 0xdeadbeef);
  check_sort_keys<default_policy>(keys, {});
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = static_cast<uint32_t>((i << 32) / n);
  check_sort_keys<default_policy>(keys, {});
  std::reverse(keys.begin(), keys.end());
  check_sort_keys<default_policy>(keys, {});
}

void test_argument_errors() {
  const device_array<uint32_t> a(100), b(100);
  const uint32_t *in = a.get();
  size_t bytes = 0;
  EXPECT(sort_keys(nullptr, bytes, in, b.get(), 100, {false, 9, 8}) == cudaErrorInvalidValue, "bits");
  EXPECT(sort_keys(nullptr, bytes, in, b.get(), 100, {false, 33}) == cudaErrorInvalidValue, "bits");
  CUDA_OK(sort_keys(nullptr, bytes, in, b.get(), 100));
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(sort_keys(temp.get(), less, in, b.get(), 100) == cudaErrorInvalidValue, "storage");
  EXPECT(sort_keys(temp.get(), bytes, in, static_cast<uint32_t *>(nullptr), 100) == cudaErrorInvalidValue,
         "no output");
  EXPECT(sort_keys(temp.get(), bytes, in, a.get() + 99, 100) == cudaErrorInvalidValue, "overlap");
  EXPECT(sort_keys(temp.get(), bytes, in,
                   reinterpret_cast<uint32_t *>(reinterpret_cast<char *>(b.get()) + 2), 20) ==
             cudaErrorInvalidValue,
         "alignment");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

void test_graph() {
  const uint64_t n = small ? 500 : 3 * tile + 1;
  const device_array<uint32_t> in(n), out(n);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return sort_keys(d_temp, bytes, static_cast<const uint32_t *>(in.get()), out.get(), n, {}, {stream});
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t seed : {31, 32, 33}) {
    auto keys = sort_keys_of<uint32_t>(n, seed);
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
  const device_array<uint32_t> in(n), out(n);
  const device_array<unsigned long long> before(facts(3)), after(facts(3));
  fill<<<2048, 256>>>(in.get(), n);
  check<<<2048, 256>>>(in.get(), n, before.get());
  double_buffer<uint32_t> both{in.get(), out.get()};
  call_twice([&](void *d_temp, size_t &bytes) { return sort_keys(d_temp, bytes, both, n); });
  check<<<2048, 256>>>(both.current, n, after.get());
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
  test_bit_ranges();
  test_skewed();
  test_argument_errors();
  test_graph();
  if (huge)
    test_huge();
  return gpu_result("radix sort");
}
