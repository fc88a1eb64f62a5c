//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The two-way multisplit on the GPU: sizes around warps, tiles and 2^20; types of 1
// to 16 bytes; skewed keys; ids out of range; the number of items on the device;
// argument errors; a captured graph replayed.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

#include <colonnade/two_way_multisplit.cuh>

using namespace colonnade;

namespace {

bool small = false;
constexpr two_way_tuning tuning = two_way_policy::tuning(gpu_architecture::sm_90, 4, 0);
constexpr uint64_t tile = tuning.threads * tuning.items_per_thread;

struct below_bucket { // numbers that 1000 divides have no bucket
  uint32_t limit;
  template <class Key> __host__ __device__ uint32_t operator()(const Key &key) const {
    const uint32_t number = number_of(key);
    return number % 1000 == 0 ? 2 + number : number % 256 >= limit;
  }
};

/// Besides, the same number goes here or there by where it is.
struct below_by_index {
  uint32_t limit;
  template <class Key>
  __host__ __device__ uint32_t operator()(const Key &key, uint64_t index) const {
    return (number_of(key) + index / 7) % 256 >= limit;
  }
};

/// The items' indices as values say which item went where. n: of what is there, which
/// d_number, if not null, says as well.
template <class Key, class Value, class Bucket = below_bucket>
void check_pairs(uint64_t n, uint64_t most, const uint64_t *d_number, uint32_t limit,
                 uint64_t wanted) {
  const std::vector<Key> keys = some_keys<Key>(most, most + limit);
  std::vector<Value> values(most);
  for (uint64_t i = 0; i < most; ++i)
    values[i] = item_of<Value>(i);
  const Bucket bucket{limit};
  const device_array<Key> keys_in(keys), keys_out(most);
  const device_array<Value> values_in(values), values_out(most);
  const device_array<uint64_t> offsets(3);
  const device_array<device_status> status(std::vector<device_status>(1));
  const item_count count = d_number ? item_count(d_number, most) : item_count(n);
  call_twice([&](void *d_temp, size_t &bytes) {
    return two_way_multisplit_pairs(d_temp, bytes, static_cast<const Key *>(keys_in.get()),
                                    keys_out.get(), static_cast<const Value *>(values_in.get()),
                                    values_out.get(), count, bucket, offsets.get(),
                                    {nullptr, status.get()});
  });
  uint64_t zeros = 0;
  device_status expected;
  if (wanted > n)
    expected.first = wanted << 8 | 2;
  for (uint64_t i = n; i-- > 0;) {
    const uint32_t raw = host_bucket(bucket, keys[i], i);
    zeros += raw == 0;
    if (raw > 1)
      expected.first = std::min(expected.first, i << 8 | 1);
  }
  const std::vector<Key> moved = keys_out.read();
  const std::vector<Value> with = values_out.read();
  std::vector<bool> seen(n);
  bool right = true;
  for (uint64_t i = 0; i < n && right; ++i) {
    const uint64_t from = number_of(with[i]);
    right = from < n && !seen[from] && with[i] == values[from] && moved[i] == keys[from] &&
            (host_bucket(bucket, keys[from], from) != 0) == (i >= zeros);
    if (right)
      seen[from] = true;
  }
  EXPECT(right, "n = %llu, %zu-byte keys, limit %u", static_cast<unsigned long long>(n),
         sizeof(Key), limit);
  EXPECT((offsets.read() == std::vector<uint64_t>{0, zeros, n}), "offsets, n = %llu",
         static_cast<unsigned long long>(n));
  EXPECT(status.read()[0].first == expected.first, "status, n = %llu",
         static_cast<unsigned long long>(n));
  keys_out.expect_intact("keys");
  values_out.expect_intact("values");
  offsets.expect_intact("offsets");
}

void test_sizes() {
  std::vector<uint64_t> sizes = {0, 1, 31, 32, 33, 1000};
  if (!small)
    sizes.insert(sizes.end(), {tile - 1, tile, tile + 1, (1u << 20) - 1, 1u << 20, (1u << 20) + 1});
  for (uint64_t n : sizes)
    for (uint32_t limit : {0, 1, 128, 256})
      check_pairs<uint32_t, uint32_t>(n, n, nullptr, limit, n);
}

void test_types() {
  const uint64_t n = small ? 900 : 200003;
  check_pairs<uint8_t, uint32_t>(n, n, nullptr, 100, n);
  check_pairs<uint64_t, uint64_t>(n, n, nullptr, 100, n);
  check_pairs<blob<16>, blob<16>>(n, n, nullptr, 100, n);
  check_pairs<blob<12>, uint32_t, below_by_index>(n, n, nullptr, 100, n);
}

void test_number_on_device() {
  const uint64_t most = small ? 1500 : 5 * tile + 7;
  const device_array<uint64_t> number(1);
  for (uint64_t n : {uint64_t{0}, uint64_t{1}, most / 2, most, most + 5}) {
    number.write({n});
    check_pairs<uint32_t, uint32_t>(std::min(n, most), most, number.get(), 90, n);
  }
}

std::vector<uint32_t> sorted(std::vector<uint32_t> keys, uint64_t first, uint64_t last) {
  keys = {keys.begin() + static_cast<std::ptrdiff_t>(first),
          keys.begin() + static_cast<std::ptrdiff_t>(last)};
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Keys and pairs, captured once, replayed with other keys and another number of them.
void test_graph() {
  const uint64_t most = small ? 700 : 4 * tile + 3;
  const below_bucket bucket{70};
  const device_array<uint32_t> keys_in(most), keys_out(most), pair_keys_out(most), values_out(most);
  const device_array<uint64_t> offsets(3), pair_offsets(3), number(1);
  const uint32_t *in = keys_in.get();
  size_t bytes = 0, pair_bytes = 0;
  const auto call = [&](void *d_temp, void *d_pair_temp, cudaStream_t stream) {
    const cudaError_t error = two_way_multisplit_keys(
        d_temp, bytes, in, keys_out.get(), {number.get(), most}, bucket, offsets.get(), {stream});
    return error ? error // the keys are their own values
                 : two_way_multisplit_pairs(d_pair_temp, pair_bytes, in, pair_keys_out.get(), in,
                                            values_out.get(), {number.get(), most}, bucket,
                                            pair_offsets.get(), {stream});
  };
  CUDA_OK(call(nullptr, nullptr, nullptr));
  const device_array<uint8_t> temp(bytes), pair_temp(pair_bytes);
  const captured_graph graph(
      [&](cudaStream_t stream) { return call(temp.get(), pair_temp.get(), stream); });
  for (uint64_t n : {most, most / 3, uint64_t{1}}) {
    std::vector<uint32_t> keys = some_keys<uint32_t>(most, n);
    keys_in.write(keys);
    number.write({n});
    graph.replay();
    keys.resize(n);
    const auto middle =
        std::partition(keys.begin(), keys.end(), [&](uint32_t key) { return bucket(key) == 0; });
    const uint64_t zeros = static_cast<uint64_t>(middle - keys.begin());
    for (const auto *o : {&offsets, &pair_offsets})
      EXPECT((o->read() == std::vector<uint64_t>{0, zeros, n}), "offsets of a replay");
    for (const auto *out : {&keys_out, &pair_keys_out, &values_out}) {
      const std::vector<uint32_t> moved = out->read();
      EXPECT(sorted(moved, 0, zeros) == sorted(keys, 0, zeros) &&
                 sorted(moved, zeros, n) == sorted(keys, zeros, n),
             "replay, n = %llu", static_cast<unsigned long long>(n));
    }
  }
}

void test_argument_errors() {
  const device_array<uint32_t> a(100), b(100);
  const uint32_t *in = a.get();
  uint32_t *out = b.get(), *none = nullptr;
  size_t bytes = 0;
  const below_bucket f{4};
  CUDA_OK(two_way_multisplit_keys(nullptr, bytes, in, out, 100, f, nullptr));
  EXPECT(bytes <= 1024, "%zu bytes", bytes);
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(two_way_multisplit_keys(temp.get(), less, in, out, 100, f, nullptr) ==
             cudaErrorInvalidValue,
         "too little storage");
  EXPECT(two_way_multisplit_keys(temp.get(), bytes, in, none, 100, f, nullptr) ==
             cudaErrorInvalidValue,
         "no output");
  EXPECT(two_way_multisplit_keys(temp.get(), bytes, in, a.get() + 50, 100, f, nullptr) ==
             cudaErrorInvalidValue,
         "overlap");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  small = has_option(argc, argv, "--small");
  test_sizes();
  test_types();
  test_number_on_device();
  test_graph();
  test_argument_errors();
  return gpu_result("two-way multisplit");
}
