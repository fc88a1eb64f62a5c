//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What bitonic_sort.cuh and bulk_sort.cuh refuse before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/bitonic_sort.cuh>
#include <colonnade/bulk_sort.cuh>

using namespace colonnade;

namespace {

struct light : bulk_sort_policy {
  static constexpr bulk_sort_lengths lengths[] = {{9, 12}};
  static constexpr uint32_t max_block_log2_rows = 0; // others take several passes
};

some_memory<uint32_t> keys, sorted;
some_memory<uint64_t> values, moved;
some_memory<char> temp;
uint32_t *const no_keys = nullptr;

void test_bitonic_sort() {
  REACHES_CUDA(bitonic_sort_keys(keys.get(), 100));
  REFUSED(bitonic_sort_keys(keys.get(), negative));
  REFUSED(bitonic_sort_pairs(keys.get(), values.get(), negative));
  REFUSED(bitonic_sort_keys(no_keys, 100));
  REFUSED(bitonic_sort_keys(keys.at(2), 100));
  EXPECT(bitonic_sort_keys(no_keys, 0) == cudaSuccess, "no items");
  EXPECT(bitonic_sort_keys(keys.get(), 1) == cudaSuccess, "one item");
  REACHES_CUDA(bitonic_sort_pairs(keys.get(), values.get(), 100));
  REFUSED(bitonic_sort_pairs(keys.get(), static_cast<uint64_t *>(nullptr), 100));
  REFUSED(bitonic_sort_pairs(keys.get(), values.at(4), 100));
  REFUSED(bitonic_sort_pairs(keys.get(), reinterpret_cast<uint64_t *>(keys.at(392)), 100));
  REACHES_CUDA(bitonic_sort_pairs(keys.get(), reinterpret_cast<uint64_t *>(keys.at(400)), 100));
}

/// 10 arrays.
cudaError_t sort(size_t bytes, const uint32_t *in, uint32_t *out, uint32_t length) {
  return bulk_sort_keys(temp.get(), bytes, in, out, 10, length, ascending{}, {}, light{});
}
cudaError_t pairs(const uint32_t *in, uint32_t *out, const uint64_t *from, uint64_t *to) {
  size_t bytes = 1000;
  return bulk_sort_pairs(temp.get(), bytes, in, out, from, to, 10, 12, ascending{}, {}, light{});
}
template <class Index> cudaError_t rows(size_t bytes, Index *out, uint64_t count, uint32_t length) {
  return bulk_argsort(temp.get(), bytes, keys.in(), out, count, length, ascending{}, {}, light{});
}

void test_bulk_keys() {
  REACHES_CUDA(sort(256, keys.in(), sorted.get(), 12));
  REACHES_CUDA(sort(256, keys.in(), keys.get(), 12));   // in place
  REACHES_CUDA(sort(256, keys.in(), sorted.get(), 13)); // several passes
  REFUSED(sort(256, nullptr, sorted.get(), 12));
  REFUSED(sort(256, keys.in(), nullptr, 12));
  REFUSED(sort(256, keys.in(), sorted.at(1), 12));
  REFUSED(sort(256, keys.in(), keys.at(476), 12));
  REFUSED(sort(0, keys.in(), sorted.get(), 12));
  REFUSED(sort(256, keys.in(), sorted.get(), (1u << 30) + 1));
  EXPECT(sort(256, nullptr, nullptr, 0) == cudaSuccess, "empty arrays");
}

void test_bulk_pairs() {
  REACHES_CUDA(pairs(keys.in(), sorted.get(), values.in(), moved.get()));
  REACHES_CUDA(pairs(keys.in(), keys.get(), values.in(), values.get()));
  REFUSED(pairs(keys.in(), sorted.get(), nullptr, moved.get()));
  REFUSED(pairs(keys.in(), sorted.get(), values.in(), values.at(8)));
  REFUSED(pairs(keys.in(), reinterpret_cast<uint32_t *>(values.get()), values.in(), moved.get()));
}

void test_rows() {
  size_t bytes = 0;
  uint8_t *const numbers = reinterpret_cast<uint8_t *>(moved.get());
  EXPECT(bulk_argsort(nullptr, bytes, keys.in(), numbers, 10, 40, ascending{}, {}, light{}) ==
                 cudaSuccess &&
             bytes >= 1600,
         "a copy of the keys");
  REACHES_CUDA(rows(bytes, numbers, 10, 40));
  REFUSED(rows(bytes - 1, numbers, 10, 40));
  REACHES_CUDA(rows(bytes, numbers, 1, 256));
  REFUSED(rows(bytes, numbers, 1, 257));
  REFUSED(rows(bytes, static_cast<uint8_t *>(nullptr), 10, 40));
}

} // namespace

int main() {
  require_no_gpu();
  test_bitonic_sort();
  test_bulk_keys();
  test_bulk_pairs();
  test_rows();
  return gpu_result("arguments of bitonic sort and bulk sort");
}
