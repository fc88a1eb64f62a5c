//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_bench.cuh: what benchmarks of slab hashes share: keys, the limit, slabs visited, mixed
// operations.
//
// The limit is the rate at which random slabs of 128 bytes are read, each by lanes of a warp
// together, from memory of as many bytes as all slabs in chains have: the faster of two kernels
// that read nothing else and write nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "timed_call.hpp"

#include <colonnade/slab_hash.cuh>

namespace bench {

using word_map = colonnade::slab_map<uint32_t, uint32_t>;

/// A bijection: keys of different numbers differ.
__host__ __device__ inline uint32_t key_of(uint32_t number) {
  return colonnade::detail::spread_bits(number ^ 0x5bd1e995u);
}
/// keys[i]: of number first + a permutation of i; n is a power of two, or stride is 1.
static __global__ void write_keys(uint32_t *keys, uint32_t n, uint32_t first, uint32_t stride) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    keys[i] = key_of(first + (stride == 1 ? i : (i * stride) & (n - 1)));
}

/// n pairs; a permutation of their keys; as many keys that are not among them.
struct workload {
  uint32_t n;
  uint32_t *keys, *hits, *misses, *found;

  explicit workload(uint32_t num_pairs) : n(num_pairs) {
    for (uint32_t **array : {&keys, &hits, &misses, &found})
      CUDA_OK(cudaMalloc(array, uint64_t{n} * 4));
    write_keys<<<1056, 256>>>(keys, n, 0, 1);
    write_keys<<<1056, 256>>>(hits, n, 0, 0x9e3779b1u);
    write_keys<<<1056, 256>>>(misses, n, 1u << 31, 0x9e3779b1u);
    CUDA_OK(cudaDeviceSynchronize());
  }
  ~workload() {
    for (uint32_t *array : {keys, hits, misses, found})
      CUDA_OK(cudaFree(array));
  }
  workload(const workload &) = delete;
};

/// A stream's pool keeps what is given back, as that of a programme that goes on would.
inline void keep_memory_of_pools() {
  cudaMemPool_t pool;
  uint64_t keeps = ~uint64_t{0};
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keeps));
}

/// Each tile of Lanes reads InFlight random slabs before it looks at one.
template <uint32_t Lanes, uint32_t InFlight>
__global__ void __launch_bounds__(256)
    read_random_slabs(const colonnade::detail::slab *slabs, uint32_t num_slabs, uint64_t num_reads,
                      uint64_t *sink) {
  using namespace colonnade::detail;
  constexpr uint32_t words = slab_words / Lanes;
  const device_slab_machine machine;
  const uint64_t tiles = uint64_t{gridDim.x} * (256 / Lanes);
  uint64_t sum = 0;
  for (uint64_t i = (blockIdx.x * uint64_t{256} + threadIdx.x) / Lanes; i * InFlight < num_reads;
       i += tiles) {
    uint64_t read[InFlight][words];
#pragma unroll
    for (uint32_t u = 0; u < InFlight; ++u) {
      const uint32_t random = spread_bits(static_cast<uint32_t>(i * InFlight + u) * 0x9e3779b9u);
      machine.load_words(slabs[spread_below(random, num_slabs)].words + threadIdx.x % Lanes * words,
                         read[u]);
    }
#pragma unroll
    for (uint32_t u = 0; u < InFlight; ++u)
#pragma unroll
      for (uint32_t w = 0; w < words; ++w)
        sum += read[u][w];
  }
  if (sum == 1)
    *sink = sum;
}

/// Milliseconds of the faster way to read so many random slabs.
class slab_limit {
public:
  explicit slab_limit(uint64_t num_slabs)
      : num_slabs_(static_cast<uint32_t>(num_slabs)),
        slabs_(static_cast<colonnade::detail::slab *>(random_memory(num_slabs * 128 + 256))),
        sink_(reinterpret_cast<uint64_t *>(slabs_ + num_slabs)) {}
  ~slab_limit() { CUDA_OK(cudaFree(slabs_)); }
  slab_limit(const slab_limit &) = delete;

  float run(uint64_t num_reads) const {
    return std::min(run_by<8, 4>(num_reads), run_by<16, 8>(num_reads));
  }

private:
  template <uint32_t Lanes, uint32_t InFlight> float run_by(uint64_t num_reads) const {
    return milliseconds([&] {
      read_random_slabs<Lanes, InFlight><<<132 * 32, 256>>>(slabs_, num_slabs_, num_reads, sink_);
    });
  }
  uint32_t num_slabs_;
  colonnade::detail::slab *slabs_;
  uint64_t *sink_;
};

/// visited: slabs that a search for each key reads, all together; present: keys that are there.
static __global__ void count_visited(word_map::ref_type map, const uint32_t *keys, uint32_t n,
                                     unsigned long long *visited, unsigned long long *present) {
  using namespace colonnade::detail;
  const auto &table = map.table();
  const device_slab_machine machine;
  unsigned long long slabs = 0, hits = 0;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const auto *at = table.bucket_of(keys[i]);
    bool found = false;
    for (;;) {
      ++slabs;
      for (uint32_t s = 0; s < table.format.slots; ++s)
        found = found || table.format.is_live(at[s], keys[i]);
      const uint32_t next = table.format.next(at[table.format.link_word]);
      if (found || next == no_slab)
        break;
      at = table.address(machine, next);
    }
    hits += found;
  }
  atomicAdd(visited, slabs);
  atomicAdd(present, hits);
}
/// Slabs that are not the first of their chain.
static __global__ void count_taken(const uint32_t *bitmaps, uint32_t words,
                                   unsigned long long *taken) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x)
    atomicAdd(taken, static_cast<unsigned long long>(__popc(bitmaps[i])));
}

