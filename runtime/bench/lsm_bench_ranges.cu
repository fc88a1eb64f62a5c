//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_bench_ranges.cu: counts and ranges in many levels and in one.
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "lsm_bench_parts.hpp"

namespace bench {

using namespace colonnade;

namespace {

/// Counts and ranges of about `length` of n keys, in many levels and in one.
void count_and_list(report &out, uint64_t n, uint64_t batch, uint64_t num_queries,
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

} // namespace

void measure_ranges(report &out, uint64_t n) {
  for (const uint32_t batch : {16, 18, 20}) {
    count_and_list(out, n, uint64_t{1} << batch, n, 8);
    count_and_list(out, n, uint64_t{1} << batch, n / 64, 1024);
  }
}

} // namespace bench
