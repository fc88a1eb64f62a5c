//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/multisplit.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

#include <colonnade/division_bucket.hpp>

namespace {

struct last_digit {
  __host__ __device__ uint32_t operator()(uint32_t key) const { return key % 10; }
};

cudaError_t by_last_digit(const uint32_t *d_in, uint32_t *d_out, uint64_t n, uint64_t *d_offsets,
                          void *d_temp, size_t &bytes) {
  return colonnade::multisplit_keys(d_temp, bytes, d_in, d_out, n, 10, last_digit{}, d_offsets);
}

cudaError_t by_thousand_millions(const uint32_t *d_in, uint32_t *d_out, uint64_t n,
                                 uint64_t *d_offsets, void *d_temp, size_t &bytes) {
  return colonnade::multisplit_keys(d_temp, bytes, d_in, d_out, n, 5,
                                    colonnade::division_bucket(1000000000u), d_offsets);
}

struct divide_by_thousand_millions {
  uint32_t operator()(uint32_t key) const { return key / 1000000000; }
};

template <class Split, class Bucket>
void check(const char *name, Split split, uint32_t num_buckets, Bucket bucket) {
  const std::vector<uint32_t> keys = some_keys<uint32_t>(1000, 1);
  const split_reference expected = split_on_host(keys, num_buckets, bucket, false);
  const device_array<uint32_t> in(keys), out(keys.size());
  const device_array<uint64_t> offsets(num_buckets + 1);
  call_twice([&](void *d_temp, size_t &bytes) {
    return split(in.get(), out.get(), keys.size(), offsets.get(), d_temp, bytes);
  });
  const std::vector<uint32_t> got = out.read();
  for (size_t i = 0; i < keys.size(); ++i)
    EXPECT(got[i] == keys[expected.from[i]], "%s, item %zu", name, i);
  EXPECT(offsets.read() == expected.offsets, "%s, offsets", name);
}

} // namespace

int main() {
  require_gpu();
  check("by last digit", by_last_digit, 10, last_digit{});
  check("by a division", by_thousand_millions, 5, divide_by_thousand_millions{});
  return gpu_result("examples of multisplit");
}
