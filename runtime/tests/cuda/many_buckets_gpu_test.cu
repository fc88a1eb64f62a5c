//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Multisplits into more than 256 buckets on the GPU: 257, 1000, 65536 and, in three
// rounds, 100000 buckets; functors that are asked again and ids that are carried;
// ids out of range, discarded items, the permutation, counts, a captured graph.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

using namespace colonnade;

namespace {

/// Small tiles compile faster and give more of them.
struct light_policy : default_policy {
  static constexpr uint64_t max_items = 0xffffffff;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
  static constexpr multisplit_tuning tuning(uint32_t, size_t, size_t) {
    multisplit_tuning t;
    t.threads = 256;
    t.items_per_thread = 8;
    return t;
  }
};
struct carrying_policy : light_policy {
  static constexpr bool carries_ids = true;
};
struct discarding_policy : light_policy {
  static constexpr bool discards = true;
};

template <class Policy, class Value = void, class Bucket>
void check(const std::vector<uint32_t> &keys, uint32_t m, Bucket bucket) {
  check_split<Policy, uint32_t, Value>(keys, m, bucket);
}

void test_permutation_and_counts(const std::vector<uint32_t> &keys, uint32_t m) {
  const uint64_t n = keys.size();
  const split_reference expected = split_on_host(keys, m, modulo_bucket{m}, false);
  const device_array<uint32_t> keys_in(keys), from(n);
  const device_array<uint64_t> offsets(m + 1), counted(m + 1);
  const uint32_t *d_keys = keys_in.get();
  call_twice([&](void *d_temp, size_t &bytes) {
    return multisplit_permutation(d_temp, bytes, d_keys, from.get(), n, m, modulo_bucket{m},
                                  offsets.get(), {}, light_policy{});
  });
  const std::vector<uint32_t> moved = from.read();
  EXPECT(std::equal(moved.begin(), moved.end(), expected.from.begin()), "permutation, m = %u", m);
  EXPECT(offsets.read() == expected.offsets, "offsets of the permutation, m = %u", m);
  call_twice([&](void *d_temp, size_t &bytes) {
    return multisplit_counts(d_temp, bytes, d_keys, n, m, modulo_bucket{m}, counted.get(), {},
                             light_policy{});
  });
  EXPECT(counted.read() == expected.offsets, "counts, m = %u", m);
  counted.expect_intact("counts");
}

void test_graph(uint64_t n) {
  const uint32_t m = 5000;
  const device_array<uint32_t> keys_in(n), keys_out(n);
  const device_array<uint64_t> offsets(m + 1);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys_in.get()),
                           keys_out.get(), n, m, modulo_bucket{m}, offsets.get(), {stream},
                           light_policy{});
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t seed : {21, 22, 23}) {
    const auto keys = some_keys<uint32_t>(n, seed);
    keys_in.write(keys);
    graph.replay();
    const split_reference expected = split_on_host(keys, m, modulo_bucket{m}, false);
    const std::vector<uint32_t> moved = keys_out.read();
    bool right = offsets.read() == expected.offsets;
    for (uint64_t i = 0; i < n; ++i)
      right = right && moved[i] == keys[expected.from[i]];
    EXPECT(right, "replay %llu", static_cast<unsigned long long>(seed));
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
  const std::vector<uint64_t> sizes =
      small ? std::vector<uint64_t>{0, 3000}
            : std::vector<uint64_t>{0, 1, 33, 2047, 2048, 2049, (1u << 20) - 1, (1u << 20) + 1, 3000000};
  for (uint64_t n : sizes)
    for (uint32_t m : {257, 1000, 65536, 100000}) {
      const auto keys = some_keys<uint32_t>(n, m);
      check<light_policy>(keys, m, modulo_bucket{m});
      check<light_policy, uint64_t>(keys, m, modulo_bucket{m});
      check<light_policy>(keys, m, indexed_bucket{m});
      check<light_policy, uint16_t>(keys, m, indexed_bucket{m});
      check<carrying_policy>(keys, m, wild_bucket{m});
      check<light_policy>(keys, m, wild_bucket{m});
      check<discarding_policy>(keys, m, leaky_bucket{m});
      if (n)
        test_permutation_and_counts(keys, m);
    }
  check<discarding_policy>(some_keys<uint32_t>(small ? 900 : 100000, 5), 256, leaky_bucket{256});
  check<default_policy>(some_keys<uint32_t>(small ? 900 : 4000000, 6), 3000, modulo_bucket{3000});
  check<light_policy>(std::vector<uint32_t>(small ? 2000 : 1000000, 77), 1000, modulo_bucket{1000});
  test_graph(small ? 2500 : 500000);
  return gpu_result("multisplit into many buckets");
}
