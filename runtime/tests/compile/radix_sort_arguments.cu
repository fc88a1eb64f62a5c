//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What radix_sort.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/radix_sort.cuh>

using namespace colonnade;

namespace {

struct light : radix_sort_policy {
  static constexpr uint64_t max_items = 999;
};

some_memory<float> keys, sorted;
some_memory<uint64_t> values, moved;
some_memory<char> temp;

constexpr size_t plenty = ~size_t{0};
constexpr uint64_t *no_values = nullptr;

cudaError_t sort(size_t bytes, const float *in, float *out, uint64_t n = 100,
                 radix_order order = {}) {
  return sort_keys(temp.get(), bytes, in, out, n, order, {}, light{});
}
cudaError_t sort_both(size_t bytes, float *a, float *b, uint64_t n = 100, radix_order order = {}) {
  double_buffer<float> both{a, b};
  const cudaError_t error = sort_keys(temp.get(), bytes, both, n, order, {}, light{});
  EXPECT(both.current == a && both.alternate == b, "exchanged although nothing was sorted");
  return error;
}
cudaError_t pairs(size_t bytes, const float *in, float *out, const uint64_t *from, uint64_t *to,
                  uint64_t n = 100, radix_order order = {}) {
  return sort_pairs(temp.get(), bytes, in, out, from, to, n, order, {}, light{});
}
cudaError_t pairs_both(size_t bytes, float *a, float *b, uint64_t *c, uint64_t *d) {
  double_buffer<float> k{a, b};
  double_buffer<uint64_t> v{c, d};
  return sort_pairs(temp.get(), bytes, k, v, 100, {}, {}, light{});
}
template <class Index>
cudaError_t order_of(size_t bytes, const float *in, Index *out, uint64_t n = 100,
                     radix_order order = {}) {
  return argsort(temp.get(), bytes, in, out, n, order, {}, light{});
}

void test_keys() {
  size_t bytes = 0;
  const float *in = keys.in();
  float *out = sorted.get();
  EXPECT(sort_keys(nullptr, bytes, in, out, 100, {}, {}, light{}) == cudaSuccess && bytes > 0,
         "bytes");
  REACHES_CUDA(sort(bytes, in, out));
  REFUSED(sort(bytes - 1, in, out));
  REFUSED(sort(plenty, in, out, 1000));
  REFUSED(sort(bytes, nullptr, out));
  REFUSED(sort(bytes, in, nullptr));
  REFUSED(sort(bytes, keys.at(2), out));
  REFUSED(sort(bytes, in, sorted.at(1)));
  REFUSED(sort(bytes, in, keys.get() + 99));
  REFUSED(sort(bytes, in, out, 100, {false, 9, 8}));
  REFUSED(sort(bytes, in, out, 100, {true, 33}));
  REACHES_CUDA(sort(bytes, in, out, 100, {true, 32}));
  EXPECT(sort(bytes, nullptr, nullptr, 0) == cudaSuccess, "nothing to sort");
  REACHES_CUDA(sort_both(plenty, keys.get(), out));
  REFUSED(sort_both(1, keys.get(), out));
  REFUSED(sort_both(plenty, nullptr, out));
  REFUSED(sort_both(plenty, keys.get(), nullptr));
  REFUSED(sort_both(plenty, keys.get(), sorted.at(2)));
  REFUSED(sort_both(plenty, keys.get(), keys.get() + 99));
  REFUSED(sort_both(plenty, keys.get(), out, 100, {false, 9, 8}));
  REFUSED(sort_both(plenty, keys.get(), out, 1000));
}

void test_pairs() {
  const float *in = keys.in();
  float *out = sorted.get();
  const uint64_t *from = values.in();
  uint64_t *to = moved.get();
  REACHES_CUDA(pairs(plenty, in, out, from, to));
  REFUSED(pairs(1, in, out, from, to));
  REFUSED(pairs(plenty, in, out, nullptr, to));
  REFUSED(pairs(plenty, in, out, from, nullptr));
  REFUSED(pairs(plenty, in, out, values.at(4), to));
  REFUSED(pairs(plenty, in, out, from, moved.at(4)));
  REFUSED(pairs(plenty, in, out, from, values.get() + 99));
  REFUSED(pairs(plenty, in, out, from, reinterpret_cast<uint64_t *>(out + 98)));
  REFUSED(pairs(plenty, in, out, from, to, 100, {false, 40}));
  REFUSED(pairs(plenty, in, out, from, to, 1000));
  REACHES_CUDA(pairs_both(plenty, keys.get(), out, values.get(), to));
  REFUSED(pairs_both(plenty, keys.get(), out, no_values, to));
  REFUSED(pairs_both(plenty, keys.get(), out, values.get(), no_values));
  REFUSED(pairs_both(plenty, keys.get(), out, values.get(), values.get() + 1));
  REFUSED(pairs_both(plenty, reinterpret_cast<float *>(values.get() + 99), out, values.get(), to));
  REFUSED(pairs_both(1, keys.get(), out, values.get(), to));
}

void test_argsort() {
  uint32_t *out = reinterpret_cast<uint32_t *>(moved.get());
  uint8_t *narrow = reinterpret_cast<uint8_t *>(moved.get());
  REACHES_CUDA(order_of(plenty, keys.in(), out));
  REACHES_CUDA(order_of(plenty, keys.in(), narrow, 256));
  REFUSED(order_of(plenty, keys.in(), narrow, 257));
  REFUSED(order_of(1, keys.in(), out));
  REFUSED(order_of(plenty, nullptr, out));
  REFUSED(order_of(plenty, keys.in(), static_cast<uint32_t *>(nullptr)));
  REFUSED(order_of(plenty, keys.in(), reinterpret_cast<uint32_t *>(keys.get() + 99)));
  REFUSED(order_of(plenty, keys.in(), reinterpret_cast<uint32_t *>(moved.at(2))));
  REFUSED(order_of(plenty, keys.in(), out, 100, {false, 9, 8}));
}

/// As documented: so many bytes an item, 2 % more and 64 KB.
void expect_bytes(const char *what, size_t bytes, uint64_t n, double copied,
                  double two_percent_of) {
  const double most = static_cast<double>(n) * (copied + two_percent_of / 50) + 65536;
  EXPECT(bytes >= 1 && static_cast<double>(bytes) <= most, "%s: %zu bytes for %llu items", what,
         bytes, static_cast<unsigned long long>(n));
}
void test_storage() {
  const uint8_t *in = nullptr;
  uint8_t *out = nullptr;
  const uint64_t *from = nullptr;
  uint64_t *to = nullptr;
  for (uint64_t n = 0; n >> 36 == 0; n = n * 5 + 1) {
    size_t bytes = 0;
    EXPECT(sort_keys(nullptr, bytes, in, out, n) == cudaSuccess, "bytes");
    expect_bytes("keys", bytes, n, 1, 1);
    EXPECT(sort_pairs(nullptr, bytes, in, out, from, to, n) == cudaSuccess, "bytes");
    expect_bytes("pairs", bytes, n, 9, 9);
    EXPECT(argsort(nullptr, bytes, in, to, n) == cudaSuccess, "bytes");
    expect_bytes("argsort", bytes, n, 2 + 8, 9);
    double_buffer<uint8_t> both{};
    double_buffer<uint64_t> both_values{};
    EXPECT(sort_keys(nullptr, bytes, both, n) == cudaSuccess, "bytes");
    expect_bytes("double-buffered keys", bytes, n, 0, 1);
    EXPECT(sort_pairs(nullptr, bytes, both, both_values, n) == cudaSuccess, "bytes");
    expect_bytes("double-buffered pairs", bytes, n, 0, 9);
  }
}

} // namespace

int main() {
  require_no_gpu();
  test_keys();
  test_pairs();
  test_argsort();
  test_storage();
  return gpu_result("arguments of radix sort");
}
