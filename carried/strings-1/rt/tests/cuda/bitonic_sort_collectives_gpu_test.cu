//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sorts of a thread, a warp and a block in a user's kernel on the GPU, against std::sort.
//
//   --small   fewer blocks, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/bitonic_collectives.cuh>

using namespace colonnade;

namespace {

constexpr uint32_t threads = 128;

enum class by { thread, warp, block };

/// Group after group of Items keys a thread; values are the keys' indices.
template <by Who, uint32_t Items, class Key>
__global__ void sort_groups(Key *keys, uint32_t *values, bool with_values) {
  __shared__ union {
    block_bitonic_storage<threads, Items, Key, uint32_t> block;
    warp_bitonic_storage<Items, Key, uint32_t> warps[threads / 32];
    block_bitonic_storage<threads, Items, Key> block_keys;
    warp_bitonic_storage<Items, Key> warps_keys[threads / 32];
  } storage;
  const uint32_t first = (blockIdx.x * threads + threadIdx.x) * Items, warp = threadIdx.x / 32;
  Key k[Items];
  uint32_t v[Items];
  for (uint32_t r = 0; r < Items; ++r) {
    k[r] = keys[first + r];
    v[r] = first + r;
  }
  if constexpr (Who == by::thread)
    with_values ? thread_sort(k, v) : thread_sort(k);
  else if constexpr (Who == by::warp)
    with_values ? warp_bitonic_sort(k, v, storage.warps[warp])
                : warp_bitonic_sort(k, storage.warps_keys[warp]);
  else
    with_values ? block_bitonic_sort<threads>(k, v, storage.block)
                : block_bitonic_sort<threads>(k, storage.block_keys);
  for (uint32_t r = 0; r < Items; ++r) {
    keys[first + r] = k[r];
    values[first + r] = v[r];
  }
}

template <by Who, uint32_t Items, class Key>
void check(uint32_t blocks, uint64_t different, bool with_values) {
  const uint32_t group = Items * (Who == by::thread ? 1 : Who == by::warp ? 32 : threads);
  const uint64_t n = uint64_t{blocks} * threads * Items;
  std::vector<Key> keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = static_cast<Key>(scramble(i) % different);
  const device_array<Key> d_keys(keys);
  const device_array<uint32_t> d_values(n);
  sort_groups<Who, Items><<<blocks, threads>>>(d_keys.get(), d_values.get(), with_values);
  CUDA_OK(cudaDeviceSynchronize());
  const auto got = d_keys.read();
  const auto from = d_values.read();
  auto right = keys;
  for (uint64_t g = 0; g < n; g += group)
    std::sort(right.begin() + static_cast<ptrdiff_t>(g),
              right.begin() + static_cast<ptrdiff_t>(g + group));
  EXPECT(got == right, "keys, groups of %u", group);
  std::vector<bool> seen(n);
  bool values_right = true;
  for (uint64_t i = 0; with_values && i < n; ++i) {
    values_right &= from[i] / group == i / group && !seen[from[i]] && keys[from[i]] == got[i];
    seen[from[i]] = true;
  }
  EXPECT(values_right, "values, groups of %u", group);
}

template <uint32_t Items, class Key> void check_all(uint32_t blocks) {
  for (const uint64_t different : {uint64_t{3}, uint64_t{1} << 30})
    for (const bool with_values : {false, true}) {
      check<by::thread, Items, Key>(blocks, different, with_values);
      check<by::warp, Items, Key>(blocks, different, with_values);
      check<by::block, Items, Key>(blocks, different, with_values);
    }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint32_t blocks = has_option(argc, argv, "--small") ? 3 : 500;
  check_all<2, uint32_t>(blocks);
  check_all<8, uint32_t>(blocks);
  check_all<4, double>(blocks);
  check<by::thread, 13, uint32_t>(blocks, 1000, true);
  return gpu_result("bitonic collectives");
}
