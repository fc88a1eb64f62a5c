//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sort_case.cuh: what tests of sorts have in common, whatever they sort by: a captured
// graph replayed, and more keys than 32 bits can count, judged on the GPU.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "device_case.cuh"

/// Captured once, replayed three times, each time with other keys. sort(d_temp, bytes,
/// const uint32_t *d_in, uint32_t *d_out, stream) sorts n keys, ascending.
template <class Sort, class Keys> void check_sort_replayed(uint64_t n, Keys keys_of, Sort sort) {
  const device_array<uint32_t> in(n), out(n);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return sort(d_temp, bytes, static_cast<const uint32_t *>(in.get()), out.get(), stream);
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t seed : {31, 32, 33}) {
    std::vector<uint32_t> keys = keys_of(n, seed);
    in.write(keys);
    graph.replay();
    std::sort(keys.begin(), keys.end());
    EXPECT(out.read() == keys, "replay %llu", static_cast<unsigned long long>(seed));
  }
}

/// How many keys are less than the one before them, and two sums that tell whether
/// they are the same keys.
template <class Key>
__global__ void add_up_keys(const Key *keys, uint64_t n, unsigned long long *wrong_and_sums) {
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
/// More than 2^32 keys in `d_keys`; sort() sorts them and says where they are then.
template <class Key, class Sort> void check_huge_sort(Key *d_keys, uint64_t n, Sort sort) {
  using sums = std::vector<unsigned long long>;
  const device_array<unsigned long long> before(sums(3)), after(sums(3));
  fill_with_scrambled<<<2048, 256>>>(d_keys, n);
  add_up_keys<<<2048, 256>>>(d_keys, n, before.get());
  const Key *d_sorted = sort();
  add_up_keys<<<2048, 256>>>(d_sorted, n, after.get());
  EXPECT(after.read()[0] == 0, "%llu of %llu keys are out of order", after.read()[0],
         static_cast<unsigned long long>(n));
  EXPECT(before.read()[1] == after.read()[1] && before.read()[2] == after.read()[2], "other keys");
}
