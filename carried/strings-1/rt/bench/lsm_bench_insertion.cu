//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_bench_insertion.cu: insertion batch by batch, and its parts.
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "lsm_bench_parts.hpp"

#include <limits>
#include <numeric>

namespace bench {

using namespace colonnade;

namespace {

/// The time of all batches, with an event behind each.
template <class Inserter> float insert_each(Inserter &in, uint64_t calls) {
  const std::vector<float> times = batch_times(in, calls);
  return std::accumulate(times.begin(), times.end(), 0.0f);
}
/// All batches timed as one, and each by itself: an event behind a batch keeps the next one from
/// starting while it ends.
void insert_in_batches(report &out, uint64_t n, uint64_t batch, int runs) {
  const pair_arrays all = new_pairs(n);
  fill_uniform<<<2048, 256>>>(all.keys, n, 1);
  fill_uniform<<<2048, 256>>>(all.values, n, 2);
  const uint64_t calls = n / batch;
  {
    sorted_array array(all, n, batch);
    auto tree = new_tree<uint32_t>(batch, n);
    inserter<uint32_t> in(tree, all.keys, batch);
    const auto compare = [&](const char *how, int pairs, auto time) {
      std::vector<double> ours, peer;
      for (int i = 0; i < pairs + 1; ++i) {
        CUDA_OK(tree.clear_async());
        const float mine = time(in), other = time(array);
        if (i > 0) {
          ours.push_back(gigas(n, mine));
          peer.push_back(gigas(n, other));
        }
      }
      out.add("insert " + size_name(n) + " in batches of " + size_name(batch) + ", " + how, "G/s",
              "CUB sort of the batch and merge with a sorted array", ours, peer);
    };
    compare("timed as one", runs, [&](auto &inserts) { return insert_all(inserts, calls); });
    compare("each batch timed", std::max(1, runs / 3),
            [&](auto &inserts) { return insert_each(inserts, calls); });
  }
  free_pairs(all);
}

/// Microseconds of parts of an insertion: the sort of a batch alone, and batches that merge with
/// 0, 1, ... levels.
void insert_one_batch(report &out, uint64_t n, uint64_t batch, int runs) {
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

} // namespace

void measure_insertion(report &out, uint64_t n, int runs) {
  for (const uint32_t batch : {16, 18, 20, 22})
    insert_in_batches(out, n, uint64_t{1} << batch, runs);
  for (const uint32_t batch : {16, 18, 20, 22})
    insert_one_batch(out, n, uint64_t{1} << batch, 5);
}

} // namespace bench
