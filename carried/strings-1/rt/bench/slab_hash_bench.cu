//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slab maps of 2^26 pairs of 4 + 4 bytes: bulk find (all keys present, and none) and
// insert_or_assign into an empty map, at several utilisations, also while its pool grows; mixed
// operations, one a thread; calls with few keys.
//
// Limits: for find, the rate of random slab reads (slab_bench.cuh) over the slabs that a query
// visits, counted in the same map, and at utilisations 0.50 and 0.55 that rate itself ("against the
// slab read rate"), as if each query visited one slab; for insertion, the rate of random slab
// reads; for mixed operations, what find and insertion give for the mix in this run; for a pool
// that grows, one that has all slabs; for few keys, an empty kernel.
//
//   --log2-pairs 26
//   --sweep        find and insertion under other tilings, at utilisation 0.55, and nothing else
//
//===----------------------------------------------------------------------===//

#include "slab_bench.cuh"
#include "small_bench.hpp"

#include <colonnade/mapped_slab_pool.cuh>

#include <cmath>

using namespace colonnade;
using namespace bench;

namespace {

template <uint32_t Blocks, uint32_t Lanes, uint32_t InFlight, uint32_t Resident,
          uint32_t Threads = 256>
struct tiling : slab_hash_policy {
  static constexpr slab_hash_tuning find_tuning(gpu_architecture) {
    return {Threads, Blocks, Lanes, InFlight, Resident};
  }
  static constexpr slab_hash_tuning far_find_tuning(gpu_architecture) {
    return find_tuning(gpu_architecture{});
  }
  static constexpr slab_hash_tuning wide_find_tuning(gpu_architecture) {
    return find_tuning(gpu_architecture{});
  }
  static constexpr slab_hash_tuning far_wide_find_tuning(gpu_architecture) {
    return find_tuning(gpu_architecture{});
  }
  static constexpr slab_hash_tuning change_tuning(gpu_architecture) {
    return find_tuning(gpu_architecture{});
  }
};

/// Median rates, for what is made of them.
struct rates {
  double insert, hit, miss;
};
double median_rate(uint32_t n, const std::vector<float> &times) {
  return n / 1e6 / quantile(std::vector<double>(times.begin(), times.end()), 0.5);
}

/// Ours against the limit, each of whose items stands for `weight` slab reads.
template <class Ours>
double against_slabs(report &out, const std::string &name, uint32_t n, double weight,
                     const slab_limit &limit, Ours ours) {
  std::vector<float> times;
  alternate(
      out, name, "G/s", n, "random slab reads",
      [&] {
        times.push_back(ours());
        return times.back();
      },
      [&] { return limit.run(n) * static_cast<float>(weight); });
  times.erase(times.begin(), times.begin() + warm_ups);
  return median_rate(n, times);
}

template <class Policy>
rates measure(report &out, const workload &w, const std::string &what, double utilisation,
              Policy policy) {
  bench_map m(w.n, utilisation);
  m.fill(w.keys, policy);
  const uint64_t slabs = m.slabs();
  const slab_limit limit(slabs);
  const map_counts hit = counts_of(m.map, w.hits, w.n), miss = counts_of(m.map, w.misses, w.n);
  EXPECT(hit.present_share > 0.999999 && miss.present_share < 1e-6, "the keys are not there");
  char shape[160];
  std::snprintf(shape, sizeof shape, "%s, utilisation %.3f (%.3f slabs a hit, %.3f a miss)",
                what.c_str(), w.n * 8.0 / (128.0 * static_cast<double>(slabs)), hit.slabs_per_query,
                miss.slabs_per_query);
  rates r{};
  r.hit = against_slabs(out, std::string("find, present, ") + shape, w.n, hit.slabs_per_query,
                        limit, [&] { return m.find(w.hits, w.found, policy); });
  r.miss = against_slabs(out, std::string("find, absent, ") + shape, w.n, miss.slabs_per_query,
                         limit, [&] { return m.find(w.misses, w.found, policy); });
  r.insert = against_slabs(out, std::string("insert_or_assign from empty, ") + shape, w.n, 1, limit,
                           [&] { return m.fill(w.keys, policy); });
  return r;
}

/// A query counts as one slab, however many it visits.
template <class Policy>
void measure_against_read_rate(report &out, const workload &w, double utilisation, Policy policy) {
  bench_map m(w.n, utilisation);
  m.fill(w.keys, policy);
  const uint64_t slabs = m.slabs();
  const slab_limit limit(slabs);
  for (const bool present : {true, false}) {
    const uint32_t *queries = present ? w.hits : w.misses;
    EXPECT(std::abs(counts_of(m.map, queries, w.n).present_share - present) < 1e-6,
           "the keys are not there");
    char name[96];
    std::snprintf(name, sizeof name, "find, %s, 2^26, utilisation %.3f, against the slab read rate",
                  present ? "present" : "absent", w.n * 8.0 / (128.0 * static_cast<double>(slabs)));
    against_slabs(out, name, w.n, 1, limit, [&] { return m.find(queries, w.found, policy); });
  }
}

__global__ void write_wide_keys(uint64_t *keys, uint32_t n, uint32_t first, uint32_t stride) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    keys[i] = uint64_t{key_of(first + ((i * stride) & (n - 1)))} << 20 | 77;
}
/// n pairs of 8 + 8 bytes, at utilisation 0.5.
template <class Policy>
void measure_wide(report &out, uint32_t n, const std::string &what, Policy policy) {
  using wide_map = slab_map<uint64_t, uint64_t>;
  uint64_t *keys, *queries, *found;
  void *temp;
  size_t bytes = 1;
  for (uint64_t **array : {&keys, &queries, &found})
    CUDA_OK(cudaMalloc(array, uint64_t{n} * 8));
  CUDA_OK(cudaMalloc(&temp, bytes));
  write_wide_keys<<<1056, 256>>>(keys, n, 0, 1);
  wide_map map;
  const auto fill = [&] {
    CUDA_OK(wide_map::create(map, slab_map_options_for<uint64_t, uint64_t>(n, 0.5)));
    return milliseconds([&] {
      CUDA_OK(map.insert_or_assign_async(temp, bytes, keys, keys, n, nullptr, nullptr, {}, policy));
    });
  };
  fill();
  slab_statistics now;
  CUDA_OK(map.statistics(now));
  const slab_limit limit(now.num_slabs);
  for (const bool present : {true, false}) {
    write_wide_keys<<<1056, 256>>>(queries, n, present ? 0 : 1u << 31, 0x9e3779b1u);
    against_slabs(out, std::string("find, ") + (present ? "present" : "absent") + ", " + what, n, 1,
                  limit, [&] {
                    return milliseconds([&] {
                      CUDA_OK(map.find_async(temp, bytes, queries, found, n, nullptr, {}, policy));
                    });
                  });
  }
  against_slabs(out, "insert_or_assign from empty, " + what, n, 1, limit, fill);
  for (void *array :
       {static_cast<void *>(keys), static_cast<void *>(queries), static_cast<void *>(found), temp})
    CUDA_OK(cudaFree(array));
}

