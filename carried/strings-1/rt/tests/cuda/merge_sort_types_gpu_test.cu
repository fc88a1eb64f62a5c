//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Merge sorts of other types on the GPU: keys and values of 1 to 16 bytes, structs with
// an order of their own, inputs that are iterators, orders that are none.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "merge_sort_case.cuh"

using namespace colonnade;

namespace {

/// Sixteen bytes, ordered by two members of four, the second descending.
struct record {
  uint32_t account;
  float amount;
  uint16_t day, hour;
  uint32_t number;
};
struct by_account_and_amount {
  __host__ __device__ bool operator()(const record &a, const record &b) const {
    return a.account != b.account ? a.account < b.account : b.amount < a.amount;
  }
};
/// Blobs by their first byte alone.
struct by_first_byte {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const {
    return a.byte[0] < b.byte[0];
  }
};
struct larger_first {
  template <class T> __host__ __device__ bool operator()(T a, T b) const { return a > b; }
};
struct no_order {
  __host__ __device__ bool operator()(uint32_t a, uint32_t b) const {
    return (a * 2654435761u ^ b * 40503u) >> 31;
  }
};

std::vector<record> some_records(uint64_t n) {
  std::vector<record> records(n);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t x = scramble(i);
    records[i] = {static_cast<uint32_t>(x % 100), static_cast<float>(x >> 20 & 255),
                  static_cast<uint16_t>(i % 7), static_cast<uint16_t>(i % 24),
                  static_cast<uint32_t>(i)};
  }
  return records;
}

/// Squares, computed where they are read.
struct squares {
  using value_type = uint64_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const uint64_t *;
  using reference = uint64_t;
  using iterator_category = std::random_access_iterator_tag;
  __host__ __device__ uint64_t operator[](std::ptrdiff_t i) const {
    return (static_cast<uint64_t>(i) * static_cast<uint64_t>(i)) % 10007;
  }
};

void test_iterator(uint64_t n) {
  std::vector<uint64_t> keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = squares{}[static_cast<std::ptrdiff_t>(i)];
  const device_array<uint64_t> out(n);
  call_twice([&](void *d_temp, size_t &bytes) {
    return merge_sort_keys(d_temp, bytes, squares{}, out.get(), n, larger_first{}, {},
                           merging_policy{});
  });
  std::sort(keys.begin(), keys.end(), larger_first{});
  EXPECT(out.read() == keys, "keys of an iterator");
}

/// Ranks of such keys collide, and some cuts are never written: whatever the temporary
/// storage held is then read in their place, so it is given something bad to hold.
void test_no_order(uint64_t n) {
  const auto keys = some_keys<uint32_t>(n, 9);
  const device_array<uint32_t> in(keys), out(n);
  size_t bytes = 0;
  const auto call = [&](void *d_temp) {
    return stable_merge_sort_keys(d_temp, bytes, static_cast<const uint32_t *>(in.get()), out.get(),
                                  n, no_order{}, {}, merging_policy{});
  };
  CUDA_OK(call(nullptr));
  const device_array<uint8_t> temp(bytes);
  for (int byte : {0x00, 0xff, 0x71}) {
    CUDA_OK(cudaMemset(temp.get(), byte, bytes));
    CUDA_OK(call(temp.get()));
  }
  CUDA_OK(cudaDeviceSynchronize());
  out.expect_intact("keys without an order");
  EXPECT(in.read() == keys, "input changed");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  for (uint64_t n : small ? std::vector<uint64_t>{9000} : std::vector<uint64_t>{1, 777, 300007}) {
    check_merge_keys<merging_policy>(some_records(n), by_account_and_amount{});
    check_merge_pairs<merging_policy, uint32_t>(some_records(n), by_account_and_amount{});
    check_merge_keys<merging_policy, sort_form::unstable>(some_keys<uint8_t>(n, 1), larger_first{});
    check_merge_pairs<merging_policy, uint16_t>(some_keys<uint16_t>(n, 2), larger_first{});
    check_merge_pairs<merging_policy, blob<16>>(some_keys<blob<16>>(n, 3), by_first_byte{});
    check_merge_pairs<merging_policy, blob<5>, sort_form::unstable>(some_keys<blob<3>>(n, 4),
                                                                    by_first_byte{});
    check_merge_argsort<merging_policy, uint32_t>(some_keys<blob<12>>(n, 5), by_first_byte{});
    check_merge_keys<merging_policy>(some_keys<int64_t>(n, 6), larger_first{});
    check_merge_pairs<in_registers_policy, uint32_t>(some_keys<uint8_t>(n, 7), larger_first{});
    check_merge_keys<in_registers_policy, sort_form::unstable>(some_keys<uint32_t>(n, 8),
                                                               larger_first{});
    test_iterator(n);
    test_no_order(n);
  }
  return gpu_result("merge sort of other types");
}
