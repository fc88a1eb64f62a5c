//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Segmented multisplits on the GPU, against a stable counting sort of each segment:
// equal and unequal segments of every length class, empty ones; types of 1 to 16 bytes;
// ids out of range; temporary storage; a captured graph replayed with other segments.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

#include <colonnade/segmented_multisplit.cuh>

using namespace colonnade;

namespace {

bool small = false;

struct coarse_segments : segmented_multisplit_policy {
  static constexpr uint32_t round_up_bits(uint32_t bits) { return bits <= 3 ? 3 : 8; }
};

struct segments_reference {
  std::vector<uint64_t> from, offsets;
  device_status status;
};

template <class Key, class Bucket>
segments_reference split_segments(const std::vector<Key> &keys,
                                  const std::vector<uint64_t> &segments, uint32_t m,
                                  const Bucket &bucket) {
  segments_reference r;
  for (size_t s = 0; s + 1 < segments.size(); ++s) {
    std::vector<uint64_t> next(m + 1);
    std::vector<uint32_t> ids;
    for (uint64_t i = segments[s]; i < segments[s + 1]; ++i) {
      const uint32_t raw = host_bucket(bucket, keys[i], i);
      if (raw >= m)
        r.status.first = std::min(r.status.first, i << 8 | 1);
      ids.push_back(std::min(raw, m - 1));
      ++next[ids.back() + 1];
    }
    for (uint32_t b = 0; b < m; ++b) {
      next[b + 1] += next[b];
      r.offsets.push_back(segments[s] + next[b]);
    }
    const uint64_t begin = r.from.size();
    r.from.resize(begin + ids.size());
    for (uint64_t i = 0; i < ids.size(); ++i)
      r.from[begin + next[ids[i]]++] = segments[s] + i;
  }
  r.offsets.push_back(segments.back());
  return r;
}

std::vector<uint64_t> offsets_of(const std::vector<uint64_t> &lengths, uint64_t first) {
  std::vector<uint64_t> offsets{first};
  for (uint64_t length : lengths)
    offsets.push_back(offsets.back() + length);
  return offsets;
}
std::vector<uint64_t> equal(uint64_t count, uint64_t length) {
  return offsets_of(std::vector<uint64_t>(count, length), 0);
}
/// Mostly short, now and then long, some empty.
std::vector<uint64_t> unequal(uint64_t count, uint64_t most, uint64_t seed) {
  std::vector<uint64_t> lengths(count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t random = scramble(i + seed * 77);
    lengths[i] = random % 7 == 0 ? 0 : random / 8 % (random % 50 == 1 ? most : most / 100 + 1);
  }
  return offsets_of(lengths, seed % 5);
}

template <class Key, class Value, class Bucket>
void check(const std::vector<uint64_t> &segments, uint32_t m, Bucket bucket) {
  const uint64_t n = segments.back(), num_segments = segments.size() - 1;
  const std::vector<Key> keys = some_keys<Key>(n, n + m);
  std::vector<Value> values(n);
  for (uint64_t i = 0; i < n; ++i)
    values[i] = item_of<Value>(i);
  const segments_reference expected = split_segments(keys, segments, m, bucket);
  const device_array<Key> keys_in(keys), keys_out(n);
  const device_array<Value> values_in(values), values_out(n);
  const device_array<uint64_t> d_segments(segments), offsets(num_segments * m + 1);
  const device_array<device_status> status(std::vector<device_status>(1));
  call_twice([&](void *d_temp, size_t &bytes) {
    const cudaError_t error = segmented_multisplit_pairs(
        d_temp, bytes, static_cast<const Key *>(keys_in.get()), keys_out.get(),
        static_cast<const Value *>(values_in.get()), values_out.get(), n, num_segments,
        d_segments.get(), m, bucket, offsets.get(), {nullptr, status.get()}, coarse_segments{});
    EXPECT(bytes <= n * (sizeof(Key) + sizeof(Value)) / 50 + 65536, "%zu bytes of storage", bytes);
    return error;
  });
  const std::vector<Key> moved = keys_out.read();
  const std::vector<Value> with = values_out.read();
  bool right = true;
  for (uint64_t i = segments[0]; i < n; ++i) {
    const uint64_t from = expected.from[i - segments[0]];
    right = right && moved[i] == keys[from] && with[i] == values[from];
  }
  EXPECT(right, "%llu segments, %llu items of %zu and %zu bytes, m = %u",
         static_cast<unsigned long long>(num_segments), static_cast<unsigned long long>(n),
         sizeof(Key), sizeof(Value), m);
  EXPECT(offsets.read() == expected.offsets, "offsets, m = %u", m);
  EXPECT(status.read()[0].first == expected.status.first, "status, m = %u", m);
  keys_out.expect_intact("keys");
  values_out.expect_intact("values");
  offsets.expect_intact("offsets");
}

void test_lengths() {
  std::vector<uint64_t> lengths = {0, 1, 31, 32, 33, 255, 256, 257, 600};
  if (!small)
    lengths.insert(lengths.end(), {4095, 4096, 4097, 6143, 6144, 6145, 67583, 67584, 67585, 300000,
                                   (1u << 20) + 1});
  for (uint64_t length : lengths)
    for (uint32_t m : {2, 7, 100, 256})
      check<uint32_t, uint32_t>(equal(length > 100000 ? 2 : 5, length), m, wild_bucket{m});
}

void test_unequal() {
  check<uint32_t, uint32_t>({0}, 9, modulo_bucket{9});
  check<uint32_t, uint32_t>(std::vector<uint64_t>(1000, 0), 9, modulo_bucket{9});
  for (uint32_t m : {1, 8, 33, 200}) {
    check<uint32_t, uint32_t>(unequal(small ? 60 : 3000, small ? 900 : 200000, m), m,
                              wild_bucket{m});
    check<uint32_t, uint32_t>(unequal(small ? 60 : 3000, small ? 900 : 20000, m), m,
                              indexed_bucket{m});
  }
}

void test_types() {
  const auto segments = unequal(small ? 30 : 500, small ? 900 : 300000, 2);
  check<uint8_t, uint16_t>(segments, 8, modulo_bucket{8});
  check<uint64_t, uint8_t>(segments, 100, modulo_bucket{100});
  check<blob<16>, blob<16>>(segments, 100, modulo_bucket{100});
  check<blob<3>, blob<5>>(segments, 8, modulo_bucket{8});
}

/// Bytes asked for, of inputs that are not there.
template <class Key> void check_storage() {
  for (uint64_t n = 1; n >> 36 == 0; n = n * 3 + 1)
    for (uint32_t m : {1, 32, 256}) {
      size_t bytes = 0;
      const Key *in = nullptr;
      Key *out = nullptr;
      CUDA_OK(segmented_multisplit_keys(nullptr, bytes, in, out, n, 1, nullptr, m, modulo_bucket{m},
                                        nullptr, {}, coarse_segments{}));
      EXPECT(bytes <= n * sizeof(Key) / 50 + 65536, "%zu bytes for %llu items of %zu", bytes,
             static_cast<unsigned long long>(n), sizeof(Key));
    }
}

/// Keys and pairs, captured once, replayed with other keys and other segments.
void test_graph() {
  const uint64_t n = small ? 3000 : 500000, num_segments = 40;
  const uint32_t m = 20;
  const device_array<uint32_t> keys_in(n), keys_out(n), pair_keys_out(n), values_out(n);
  const device_array<uint64_t> segments(num_segments + 1), offsets(num_segments * m + 1);
  const uint32_t *in = keys_in.get();
  size_t bytes = 0, pair_bytes = 0;
  const auto pairs = [&](void *d_temp, cudaStream_t stream) { // the keys are their own values
    return segmented_multisplit_pairs(d_temp, pair_bytes, in, pair_keys_out.get(), in,
                                      values_out.get(), n, num_segments, segments.get(), m,
                                      modulo_bucket{m}, nullptr, {stream}, coarse_segments{});
  };
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return segmented_multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys_in.get()),
                                     keys_out.get(), n, num_segments, segments.get(), m,
                                     modulo_bucket{m}, offsets.get(), {stream}, coarse_segments{});
  };
  CUDA_OK(call(nullptr, nullptr));
  CUDA_OK(pairs(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes), pair_temp(pair_bytes);
  const captured_graph graph([&](cudaStream_t stream) {
    const cudaError_t error = call(temp.get(), stream);
    return error ? error : pairs(pair_temp.get(), stream);
  });
  for (uint64_t seed : {1, 2, 3}) {
    const auto keys = some_keys<uint32_t>(n, seed);
    std::vector<uint64_t> cuts = {0, n};
    for (uint64_t i = 1; i < num_segments; ++i)
      cuts.push_back(seed == 1 ? n / 2 : scramble(i * seed) % n);
    std::sort(cuts.begin(), cuts.end());
    keys_in.write(keys);
    segments.write(cuts);
    graph.replay();
    const segments_reference expected = split_segments(keys, cuts, m, modulo_bucket{m});
    bool right = offsets.read() == expected.offsets;
    for (const auto *out : {&keys_out, &pair_keys_out, &values_out}) {
      const std::vector<uint32_t> moved = out->read();
      for (uint64_t i = 0; i < n; ++i)
        right = right && moved[i] == keys[expected.from[i]];
    }
    EXPECT(right, "replay %llu", static_cast<unsigned long long>(seed));
  }
}

