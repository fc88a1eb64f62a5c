//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_bench_ranges.cu: counts and ranges in many levels, in one, and in a sorted array.
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "lsm_bench_parts.hpp"

namespace bench {

using namespace colonnade;

namespace {

/// One sorted array of the same elements; storage for searches in it.
class sorted_elements {
public:
  sorted_elements(uint32_t *keys, uint64_t n, const peer_range_arrays &ranges)
      : sorted_(new_pairs(n)) {
    const pair_arrays all{keys, keys}, twice = new_pairs(n);
    uint64_t *const d_count = memory<uint64_t>(1);
    size_t sort_bytes = 0, unique_bytes = 0, count_bytes = 0, range_bytes = 0;
    CUDA_OK(peer_sort(nullptr, sort_bytes, all, twice, n));
    CUDA_OK(peer_unique(nullptr, unique_bytes, twice, sorted_, d_count, n));
    CUDA_OK(peer_count(nullptr, count_bytes, sorted_, n, ranges));
    CUDA_OK(peer_range(nullptr, range_bytes, sorted_, n, ranges, true));
    bytes_ = std::max({sort_bytes, unique_bytes, count_bytes, range_bytes});
    d_temp_ = memory<char>(bytes_);
    CUDA_OK(peer_sort(d_temp_, bytes_, all, twice, n));
    CUDA_OK(peer_unique(d_temp_, bytes_, twice, sorted_, d_count, n));
    CUDA_OK(cudaMemcpy(&n_, d_count, sizeof n_, cudaMemcpyDeviceToHost));
    free_pairs(twice);
    CUDA_OK(cudaFree(d_count));
  }
  ~sorted_elements() {
    free_pairs(sorted_);
    CUDA_OK(cudaFree(d_temp_));
  }
  sorted_elements(const sorted_elements &) = delete;
  float count(const peer_range_arrays &ranges) {
    return milliseconds([&] { CUDA_OK(peer_count(d_temp_, bytes_, sorted_, n_, ranges)); });
  }
  float list(const peer_range_arrays &ranges, bool by_warps) {
    return milliseconds(
        [&] { CUDA_OK(peer_range(d_temp_, bytes_, sorted_, n_, ranges, by_warps)); });
  }

private:
  pair_arrays sorted_;
  uint64_t n_ = 0;
  void *d_temp_ = nullptr;
  size_t bytes_ = 0;
};

/// Counts and ranges of about `length` of n keys, in many levels, in one, and in a sorted array; at
/// sixteen numbers of batches.
void count_and_list(report &out, uint64_t n, uint64_t batch, uint64_t num_queries,
                    uint32_t length) {
  uint32_t *keys = memory<uint32_t>(n);
  fill_uniform<<<2048, 256>>>(keys, n, 3);
  auto tree = new_tree<uint32_t>(batch, n);
  inserter<uint32_t> in(tree, keys, batch);
  range_calls calls(tree, num_queries, num_queries * length * 5 / 4);
  struct rates {
    std::vector<double> levels, one, sorted;
  } counts, lists;
  const auto rate = [&](float time) { return gigas(num_queries, time); };
  const uint64_t most = n / batch, step = std::max<uint64_t>(1, most / 16);
  for (uint64_t r = 1; r <= most; ++r) {
    in.insert(r - 1);
    if (r % step != step - 1 && step > 1)
      continue;
    const uint64_t in_all = r * batch;
    calls.ask(num_queries, length, in_all);
    auto one = new_tree<uint32_t>(in_all, in_all);
    inserter<uint32_t> whole(one, keys, in_all);
    whole.insert(0);
    const peer_range_arrays ranges = calls.arrays();
    sorted_elements array(keys, in_all, ranges);
    calls.count(tree);
    counts.levels.push_back(rate(calls.count(tree)));
    counts.one.push_back(rate(calls.count(one)));
    counts.sorted.push_back(rate(array.count(ranges)));
    lists.levels.push_back(rate(calls.list(tree)));
    lists.one.push_back(rate(calls.list(one)));
    lists.sorted.push_back(rate(array.list(ranges, length > 32)));
  }
  const std::string what = " of " + std::to_string(length) + ", batches of " + size_name(batch);
  out.add("count" + what, "G/s", "the same in one level", counts.levels, counts.one);
  out.add("count" + what, "G/s", "a sorted array: two binary searches, a prefix sum", counts.levels,
          counts.sorted);
  out.add("range" + what, "G/s", "the same in one level", lists.levels, lists.one);
  out.add("range" + what, "G/s", "a sorted array: two binary searches, a prefix sum, copies",
          lists.levels, lists.sorted);
  CUDA_OK(cudaFree(keys));
}

} // namespace

void measure_ranges(report &out, uint64_t n) {
  for (const uint32_t batch : {16, 18, 20}) {
    count_and_list(out, n, uint64_t{1} << batch, n, 8);
    count_and_list(out, n, uint64_t{1} << batch, n / 64, 1024);
  }
}

} // namespace bench
