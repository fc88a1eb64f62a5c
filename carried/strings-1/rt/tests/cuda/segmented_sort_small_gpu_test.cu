//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_small_gpu_test.cu: segmented sorts of small inputs in one launch, or two,
// against those by the kernels of large inputs: segments of all shapes.
//
//===----------------------------------------------------------------------===//

#include "small_case.cuh"

#include "radix_sort_case.cuh"

#include <colonnade/segmented_sort.cuh>

using namespace colonnade;

namespace {

struct large : segmented_sort_policy {
  static constexpr uint64_t most_team_items = 0;
};

/// Offsets of n items: 0: one segment; 1: some of 40; 2: of sqrt(n); 3: each half as long as
/// the one before; 4: any, many of them empty.
std::vector<uint32_t> offsets_of(uint64_t n, int shape) {
  std::vector<uint32_t> offsets{0};
  const uint32_t end = static_cast<uint32_t>(n);
  uint32_t root = 1;
  while (root * root < end)
    ++root;
  while (offsets.back() < end) {
    const uint32_t left = end - offsets.back();
    const uint32_t random = static_cast<uint32_t>(scramble(offsets.size()) % 701);
    const uint32_t length = shape == 0   ? left
                            : shape == 1 ? 40
                            : shape == 2 ? root
                            : shape == 3 ? (left + 1) / 2
                                         : (random > 300 ? 0 : random);
    offsets.push_back(offsets.back() + std::min(length, left));
  }
  return offsets;
}

template <class Key, class Value>
void sorts(const std::vector<uint64_t> &sizes, int shape, radix_order order) {
  for (const uint64_t n : sizes) {
    const auto host_offsets = offsets_of(n, shape);
    const device_array<uint32_t> offsets(host_offsets), places(n);
    const device_array<Key> keys(sort_keys_of<Key>(n, n)), keys_out(n);
    const device_array<Value> values(some_keys<Value>(n, n + 1)), values_out(n);
    const auto segments =
        segments_between(host_offsets.size() - 1, static_cast<const uint32_t *>(offsets.get()), n);
    check_same_bits<large, segmented_sort_policy>(
        "pairs", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return segmented_sort_pairs(d_temp, bytes, static_cast<const Key *>(keys.get()),
                                      keys_out.get(), static_cast<const Value *>(values.get()),
                                      values_out.get(), segments, order, {stream}, policy);
        },
        keys_out, values_out);
    check_same_bits<large, segmented_sort_policy>(
        "stable keys", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return segmented_stable_sort_keys(d_temp, bytes, static_cast<const Key *>(keys.get()),
                                            keys_out.get(), segments, order, {stream}, policy);
        },
        keys_out);
    check_same_bits<large, segmented_sort_policy>(
        "places", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return segmented_argsort(d_temp, bytes, static_cast<const Key *>(keys.get()),
                                   places.get(), segments, order, {stream}, policy);
        },
        places);
  }
}
/// Lengths change from replay to replay; one segment is bad.
void replayed(uint64_t n) {
  const uint64_t count = 50;
  const device_array<uint32_t> keys(n), keys_out(n), begins(count), ends(count);
  const device_array<device_status> status(1);
  check_replays(
      "segmented sort",
      [&](uint64_t seed) {
        keys.write(sort_keys_of<uint32_t>(n, seed));
        keys_out.write(std::vector<uint32_t>(n, 7));
        status.write(std::vector<device_status>(1));
        std::vector<uint32_t> first(count), last(count);
        for (uint64_t s = 0; s < count; ++s) {
          first[s] = static_cast<uint32_t>(s * n / count);
          last[s] = static_cast<uint32_t>(first[s] + scramble(s + seed) % (n / count + 1));
        }
        last[17 + seed] = static_cast<uint32_t>(n + 1);
        begins.write(first);
        ends.write(last);
      },
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        using list = const uint32_t *;
        return segmented_sort_keys(d_temp, bytes, static_cast<list>(keys.get()), keys_out.get(),
                                   listed_segments<list, list>{count, begins.get(), ends.get(), n},
                                   {}, {stream, status.get()});
      },
      keys_out, status);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  using list = std::vector<uint64_t>;
  const auto sizes = small ? list{33, 1300} : sizes_around_switches(false);
  for (int shape = 0; shape < 5; ++shape)
    sorts<uint32_t, uint32_t>(sizes, shape, {});
  if (small) // segments that no block holds, and many that one does
    for (int shape : {0, 4})
      sorts<uint32_t, uint32_t>(list{17000}, shape, {});
  for (int shape = 0; shape < 5; ++shape)
    sorts<double, uint64_t>(small ? list{700} : sizes, shape, {true});
  sorts<uint16_t, blob<16>>(sizes, 4, {false, 3, 13});
  for (const uint64_t n : small ? list{900} : list{900, 4000, 6000, 20000, 60000})
    replayed(n);
  return gpu_result("small segmented sorts");
}
