//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every entry point of merge sort on the GPU, stable and not, by each method: sizes
// around warps, tiles and 2^20, and captured in a graph that is replayed.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "merge_sort_case.cuh"
#include "replay_case.cuh"
#include "small_sort_policy.hpp"

using namespace colonnade;

namespace {

/// Numbers go to the radix sort early.
struct early_radix : merge_sort_policy {
  static constexpr uint64_t radix_from(size_t, size_t) { return 500; }
  using radix = small_sort_policy;
};
/// Equal keys are told apart by the low bits.
struct by_high_bits {
  __host__ __device__ bool operator()(uint32_t a, uint32_t b) const { return a >> 22 < b >> 22; }
};

template <class Policy, class Compare> void test_sizes(bool small, uint64_t tile, Compare compare) {
  for (uint64_t n : edge_sizes(small, tile)) {
    const auto keys = some_keys<uint32_t>(n, n);
    check_merge_keys<Policy, sort_form::unstable>(keys, compare);
    check_merge_keys<Policy>(keys, compare);
    check_merge_pairs<Policy, uint32_t, sort_form::unstable>(keys, compare);
    check_merge_pairs<Policy, uint32_t>(keys, compare);
    check_merge_argsort<Policy, uint32_t, sort_form::unstable>(keys, compare);
    check_merge_argsort<Policy, uint32_t>(keys, compare);
  }
}

/// Several tiles: all calls of one graph.
template <class Policy, class Compare>
void test_replays(const char *what, uint64_t n, Compare compare) {
  const device_array<uint32_t> keys(n), values(some_keys<uint32_t>(n, 77)), out(n), values_out(n);
  const uint32_t *in = keys.get(), *with = values.get();
  const auto fill = [&](uint64_t seed) { keys.write(some_keys<uint32_t>(n, seed)); };
  const auto replay = [&](auto call, const auto &...outputs) {
    check_replays(what, fill, call, outputs...);
  };
  replay(
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return merge_sort_keys(d_temp, bytes, in, out.get(), n, compare, {stream}, Policy{});
      },
      out);
  replay(
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return stable_merge_sort_keys(d_temp, bytes, in, out.get(), n, compare, {stream}, Policy{});
      },
      out);
  replay(
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return merge_sort_pairs(d_temp, bytes, in, out.get(), with, values_out.get(), n, compare,
                                {stream}, Policy{});
      },
      out, values_out);
  replay(
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return stable_merge_sort_pairs(d_temp, bytes, in, out.get(), with, values_out.get(), n,
                                       compare, {stream}, Policy{});
      },
      out, values_out);
  replay(
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return merge_argsort(d_temp, bytes, in, out.get(), n, compare, {stream}, Policy{});
      },
      out);
  replay(
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return stable_merge_argsort(d_temp, bytes, in, out.get(), n, compare, {stream}, Policy{});
      },
      out);
}

template <class Policy, class Compare>
void test(const char *what, bool small, uint64_t tile, Compare compare) {
  test_sizes<Policy>(small, tile, compare);
  test_replays<Policy>(what, small ? 1100 : 9 * tile + 5, compare);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  constexpr merge_sort_tuning merging = merging_policy::tuning(gpu_architecture::sm_90, 4, 4);
  test<merging_policy>("merging", small, merging.threads * merging.items_per_thread,
                       by_high_bits{});
  test<early_radix>("numbers", small, 2048, ascending{});
  return gpu_result("merge sort's entry points");
}
