//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Multisplit on the GPU: sizes around warps, tiles and 2^20; every m from 1 to 256;
// ids out of range; skewed keys; index-dependent and discarding functors;
// permutation and counts; argument errors; a captured graph replayed. Types of
// 1 to 16 bytes: multisplit_types_gpu_test.cu; more than 2^32 items:
// multisplit_huge_gpu_test.cu.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

using namespace colonnade;

namespace {

bool small = false;
constexpr multisplit_tuning tuning = multisplit_policy::tuning(gpu_architecture::sm_90, 8, 4, 0);
constexpr uint64_t tile = tuning.threads * tuning.items_per_thread;

struct discarding : multisplit_policy {
  static constexpr bool discards = true;
  static constexpr uint32_t max_buckets = 255;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};

void test_sizes() {
  std::vector<uint64_t> sizes = {0, 1, 31, 32, 33, 1000};
  if (!small)
    sizes.insert(sizes.end(), {tile - 1, tile, tile + 1, (1u << 20) - 1, 1u << 20, (1u << 20) + 1,
                               7 * tile + 5});
  for (uint64_t n : sizes)
    for (uint32_t m : {1, 2, 3, 8, 31, 32, 33, 200, 256})
      check_split<multisplit_policy, uint32_t, void>(some_keys<uint32_t>(n, m), m,
                                                     modulo_bucket{m});
}

void test_all_m() {
  const auto keys = some_keys<uint32_t>(small ? 700 : 3 * tile + 17, 3);
  for (uint32_t m = 1; m <= 256; m += small ? 37 : 1)
    check_split<multisplit_policy, uint32_t, void>(keys, m, modulo_bucket{m});
}

void test_skewed() {
  const uint64_t n = small ? 1000 : 5 * tile + 3;
  std::vector<uint32_t> keys(n, 5);
  for (uint32_t m : {2, 8, 32, 256})
    check_split<multisplit_policy, uint32_t, void>(keys, m, modulo_bucket{m});
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = static_cast<uint32_t>(i * 256 / n);
  check_split<multisplit_policy, uint32_t, void>(keys, 256, modulo_bucket{256});
  std::reverse(keys.begin(), keys.end());
  check_split<multisplit_policy, uint32_t, void>(keys, 256, modulo_bucket{256});
  for (uint32_t m : {2, 8, 32, 256}) {
    for (uint64_t i = 0; i < n; ++i) // a quarter uniform, the rest in one bucket
      keys[i] = static_cast<uint32_t>(scramble(i) % 4 ? 3 : scramble(i) >> 32);
    check_split<multisplit_policy, uint32_t, void>(keys, m, modulo_bucket{m});
    for (uint64_t i = 0; i < n; ++i) { // binomial: heads of 64 coins
      const uint32_t heads = static_cast<uint32_t>(__builtin_popcountll(scramble(i)));
      keys[i] = heads * (m - 1) / 64;
    }
    check_split<multisplit_policy, uint32_t, void>(keys, m, modulo_bucket{m});
  }
}

void test_functors() {
  const auto keys = some_keys<uint32_t>(small ? 900 : 4 * tile + 11, 8);
  for (uint32_t m : {1, 3, 32, 255}) {
    check_split<coarse_policy, uint32_t, void>(keys, m, indexed_bucket{m});
    check_split<coarse_policy, uint32_t, void>(keys, m, wild_bucket{m});
    check_split<discarding, uint32_t, void>(keys, m, leaky_bucket{m});
    check_split<discarding, uint32_t, void>(keys, m, wild_bucket{m});
  }
}

/// Input that no 16-byte load may start at.
void test_alignment() {
  const auto keys = some_keys<uint32_t>(small ? 600 : 2 * tile + 9, 10);
  const device_array<uint32_t> keys_in(keys), keys_out(keys.size());
  for (uint64_t skip : {1, 2, 3}) {
    const std::vector<uint32_t> rest(keys.begin() + skip, keys.end());
    const split_reference expected = split_on_host(rest, 32, modulo_bucket{32}, false);
    call_twice([&](void *d_temp, size_t &bytes) {
      return multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys_in.get() + skip),
                             keys_out.get(), rest.size(), 32, modulo_bucket{32}, nullptr);
    });
    const std::vector<uint32_t> moved = keys_out.read();
    bool right = true;
    for (uint64_t i = 0; i < rest.size(); ++i)
      right = right && moved[i] == rest[expected.from[i]];
    EXPECT(right, "input moved on by %llu items", static_cast<unsigned long long>(skip));
  }
}

