//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every entry point of multisplit on the GPU, into few buckets and into many: pairs,
// permutations and counts at sizes around warps, tiles and 2^20; ids out of range in
// each; captured in a graph and replayed.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"
#include "replay_case.cuh"

using namespace colonnade;

namespace {

constexpr uint64_t tile = 2048; // small_tile_policy's

void test_sizes(bool small) {
  for (uint64_t n : edge_sizes(small, tile))
    for (uint32_t m :
         small ? std::vector<uint32_t>{200, 1000} : std::vector<uint32_t>{1, 2, 200, 1000}) {
      const auto keys = some_keys<uint32_t>(n, m);
      check_split<small_tile_policy, uint32_t, uint32_t>(keys, m, modulo_bucket{m});
      check_split<small_tile_policy, uint32_t, uint32_t>(keys, m, wild_bucket{m});
      check_permutation_and_counts<small_tile_policy>(keys, m);
      check_permutation_and_counts<small_tile_policy>(keys, m, wild_bucket{m});
    }
}

/// Types of other sizes, in digit passes too.
void test_types(uint64_t n) {
  for (uint32_t m : {200, 1000}) {
    check_split<small_tile_policy, blob<12>, blob<3>>(some_keys<blob<12>>(n, m), m,
                                                      modulo_bucket{m});
    check_split<small_tile_policy, blob<3>, blob<16>>(some_keys<blob<3>>(n, m), m,
                                                      modulo_bucket{m});
  }
}

template <class Policy> void test_replays(uint64_t n, uint32_t m) {
  const device_array<uint32_t> keys(n), values(some_keys<uint32_t>(n, 3)), out(n), values_out(n);
  const device_array<uint64_t> offsets(m + 1);
  const uint32_t *in = keys.get(), *with = values.get();
  const modulo_bucket bucket{m};
  const auto fill = [&](uint64_t seed) { keys.write(some_keys<uint32_t>(n, seed)); };
  check_replays(
      "multisplit_keys", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return multisplit_keys(d_temp, bytes, in, out.get(), n, m, bucket, offsets.get(), {stream},
                               Policy{});
      },
      out, offsets);
  check_replays(
      "multisplit_pairs", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return multisplit_pairs(d_temp, bytes, in, out.get(), with, values_out.get(), n, m, bucket,
                                offsets.get(), {stream}, Policy{});
      },
      out, values_out, offsets);
  check_replays(
      "multisplit_permutation", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return multisplit_permutation(d_temp, bytes, in, values_out.get(), n, m, bucket,
                                      offsets.get(), {stream}, Policy{});
      },
      values_out, offsets);
  check_replays(
      "multisplit_counts", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return multisplit_counts(d_temp, bytes, in, n, m, bucket, offsets.get(), {stream},
                                 Policy{});
      },
      offsets);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  test_sizes(small);
  test_types(small ? 700 : 100003);
  for (uint32_t m : {30, 1000, 70000})
    test_replays<small_tile_policy>(small ? 2500 : 300007, m);
  return gpu_result("multisplit's entry points");
}
