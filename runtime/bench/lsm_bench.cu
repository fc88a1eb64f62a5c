//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees of 32-bit pairs: insertion batch by batch, find, count and range,
// cleanup; some of it with 64-bit pairs.
//
// Peers: of insertion, CUB's radix sort of the batch and its merge with one sorted array; of find,
// the same kernel with binary search in every level; of count and range, the same calls on as many
// elements in one level; of a cleanup, CUB's radix sort of all pairs and its removal of repeated
// keys. All storage is allocated beforehand.
//
//   --log2-inserted 27 --log2-queried 24 --runs 5
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "timed_call.hpp"

#include <limits>

using namespace colonnade;
using namespace bench;

namespace {

struct binary_policy : lsm_policy {
  static constexpr lsm_tuning tuning(gpu_architecture a, size_t key, size_t value) {
    lsm_tuning t = lsm_policy::tuning(a, key, value);
    t.search = lsm_search::binary;
    return t;
  }
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

void measure_insertion(report &out, uint64_t n, uint64_t batch, int runs) {
  const pair_arrays all = new_pairs(n);
  fill_uniform<<<2048, 256>>>(all.keys, n, 1);
  fill_uniform<<<2048, 256>>>(all.values, n, 2);
  {
    sorted_array array(all, n, batch);
    auto tree = new_tree<uint32_t>(batch, n);
    inserter<uint32_t> in(tree, all.keys, batch);
    std::vector<double> ours, peer;
    for (int i = 0; i < runs + 1; ++i) {
      const float time = insert_all(tree, in, n / batch), other = insert_all(array, n / batch);
      if (i > 0) {
        ours.push_back(gigas(n, time));
        peer.push_back(gigas(n, other));
      }
    }
    out.add("insert " + size_name(n) + " in batches of " + size_name(batch), "G/s",
            "CUB sort of the batch and merge with a sorted array", ours, peer);
  }
  free_pairs(all);
}

/// Microseconds of parts of an insertion: the sort of a batch alone, and batches that merge with
/// 0, 1, ... levels.
void measure_parts(report &out, uint64_t n, uint64_t batch, int runs) {
  uint32_t *keys = memory<uint32_t>(n), *sorted = memory<uint32_t>(2 * batch);
  fill_uniform<<<2048, 256>>>(keys, n, 1);
  size_t bytes = 0;
  const auto sort = [&](void *d_temp) {
    CUDA_OK(sort_pairs(d_temp, bytes, keys, sorted, keys, sorted + batch, batch, {}, {}));
  };
  sort(nullptr);
  void *d_temp = memory<char>(bytes);
  const auto fastest = [&](auto prepare, auto measured) {
    float least = std::numeric_limits<float>::max();
    for (int i = 0; i < runs + 1; ++i) {
      prepare();
      least = std::min(least, milliseconds(measured));
    }
    return 1000.0 * least;
  };
  const std::string row = "batches of " + size_name(batch);
  out.cell("insertion of one batch", row, "sort alone", "us",
           fastest([] {}, [&] { sort(d_temp); }));
  auto tree = new_tree<uint32_t>(batch, n);
  inserter<uint32_t> in(tree, keys, batch);
  for (uint32_t levels = 0; uint64_t{2} << levels <= n / batch; ++levels) {
    const uint64_t before = (uint64_t{1} << levels) - 1;
    const auto fill = [&] {
      CUDA_OK(tree.clear_async());
      for (uint64_t i = 0; i < before; ++i)
        in.insert(i);
    };
    out.cell("insertion of one batch", row, "levels: " + std::to_string(levels), "us",
             fastest(fill, [&] { in.insert(before); }));
  }
  for (void *array : {static_cast<void *>(keys), static_cast<void *>(sorted), d_temp})
    CUDA_OK(cudaFree(array));
}

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
void measure_find(report &out, uint64_t n, uint64_t batch, int runs, const char *bits) {
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
void measure_sorted_find(report &out, uint64_t n, uint64_t batch, int runs) {
  uint32_t *keys = memory<uint32_t>(n), *queries = memory<uint32_t>(n),
           *found = memory<uint32_t>(n);
  fill_keys<<<2048, 256>>>(keys, n, 0, 0u);
  auto tree = new_tree<uint32_t>(batch, n);
  inserter<uint32_t> in(tree, keys, batch);
  const lsm_sorted_queries sorts;
  size_t bytes = 0;
  CUDA_OK(tree.find_async(nullptr, bytes, queries, found, n, nullptr, {}, {}, sorts));
  char *d_temp = memory<char>(bytes);
  const auto time = [&](auto policy) {
    return milliseconds([&] {
      CUDA_OK(tree.find_async(d_temp, bytes, queries, found, n, nullptr, {}, {}, policy));
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
        fill_queries<<<2048, 256>>>(queries, n, r * batch, odd);
        sorted += 1 / gigas(n, time(sorts));
        unsorted += 1 / gigas(n, time(lsm_policy{}));
        ++measured;
      }
      if (i > 0) {
        ours.push_back(measured / sorted);
        others.push_back(measured / unsorted);
      }
    }
    out.add("find, queries sorted first, batches of " + size_name(batch) +
                (odd ? ", none existing" : ", all existing"),
            "G/s", "queries as they stand", ours, others);
  }
  for (void *array : {static_cast<void *>(keys), static_cast<void *>(queries),
                      static_cast<void *>(found), static_cast<void *>(d_temp)})
    CUDA_OK(cudaFree(array));
}

/// Counts and ranges of about `length` of n keys, in many levels and in one.
void measure_ranges(report &out, uint64_t n, uint64_t batch, uint64_t num_queries,
                    uint32_t length) {
  uint32_t *keys = memory<uint32_t>(n);
  fill_uniform<<<2048, 256>>>(keys, n, 3);
  auto tree = new_tree<uint32_t>(batch, n);
  inserter<uint32_t> in(tree, keys, batch);
  range_calls calls(tree, num_queries, num_queries * length * 5 / 4);
  std::vector<double> counts, lists, counts_one, lists_one;
  const uint64_t most = n / batch, step = std::max<uint64_t>(1, most / 12);
  for (uint64_t r = 1; r <= most; ++r) {
    in.insert(r - 1);
    if (r % step != step - 1)
      continue;
    const uint64_t in_all = r * batch;
    calls.ask(num_queries, length, in_all);
    auto one = new_tree<uint32_t>(in_all, in_all);
    inserter<uint32_t> whole(one, keys, in_all);
    whole.insert(0);
    calls.count(tree);
    counts.push_back(gigas(num_queries, calls.count(tree)));
    counts_one.push_back(gigas(num_queries, calls.count(one)));
    lists.push_back(gigas(num_queries, calls.list(tree)));
    lists_one.push_back(gigas(num_queries, calls.list(one)));
  }
  const std::string what = " of " + std::to_string(length) + ", batches of " + size_name(batch);
  out.add("count" + what, "G/s", "the same in one level", counts, counts_one);
  out.add("range" + what, "G/s", "the same in one level", lists, lists_one);
  CUDA_OK(cudaFree(keys));
}

/// All levels full but the highest; so many percent of the elements are of keys that come again.
void measure_cleanup(report &out, uint64_t batch, uint64_t batches, uint32_t stale_percent,
                     int runs) {
  const uint64_t n = batches * batch;
  const pair_arrays all = new_pairs(n), sorted = new_pairs(n), kept = new_pairs(n);
  const uint64_t different = n - n * stale_percent / 100;
  fill_keys<<<2048, 256>>>(all.keys, different, 0, 0u);
  fill_keys<<<2048, 256>>>(all.keys + different, n - different, 0, 0u);
  fill_uniform<<<2048, 256>>>(all.values, n, 2);
  uint64_t *count = memory<uint64_t>(1);
  size_t sort_bytes = 0, unique_bytes = 0;
  CUDA_OK(peer_sort(nullptr, sort_bytes, all, sorted, n));
  CUDA_OK(peer_unique(nullptr, unique_bytes, sorted, all, count, n));
  void *d_temp = memory<char>(std::max(sort_bytes, unique_bytes));
  {
    auto tree = new_tree<uint32_t>(batch, n);
    inserter<uint32_t> in(tree, all.keys, batch);
    size_t bytes = 0;
    CUDA_OK(tree.cleanup_async(nullptr, bytes));
    void *d_cleanup = memory<char>(bytes);
    std::vector<double> ours, peer;
    for (int i = 0; i < runs + 1; ++i) {
      insert_all(tree, in, batches);
      const float time = milliseconds([&] { CUDA_OK(tree.cleanup_async(d_cleanup, bytes)); });
      const float other = milliseconds([&] {
        CUDA_OK(peer_sort(d_temp, sort_bytes, all, sorted, n));
        CUDA_OK(peer_unique(d_temp, unique_bytes, sorted, kept, count, n));
      });
      if (i > 0) {
        ours.push_back(gigas(n, time));
        peer.push_back(gigas(n, other));
      }
    }
    out.add("cleanup, " + std::to_string(batches) + " batches of " + size_name(batch) + ", " +
                std::to_string(stale_percent) + " % stale",
            "G/s", "CUB sort of all and removal", ours, peer);
    CUDA_OK(cudaFree(d_cleanup));
  }
  for (const pair_arrays &a : {all, sorted, kept})
    free_pairs(a);
  CUDA_OK(cudaFree(d_temp));
  CUDA_OK(cudaFree(count));
}

/// 64-bit pairs beside 32-bit ones.
void measure_wide_insertion(report &out, uint64_t n, uint64_t batch, int runs) {
  uint32_t *narrow = memory<uint32_t>(n);
  uint64_t *wide = memory<uint64_t>(n);
  fill_uniform<<<2048, 256>>>(narrow, n, 1);
  fill_uniform<<<2048, 256>>>(wide, n, 1);
  {
    auto tree = new_tree<uint32_t>(batch, n);
    auto wide_tree = new_tree<uint64_t>(batch, n);
    inserter<uint32_t> in(tree, narrow, batch);
    inserter<uint64_t> wide_in(wide_tree, wide, batch);
    std::vector<double> ours, limit;
    for (int i = 0; i < runs + 1; ++i) {
      const float time = insert_all(wide_tree, wide_in, n / batch),
                  other = insert_all(tree, in, n / batch);
      if (i > 0) {
        ours.push_back(gigas(n, time));
        limit.push_back(gigas(n, other));
      }
    }
    out.add("insert 64-bit pairs, batches of " + size_name(batch), "G/s", "32-bit pairs", ours,
            limit);
  }
  CUDA_OK(cudaFree(narrow));
  CUDA_OK(cudaFree(wide));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const auto log2 = [&](const char *name, const char *otherwise) {
    return uint64_t{1} << std::stoul(option(argc, argv, name, otherwise));
  };
  const uint64_t inserted = log2("--log2-inserted", "27"), queried = log2("--log2-queried", "24");
  const int runs = std::stoi(option(argc, argv, "--runs", "5"));
  for (const uint32_t batch : {16, 18, 20, 22})
    measure_insertion(out, inserted, uint64_t{1} << batch, runs);
  for (const uint32_t batch : {16, 18, 20, 22})
    measure_parts(out, inserted, uint64_t{1} << batch, runs);
  measure_wide_insertion(out, inserted / 4, 1u << 20, runs);
  for (const uint32_t batch : {16, 20})
    measure_find<uint32_t>(out, queried, uint64_t{1} << batch, batch == 16 ? 1 : runs, "32 bits");
  measure_find<uint64_t>(out, queried, 1u << 20, runs, "64 bits");
  for (const uint32_t batch : {16, 20})
    measure_sorted_find(out, queried, uint64_t{1} << batch, runs);
  for (const uint32_t batch : {16, 18, 20}) {
    measure_ranges(out, queried, uint64_t{1} << batch, queried, 8);
    measure_ranges(out, queried, uint64_t{1} << batch, queried / 64, 1024);
  }
  for (const uint32_t percent : {10, 50}) {
    measure_cleanup(out, 1u << 20, 63, percent, runs);
    measure_cleanup(out, 1u << 19, 127, percent, runs);
  }
  return out.finish() + (gpu_failures() != 0);
}