struct map_counts {
  double slabs_per_query, present_share;
};
inline map_counts counts_of(const word_map &map, const uint32_t *d_keys, uint32_t n) {
  unsigned long long *d_counts, counts[2];
  CUDA_OK(cudaMalloc(&d_counts, sizeof counts));
  CUDA_OK(cudaMemset(d_counts, 0, sizeof counts));
  count_visited<<<1056, 256>>>(map.ref(), d_keys, n, d_counts, d_counts + 1);
  CUDA_OK(cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaFree(d_counts));
  return {static_cast<double>(counts[0]) / n, static_cast<double>(counts[1]) / n};
}
/// All slabs in chains. pooled: slabs that the pool was created with.
inline uint64_t slabs_in_chains(const word_map &map, uint32_t pooled) {
  const auto table = map.ref().table();
  const uint32_t words = table.pool.num_blocks * 32;
  unsigned long long *d_taken, taken;
  CUDA_OK(cudaMalloc(&d_taken, sizeof taken));
  CUDA_OK(cudaMemset(d_taken, 0, sizeof taken));
  count_taken<<<256, 256>>>(table.pool.bitmaps, words, d_taken);
  CUDA_OK(cudaMemcpy(&taken, d_taken, sizeof taken, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaFree(d_taken));
  return table.num_buckets + taken - (uint64_t{words} * 32 - pooled);
}

/// A map at some utilisation, with the keys of numbers 0 ... n - 1 once `fill` has run.
class bench_map {
public:
  bench_map(uint32_t n, double utilisation, double spare = 0)
      : n_(n), options_(colonnade::slab_map_options_for<uint32_t, uint32_t>(n, utilisation)) {
    options_.num_slabs += static_cast<uint32_t>(spare * n / 15);
    CUDA_OK(cudaMalloc(&d_temp_, 1));
  }
  ~bench_map() { CUDA_OK(cudaFree(d_temp_)); }
  bench_map(const bench_map &) = delete;

  /// The milliseconds of the insertion alone.
  template <class Policy> float fill(const uint32_t *d_keys, Policy policy) {
    map = word_map();
    CUDA_OK(word_map::create(map, options_));
    return milliseconds([&] {
      CUDA_OK(map.insert_or_assign_async(d_temp_, bytes_, d_keys, d_keys, n_, nullptr, nullptr, {},
                                         policy));
    });
  }
  template <class Policy> float find(const uint32_t *d_queries, uint32_t *d_found, Policy policy) {
    return milliseconds([&] {
      CUDA_OK(map.find_async(d_temp_, bytes_, d_queries, d_found, n_, nullptr, {}, policy));
    });
  }
  uint64_t slabs() const { return slabs_in_chains(map, options_.num_slabs); }

  word_map map;

private:
  uint32_t n_;
  colonnade::slab_map_options<uint32_t, uint32_t> options_;
  void *d_temp_ = nullptr;
  size_t bytes_ = 1;
};

/// Shares of insert, erase, present and absent.
struct mix {
  double insert, erase, hit;
};

/// One operation a thread, of random kind: new keys, resident keys to be erased, other resident
/// keys, absent keys.
static __global__ void __launch_bounds__(256)
    mixed_operations(word_map::ref_type map, const uint8_t *kinds, const uint32_t *keys,
                     uint32_t *found, uint32_t n) {
  word_map::ref_type::warp<> warp(map);
  const uint32_t stride = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i / 32 * 32 < n; i += stride) {
    const bool has = i < n;
    const auto kind =
        has ? static_cast<colonnade::slab_operation>(kinds[i]) : colonnade::slab_operation::find;
    const uint32_t key = has ? keys[i] : 0;
    const colonnade::slab_found<uint32_t> answer = warp.apply(has, kind, key, key);
    if (has)
      found[i] = answer.present() ? answer.value : ~0u;
  }
}
static __global__ void write_mix(uint8_t *kinds, uint32_t *keys, uint32_t n, uint32_t resident,
                                 mix m) {
  const uint32_t erase_from = resident / 2; // hits are below
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint64_t random = scramble(i);
    const double share = static_cast<double>(random >> 40) / (1 << 24);
    uint32_t number = 0x80000000u + i; // absent
    colonnade::slab_operation kind = colonnade::slab_operation::find;
    if (share < m.insert) {
      kind = colonnade::slab_operation::insert_or_assign;
      number = resident + i;
    } else if (share < m.insert + m.erase) {
      kind = colonnade::slab_operation::erase;
      number = erase_from + i;
    } else if (share < m.insert + m.erase + m.hit) {
      number = static_cast<uint32_t>(random) % erase_from;
    }
    kinds[i] = static_cast<uint8_t>(kind);
    keys[i] = key_of(number);
  }
}

} // namespace bench
