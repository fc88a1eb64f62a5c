//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Both bitonic sorts on the GPU: pairs at sizes around warps, parts and 2^20; captured
// in a graph and replayed.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "bitonic_sort_case.cuh"
#include "replay_case.cuh"

#include <colonnade/order.hpp>

using namespace colonnade;

namespace {

void test_replays(uint64_t n) {
  const device_array<uint32_t> keys(n);
  const device_array<uint64_t> values(n);
  const auto fill = [&](uint64_t seed) {
    keys.write(some_keys<uint32_t>(n, seed));
    values.write(some_keys<uint64_t>(n, seed + 7));
  };
  check_one_phase_replays(
      "bitonic_sort_keys", fill,
      [&](cudaStream_t stream) {
        return bitonic_sort_keys(keys.get(), n, ascending{}, {stream}, one_size{});
      },
      keys);
  check_one_phase_replays(
      "bitonic_sort_pairs", fill,
      [&](cudaStream_t stream) {
        return bitonic_sort_pairs(keys.get(), values.get(), n, ascending{}, {stream}, one_size{});
      },
      keys, values);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  for (uint64_t n :
       edge_sizes(small, uint64_t{1} << one_size::tuning(gpu_architecture::sm_90, 3).log2_part))
    for (uint64_t different : {uint64_t{3}, uint64_t{1} << 32}) {
      check_bitonic_keys<one_size>(reduced_keys<uint32_t>(n, n, different), ascending{});
      check_bitonic_pairs<one_size>(reduced_keys<uint32_t>(n, n, different), ascending{});
    }
  test_replays(small ? 8300 : 300007);
  return gpu_result("entry points of bitonic sort");
}
