//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_small_bench.cu: segmented sorts of small inputs, in segments of about
// sqrt(n) items and in one, against CUB's (pairs: both stable). CUB sorts more than 500
// segments with a copy to the host in between, which no graph can hold: sqrt(65537) are 256.
//
//===----------------------------------------------------------------------===//

#include "small_bench.hpp"

#include <colonnade/segmented_sort.cuh>

#include <cub/device/device_segmented_sort.cuh>

using namespace bench;
using namespace colonnade;

namespace {

template <class Key, class Value, bool Pairs>
void sorts(report &out, const std::string &what, bool one, uint64_t seed) {
  const small_arrays<Key, Value> a(seed);
  int *d_offsets = nullptr;
  CUDA_OK(cudaMalloc(&d_offsets, 300 * sizeof(int)));
  const Key *in = a.keys_in;
  const Value *values = a.values_in;
  for (const uint64_t n : small_sizes(seed)) {
    uint64_t length = n;
    while (!one && (length - 1) * (length - 1) >= n)
      --length;
    std::vector<int> offsets{0};
    while (static_cast<uint64_t>(offsets.back()) < n)
      offsets.push_back(static_cast<int>(std::min(offsets.back() + length, n)));
    const int segments = static_cast<int>(offsets.size()) - 1;
    CUDA_OK(cudaMemcpy(d_offsets, offsets.data(), offsets.size() * sizeof(int),
                       cudaMemcpyHostToDevice));
    const auto peer = [&](void *t, size_t &b) {
      const int items = static_cast<int>(n);
      if constexpr (Pairs)
        return cub::DeviceSegmentedSort::StableSortPairs(t, b, in, a.keys_out, values, a.values_out,
                                                         items, segments, d_offsets, d_offsets + 1,
                                                         small_stream());
      else
        return cub::DeviceSegmentedSort::SortKeys(t, b, in, a.keys_out, items, segments, d_offsets,
                                                  d_offsets + 1, small_stream());
    };
    const auto ours = [&](void *t, size_t &b) {
      const run_options options{small_stream()};
      const auto listed =
          segments_between(static_cast<uint64_t>(segments), static_cast<const int *>(d_offsets), n);
      if constexpr (Pairs)
        return segmented_sort_pairs(t, b, in, a.keys_out, values, a.values_out, listed, {},
                                    options);
      else
        return segmented_sort_keys(t, b, in, a.keys_out, listed, {}, options);
    };
    small_against(out, what + (one ? ", one segment" : ", segments of sqrt(n)"), n, ours, {peer});
  }
  CUDA_OK(cudaFree(d_offsets));
}

} // namespace

int main(int argc, char **argv) {
  return small_main(argc, argv, [](report &out, uint64_t seed) {
    for (const bool one : {false, true})
      for_small_types("segmented sort",
                      [&]<class Key, class Value, bool Pairs>(const std::string &what) {
                        sorts<Key, Value, Pairs>(out, what, one, seed);
                      });
  });
}
