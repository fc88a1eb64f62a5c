//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bitonic_sort_bench.cu: the bitonic sort of uniform 32-bit keys in place, against CUB's
// merge sort and radix sort, alternating; and as many transactions as the K-model's G.
//
//   bitonic_sort_bench [--json FILE] [--seed S]
//
// Ours sorts fresh keys every time, copied outside the timing; the peers read them.
// Targets: ahead of the merge sort up to 2^20 keys; G transactions (counted by
// bitonic_sort_profile under Nsight Compute, here from the plan).
//
//===----------------------------------------------------------------------===//

#include "comparison_sorts.hpp"
#include "timed_call.hpp"

#include <colonnade/bitonic_sort.cuh>

using namespace bench;
using namespace colonnade;

namespace {

void against_peers(report &out, uint32_t log2, uint64_t seed) {
  const uint64_t n = uint64_t{1} << log2;
  uint32_t *const keys = static_cast<uint32_t *>(random_memory(n * 4));
  uint32_t *const sorted = static_cast<uint32_t *>(random_memory(n * 4));
  fill_uniform<<<2048, 256>>>(keys, n, seed);
  for (const auto &[kind, name] : {std::pair{peer_sort_kind::merge, "CUB's merge sort"},
                                   {peer_sort_kind::radix, "CUB's radix sort"}}) {
    timed_call peer(
        [&, kind = kind](void *t, size_t &b) { return peer_sort(kind, t, b, keys, sorted, n); });
    alternate(
        out, "bitonic sort, n = 2^" + std::to_string(log2), "Gkeys/s", n, name,
        [&] {
          CUDA_OK(cudaMemcpyAsync(sorted, keys, n * 4, cudaMemcpyDeviceToDevice, nullptr));
          return milliseconds([&] { CUDA_OK(bitonic_sort_keys(sorted, n)); });
        },
        [&] { return peer.run(); });
  }
  CUDA_OK(cudaFree(keys));
  CUDA_OK(cudaFree(sorted));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t seed = std::stoull(option(argc, argv, "--seed", "1"));
  for (uint32_t log2 = 18; log2 <= 26; log2 += 2)
    against_peers(out, log2, seed);
  return out.finish();
}
