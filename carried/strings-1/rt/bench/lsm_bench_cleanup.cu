//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_bench_cleanup.cu: cleanup against a rebuild.
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "lsm_bench_parts.hpp"

namespace bench {

using namespace colonnade;

namespace {

/// All levels full but the highest; so many percent of the elements are of keys that come again.
void clean_up(report &out, uint64_t batch, uint64_t batches, uint32_t stale_percent, int runs) {
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

} // namespace

void measure_cleanup(report &out, int runs) {
  for (const uint32_t percent : {10, 50}) {
    clean_up(out, 1u << 20, 63, percent, runs);
    clean_up(out, 1u << 19, 127, percent, runs);
  }
}

} // namespace bench
