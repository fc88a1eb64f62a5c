//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_small_bench.cu: merge sorts of small inputs, in any order of equal keys,
// against CUB's.
//
//===----------------------------------------------------------------------===//

#include "small_bench.hpp"

#include <colonnade/merge_sort.cuh>

#include <cub/device/device_merge_sort.cuh>

using namespace bench;
using namespace colonnade;

namespace {

struct less {
  template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};

template <class Key, class Value, bool Pairs>
void sorts(report &out, const std::string &what, uint64_t seed) {
  const small_arrays<Key, Value> a(seed);
  const Key *in = a.keys_in;
  const Value *values = a.values_in;
  for (const uint64_t n : small_sizes(seed)) {
    const auto peer = [&](void *t, size_t &b) {
      const auto count = static_cast<uint32_t>(n);
      if constexpr (Pairs)
        return cub::DeviceMergeSort::SortPairsCopy(t, b, in, values, a.keys_out, a.values_out,
                                                   count, less{}, small_stream());
      else
        return cub::DeviceMergeSort::SortKeysCopy(t, b, in, a.keys_out, count, less{},
                                                  small_stream());
    };
    const auto ours = [&](void *t, size_t &b) {
      const run_options options{small_stream()};
      if constexpr (Pairs)
        return merge_sort_pairs(t, b, in, a.keys_out, values, a.values_out, n, ascending{},
                                options);
      else
        return merge_sort_keys(t, b, in, a.keys_out, n, ascending{}, options);
    };
    small_against(out, what, n, ours, {peer});
  }
}

} // namespace

int main(int argc, char **argv) {
  return small_main(argc, argv, [](report &out, uint64_t seed) {
    for_small_types("merge sort", [&]<class Key, class Value, bool Pairs>(const std::string &what) {
      sorts<Key, Value, Pairs>(out, what, seed);
    });
  });
}
