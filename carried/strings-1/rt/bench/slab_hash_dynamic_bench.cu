//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slab maps that change for long: batches that come one after the other, keys that come and go, and
// mixed operations beside lock-free linked lists.
//
//   incremental  2^21 pairs in batches, utilisation 0.65 at the end; against a new table of all
//                pairs so far after each batch, by build() or by one insertion, whichever is
//                faster
//   ageing       2^22 pairs, 1000 times a tenth of them is erased and as many new ones inserted; a
//                flush whenever a quarter of all slots are tombstones. Find afterwards, against a
//                new map of the same pairs; slabs of both
//   mixed        2^20 operations on 2^21 resident keys, one a thread, by number of buckets; against
//                list_set.cuh (figure 5.7b of the thesis, also as a table)
//
//   --rounds 1000
//
//===----------------------------------------------------------------------===//

#include "list_set.cuh"
#include "slab_bench.cuh"

using namespace colonnade;
using namespace bench;

namespace {

class device_words {
public:
  explicit device_words(uint64_t count) { CUDA_OK(cudaMalloc(&d_, count * sizeof(uint32_t))); }
  ~device_words() { CUDA_OK(cudaFree(d_)); }
  device_words(const device_words &) = delete;
  uint32_t *get() const { return d_; }

private:
  uint32_t *d_ = nullptr;
};

/// The time of all batches in one map, and of a new table after each batch. Creating a table counts
/// on both sides; choosing its number of buckets, for which the host takes longer than the GPU to
/// fill it, on neither.
void measure_incremental(report &out, uint32_t n, uint32_t batch) {
  const device_words keys(n);
  write_keys<<<1056, 256>>>(keys.get(), n, 0, 1);
  void *d_temp;
  size_t bytes = 1;
  CUDA_OK(cudaMalloc(&d_temp, bytes));
  const auto insert = [&](word_map &map, uint32_t first, uint32_t count) {
    CUDA_OK(
        map.insert_or_assign_async(d_temp, bytes, keys.get() + first, keys.get() + first, count));
  };
  const auto time_of = [&](uint32_t pairs, auto fill) {
    const auto options = slab_map_options_for<uint32_t, uint32_t>(pairs, 0.65);
    word_map map;
    return milliseconds([&] { fill(map, options); });
  };
  const auto ours = [&] {
    return time_of(n, [&](word_map &map, const auto &options) {
      CUDA_OK(word_map::create(map, options));
      for (uint32_t first = 0; first < n; first += batch)
        insert(map, first, batch);
    });
  };
  const auto built = [&](uint32_t all) {
    return time_of(all, [&](word_map &map, const auto &options) {
      CUDA_OK(word_map::build(map, options, keys.get(), keys.get(), all));
    });
  };
  const auto filled = [&](uint32_t all) {
    return time_of(all, [&](word_map &map, const auto &options) {
      CUDA_OK(word_map::create(map, options));
      insert(map, 0, all);
    });
  };
  const auto each_afresh = [&] {
    float by_build = 0, by_insertion = 0;
    for (uint32_t all = batch; all <= n; all += batch) {
      by_build += built(all);
      by_insertion += filled(all);
    }
    return std::min(by_build, by_insertion);
  };
  alternate(out, "2^21 pairs in batches of " + std::to_string(batch >> 10) + "K", "G/s", n,
            "a new table of all so far after each batch", ours, each_afresh);
  CUDA_OK(cudaFree(d_temp));
}

void measure_ageing(report &out, uint32_t n, uint32_t rounds) {
  const uint32_t share = n / 10;
  // Room for the tombstones of four rounds.
  bench_map aged(n, 0.55, 0.6), fresh(n, 0.55, 0.6);
  const device_words keys(n), queries(n), found(n);
  void *d_temp;
  size_t bytes = 1;
  CUDA_OK(cudaMalloc(&d_temp, bytes));
  write_keys<<<1056, 256>>>(keys.get(), n, 0, 1);
  aged.fill(keys.get(), slab_hash_policy{});
  uint32_t tombstones = 0, flushes = 0;
  slab_statistics now;
  uint64_t most_slabs = 0;
  const auto age = [&] {
    for (uint32_t round = 0, first = 0; round < rounds; ++round, first += share) {
      write_keys<<<1056, 256>>>(keys.get(), share, first, 1);
      CUDA_OK(aged.map.erase_async(d_temp, bytes, keys.get(), share));
      write_keys<<<1056, 256>>>(keys.get(), share, first + n, 1);
      CUDA_OK(aged.map.insert_or_assign_async(d_temp, bytes, keys.get(), keys.get(), share));
      tombstones += share;
      if (tombstones < (n + tombstones) / 4)
        continue;
      CUDA_OK(aged.map.statistics(now));
      most_slabs = std::max(most_slabs, now.num_slabs);
      EXPECT(now.num_pairs == n, "round %u: %llu pairs", round,
             static_cast<unsigned long long>(now.num_pairs));
      CUDA_OK(aged.map.flush_async());
      tombstones = 0;
      ++flushes;
    }
  };
  const float time = milliseconds(age);
  const uint32_t first = rounds * share;
  write_keys<<<1056, 256>>>(keys.get(), n, first, 1);
  write_keys<<<1056, 256>>>(queries.get(), n, first, 0x9e3779b1u);
  fresh.fill(keys.get(), slab_hash_policy{});
  CUDA_OK(aged.map.statistics(now));
  slab_statistics of_fresh;
  CUDA_OK(fresh.map.statistics(of_fresh));
  EXPECT(now.num_pairs == n && of_fresh.num_pairs == n, "%llu pairs after ageing",
         static_cast<unsigned long long>(now.num_pairs));
  const std::string name = "2^22 pairs, " + std::to_string(rounds) + " rounds";
  alternate(
      out, "find after ageing, " + name, "G/s", n, "a new map of the same pairs",
      [&] { return aged.find(queries.get(), found.get(), slab_hash_policy{}); },
      [&] { return fresh.find(queries.get(), found.get(), slab_hash_policy{}); });
  out.cell("ageing", name, "slabs of a new map", "slabs", static_cast<double>(of_fresh.num_slabs));
  out.cell("ageing", name, "slabs at the end", "slabs", static_cast<double>(now.num_slabs));
  out.cell("ageing", name, "most slabs", "slabs", static_cast<double>(most_slabs));
  out.cell("ageing", name, "flushes", "flushes", flushes);
  out.cell("ageing", name, "erasures and insertions, flushes and counts", "G/s",
           2.0 * share * rounds / 1e6 / time);
  CUDA_OK(cudaFree(d_temp));
}

__global__ void clear_lists(list_set set) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < set.num_buckets();
       i += gridDim.x * blockDim.x)
    set.clear_bucket(i);
}
__global__ void fill_lists(list_set set, const uint32_t *keys, uint32_t n) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    set.insert(keys[i], i);
}
/// As mixed_operations; insertions have the nodes behind those of the resident keys.
__global__ void __launch_bounds__(256)
    mixed_on_lists(list_set set, const uint8_t *kinds, const uint32_t *keys, uint32_t *found,
                   uint32_t n, uint32_t resident) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const auto kind = static_cast<slab_operation>(kinds[i]);
    const bool present = kind == slab_operation::find    ? set.contains(keys[i])
                         : kind == slab_operation::erase ? set.erase(keys[i])
                                                         : set.insert(keys[i], resident + i);
    found[i] = present ? keys[i] : ~0u;
  }
}
__global__ void count_present(const uint32_t *found, uint32_t n, unsigned long long *count) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (found[i] != ~0u)
      atomicAdd(count, 1ull);
}

