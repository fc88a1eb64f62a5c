//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bitonic_sort_case.cuh: bitonic sorts on the GPU against std::sort.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "device_case.cuh"

#include <colonnade/bitonic_sort.cuh>

/// One kind of part, so that half as much is compiled.
struct one_size : colonnade::bitonic_sort_policy {
  static constexpr colonnade::bitonic_tuning large_tuning(colonnade::gpu_architecture architecture,
                                                          uint32_t item_words) {
    return tuning(architecture, item_words);
  }
};

/// Both sides sort by it.
struct by_number {
  template <class Key> __host__ __device__ bool operator()(const Key &a, const Key &b) const {
    return number_of(a) < number_of(b);
  }
};

/// Few different numbers where `different` is small.
template <class Key> std::vector<Key> reduced_keys(uint64_t n, uint64_t seed, uint64_t different) {
  std::vector<Key> keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = item_of<Key>(scramble(i + seed * 1000003) % different);
  return keys;
}

template <class Policy, class Key, class Less>
void check_bitonic_keys(const std::vector<Key> &keys, Less less) {
  const device_array<Key> array(keys);
  CUDA_OK(colonnade::bitonic_sort_keys(array.get(), keys.size(), less, {}, Policy{}));
  CUDA_OK(cudaDeviceSynchronize());
  std::vector<Key> right = keys;
  std::sort(right.begin(), right.end(), less);
  const std::vector<Key> got = array.read();
  for (size_t i = 0; i < keys.size(); ++i)
    if (!(got[i] == right[i])) {
      EXPECT(false, "key %zu of %zu, %zu bytes each", i, keys.size(), sizeof(Key));
      break;
    }
  array.expect_intact("keys");
}

/// A value is its key's index at first: every index comes once, with its key.
template <class Policy, class Key, class Less>
void check_bitonic_pairs(const std::vector<Key> &keys, Less less) {
  const uint64_t n = keys.size();
  std::vector<uint64_t> values(n);
  for (uint64_t i = 0; i < n; ++i)
    values[i] = i;
  const device_array<Key> array(keys);
  const device_array<uint64_t> carried(values);
  CUDA_OK(colonnade::bitonic_sort_pairs(array.get(), carried.get(), n, less, {}, Policy{}));
  CUDA_OK(cudaDeviceSynchronize());
  const std::vector<Key> got = array.read();
  const std::vector<uint64_t> from = carried.read();
  std::vector<bool> seen(n);
  for (uint64_t i = 0; i < n; ++i) {
    const bool right = from[i] < n && !seen[from[i]] && got[i] == keys[from[i]] &&
                       (i == 0 || !less(got[i], got[i - 1]));
    if (!right) {
      EXPECT(false, "pair %llu of %llu, %zu-byte keys", static_cast<unsigned long long>(i),
             static_cast<unsigned long long>(n), sizeof(Key));
      break;
    }
    seen[from[i]] = true;
  }
  array.expect_intact("keys of pairs");
  carried.expect_intact("values");
}