void test_argument_errors() {
  const device_array<uint32_t> a(100), b(100);
  const uint32_t *in = a.get();
  uint32_t *out = b.get(), *none = nullptr;
  size_t bytes = 0;
  const modulo_bucket f{4};
  EXPECT(multisplit_keys(nullptr, bytes, in, out, 100, 0, f, nullptr) == cudaErrorInvalidValue,
         "m = 0");
  EXPECT(multisplit_keys(nullptr, bytes, in, out, 100, 257, f, nullptr, {}, coarse_policy{}) ==
             cudaErrorInvalidValue,
         "m beyond the policy's");
  CUDA_OK(multisplit_keys(nullptr, bytes, in, out, 100, 4, f, nullptr));
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(multisplit_keys(temp.get(), less, in, out, 100, 4, f, nullptr) == cudaErrorInvalidValue,
         "too little storage");
  EXPECT(multisplit_keys(temp.get(), bytes, in, none, 100, 4, f, nullptr) == cudaErrorInvalidValue,
         "no output");
  EXPECT(multisplit_keys(temp.get(), bytes, in, a.get() + 50, 100, 4, f, nullptr) ==
             cudaErrorInvalidValue,
         "overlap");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

/// The number of items is on the device, and changes from replay to replay.
template <class Policy, class Bucket>
void check_number_on_device(uint64_t most, uint32_t m, Bucket bucket) {
  const device_array<uint32_t> keys_in(most), keys_out(most), from(most);
  const device_array<uint64_t> offsets(m + 1), counted(m + 1), number(1);
  const device_array<device_status> status(1);
  const uint32_t *d_keys = keys_in.get();
  const item_count count(number.get(), most);
  size_t bytes[3] = {};
  const auto call = [&](uint8_t *d_temp, cudaStream_t stream) {
    const run_options options{stream, status.get()};
    const auto place = [&](int i) { return d_temp ? d_temp + i * bytes[0] : nullptr; };
    cudaError_t error = multisplit_keys(place(0), bytes[0], d_keys, keys_out.get(), count, m,
                                        bucket, offsets.get(), options, Policy{});
    if (!error)
      error = multisplit_permutation(place(1), bytes[1], d_keys, from.get(), count, m, bucket,
                                     nullptr, options, Policy{});
    return error ? error
                 : multisplit_counts(place(2), bytes[2], d_keys, count, m, bucket, counted.get(),
                                     options, Policy{});
  };
  CUDA_OK(call(nullptr, nullptr));
  bytes[0] = std::max({bytes[0], bytes[1], bytes[2]});
  bytes[1] = bytes[2] = bytes[0];
  const device_array<uint8_t> temp(3 * bytes[0]);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t n : {most, most / 2, uint64_t{0}, uint64_t{1}, most + 1}) {
    std::vector<uint32_t> keys = some_keys<uint32_t>(most, n + m);
    keys_in.write(keys);
    number.write({n});
    status.write(std::vector<device_status>(1));
    graph.replay();
    keys.resize(std::min(n, most));
    const split_reference expected = split_on_host(keys, m, bucket, Policy::discards);
    const std::vector<uint32_t> moved = keys_out.read(), source = from.read();
    bool right = offsets.read() == expected.offsets && counted.read() == expected.offsets;
    for (uint64_t i = 0; i < expected.from.size(); ++i)
      right = right && moved[i] == keys[expected.from[i]] && source[i] == expected.from[i];
    EXPECT(right, "%llu of %llu items, m = %u", static_cast<unsigned long long>(n),
           static_cast<unsigned long long>(most), m);
    EXPECT(status.read()[0].first == (n > most ? n << 8 | 2 : ~uint64_t{0}), "status");
  }
}

void test_number_on_device() {
  const uint64_t most = small ? 1100 : 4 * tile + 9;
  check_number_on_device<coarse_policy>(most, 30, modulo_bucket{30});
  check_number_on_device<discarding>(most, 200, leaky_bucket{200});
  check_number_on_device<multisplit_policy>(most, 1000, modulo_bucket{1000}); // digit passes
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  small = has_option(argc, argv, "--small");
  test_sizes();
  test_all_m();
  test_skewed();
  test_functors();
  check_permutation_and_counts<coarse_policy>(some_keys<uint32_t>(small ? 800 : 3 * tile + 5, 9),
                                              100);
  test_alignment();
  test_argument_errors();
  test_number_on_device();
  check_split_replayed<multisplit_policy>(small ? 500 : 3 * tile + 1, 50);
  return gpu_result("multisplit");
}
