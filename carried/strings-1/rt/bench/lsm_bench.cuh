//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_bench.cuh: what the benchmarks of log-structured merge trees share: keys, queries, trees, and
// insertion of all batches into a tree or into a sorted array.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "lsm_peer.hpp"

#include <colonnade/lsm.cuh>

namespace bench {

using colonnade::lsm_map;
using colonnade::lsm_options;

template <class T> T *memory(uint64_t count) {
  T *d_memory = nullptr;
  CUDA_OK(cudaMalloc(&d_memory, count * sizeof(T)));
  return d_memory;
}
inline pair_arrays new_pairs(uint64_t count) {
  return {memory<uint32_t>(count), memory<uint32_t>(count)};
}
inline void free_pairs(const pair_arrays &pairs) {
  CUDA_OK(cudaFree(pairs.keys));
  CUDA_OK(cudaFree(pairs.values));
}
/// Different for every number below 2^31, or 2^63, and spread over all numbers; even, so that odd
/// ones are not there.
template <class Key> __device__ Key even_key(uint64_t number) {
  constexpr uint64_t factor = sizeof(Key) == 4 ? 0x9e3779b1u : 0x9e3779b97f4a7c15u;
  return static_cast<Key>(number * factor) << 1;
}
template <class Key> __global__ void fill_keys(Key *keys, uint64_t n, uint64_t first, Key odd) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    keys[i] = even_key<Key>(first + i) | odd;
}
/// A permutation of the same keys, as far as n is a power of two.
template <class Key> __global__ void fill_queries(Key *keys, uint64_t n, uint64_t of, Key odd) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    keys[i] = even_key<Key>(scramble(i) % of) | odd;
}
/// Bits of the keys that fill_uniform makes.
template <class Key> constexpr uint32_t uniform_bits = sizeof(Key) == 4 ? 32 : 48;
/// Ranges of so many of such keys.
template <class Key>
__global__ void fill_ranges(Key *first, Key *last, uint64_t n, uint64_t width) {
  constexpr uint64_t largest = (uint64_t{1} << uniform_bits<Key>)-1;
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t key = scramble(i) & largest;
    first[i] = static_cast<Key>(key);
    last[i] = static_cast<Key>(key + width < largest ? key + width : largest);
  }
}

template <class Key> lsm_map<Key, Key> new_tree(uint64_t batch_size, uint64_t capacity) {
  lsm_map<Key, Key> tree;
  lsm_options options;
  options.batch_size = batch_size;
  options.capacity = capacity;
  CUDA_OK((lsm_map<Key, Key>::create(tree, options)));
  return tree;
}

/// Calls of insert_async with storage of their own.
template <class Key> class inserter {
public:
  inserter(lsm_map<Key, Key> &tree, const Key *keys, uint64_t batch)
      : tree_(tree), keys_(keys), batch_(batch) {
    CUDA_OK(tree.insert_async(nullptr, bytes_, keys, keys, batch));
    CUDA_OK(cudaMalloc(&d_temp_, bytes_));
  }
  ~inserter() { CUDA_OK(cudaFree(d_temp_)); }
  inserter(const inserter &) = delete;
  void insert(uint64_t i) {
    const Key *from = keys_ + i * batch_;
    CUDA_OK(tree_.insert_async(d_temp_, bytes_, from, from, batch_));
  }

private:
  lsm_map<Key, Key> &tree_;
  const Key *keys_;
  uint64_t batch_;
  void *d_temp_ = nullptr;
  size_t bytes_ = 0;
};

inline std::string size_name(uint64_t n) {
  uint32_t log = 0;
  while (n >> (log + 1))
    ++log;
  return "2^" + std::to_string(log);
}
inline double gigas(uint64_t count, float ms) { return static_cast<double>(count) / 1e6 / ms; }

