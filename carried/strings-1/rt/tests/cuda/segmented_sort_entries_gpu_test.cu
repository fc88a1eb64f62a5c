//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every segmented sort on the GPU, of equal and of listed segments: some of 2^20 items,
// 2^20 segments, an array in one segment; captured in a graph and replayed with other
// keys and other segments.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "replay_case.cuh"
#include "segmented_sort_case.cuh"

using namespace colonnade;

namespace {

/// Few different keys: stability shows.
std::vector<float> few_keys(uint64_t n, uint64_t seed) {
  std::vector<float> keys(n);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t x = scramble(i + seed * 1000003);
    keys[i] = x % 5 == 0 ? -0.0f : static_cast<float>(x % 97) - 40.0f;
  }
  return keys;
}

void check_all_forms(const host_segments &s, bool equal, radix_order order = {}) {
  const auto keys = few_keys(s.num_items, s.num_items);
  check_segmented_keys(keys, s, equal, order);
  check_segmented_stable_keys(keys, s, equal, order);
  check_segmented_pairs<uint32_t>(keys, s, equal, order);
  check_segmented_argsort<uint32_t>(keys, s, equal, order);
}

void test_sizes(bool small) {
  for (uint64_t n : edge_sizes(small, 8192)) // in one segment, and one beside others
    check_all_forms(equal_on_host(1, n), true);
  if (small)
    return;
  host_segments long_ones;
  for (uint64_t length : {0u, (1u << 20) - 1, 1u, 1u << 20, 33u, (1u << 20) + 1, 0u})
    long_ones.add(length);
  check_all_forms(long_ones, false, {true});
  host_segments many;
  for (uint64_t i = 0; i <= 1u << 20; ++i)
    many.add(scramble(i) % 4);
  check_all_forms(many, false);
}

/// The same number of items in segments that change, one of them large at times.
template <class Segments, class Fill>
void test_replays(uint64_t n, Segments segments, Fill fill_segments) {
  const device_array<float> keys(n), out(n);
  const device_array<uint32_t> values(some_keys<uint32_t>(n, 5)), values_out(n);
  const float *in = keys.get();
  const uint32_t *with = values.get();
  const auto fill = [&](uint64_t seed) {
    keys.write(few_keys(n, seed));
    fill_segments(seed);
  };
  check_replays(
      "segmented_sort_keys", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return segmented_sort_keys(d_temp, bytes, in, out.get(), segments, {}, {stream},
                                   below_2_32{});
      },
      out);
  check_replays(
      "segmented_stable_sort_keys", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return segmented_stable_sort_keys(d_temp, bytes, in, out.get(), segments, {}, {stream},
                                          below_2_32{});
      },
      out);
  check_replays(
      "segmented_sort_pairs", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return segmented_sort_pairs(d_temp, bytes, in, out.get(), with, values_out.get(), segments,
                                    {}, {stream}, below_2_32{});
      },
      out, values_out);
  check_replays(
      "segmented_argsort", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return segmented_argsort(d_temp, bytes, in, values_out.get(), segments, {}, {stream},
                                 below_2_32{});
      },
      values_out);
}

void test_replays(bool small) {
  const uint64_t n = small ? 2000 : 240000, count = small ? 30 : 300;
  for (uint64_t length : {20, 100, 2000, 10000})
    test_replays(std::max(n, length), equal_segments{std::max(n, length) / length, length},
                 [](uint64_t) {});
  const device_array<uint32_t> offsets(count + 1);
  test_replays(n, segments_between(count, static_cast<const uint32_t *>(offsets.get()), n),
               [&](uint64_t seed) {
                 std::vector<uint32_t> ends(count + 1, static_cast<uint32_t>(n));
                 ends[0] = 0;
                 for (uint64_t i = 1; i < count; ++i)
                   ends[i] = static_cast<uint32_t>(scramble(i + seed) % n >> (seed == 2 ? 5 : 0));
                 std::sort(ends.begin(), ends.end());
                 offsets.write(ends);
               });
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  test_sizes(small);
  test_replays(small);
  return gpu_result("entry points of segmented sort");
}
