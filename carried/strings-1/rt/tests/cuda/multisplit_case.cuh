//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_case.cuh: one multisplit on the GPU against a stable counting sort on
// the host: keys, values, offsets and status.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "device_case.cuh"
#include "small_tile_policy.hpp"

#include <colonnade/multisplit.cuh>

#include <algorithm>
#include <type_traits>
#include <vector>

struct modulo_bucket {
  uint32_t m;
  template <class Key> __host__ __device__ uint32_t operator()(const Key &key) const {
    return number_of(key) % m;
  }
};
struct indexed_bucket {
  uint32_t m;
  template <class Key>
  __host__ __device__ uint32_t operator()(const Key &key, uint64_t index) const {
    return static_cast<uint32_t>((number_of(key) + index / 100) % m);
  }
};
/// Every 1000th number goes nowhere.
struct wild_bucket {
  uint32_t m;
  template <class Key> __host__ __device__ uint32_t operator()(const Key &key) const {
    const uint32_t number = number_of(key);
    return number % 1000 == 7 ? m + number : number % m;
  }
};
struct leaky_bucket {
  uint32_t m;
  template <class Key> __host__ __device__ uint32_t operator()(const Key &key) const {
    const uint32_t number = number_of(key);
    return number % 3 == 0 ? colonnade::discard_bucket : number % m;
  }
};

/// Few instances: two numbers of bits, no digit passes.
struct coarse_policy : colonnade::multisplit_policy {
  static constexpr uint32_t max_buckets = 256;
  static constexpr uint32_t round_up_bits(uint32_t bits) { return bits <= 5 ? 5 : 8; }
};

template <class Bucket, class Key>
uint32_t host_bucket(const Bucket &bucket, const Key &key, uint64_t index) {
  if constexpr (std::is_invocable_v<const Bucket &, const Key &, uint64_t>)
    return bucket(key, index);
  else
    return bucket(key);
}

struct split_reference {
  std::vector<uint64_t> from, offsets;
  colonnade::device_status status;
};

template <class Key, class Bucket>
split_reference split_on_host(const std::vector<Key> &keys, uint32_t m, const Bucket &bucket,
                              bool discards) {
  split_reference r;
  std::vector<uint32_t> id(keys.size());
  r.offsets.assign(m + 1, 0);
  for (uint64_t i = 0; i < keys.size(); ++i) {
    const uint32_t raw = host_bucket(bucket, keys[i], i);
    const bool dropped = discards && raw == colonnade::discard_bucket;
    if (raw >= m && !dropped && r.status.ok())
      r.status.first = i << 8 | 1;
    id[i] = dropped ? m : std::min(raw, m - 1);
    if (!dropped)
      ++r.offsets[id[i] + 1];
  }
  for (uint32_t b = 0; b < m; ++b)
    r.offsets[b + 1] += r.offsets[b];
  r.from.resize(r.offsets[m]);
  std::vector<uint64_t> next(r.offsets.begin(), r.offsets.end());
  for (uint64_t i = 0; i < keys.size(); ++i)
    if (id[i] < m)
      r.from[next[id[i]]++] = i;
  return r;
}

