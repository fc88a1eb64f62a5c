//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the two-way multisplit refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/two_way_multisplit.cuh>

using namespace colonnade;

namespace {

struct is_odd {
  __device__ uint32_t operator()(uint32_t key) const { return key & 1; }
};

some_memory<uint32_t> keys, sorted, values, moved;
some_memory<uint64_t> offsets;
some_memory<char> temp;

constexpr size_t plenty = ~size_t{0};

cudaError_t split(size_t bytes, const uint32_t *in, uint32_t *out, uint64_t n = 100,
                  uint64_t *d_offsets = offsets.get()) {
  return two_way_multisplit_keys(temp.get(), bytes, in, out, n, is_odd{}, d_offsets);
}
cudaError_t split_pairs(const uint32_t *in, uint32_t *out, const uint32_t *from, uint32_t *to,
                        uint64_t *d_offsets = offsets.get()) {
  size_t bytes = plenty;
  return two_way_multisplit_pairs(temp.get(), bytes, in, out, from, to, 100, is_odd{}, d_offsets);
}

void test_keys() {
  size_t bytes = 0;
  const uint32_t *in = keys.in();
  uint32_t *out = sorted.get();
  EXPECT(two_way_multisplit_keys(nullptr, bytes, static_cast<const uint32_t *>(nullptr),
                                 static_cast<uint32_t *>(nullptr), 100, is_odd{},
                                 nullptr) == cudaSuccess &&
             bytes > 0,
         "bytes");
  REACHES_CUDA(split(bytes, in, out));
  REACHES_CUDA(split(bytes, in, out, 100, nullptr));
  REACHES_CUDA(split(bytes, nullptr, nullptr, 0));
  REFUSED(split(bytes - 1, in, out));
  REFUSED(split(plenty, nullptr, out));
  REFUSED(split(plenty, in, nullptr));
  REFUSED(split(plenty, keys.at(2), out));
  REFUSED(split(plenty, in, sorted.at(1)));
  REFUSED(split(plenty, in, keys.get() + 99));
  REFUSED(split(plenty, in, out, ~uint64_t{0}));
  REFUSED(split(plenty, in, out, 100, offsets.at(4)));
  REFUSED(split(plenty, in, out, 100, reinterpret_cast<uint64_t *>(keys.get() + 98)));
  REFUSED(split(plenty, in, out, 100, reinterpret_cast<uint64_t *>(sorted.get() + 98)));
  REACHES_CUDA(split(plenty, in, out, 100, reinterpret_cast<uint64_t *>(sorted.get() + 100)));
}

void test_pairs() {
  const uint32_t *in = keys.in(), *from = values.in();
  uint32_t *out = sorted.get(), *to = moved.get();
  REACHES_CUDA(split_pairs(in, out, from, to));
  REFUSED(split_pairs(in, out, nullptr, to));
  REFUSED(split_pairs(in, out, from, nullptr));
  REFUSED(split_pairs(in, out, from, out));
  REFUSED(split_pairs(in, out, from, keys.get()));
  REFUSED(split_pairs(in, values.get(), from, to));
  REFUSED(split_pairs(in, out, from, to, reinterpret_cast<uint64_t *>(values.get())));
  REFUSED(split_pairs(in, out, from, to, reinterpret_cast<uint64_t *>(moved.get())));
}

} // namespace

int main() {
  require_no_gpu();
  test_keys();
  test_pairs();
  return gpu_result("arguments of two-way multisplit");
}
