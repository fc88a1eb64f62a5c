//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the segmented multisplit refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/segmented_multisplit.cuh>

using namespace colonnade;

namespace {

struct light : segmented_multisplit_policy {
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};
struct by_modulo {
  uint32_t m;
  __device__ uint32_t operator()(uint32_t key) const { return key % m; }
};

some_memory<uint32_t> keys, sorted, values, moved;
some_memory<uint64_t> segments, offsets;
some_memory<char> temp;

constexpr size_t plenty = ~size_t{0};

struct arguments {
  size_t bytes = plenty;
  const uint32_t *in = keys.in();
  uint32_t *out = sorted.get();
  uint64_t n = 100, num_segments = 10;
  const uint64_t *d_segments = segments.in();
  uint32_t m = 4;
  uint64_t *d_offsets = offsets.get();
};
cudaError_t split(arguments a) {
  return segmented_multisplit_keys(temp.get(), a.bytes, a.in, a.out, a.n, a.num_segments,
                                   a.d_segments, a.m, by_modulo{4}, a.d_offsets, {}, light{});
}
cudaError_t split_pairs(arguments a, const uint32_t *from, uint32_t *to) {
  return segmented_multisplit_pairs(temp.get(), a.bytes, a.in, a.out, from, to, a.n, a.num_segments,
                                    a.d_segments, a.m, by_modulo{4}, a.d_offsets, {}, light{});
}

void test_keys() {
  size_t bytes = 0;
  EXPECT(segmented_multisplit_keys(nullptr, bytes, static_cast<const uint32_t *>(nullptr),
                                   static_cast<uint32_t *>(nullptr), 100, 10, nullptr, 4,
                                   by_modulo{4}, nullptr, {}, light{}) == cudaSuccess &&
             bytes > 0,
         "bytes");
  REACHES_CUDA(split({.bytes = bytes}));
  REACHES_CUDA(split({.d_offsets = nullptr}));
  REACHES_CUDA(split({.in = nullptr, .out = nullptr, .n = 0}));
  REFUSED(split({.bytes = bytes - 1}));
  REFUSED(split({.in = nullptr}));
  REFUSED(split({.out = nullptr}));
  REFUSED(split({.in = keys.at(2)}));
  REFUSED(split({.out = sorted.at(2)}));
  REFUSED(split({.out = keys.get() + 99}));
  REFUSED(split({.m = 0}));
  REFUSED(split({.m = 257}));
  REFUSED(split({.num_segments = 0xffffffff}));
  REFUSED(split({.d_segments = nullptr}));
  REFUSED(split({.d_segments = segments.at(4)}));
}

uint64_t *as_offsets(uint32_t *memory) { return reinterpret_cast<uint64_t *>(memory); }

/// 41 bucket offsets, 11 of segments.
void test_offsets() {
  REFUSED(split({.d_offsets = offsets.at(4)}));
  REFUSED(split({.d_offsets = as_offsets(keys.get() + 98)}));
  REFUSED(split({.d_offsets = as_offsets(sorted.get() + 98)}));
  REACHES_CUDA(split({.d_offsets = as_offsets(sorted.get() + 100)}));
  REFUSED(split({.d_offsets = segments.get() + 10}));
  REACHES_CUDA(split({.d_offsets = segments.get() + 11}));
  REFUSED(split({.d_segments = offsets.get() + 40}));
  REACHES_CUDA(split({.d_segments = offsets.get() + 42}));
  REFUSED(split({.d_segments = as_offsets(sorted.get() + 98)}));
  REACHES_CUDA(split({.d_segments = as_offsets(keys.get())})); // both are only read
}

void test_pairs() {
  const uint32_t *from = values.in();
  uint32_t *to = moved.get();
  REACHES_CUDA(split_pairs({}, from, to));
  REFUSED(split_pairs({}, nullptr, to));
  REFUSED(split_pairs({}, from, nullptr));
  REFUSED(split_pairs({}, from, sorted.get()));
  REFUSED(split_pairs({}, from, keys.get()));
  REFUSED(split_pairs({.out = values.get()}, from, to));
  REFUSED(split_pairs({.d_segments = as_offsets(moved.get())}, from, to));
  REFUSED(split_pairs({.d_offsets = as_offsets(values.get())}, from, to));
}

} // namespace

int main() {
  require_no_gpu();
  test_keys();
  test_offsets();
  test_pairs();
  return gpu_result("arguments of segmented multisplit");
}
