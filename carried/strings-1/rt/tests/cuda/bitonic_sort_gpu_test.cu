//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bitonic sorts on the GPU: 32-bit keys of all lengths, by both orders, and replayed
// from a graph.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "bitonic_sort_case.cuh"

#include <colonnade/order.hpp>

using namespace colonnade;

namespace {

/// Small parts: many passes for few items.
struct small_parts : bitonic_sort_policy {
  static constexpr uint64_t large = 2000;
  static constexpr bitonic_tuning tuning(gpu_architecture, uint32_t) {
    bitonic_tuning t;
    t.log2_part = 7;
    t.log2_items = 2;
    return t;
  }
  static constexpr bitonic_tuning large_tuning(gpu_architecture, uint32_t) {
    bitonic_tuning t;
    t.log2_part = 9;
    t.log2_items = 3;
    return t;
  }
};

void check_replay(uint64_t n) {
  const device_array<uint32_t> keys(n);
  const captured_graph graph(
      [&](cudaStream_t stream) { return bitonic_sort_keys(keys.get(), n, ascending{}, {stream}); });
  for (uint64_t replay = 0; replay < 2; ++replay) {
    auto expected = some_keys<uint32_t>(n, 7 + replay);
    keys.write(expected);
    graph.replay();
    std::sort(expected.begin(), expected.end());
    EXPECT(keys.read() == expected, "replay %d", static_cast<int>(replay));
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  std::vector<uint64_t> sizes = {0, 1, 2, 31, 32, 33, 127, 128, 129, 1000, 3000};
  for (uint64_t n : sizes)
    for (uint64_t different : {uint64_t{1}, uint64_t{3}, uint64_t{1} << 32}) {
      check_bitonic_keys<small_parts>(reduced_keys<uint32_t>(n, n, different), ascending{});
      check_bitonic_pairs<small_parts>(reduced_keys<uint32_t>(n, n, different), descending{});
    }
  for (uint64_t n : small ? std::vector<uint64_t>{8193}
                          : std::vector<uint64_t>{8191, 8192, 8193, 12288, 100000, 1048575, 1048576,
                                                  1048577, 3145727, 4194304}) {
    check_bitonic_keys<bitonic_sort_policy>(some_keys<uint32_t>(n, n), ascending{});
    check_bitonic_keys<bitonic_sort_policy>(reduced_keys<uint32_t>(n, n, 5), ascending{});
  }
  check_replay(small ? 9000 : 1000003);
  return gpu_result("bitonic sort");
}