/// Keys and values of any type; Value void: keys alone.
template <class Policy, class Key, class Value, class Bucket>
void check_split(const std::vector<Key> &keys, uint32_t m, Bucket bucket) {
  const uint64_t n = keys.size();
  const split_reference expected = split_on_host(keys, m, bucket, Policy::discards);
  const device_array<Key> keys_in(keys), keys_out(n);
  const device_array<uint64_t> offsets(m + 1);
  const device_array<colonnade::device_status> status(std::vector<colonnade::device_status>(1));
  const colonnade::run_options options{nullptr, status.get()};
  if constexpr (std::is_void_v<Value>) {
    call_twice([&](void *d_temp, size_t &bytes) {
      return colonnade::multisplit_keys(d_temp, bytes, static_cast<const Key *>(keys_in.get()),
                                        keys_out.get(), n, m, bucket, offsets.get(), options,
                                        Policy{});
    });
  } else {
    std::vector<Value> values(n);
    for (uint64_t i = 0; i < n; ++i)
      values[i] = item_of<Value>(i);
    const device_array<Value> values_in(values), values_out(n);
    call_twice([&](void *d_temp, size_t &bytes) {
      return colonnade::multisplit_pairs(
          d_temp, bytes, static_cast<const Key *>(keys_in.get()), keys_out.get(),
          static_cast<const Value *>(values_in.get()), values_out.get(), n, m, bucket,
          offsets.get(), options, Policy{});
    });
    const std::vector<Value> moved = values_out.read();
    for (uint64_t i = 0; i < expected.from.size(); ++i)
      if (!(moved[i] == values[expected.from[i]])) {
        EXPECT(false, "value %llu, n = %llu, m = %u, %zu-byte keys, %zu-byte values",
               static_cast<unsigned long long>(i), static_cast<unsigned long long>(n), m,
               sizeof(Key), sizeof(Value));
        break;
      }
    values_out.expect_intact("values");
  }
  const std::vector<Key> moved = keys_out.read();
  for (uint64_t i = 0; i < expected.from.size(); ++i)
    if (!(moved[i] == keys[expected.from[i]])) {
      EXPECT(false, "key %llu, n = %llu, m = %u, %zu-byte keys", static_cast<unsigned long long>(i),
             static_cast<unsigned long long>(n), m, sizeof(Key));
      break;
    }
  keys_out.expect_intact("keys");
  EXPECT(offsets.read() == expected.offsets, "offsets, n = %llu, m = %u",
         static_cast<unsigned long long>(n), m);
  offsets.expect_intact("offsets");
  EXPECT(status.read()[0].first == expected.status.first, "status, n = %llu, m = %u",
         static_cast<unsigned long long>(n), m);
}

template <class Policy, class Bucket>
void check_permutation_and_counts(const std::vector<uint32_t> &keys, uint32_t m, Bucket bucket) {
  using namespace colonnade;
  const uint64_t n = keys.size();
  const split_reference expected = split_on_host(keys, m, bucket, Policy::discards);
  const device_array<uint32_t> keys_in(keys), from(n);
  const device_array<uint64_t> offsets(m + 1), counted(m + 1);
  const device_array<device_status> status(std::vector<device_status>(2));
  const uint32_t *d_keys = keys_in.get();
  call_twice([&](void *d_temp, size_t &bytes) {
    return multisplit_permutation(d_temp, bytes, d_keys, from.get(), n, m, bucket, offsets.get(),
                                  {nullptr, status.get()}, Policy{});
  });
  const std::vector<uint32_t> moved = from.read();
  EXPECT(std::equal(expected.from.begin(), expected.from.end(), moved.begin()),
         "permutation, m = %u", m);
  EXPECT(offsets.read() == expected.offsets, "offsets of the permutation, m = %u", m);
  from.expect_intact("permutation");
  call_twice([&](void *d_temp, size_t &bytes) {
    return multisplit_counts(d_temp, bytes, d_keys, n, m, bucket, counted.get(),
                             {nullptr, status.get() + 1}, Policy{});
  });
  EXPECT(counted.read() == expected.offsets, "counts, m = %u", m);
  counted.expect_intact("counts");
  for (const device_status &s : status.read())
    EXPECT(s.first == expected.status.first, "status of a permutation or counts, m = %u", m);
}
template <class Policy>
void check_permutation_and_counts(const std::vector<uint32_t> &keys, uint32_t m) {
  check_permutation_and_counts<Policy>(keys, m, modulo_bucket{m});
}

/// Captured once, replayed three times, each time with other keys.
template <class Policy> void check_split_replayed(uint64_t n, uint32_t m) {
  using namespace colonnade;
  const device_array<uint32_t> keys_in(n), keys_out(n);
  const device_array<uint64_t> offsets(m + 1);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys_in.get()),
                           keys_out.get(), n, m, modulo_bucket{m}, offsets.get(), {stream},
                           Policy{});
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t seed : {21, 22, 23}) {
    const auto keys = some_keys<uint32_t>(n, seed);
    keys_in.write(keys);
    graph.replay();
    const split_reference expected = split_on_host(keys, m, modulo_bucket{m}, false);
    const std::vector<uint32_t> moved = keys_out.read();
    bool right = offsets.read() == expected.offsets;
    for (uint64_t i = 0; i < n; ++i)
      right = right && moved[i] == keys[expected.from[i]];
    EXPECT(right, "replay %llu", static_cast<unsigned long long>(seed));
  }
}
