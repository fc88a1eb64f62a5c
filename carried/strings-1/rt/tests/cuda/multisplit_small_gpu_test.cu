//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_small_gpu_test.cu: multisplits of small inputs by one team of blocks against
// those by the kernels of large inputs.
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"
#include "small_case.cuh"

using namespace colonnade;

namespace {

struct large : coarse_policy {
  static constexpr uint64_t most_team_items = 0;
};
template <class Base> struct discarding : Base {
  static constexpr bool discards = true;
};

template <class Key, class Value, class Large, class Small, class Bucket>
void pairs(const std::vector<uint64_t> &sizes, uint32_t m, Bucket bucket) {
  for (const uint64_t n : sizes) {
    const device_array<Key> keys(some_keys<Key>(n, n)), keys_out(n);
    const device_array<Value> values(some_keys<Value>(n, n + 1)), values_out(n);
    const device_array<uint64_t> offsets(m + 1);
    const device_array<device_status> status(1);
    check_same_bits<Large, Small>(
        "pairs", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          if (d_temp)
            status.write(std::vector<device_status>(1));
          return multisplit_pairs(d_temp, bytes, static_cast<const Key *>(keys.get()),
                                  keys_out.get(), static_cast<const Value *>(values.get()),
                                  values_out.get(), n, m, bucket, offsets.get(),
                                  {stream, status.get()}, policy);
        },
        keys_out, values_out, offsets, status);
  }
}
template <class Large, class Small, class Bucket>
void keys_alone(const std::vector<uint64_t> &sizes, uint32_t m, Bucket bucket) {
  for (const uint64_t n : sizes) {
    const device_array<uint32_t> keys(some_keys<uint32_t>(n, n)), keys_out(n);
    const device_array<uint64_t> offsets(m + 1);
    check_same_bits<Large, Small>(
        "keys", n,
        [&](auto policy, void *d_temp, size_t &bytes, cudaStream_t stream) {
          return multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys.get()),
                                 keys_out.get(), n, m, bucket, offsets.get(), {stream}, policy);
        },
        keys_out, offsets);
  }
}
/// The number of items is on the device, and changes from replay to replay.
void counted_on_the_device(uint64_t most) {
  const device_array<uint32_t> keys(most), keys_out(most);
  const device_array<uint64_t> offsets(14), count(1);
  check_replays(
      "a count on the device",
      [&](uint64_t seed) {
        keys.write(some_keys<uint32_t>(most, seed));
        count.write({most - seed * most / 3});
      },
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys.get()),
                               keys_out.get(), item_count{count.get(), most}, 13, modulo_bucket{13},
                               offsets.get(), {stream}, coarse_policy{});
      },
      keys_out, offsets);
}

void waits(uint64_t n) {
  const device_array<uint32_t> keys(n), keys_out(n);
  const device_array<uint64_t> offsets(33);
  check_waits(
      "multisplit", some_keys<uint32_t>(n, n), keys,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys.get()),
                               keys_out.get(), n, 32, modulo_bucket{32}, offsets.get(), {stream},
                               coarse_policy{});
      },
      keys_out, offsets);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const auto sizes = sizes_around_switches(small);
  for (const uint32_t m : {2u, 32u, 200u, 256u})
    keys_alone<large, coarse_policy>(sizes, m, modulo_bucket{m});
  pairs<uint32_t, uint32_t, large, coarse_policy>(sizes, 7, wild_bucket{7});
  pairs<uint64_t, uint64_t, large, coarse_policy>(sizes, 256, modulo_bucket{256});
  pairs<blob<3>, blob<16>, large, coarse_policy>(sizes, 9, indexed_bucket{9});
  pairs<uint8_t, blob<5>, discarding<large>, discarding<coarse_policy>>(sizes, 40,
                                                                        leaky_bucket{40});
  for (const uint64_t n : small ? std::vector<uint64_t>{900, 6000}
                                : std::vector<uint64_t>{900, 3000, 6000, 20000, 60000})
    counted_on_the_device(n);
  for (const uint64_t n : small ? std::vector<uint64_t>{300} : std::vector<uint64_t>{300, 5000})
    waits(n);
  return gpu_result("small multisplits");
}
