//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Multisplits into more than 256 buckets on the GPU: 257, 1000, 65536 and, in three
// passes, 100000 buckets; functors that are asked again and ids that are carried;
// ids out of range, discarded items, the permutation, counts, a captured graph.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

using namespace colonnade;

namespace {

struct carrying_policy : small_tile_policy {
  static constexpr bool carries_ids = true;
};
struct discarding_policy : small_tile_policy {
  static constexpr bool discards = true;
};

template <class Policy, class Value = void, class Bucket>
void check(const std::vector<uint32_t> &keys, uint32_t m, Bucket bucket) {
  check_split<Policy, uint32_t, Value>(keys, m, bucket);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const std::vector<uint64_t> sizes =
      small ? std::vector<uint64_t>{0, 3000}
            : std::vector<uint64_t>{0,      1, 33, 2047, 2048, 2049, (1u << 20) - 1, (1u << 20) + 1,
                                    3000000};
  for (uint64_t n : sizes)
    for (uint32_t m : {257, 1000, 65536, 100000}) {
      const auto keys = some_keys<uint32_t>(n, m);
      check<small_tile_policy>(keys, m, modulo_bucket{m});
      check<small_tile_policy, uint64_t>(keys, m, modulo_bucket{m});
      check<small_tile_policy>(keys, m, indexed_bucket{m});
      check<small_tile_policy, uint16_t>(keys, m, indexed_bucket{m});
      check<carrying_policy>(keys, m, wild_bucket{m});
      check<small_tile_policy>(keys, m, wild_bucket{m});
      check<discarding_policy>(keys, m, leaky_bucket{m});
      if (n)
        check_permutation_and_counts<small_tile_policy>(keys, m);
    }
  check<discarding_policy>(some_keys<uint32_t>(small ? 900 : 100000, 5), 256, leaky_bucket{256});
  check<multisplit_policy>(some_keys<uint32_t>(small ? 900 : 4000000, 6), 3000,
                           modulo_bucket{3000});
  check<small_tile_policy>(std::vector<uint32_t>(small ? 2000 : 1000000, 77), 1000,
                           modulo_bucket{1000});
  check_split_replayed<small_tile_policy>(small ? 2500 : 500000, 5000);
  return gpu_result("multisplit into many buckets");
}