/// build(), with what it allocates from the stream's pool, against insertion into an empty map that
/// is there.
void measure_build(report &out, const workload &w, double utilisation) {
  keep_memory_of_pools();
  const auto options = slab_map_options_for<uint32_t, uint32_t>(w.n, utilisation);
  bench_map filled(w.n, utilisation);
  char name[64];
  std::snprintf(name, sizeof name, "build, utilisation %.2f", utilisation);
  alternate(
      out, name, "G/s", w.n, "insert_or_assign from empty",
      [&] {
        word_map map; // given back after the timing
        return milliseconds([&] { CUDA_OK(word_map::build(map, options, w.keys, w.keys, w.n)); });
      },
      [&] { return filled.fill(w.keys, slab_hash_policy{}); });
}

/// Creation and insertion of all keys, allocation included, into a pool that begins with a share of
/// the slabs that it will need.
template <class Map>
float create_and_insert(const workload &w, slab_map_options<uint32_t, uint32_t> options,
                        uint32_t share) {
  options.num_slabs /= share;
  Map map; // given back after the timing
  device_status status;
  const float time = milliseconds([&] {
    CUDA_OK(Map::create(map, options));
    CUDA_OK(map.insert_or_assign(w.keys, w.keys, w.n, status));
  });
  EXPECT(status.ok(), "not all pairs were inserted");
  return time;
}
template <class Map>
void measure_growth(report &out, const workload &w, const char *pool, double utilisation) {
  keep_memory_of_pools();
  const auto options = slab_map_options_for<uint32_t, uint32_t>(w.n, utilisation);
  char name[128];
  std::snprintf(name, sizeof name,
                "insert_or_assign from empty, %s pool, from 1/16, utilisation %.2f", pool,
                utilisation);
  alternate(
      out, name, "G/s", w.n, "all slabs there",
      [&] { return create_and_insert<Map>(w, options, 16); },
      [&] { return create_and_insert<Map>(w, options, 1); });
}
void measure_all_growth(report &out, const workload &w) {
  using mapped_map = slab_map<uint32_t, uint32_t, slab_hash_function, equal_bits, async_resource,
                              mapped_slab_pool>;
  for (const double utilisation : {0.55, 0.65})
    measure_growth<growing_slab_map<uint32_t, uint32_t>>(out, w, "growing", utilisation);
  measure_growth<mapped_map>(out, w, "mapped", 0.55);
}