void test_argument_errors() {
  const device_array<uint32_t> a(100), b(100);
  const device_array<uint64_t> segments(std::vector<uint64_t>{0, 100});
  const uint32_t *in = a.get();
  uint32_t *out = b.get(), *none = nullptr;
  size_t bytes = 0;
  const auto call = [&](void *d_temp, size_t &size, uint32_t *to, const uint64_t *d_segments,
                        uint32_t m) {
    return segmented_multisplit_keys(d_temp, size, in, to, 100, 1, d_segments, m, modulo_bucket{4},
                                     nullptr, {}, coarse_segments{});
  };
  EXPECT(call(nullptr, bytes, out, segments.get(), 0) == cudaErrorInvalidValue, "m = 0");
  EXPECT(call(nullptr, bytes, out, segments.get(), 257) == cudaErrorInvalidValue, "m = 257");
  CUDA_OK(call(nullptr, bytes, out, segments.get(), 4));
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(call(temp.get(), less, out, segments.get(), 4) == cudaErrorInvalidValue, "storage");
  EXPECT(call(temp.get(), bytes, none, segments.get(), 4) == cudaErrorInvalidValue, "no output");
  EXPECT(call(temp.get(), bytes, out, nullptr, 4) == cudaErrorInvalidValue, "no segments");
  EXPECT(call(temp.get(), bytes, a.get() + 1, segments.get(), 4) == cudaErrorInvalidValue,
         "overlap");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  small = has_option(argc, argv, "--small");
  test_lengths();
  test_unequal();
  test_types();
  check_storage<uint8_t>();
  check_storage<uint32_t>();
  check_storage<blob<16>>();
  test_graph();
  test_argument_errors();
  return gpu_result("segmented multisplit");
}
