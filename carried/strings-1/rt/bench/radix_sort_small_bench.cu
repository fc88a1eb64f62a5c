//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_small_bench.cu: radix sorts of small inputs against the faster of CUB's two
// (32- and 64-bit num_items).
//
//===----------------------------------------------------------------------===//

#include "small_bench.hpp"

#include <colonnade/radix_sort.cuh>

#include <cub/device/device_radix_sort.cuh>

using namespace bench;
using namespace colonnade;

namespace {

template <class Key, class Value, bool Pairs>
void sorts(report &out, const std::string &what, uint64_t seed) {
  const small_arrays<Key, Value> a(seed);
  const Key *in = a.keys_in;
  const Value *values = a.values_in;
  const int end = 8 * sizeof(Key);
  for (const uint64_t n : small_sizes(seed)) {
    const auto peer = [&](auto count) {
      return [=, &a](void *t, size_t &b) {
        if constexpr (Pairs)
          return cub::DeviceRadixSort::SortPairs(t, b, in, a.keys_out, values, a.values_out, count,
                                                 0, end, small_stream());
        else
          return cub::DeviceRadixSort::SortKeys(t, b, in, a.keys_out, count, 0, end,
                                                small_stream());
      };
    };
    const auto ours = [&](void *t, size_t &b) {
      const run_options options{small_stream()};
      if constexpr (Pairs)
        return sort_pairs(t, b, in, a.keys_out, values, a.values_out, n, {}, options);
      else
        return sort_keys(t, b, in, a.keys_out, n, {}, options);
    };
    small_against(out, what, n, ours, {peer(static_cast<uint32_t>(n)), peer(n)});
  }
}

} // namespace

int main(int argc, char **argv) {
  return small_main(argc, argv, [](report &out, uint64_t seed) {
    for_small_types("radix sort", [&]<class Key, class Value, bool Pairs>(const std::string &what) {
      sorts<Key, Value, Pairs>(out, what, seed);
    });
  });
}
