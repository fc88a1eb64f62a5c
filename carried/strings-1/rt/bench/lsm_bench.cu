//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees of 32-bit pairs: insertion batch by batch, find, count and range,
// cleanup; the same with 64-bit pairs.
//
// Peers: of insertion, CUB's radix sort of the batch and its merge with one sorted array; of find,
// the same kernel with binary search in every level; of count and range, the same calls on as many
// elements in one level, and a sorted array; of a cleanup, CUB's radix sort of all pairs and its
// removal of repeated keys. All storage is allocated beforehand. Where a run takes seconds (find in
// batches of 2^16, each batch timed by itself) there are fewer: a fifth and a third.
//
//   --log2-inserted 27 --log2-queried 24 --runs 15 --parts insertion,find,ranges,cleanup,wide
//
//===----------------------------------------------------------------------===//

#include "lsm_bench_parts.hpp"
#include "timed_call.hpp"

using namespace bench;

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const auto log2 = [&](const char *name, const char *otherwise) {
    return uint64_t{1} << std::stoul(option(argc, argv, name, otherwise));
  };
  const uint64_t inserted = log2("--log2-inserted", "27"), queried = log2("--log2-queried", "24");
  const int runs = std::stoi(option(argc, argv, "--runs", "15"));
  const std::string parts = option(argc, argv, "--parts", "insertion,find,ranges,cleanup,wide");
  const auto wanted = [&](const char *part) { return parts.find(part) != std::string::npos; };
  if (wanted("insertion"))
    measure_insertion(out, inserted, runs);
  if (wanted("find"))
    measure_find(out, queried, runs);
  if (wanted("ranges"))
    measure_ranges(out, queried);
  if (wanted("cleanup"))
    measure_cleanup(out, runs);
  if (wanted("wide"))
    measure_wide(out, inserted, queried, runs);
  return out.finish() + (gpu_failures() != 0);
}
