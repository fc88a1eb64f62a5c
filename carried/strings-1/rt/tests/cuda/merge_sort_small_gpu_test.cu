//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_small_gpu_test.cu: merge sorts of small inputs by one block against those by
// the kernels of large inputs: stable ones, whose bits do not depend on who sorts.
//
//===----------------------------------------------------------------------===//

#include "small_case.cuh"

#include <colonnade/merge_sort.cuh>

using namespace colonnade;

namespace {

struct large : merge_sort_policy {
  static constexpr bool one_block = false;
};

/// No order that the radix sort knows.
struct own_order {
  template <class Key> __device__ bool operator()(const Key &a, const Key &b) const {
    return b < a;
  }
};

template <class Key, class Value, class Compare = ascending>
void pairs(const std::vector<uint64_t> &sizes, Compare compare = {}) {
  for (const uint64_t n : sizes) {
    auto some = some_keys<Key>(n, n);
    for (Key &k : some)
      k %= 1000;
    const device_array<Key> keys(some), keys_out(n);
    const device_array<Value> values(some_keys<Value>(n, n + 1)), values_out(n);
    check_same_bits<large, merge_sort_policy>(
        "pairs", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return stable_merge_sort_pairs(d_temp, bytes, static_cast<const Key *>(keys.get()),
                                         keys_out.get(), static_cast<const Value *>(values.get()),
                                         values_out.get(), n, compare, {stream}, policy);
        },
        keys_out, values_out);
  }
}
void keys_and_places(const std::vector<uint64_t> &sizes) {
  for (const uint64_t n : sizes) {
    const device_array<uint32_t> keys(some_keys<uint32_t>(n, n)), keys_out(n), places(n);
    check_same_bits<large, merge_sort_policy>(
        "keys", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return merge_sort_keys(d_temp, bytes, static_cast<const uint32_t *>(keys.get()),
                                 keys_out.get(), n, descending{}, {stream}, policy);
        },
        keys_out);
    check_same_bits<large, merge_sort_policy>(
        "places", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return stable_merge_argsort(d_temp, bytes, static_cast<const uint32_t *>(keys.get()),
                                      places.get(), n, ascending{}, {stream}, policy);
        },
        places);
  }
}
void replayed(uint64_t n) {
  const device_array<uint32_t> keys(n); // in place
  check_replays(
      "merge sort", [&](uint64_t seed) { keys.write(some_keys<uint32_t>(n, seed)); },
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return merge_sort_keys(d_temp, bytes, static_cast<const uint32_t *>(keys.get()), keys.get(),
                               n, ascending{}, {stream});
      },
      keys);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const auto sizes = sizes_around_switches(small);
  keys_and_places(sizes);
  pairs<uint32_t, uint32_t>(sizes);
  pairs<uint64_t, uint64_t>(sizes, own_order{});
  pairs<uint16_t, blob<16>>(sizes);
  for (const uint64_t n : {900, 2000, 5000})
    replayed(n);
  return gpu_result("small merge sorts");
}