/// The peer of insertion: one sorted array, with which each batch is merged once it is sorted.
class sorted_array {
public:
  sorted_array(const pair_arrays &all, uint64_t n, uint64_t batch)
      : all_(all), batch_(batch), sorted_(new_pairs(batch)), arrays_{new_pairs(n), new_pairs(n)} {
    size_t merge_bytes = 0;
    CUDA_OK(peer_sort(nullptr, bytes_, all, sorted_, batch));
    CUDA_OK(peer_merge(nullptr, merge_bytes, arrays_[0], n, sorted_, batch, arrays_[1]));
    bytes_ = std::max(bytes_, merge_bytes);
    d_temp_ = memory<char>(bytes_);
  }
  ~sorted_array() {
    for (const pair_arrays &a : {sorted_, arrays_[0], arrays_[1]})
      free_pairs(a);
    CUDA_OK(cudaFree(d_temp_));
  }
  sorted_array(const sorted_array &) = delete;
  /// After all batches before.
  void insert(uint64_t i) {
    const uint64_t at = i * batch_;
    CUDA_OK(peer_sort(d_temp_, bytes_, {all_.keys + at, all_.values + at}, sorted_, batch_));
    CUDA_OK(peer_merge(d_temp_, bytes_, arrays_[i % 2], at, sorted_, batch_, arrays_[(i + 1) % 2]));
  }

private:
  pair_arrays all_;
  uint64_t batch_;
  pair_arrays sorted_, arrays_[2];
  void *d_temp_ = nullptr;
  size_t bytes_ = 0;
};

/// All batches, one after the other.
template <class Inserter> float insert_all(Inserter &in, uint64_t calls) {
  return milliseconds([&] {
    for (uint64_t i = 0; i < calls; ++i)
      in.insert(i);
  });
}
template <class Key> float insert_all(lsm_map<Key, Key> &tree, inserter<Key> &in, uint64_t calls) {
  CUDA_OK(tree.clear_async());
  return insert_all(in, calls);
}

/// Milliseconds of each batch, one after the other.
template <class Inserter> std::vector<float> batch_times(Inserter &in, uint64_t calls) {
  std::vector<cudaEvent_t> events(calls + 1);
  for (cudaEvent_t &event : events)
    CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaEventRecord(events[0]));
  for (uint64_t i = 0; i < calls; ++i) {
    in.insert(i);
    CUDA_OK(cudaEventRecord(events[i + 1]));
  }
  CUDA_OK(cudaDeviceSynchronize());
  std::vector<float> times(calls);
  for (uint64_t i = 0; i < calls; ++i)
    CUDA_OK(cudaEventElapsedTime(&times[i], events[i], events[i + 1]));
  for (const cudaEvent_t event : events)
    CUDA_OK(cudaEventDestroy(event));
  return times;
}

/// Counts and ranges.
template <class Key> class range_calls {
public:
  range_calls(const lsm_map<Key, Key> &tree, uint64_t most_queries, uint64_t capacity)
      : first_(memory<Key>(most_queries)), last_(memory<Key>(most_queries)),
        keys_(memory<Key>(capacity)), values_(memory<Key>(capacity)),
        offsets_(memory<uint64_t>(most_queries + 1)), capacity_(capacity) {
    CUDA_OK(tree.count_async(nullptr, bytes_, first_, last_, offsets_, most_queries));
    d_temp_ = memory<char>(bytes_);
  }
  ~range_calls() {
    for (Key *array : {first_, last_, keys_, values_})
      CUDA_OK(cudaFree(array));
    CUDA_OK(cudaFree(offsets_));
    CUDA_OK(cudaFree(d_temp_));
  }
  range_calls(const range_calls &) = delete;

  /// About `length` of n keys that are spread evenly over all.
  void ask(uint64_t num_queries, uint32_t length, uint64_t n) {
    num_queries_ = num_queries;
    fill_ranges<<<2048, 256>>>(first_, last_, num_queries,
                               (uint64_t{length} << uniform_bits<Key>) / n);
  }
  float count(const lsm_map<Key, Key> &tree) {
    return milliseconds(
        [&] { CUDA_OK(tree.count_async(d_temp_, bytes_, first_, last_, offsets_, num_queries_)); });
  }
  float list(const lsm_map<Key, Key> &tree) {
    return milliseconds([&] {
      CUDA_OK(tree.range_async(d_temp_, bytes_, first_, last_, num_queries_, offsets_, keys_,
                               values_, capacity_));
    });
  }

  /// The same, by the peer.
  peer_range_arrays arrays() const {
    return {first_, last_, num_queries_, offsets_, {keys_, values_}, capacity_};
  }

private:
  Key *first_, *last_, *keys_, *values_;
  uint64_t *offsets_, num_queries_ = 0, capacity_;
  void *d_temp_ = nullptr;
  size_t bytes_ = 0;
};

} // namespace bench
