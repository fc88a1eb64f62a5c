//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Radix sorts of 32-bit keys on the GPU: sizes around warps, tiles and 2^20; orders
// and bit ranges; skewed keys; pairs, argsort; argument errors; a captured graph.
// Other types: radix_sort_integers_gpu_test.cu and radix_sort_floats_gpu_test.cu; more
// than 2^32 keys: radix_sort_huge_gpu_test.cu.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "radix_sort_case.cuh"

using namespace colonnade;

namespace {

bool small = false;
constexpr multisplit_tuning tuning = radix_sort_policy::tuning(gpu_architecture::sm_90, 8, 4, 0);
constexpr uint64_t tile = tuning.threads * tuning.items_per_thread;

struct below_2_32 : radix_sort_policy {
  static constexpr uint64_t max_items = 0xffffffff;
};

void test_sizes() {
  std::vector<uint64_t> sizes = {0, 1, 2, 31, 32, 33, 1000};
  if (!small)
    sizes.insert(sizes.end(), {tile - 1, tile, tile + 1, (1u << 20) - 1, 1u << 20, (1u << 20) + 1});
  for (uint64_t n : sizes)
    for (const bool descending : {false, true}) {
      check_sort_keys<radix_sort_policy>(sort_keys_of<uint32_t>(n, n), {descending});
      check_sort_pairs<below_2_32, uint32_t>(sort_keys_of<uint32_t>(n, n + 1), {descending});
      check_argsort<small_sort_policy, uint32_t>(sort_keys_of<uint32_t>(n, n + 2), {descending});
    }
}

/// Three kinds of tiles, for fewer items than by default.
struct early_tiles : radix_sort_policy {
  static constexpr uint64_t most_team_items = 0;
  static constexpr std::array<radix_tiles, 2> smaller_tiles(size_t, size_t) {
    return {{{700, 1}, {9000, 21}}};
  }
};

void test_tiles() {
  std::vector<uint64_t> sizes = {1, 384, 385, 700, 701};
  if (!small)
    sizes.insert(sizes.end(), {8064, 8065, 9000, 9001, 40000});
  for (uint64_t n : sizes) {
    check_sort_keys<early_tiles>(sort_keys_of<uint32_t>(n, n), {});
    check_sort_pairs<early_tiles, uint32_t>(sort_keys_of<uint32_t>(n, n + 1), {});
    check_argsort<early_tiles, uint32_t>(sort_keys_of<uint64_t>(n, n + 2), {});
  }
}

void test_bit_ranges() {
  const auto keys = sort_keys_of<uint32_t>(small ? 900 : 3 * tile + 7, 3);
  const std::pair<uint32_t, uint32_t> ranges[] = {{0, 1},  {0, 8},   {3, 20}, {31, 32}, {0, 9},
                                                  {5, 29}, {16, 16}, {0, 0},  {32, 32}, {8, 100}};
  for (const auto &[begin, end] : ranges)
    for (const bool descending : {false, true}) {
      check_sort_keys<radix_sort_policy>(keys, {descending, begin, end});
      check_argsort<small_sort_policy, uint32_t>(keys, {descending, begin, end});
    }
}

void test_skewed() {
  const uint64_t n = small ? 1000 : 5 * tile + 3;
  std::vector<uint32_t> keys(n, 0xdeadbeef);
  check_sort_keys<radix_sort_policy>(keys, {});
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = static_cast<uint32_t>((i << 32) / n);
  check_sort_keys<radix_sort_policy>(keys, {});
  std::reverse(keys.begin(), keys.end());
  check_sort_keys<radix_sort_policy>(keys, {});
}

void test_argument_errors() {
  const device_array<uint32_t> a(100), b(100);
  const uint32_t *in = a.get();
  size_t bytes = 0;
  EXPECT(sort_keys(nullptr, bytes, in, b.get(), 100, {false, 9, 8}) == cudaErrorInvalidValue,
         "bits");
  EXPECT(sort_keys(nullptr, bytes, in, b.get(), 100, {false, 33}) == cudaErrorInvalidValue, "bits");
  CUDA_OK(sort_keys(nullptr, bytes, in, b.get(), 100));
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(sort_keys(temp.get(), less, in, b.get(), 100) == cudaErrorInvalidValue, "storage");
  EXPECT(sort_keys(temp.get(), bytes, in, static_cast<uint32_t *>(nullptr), 100) ==
             cudaErrorInvalidValue,
         "no output");
  EXPECT(sort_keys(temp.get(), bytes, in, a.get() + 99, 100) == cudaErrorInvalidValue, "overlap");
  EXPECT(sort_keys(temp.get(), bytes, in,
                   reinterpret_cast<uint32_t *>(reinterpret_cast<char *>(b.get()) + 2),
                   20) == cudaErrorInvalidValue,
         "alignment");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

void test_graph() {
  const uint64_t n = small ? 500 : 3 * tile + 1;
  check_sort_replayed(
      n, sort_keys_of<uint32_t>,
      [&](void *d_temp, size_t &bytes, const uint32_t *d_in, uint32_t *d_out, cudaStream_t stream) {
        return sort_keys(d_temp, bytes, d_in, d_out, n, {}, {stream});
      });
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  small = has_option(argc, argv, "--small");
  test_sizes();
  test_tiles();
  test_bit_ranges();
  test_skewed();
  test_argument_errors();
  test_graph();
  return gpu_result("radix sort");
}
