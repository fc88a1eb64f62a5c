//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_bench_find.cu: find by the index and by binary search; queries that are sorted first.
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "lsm_bench_parts.hpp"

namespace bench {

using namespace colonnade;

namespace {

struct binary_policy : lsm_policy {
  static constexpr lsm_tuning tuning(gpu_architecture a, size_t key, size_t value) {
    lsm_tuning t = lsm_policy::tuning(a, key, value);
    t.search = lsm_search::binary;
    return t;
  }
};

/// Of one number of batches: with the index, and by binary search.
template <class Key> struct find_rates {
  double index, binary;
};
template <class Key>
find_rates<Key> time_find(const lsm_map<Key, Key> &tree, const Key *queries, Key *found,
                          uint64_t n) {
  char *d_temp = reinterpret_cast<char *>(found); // of which nothing is used
  size_t bytes = 1;
  const auto time = [&](auto policy) {
    return milliseconds([&] {
      CUDA_OK(tree.find_async(d_temp, bytes, queries, found, n, nullptr, {}, {}, policy));
    });
  };
  return {gigas(n, time(lsm_policy{})), gigas(n, time(binary_policy{}))};
}

/// Harmonic means over all numbers of batches; each run goes through them all.
template <class Key>
void find_all_sizes(report &out, uint64_t n, uint64_t batch, int runs, const char *bits) {
  Key *keys = memory<Key>(n), *queries = memory<Key>(n), *found = memory<Key>(n);
  fill_keys<<<2048, 256>>>(keys, n, 0, Key{0});
  auto tree = new_tree<Key>(batch, n);
  inserter<Key> in(tree, keys, batch);
  for (const Key odd : {Key{0}, Key{1}}) {
    std::vector<double> ours, peer;
    double worst = 1e9;
    for (int i = 0; i < runs; ++i) {
      CUDA_OK(tree.clear_async());
      double index = 0, binary = 0;
      for (uint64_t r = 1; r <= n / batch; ++r) {
        in.insert(r - 1);
        fill_queries<<<2048, 256>>>(queries, n, r * batch, odd);
        if (r == 1)
          time_find(tree, queries, found, n);
        const auto rates = time_find(tree, queries, found, n);
        index += 1 / rates.index;
        binary += 1 / rates.binary;
        worst = std::min(worst, rates.index);
      }
      ours.push_back(static_cast<double>(n / batch) / index);
      peer.push_back(static_cast<double>(n / batch) / binary);
    }
    const std::string name = "find, batches of " + size_name(batch) + ", " + bits +
                             (odd ? ", none existing" : ", all existing");
    out.add(name, "G/s", "binary search in every level", ours, peer);
    out.cell("find by the number of batches", name, "worst", "G/s", worst);
  }
  for (Key *array : {keys, queries, found})
    CUDA_OK(cudaFree(array));
}

/// Queries that are sorted first, by the call, against the same as they stand: harmonic means over
/// sixteen numbers of batches.
void find_sorted(report &out, uint64_t n, uint64_t batch, uint64_t num_queries, int runs) {
  uint32_t *keys = memory<uint32_t>(n), *queries = memory<uint32_t>(num_queries),
           *found = memory<uint32_t>(num_queries);
  fill_keys<<<2048, 256>>>(keys, n, 0, 0u);
  auto tree = new_tree<uint32_t>(batch, n);
  inserter<uint32_t> in(tree, keys, batch);
  const lsm_sorted_queries sorts;
  size_t bytes = 0;
  CUDA_OK(tree.find_async(nullptr, bytes, queries, found, num_queries, nullptr, {}, {}, sorts));
  char *d_temp = memory<char>(bytes);
  const auto time = [&](auto policy) {
    return milliseconds([&] {
      CUDA_OK(tree.find_async(d_temp, bytes, queries, found, num_queries, nullptr, {}, {}, policy));
    });
  };
  const uint64_t calls = n / batch, step = std::max<uint64_t>(1, calls / 16);
  for (const uint32_t odd : {0u, 1u}) {
    std::vector<double> ours, others;
    for (int i = 0; i < runs + 1; ++i) {
      CUDA_OK(tree.clear_async());
      double sorted = 0, unsorted = 0, measured = 0;
      for (uint64_t r = 1; r <= calls; ++r) {
        in.insert(r - 1);
        if (r % step != scramble(r / step) % step) // of every sixteenth one
          continue;
        fill_queries<<<2048, 256>>>(queries, num_queries, r * batch, odd);
        sorted += 1 / gigas(num_queries, time(sorts));
        unsorted += 1 / gigas(num_queries, time(lsm_policy{}));
        ++measured;
      }
      if (i > 0) {
        ours.push_back(measured / sorted);
        others.push_back(measured / unsorted);
      }
    }
    out.add("find, " + size_name(num_queries) + " queries sorted first, batches of " +
                size_name(batch) + (odd ? ", none existing" : ", all existing"),
            "G/s", "queries as they stand", ours, others);
  }
  for (void *array : {static_cast<void *>(keys), static_cast<void *>(queries),
                      static_cast<void *>(found), static_cast<void *>(d_temp)})
    CUDA_OK(cudaFree(array));
}

} // namespace

void measure_find(report &out, uint64_t n, int runs) {
  for (const uint32_t batch : {16, 20})
    find_all_sizes<uint32_t>(out, n, uint64_t{1} << batch,
                             batch == 16 ? std::max(1, runs / 5) : runs, "32 bits");
  find_all_sizes<uint64_t>(out, n, 1u << 20, runs, "64 bits");
  for (const uint32_t batch : {16, 18, 20})
    for (const uint64_t num_queries : {n / 16, n})
      find_sorted(out, n, uint64_t{1} << batch, num_queries, runs);
}

} // namespace bench