void measure_lists(report &out, uint32_t n, uint32_t log2_buckets, const mix &m) {
  const uint32_t resident = 2 * n;
  const uint32_t buckets = 1u << log2_buckets;
  const device_words keys(resident), operations(n), found(n);
  uint8_t *kinds;
  unsigned long long *nodes, *count;
  CUDA_OK(cudaMalloc(&kinds, n));
  CUDA_OK(cudaMalloc(&nodes, (uint64_t{buckets} + resident + n) * sizeof *nodes));
  CUDA_OK(cudaMalloc(&count, sizeof *count));
  write_keys<<<1056, 256>>>(keys.get(), resident, 0, 1);
  write_mix<<<1056, 256>>>(kinds, operations.get(), n, resident, m);
  slab_map_options<uint32_t, uint32_t> options;
  options.num_buckets = buckets;
  options.num_slabs = resident / 5;
  void *d_temp;
  size_t bytes = 1;
  CUDA_OK(cudaMalloc(&d_temp, bytes));
  const auto present = [&] { // of the operations that were done last
    unsigned long long all = 0;
    CUDA_OK(cudaMemset(count, 0, sizeof *count));
    count_present<<<1056, 256>>>(found.get(), n, count);
    CUDA_OK(cudaMemcpy(&all, count, sizeof all, cudaMemcpyDeviceToHost));
    return all;
  };
  unsigned long long by_slabs = 0, by_lists = 0;
  const auto slabs = [&] {
    word_map map;
    CUDA_OK(word_map::create(map, options));
    CUDA_OK(map.insert_or_assign_async(d_temp, bytes, keys.get(), keys.get(), resident));
    const float time = milliseconds([&] {
      mixed_operations<<<132 * 64, 256>>>(map.ref(), kinds, operations.get(), found.get(), n);
    });
    by_slabs = present();
    return time;
  };
  const auto lists = [&] {
    const list_set set(nodes, buckets);
    clear_lists<<<1056, 256>>>(set);
    fill_lists<<<132 * 64, 256>>>(set, keys.get(), resident);
    const float time = milliseconds([&] {
      mixed_on_lists<<<132 * 64, 256>>>(set, kinds, operations.get(), found.get(), n, resident);
    });
    by_lists = present();
    return time;
  };
  char name[96];
  std::snprintf(name, sizeof name, "mixed (%.1f %.1f %.1f %.1f), 2^21 keys in 2^%u buckets",
                m.insert, m.erase, m.hit, 1 - m.insert - m.erase - m.hit, log2_buckets);
  std::vector<double> of_slabs, of_lists;
  const auto noting = [n](std::vector<double> &rates, const auto &run) {
    return [&rates, &run, n] {
      const float time = run();
      rates.push_back(n / 1e6 / time);
      return time;
    };
  };
  alternate(out, name, "G/s", n, "lock-free lists, one thread an operation",
            noting(of_slabs, slabs), noting(of_lists, lists));
  const std::string figure =
                        "Thesis, figure 5.7b: (insert, erase, present, absent), 2^21 keys, by the "
                        "number of buckets",
                    row = std::string(name).substr(5, 18), column = std::to_string(buckets);
  out.cell(figure, "slab hash" + row, column, "G/s", quantile(of_slabs, 0.5));
  out.cell(figure, "lock-free lists" + row, column, "G/s", quantile(of_lists, 0.5));
  EXPECT(by_slabs == by_lists, "%s: %llu present, in lists %llu", name, by_slabs, by_lists);
  for (void *array :
       {static_cast<void *>(kinds), static_cast<void *>(nodes), static_cast<void *>(count), d_temp})
    CUDA_OK(cudaFree(array));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  keep_memory_of_pools();
  for (const uint32_t batch : {1u << 15, 1u << 16, 1u << 17})
    measure_incremental(out, 1u << 21, batch);
  measure_ageing(out, 1u << 22,
                 static_cast<uint32_t>(std::stoul(option(argc, argv, "--rounds", "1000"))));
  for (const mix &m : {mix{0.5, 0.5, 0}, mix{0.2, 0.2, 0.3}, mix{0.1, 0.1, 0.4}})
    for (const uint32_t log2_buckets : {14u, 15u, 16u, 17u, 18u, 19u, 20u})
      measure_lists(out, 1u << 20, log2_buckets, m);
  return out.finish() + (gpu_failures() != 0);
}
