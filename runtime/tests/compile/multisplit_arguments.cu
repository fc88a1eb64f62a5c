//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What multisplit.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/multisplit.cuh>

using namespace colonnade;

namespace {

struct light : multisplit_policy {
  static constexpr uint32_t max_buckets = 300; // with digit passes
  static constexpr uint64_t max_items = 999;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};

struct by_modulo {
  uint32_t m;
  __device__ uint32_t operator()(uint32_t key) const { return key % m; }
};

some_memory<uint32_t> keys, sorted, values, moved;
some_memory<uint64_t> offsets;
some_memory<char> temp;

constexpr uint32_t *no_words = nullptr;
constexpr by_modulo bucket{10};

cudaError_t split_keys(size_t bytes, const uint32_t *in, uint32_t *out, uint64_t n = 100,
                       uint32_t m = 10, uint64_t *d_offsets = offsets.get()) {
  return multisplit_keys(temp.get(), bytes, in, out, n, m, bucket, d_offsets, {}, light{});
}
cudaError_t split_pairs(size_t bytes, const uint32_t *in, uint32_t *out, const uint32_t *values_in,
                        uint32_t *values_out, uint64_t n = 100, uint32_t m = 10) {
  return multisplit_pairs(temp.get(), bytes, in, out, values_in, values_out, n, m, bucket,
                          offsets.get(), {}, light{});
}

void test_keys() {
  size_t bytes = 0, again = 0;
  const uint32_t *in = keys.in();
  uint32_t *out = sorted.get();
  EXPECT(multisplit_keys(nullptr, bytes, in, out, 100, 10, bucket, offsets.get(), {}, light{}) ==
                 cudaSuccess &&
             bytes > 0,
         "bytes");
  EXPECT(multisplit_keys(nullptr, again, in, no_words, 100, 10, bucket, nullptr, {}, light{}) ==
                 cudaSuccess &&
             again == bytes,
         "bytes do not depend on the arrays");
  REACHES_CUDA(split_keys(bytes, in, out));
  REACHES_CUDA(split_keys(bytes, in, out, 100, 10, nullptr));
  REACHES_CUDA(split_keys(bytes, nullptr, no_words, 0));
  REFUSED(split_keys(bytes - 1, in, out));
  REFUSED(split_keys(bytes, in, out, 100, 0));
  REFUSED(split_keys(bytes, in, out, 100, 301));
  REFUSED(split_keys(~size_t{0}, in, out, 1000));
  REFUSED(split_keys(bytes, nullptr, out));
  REFUSED(split_keys(bytes, in, nullptr));
  REFUSED(split_keys(bytes, keys.at(2), out));
  REFUSED(split_keys(bytes, in, sorted.at(1)));
  REFUSED(split_keys(bytes, in, keys.get()));
  REFUSED(split_keys(bytes, in, keys.get() + 99));
  REFUSED(split_keys(bytes, keys.get() + 99, keys.get()));
  REACHES_CUDA(split_keys(bytes, in, keys.get() + 100));
  REFUSED(split_keys(bytes, in, out, 100, 10, offsets.at(4)));
  REFUSED(split_keys(bytes, in, out, 100, 10, reinterpret_cast<uint64_t *>(keys.get() + 98)));
  REFUSED(split_keys(bytes, in, out, 100, 10, reinterpret_cast<uint64_t *>(sorted.get())));
  REACHES_CUDA(
      split_keys(bytes, in, out, 100, 10, reinterpret_cast<uint64_t *>(sorted.get() + 100)));
}

void test_pairs() {
  size_t bytes = 0;
  const uint32_t *in = keys.in(), *from = values.in();
  uint32_t *out = sorted.get(), *to = moved.get();
  EXPECT(multisplit_pairs(nullptr, bytes, in, out, from, to, 100, 10, bucket, offsets.get(), {},
                          light{}) == cudaSuccess,
         "bytes");
  REACHES_CUDA(split_pairs(bytes, in, out, from, to));
  REFUSED(split_pairs(bytes - 1, in, out, from, to));
  REFUSED(split_pairs(bytes, in, out, from, to, 100, 0));
  REFUSED(split_pairs(bytes, in, out, nullptr, to));
  REFUSED(split_pairs(bytes, in, out, from, nullptr));
  REFUSED(split_pairs(bytes, in, out, values.at(2), to));
  REFUSED(split_pairs(bytes, in, out, from, moved.at(3)));
  REFUSED(split_pairs(bytes, in, out, from, out + 99));
  REFUSED(split_pairs(bytes, in, out, from, keys.get()));
  REFUSED(split_pairs(bytes, in, values.get(), from, to));
  REFUSED(split_pairs(bytes, in, out, from, values.get() + 1));
  REACHES_CUDA(split_pairs(bytes, in, out, in, to)); // both are only read
}

void test_digit_passes() {
  size_t bytes = 0;
  EXPECT(multisplit_keys(nullptr, bytes, keys.in(), sorted.get(), 100, 300, bucket, nullptr, {},
                         light{}) == cudaSuccess,
         "bytes");
  REACHES_CUDA(split_keys(bytes, keys.in(), sorted.get(), 100, 300));
  REFUSED(split_keys(bytes - 1, keys.in(), sorted.get(), 100, 300));
}

void test_permutation_and_counts() {
  const auto permutation = [](size_t bytes, const uint32_t *in, auto *out, uint64_t n, uint32_t m) {
    return multisplit_permutation(temp.get(), bytes, in, out, n, m, bucket, offsets.get(), {},
                                  light{});
  };
  const auto counts = [](size_t bytes, const uint32_t *in, uint64_t n, uint32_t m, uint64_t *to) {
    return multisplit_counts(temp.get(), bytes, in, n, m, bucket, to, {}, light{});
  };
  uint8_t *bytes_out = reinterpret_cast<uint8_t *>(sorted.get());
  REACHES_CUDA(permutation(~size_t{0}, keys.in(), bytes_out, 256, 10));
  REFUSED(permutation(~size_t{0}, keys.in(), bytes_out, 257, 10)); // indices need nine bits
  REFUSED(permutation(~size_t{0}, keys.in(), no_words, 100, 10));
  REFUSED(permutation(~size_t{0}, keys.in(), keys.get(), 100, 10));
  REFUSED(permutation(~size_t{0}, keys.in(), sorted.get(), 100, 0));
  REFUSED(permutation(1, keys.in(), sorted.get(), 100, 10));
  REACHES_CUDA(counts(~size_t{0}, keys.in(), 100, 10, offsets.get()));
  REFUSED(counts(1, keys.in(), 100, 10, offsets.get()));
  REFUSED(counts(~size_t{0}, nullptr, 100, 10, offsets.get()));
  REFUSED(counts(~size_t{0}, keys.in(), 100, 0, offsets.get()));
  REFUSED(counts(~size_t{0}, keys.in(), 100, 10, reinterpret_cast<uint64_t *>(keys.get())));
}

struct all_sizes : multisplit_policy {
  static constexpr uint32_t max_buckets = 256;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};

/// 2 % of the input and 64 KB, whatever the output takes.
void test_storage() {
  const uint8_t *in = nullptr;
  uint64_t *out = nullptr;
  for (uint64_t n = 1; n >> 34 == 0; n = n * 5 + 3)
    for (uint32_t m : {1, 2, 33, 256}) {
      size_t bytes = 0, counts_bytes = 0;
      EXPECT(multisplit_permutation(nullptr, bytes, in, out, n, m, bucket, nullptr, {},
                                    all_sizes{}) == cudaSuccess &&
                 bytes <= n / 50 + 65536,
             "%zu bytes for %llu one-byte keys", bytes, static_cast<unsigned long long>(n));
      EXPECT(multisplit_counts(nullptr, counts_bytes, in, n, m, bucket, nullptr, {}, all_sizes{}) ==
                     cudaSuccess &&
                 counts_bytes <= 8192,
             "%zu bytes for counts", counts_bytes);
    }
}

void test_number_of_items() {
  size_t bytes = 0;
  REFUSED(multisplit_keys(nullptr, bytes, keys.in(), sorted.get(), negative, 10, bucket,
                          offsets.get(), {}, all_sizes{}));
  REFUSED(multisplit_permutation(nullptr, bytes, keys.in(), offsets.get(), negative, 10, bucket,
                                 nullptr, {}, all_sizes{}));
}

} // namespace

int main() {
  require_no_gpu();
  test_keys();
  test_pairs();
  test_digit_passes();
  test_permutation_and_counts();
  test_storage();
  test_number_of_items();
  return gpu_result("arguments of multisplit");
}
