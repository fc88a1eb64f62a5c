//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_small_gpu_test.cu: radix sorts of small inputs by one block or team against
// those by the kernels of large inputs.
//
//===----------------------------------------------------------------------===//

#include "small_case.cuh"

#include "radix_sort_case.cuh"

using namespace colonnade;

namespace {

struct large : radix_sort_policy {
  static constexpr uint64_t most_team_items = 0;
};

template <class Key, class Value>
void pairs(const std::vector<uint64_t> &sizes, radix_order order) {
  for (const uint64_t n : sizes) {
    const device_array<Key> keys(sort_keys_of<Key>(n, n)), keys_out(n);
    const device_array<Value> values(some_keys<Value>(n, n + 1)), values_out(n);
    check_same_bits<large, radix_sort_policy>(
        "pairs", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return sort_pairs(d_temp, bytes, static_cast<const Key *>(keys.get()), keys_out.get(),
                            static_cast<const Value *>(values.get()), values_out.get(), n, order,
                            {stream}, policy);
        },
        keys_out, values_out);
  }
}
template <class Key> void keys_alone(const std::vector<uint64_t> &sizes, radix_order order) {
  for (const uint64_t n : sizes) {
    const device_array<Key> keys(sort_keys_of<Key>(n, n)), keys_out(n);
    const device_array<uint32_t> places(n);
    check_same_bits<large, radix_sort_policy>(
        "keys", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return sort_keys(d_temp, bytes, static_cast<const Key *>(keys.get()), keys_out.get(), n,
                           order, {stream}, policy);
        },
        keys_out);
    check_same_bits<large, radix_sort_policy>(
        "places", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return argsort(d_temp, bytes, static_cast<const Key *>(keys.get()), places.get(), n,
                         order, {stream}, policy);
        },
        places);
  }
}
void replayed(uint64_t n) {
  const device_array<uint32_t> keys(n), keys_out(n);
  check_replays(
      "radix sort", [&](uint64_t seed) { keys.write(sort_keys_of<uint32_t>(n, seed)); },
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return sort_keys(d_temp, bytes, static_cast<const uint32_t *>(keys.get()), keys_out.get(),
                         n, {}, {stream});
      },
      keys_out);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const auto sizes = sizes_around_switches(small);
  keys_alone<uint32_t>(sizes, {});
  keys_alone<float>(sizes, {true});
  keys_alone<int64_t>(sizes, {true, 5, 40});
  keys_alone<uint8_t>(sizes, {});
  pairs<uint32_t, uint32_t>(sizes, {false, 3, 17});
  pairs<uint64_t, uint64_t>(sizes, {});
  pairs<float, blob<16>>(sizes, {});
  for (const uint64_t n : small ? std::vector<uint64_t>{900, 6000}
                                : std::vector<uint64_t>{900, 3000, 6000, 20000, 60000})
    replayed(n);
  return gpu_result("small radix sorts");
}