void measure_mix(report &out, const workload &w, const rates &r, const mix &m) {
  const uint32_t batch = w.n / 4;
  uint8_t *kinds;
  CUDA_OK(cudaMalloc(&kinds, batch));
  write_mix<<<1056, 256>>>(kinds, w.hits, batch, w.n, m);
  bench_map map(w.n, 0.55, 0.25);
  const double changes = m.insert + m.erase, absent = 1 - changes - m.hit;
  const double expected = 1 / (changes / r.insert + m.hit / r.hit + absent / r.miss);
  char name[96];
  std::snprintf(name, sizeof name, "mixed (%.1f %.1f %.1f %.1f), utilisation 0.55", m.insert,
                m.erase, m.hit, absent);
  alternate(
      out, name, "G/s", batch, "find and insert of this run",
      [&] {
        map.fill(w.keys, slab_hash_policy{});
        return milliseconds([&] {
          mixed_operations<<<132 * 64, 256>>>(map.map.ref(), kinds, w.hits, w.found, batch);
        });
      },
      [&] { return static_cast<float>(batch / 1e6 / expected); });
  CUDA_OK(cudaFree(kinds));
}

__global__ void empty_kernel() {}

/// 100 calls back to back, in a stream and in a graph.
void measure_small(report &out, workload &w) {
  bench_map m(1u << 20, 0.5, 0.5);
  m.fill(w.keys, slab_hash_policy{});
  for (uint64_t n : {1, 32, 256, 1024, 4096}) {
    const auto measure_one = [&](const char *what, small_call::function f) {
      small_call ours(std::move(f)), empty([&](void *d_temp, size_t &bytes) {
        bytes = 1;
        if (d_temp)
          empty_kernel<<<1, 32, 0, small_stream()>>>();
        return cudaGetLastError();
      });
      for (const bool graph : {false, true})
        alternate(
            out,
            std::string(what) + " " + std::to_string(n) + " keys, " + (graph ? "graph" : "stream"),
            "G calls/s", small_calls, "an empty kernel",
            [&] { return graph ? ours.in_graph() : ours.in_stream(); },
            [&] { return graph ? empty.in_graph() : empty.in_stream(); });
    };
    measure_one("find", [&](void *d_temp, size_t &bytes) {
      return m.map.find_async(d_temp, bytes, w.keys, w.found, n, nullptr, {small_stream()});
    });
    measure_one("insert_or_assign", [&](void *d_temp, size_t &bytes) {
      return m.map.insert_or_assign_async(d_temp, bytes, w.keys, w.keys, n, nullptr, nullptr,
                                          {small_stream()});
    });
  }
}

template <uint32_t Blocks, uint32_t Lanes, uint32_t InFlight, uint32_t Resident, bool Wide = false>
void sweep_one(report &out, const workload &w) {
  char name[96];
  std::snprintf(name, sizeof name, "%u lanes, %u in flight, %u blocks, %u resident", Lanes,
                InFlight, Blocks, Resident);
  const tiling<Blocks, Lanes, InFlight, Resident> policy;
  if constexpr (Wide)
    measure_wide(out, w.n / 2, std::string("8 + 8 bytes, utilisation 0.50, ") + name, policy);
  else
    measure(out, w, name, 0.55, policy);
}
void sweep(report &out, const workload &w) {
  sweep_one<4, 8, 4, 4>(out, w);
  sweep_one<64, 8, 2, 5>(out, w);
  sweep_one<64, 8, 4, 4>(out, w);
  sweep_one<64, 4, 2, 5>(out, w);
  sweep_one<64, 8, 2, 5, true>(out, w);
  sweep_one<5, 4, 1, 5, true>(out, w);
  sweep_one<64, 4, 2, 4, true>(out, w);
  sweep_one<64, 4, 2, 5, true>(out, w);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  workload w(1u << std::stoul(option(argc, argv, "--log2-pairs", "26")));
  if (has_option(argc, argv, "--sweep")) {
    sweep(out, w);
    return out.finish() + (gpu_failures() != 0);
  }
  rates at_55{};
  for (const double utilisation : {0.55, 0.65, 0.7, 0.8, 0.9}) {
    const rates r = measure(out, w, "2^26", utilisation, slab_hash_policy{});
    if (utilisation == 0.55)
      at_55 = r;
  }
  for (const double utilisation : {0.5, 0.55})
    measure_against_read_rate(out, w, utilisation, slab_hash_policy{});
  for (const double utilisation : {0.55, 0.8})
    measure_build(out, w, utilisation);
  measure_all_growth(out, w);
  measure_wide(out, w.n / 2, "8 + 8 bytes, utilisation 0.50", slab_hash_policy{});
  for (const mix &m : {mix{0.5, 0.5, 0}, mix{0.2, 0.2, 0.3}, mix{0.1, 0.1, 0.4}})
    measure_mix(out, w, at_55, m);
  write_keys<<<1056, 256>>>(w.hits, w.n, 0, 0x9e3779b1u);
  measure_small(out, w);
  return out.finish() + (gpu_failures() != 0);
}
