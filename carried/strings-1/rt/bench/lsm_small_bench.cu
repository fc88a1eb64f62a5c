//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_small_bench.cu: few queries of a tree, and insertions of few elements, against one sorted
// array on CUB.
//
// Queries: in a tree of 2^20 elements, in 15 batches of 2^16 and the buffer; in a sorted array of
// as many. Insertions: of n elements, a hundred one after the other, into an empty tree with
// batches of n; the peer sorts them and merges them with what it has.
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "small_bench.hpp"

using namespace bench;
using namespace colonnade;

namespace {

constexpr uint64_t most = 65537, resident = uint64_t{1} << 20;

run_options on_stream() { return {small_stream(), nullptr}; }

void ask(report &out, uint64_t seed) {
  uint32_t *const keys = memory<uint32_t>(resident);
  fill_uniform<<<2048, 256>>>(keys, resident, seed);
  auto tree = new_tree<uint32_t>(1u << 16, 2 * resident);
  constexpr uint64_t part = 65521; // so that there is a buffer, too
  inserter<uint32_t> in(tree, keys, part);
  for (uint64_t i = 0; i < resident / part; ++i)
    in.insert(i);
  const pair_arrays sorted = new_pairs(resident);
  const uint64_t num_sorted = resident / part * part;
  timed_call sort([&](void *temp, size_t &bytes) {
    return peer_sort(temp, bytes, {keys, keys}, sorted, num_sorted);
  });
  sort.run();
  range_calls calls(tree, most, 8 * most);
  uint32_t *const queries = memory<uint32_t>(most), *const found = memory<uint32_t>(most);
  fill_queries<<<256, 256>>>(queries, most, most, 0u);
  CUDA_OK(cudaMemcpy(queries, keys, most / 2 * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
  for (const uint64_t n : small_sizes(seed)) {
    small_against(out, "LSM find, 4 + 4", n,
                  [&](void *temp, size_t &bytes) {
                    return tree.find_async(temp, bytes, queries, found, n, nullptr, 0, on_stream());
                  },
                  {[&](void *, size_t &bytes) {
                    bytes = 1;
                    return peer_find(sorted, num_sorted, queries, found, n, 0, small_stream());
                  }});
    calls.ask(n, 4, num_sorted);
    CUDA_OK(cudaDeviceSynchronize());
    const peer_range_arrays ranges = calls.arrays();
    small_against(out, "LSM count of 4, 4 + 4", n,
                  [&](void *temp, size_t &bytes) {
                    return tree.count_async(temp, bytes, ranges.first, ranges.last, ranges.offsets,
                                            n, on_stream());
                  },
                  {[&](void *temp, size_t &bytes) {
                    return peer_count(temp, bytes, sorted, num_sorted, ranges, small_stream());
                  }});
    small_against(
        out, "LSM range of 4, 4 + 4", n,
        [&](void *temp, size_t &bytes) {
          return tree.range_async(temp, bytes, ranges.first, ranges.last, n, ranges.offsets,
                                  ranges.out.keys, ranges.out.values, ranges.capacity, on_stream());
        },
        {[&](void *temp, size_t &bytes) {
          return peer_range(temp, bytes, sorted, num_sorted, ranges, false, small_stream());
        }});
  }
  for (uint32_t *array : {keys, sorted.keys, sorted.values, queries, found})
    CUDA_OK(cudaFree(array));
}

/// The hundred insertions of a sequence, again and again: each begins with an empty tree or array.
class turns {
public:
  /// The number of the call; it is the same for asking how much storage it needs.
  uint64_t next(bool asks) { return asks ? at_ : at_++ % small_calls; }

private:
  uint64_t at_ = 0;
};

void insert(report &out, uint64_t seed) {
  const uint64_t all = most * small_calls;
  uint32_t *const keys = memory<uint32_t>(all);
  fill_uniform<<<2048, 256>>>(keys, all, seed);
  const pair_arrays sorted = new_pairs(most),
                    arrays[2] = {new_pairs(all + most), new_pairs(all + most)};
  for (const uint64_t n : small_sizes(seed)) {
    auto tree = new_tree<uint32_t>(n, n * (small_calls + 1));
    turns ours, theirs;
    small_against(out, "LSM insertion, 4 + 4", n,
                  [&](void *temp, size_t &bytes) {
                    const uint64_t i = ours.next(!temp);
                    if (temp && i == 0)
                      if (const cudaError_t error = tree.clear_async(on_stream()))
                        return error;
                    return tree.insert_async(temp, bytes, keys + i * n, keys + i * n, n,
                                             on_stream());
                  },
                  {[&](void *temp, size_t &bytes) {
                    const uint64_t i = theirs.next(!temp), at = i * n;
                    const pair_arrays batch{keys + at, keys + at};
                    size_t merge_bytes = 0;
                    if (!temp) {
                      CUDA_OK(peer_sort(nullptr, bytes, batch, sorted, n));
                      CUDA_OK(peer_merge(nullptr, merge_bytes, arrays[0], small_calls * n, sorted,
                                         n, arrays[1]));
                      bytes = std::max(bytes, merge_bytes);
                      return cudaSuccess;
                    }
                    CUDA_OK(peer_sort(temp, bytes, batch, sorted, n, small_stream()));
                    return peer_merge(temp, bytes, arrays[i % 2], at, sorted, n,
                                      arrays[(i + 1) % 2], small_stream());
                  }});
  }
  for (const pair_arrays &a : {sorted, arrays[0], arrays[1]})
    free_pairs(a);
  CUDA_OK(cudaFree(keys));
}

} // namespace

int main(int argc, char **argv) {
  return small_main(argc, argv, [](report &out, uint64_t seed) {
    ask(out, seed);
    insert(out, seed);
  });
}
