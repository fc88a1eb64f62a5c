//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_small_bench.cu: multisplits of small inputs into 2, 32 and 256 buckets, by the
// highest bits of the key, against the faster of CUB's two radix sorts by these bits (32-
// and 64-bit num_items), which gives the same output.
//
//===----------------------------------------------------------------------===//

#include "small_bench.hpp"

#include <colonnade/multisplit.cuh>

#include <cub/device/device_radix_sort.cuh>

using namespace bench;
using namespace colonnade;

namespace {

template <class Key> struct highest_bits {
  uint32_t shift;
  __device__ uint32_t operator()(Key key) const { return static_cast<uint32_t>(key >> shift); }
};

template <class Key, class Value, bool Pairs>
void splits(report &out, const std::string &what, uint32_t bits, uint64_t seed) {
  const small_arrays<Key, Value> a(seed);
  uint64_t *d_offsets = nullptr;
  CUDA_OK(cudaMalloc(&d_offsets, 257 * sizeof(uint64_t)));
  const Key *in = a.keys_in;
  const Value *values = a.values_in;
  const int end = 8 * sizeof(Key), begin = end - static_cast<int>(bits);
  const highest_bits<Key> bucket{static_cast<uint32_t>(begin)};
  for (const uint64_t n : small_sizes(seed)) {
    const auto peer = [&](auto count) {
      return [=, &a](void *t, size_t &b) {
        if constexpr (Pairs)
          return cub::DeviceRadixSort::SortPairs(t, b, in, a.keys_out, values, a.values_out, count,
                                                 begin, end, small_stream());
        else
          return cub::DeviceRadixSort::SortKeys(t, b, in, a.keys_out, count, begin, end,
                                                small_stream());
      };
    };
    const auto ours = [&](void *t, size_t &b) {
      const run_options options{small_stream()};
      if constexpr (Pairs)
        return multisplit_pairs(t, b, in, a.keys_out, values, a.values_out, n, 1u << bits, bucket,
                                d_offsets, options);
      else
        return multisplit_keys(t, b, in, a.keys_out, n, 1u << bits, bucket, d_offsets, options);
    };
    small_against(out, what + ", m = " + std::to_string(1u << bits), n, ours,
                  {peer(static_cast<uint32_t>(n)), peer(n)});
  }
  CUDA_OK(cudaFree(d_offsets));
}

} // namespace

int main(int argc, char **argv) {
  return small_main(argc, argv, [](report &out, uint64_t seed) {
    for (const uint32_t bits : {1u, 5u, 8u})
      for_small_types("multisplit",
                      [&]<class Key, class Value, bool Pairs>(const std::string &what) {
                        splits<Key, Value, Pairs>(out, what, bits, seed);
                      });
  });
}
