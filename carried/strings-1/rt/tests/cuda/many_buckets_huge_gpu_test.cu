//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A multisplit of more than 2^32 items into 1000 buckets on the GPU, and the counts alone
// where one bucket takes all: 55 GB of device memory.
//
//   --small   a few thousand items by the same code
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"
#include "multisplit_case.cuh"

using namespace colonnade;

namespace {

constexpr uint32_t m = 1000;

/// Odd, so that key i tells i modulo 2^32.
constexpr uint32_t factor = 2654435761u, inverse = 244002641u;
static_assert(factor * inverse == 1);

struct scattered_bucket {
  __host__ __device__ uint32_t operator()(uint32_t key) const {
    return static_cast<uint32_t>(scramble(key) % m);
  }
};
struct last_bucket {
  __host__ __device__ uint32_t operator()(uint32_t) const { return m - 1; }
};
/// The default's tuning for one number of bits.
struct coarse : multisplit_policy {
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};

__global__ void fill_by_index(uint32_t *keys, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    keys[i] = static_cast<uint32_t>(i) * factor;
}
/// Items lie in their buckets, and their indices rise within each, but that the last few
/// begin at 0 again (index 2^32).
__global__ void check_items(const uint32_t *keys, uint64_t n, const uint64_t *offsets,
                            uint64_t behind_2_32, unsigned long long *wrong) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint32_t b = scattered_bucket{}(keys[i]);
    const bool inside = i >= offsets[b] && i < offsets[b + 1];
    const uint32_t index = keys[i] * inverse,
                   before = i > offsets[b] && inside ? keys[i - 1] * inverse : 0;
    const bool rises =
        index > before || i == offsets[b] || (index < behind_2_32 && before > 1u << 31);
    if (!inside || !rises)
      atomicAdd(wrong, 1ull);
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 13);
  const device_array<uint32_t> keys(n), out(n);
  const device_array<uint64_t> offsets(m + 1);
  const wrong_counter wrong;
  const uint32_t *in = keys.get();
  fill_by_index<<<2048, 256>>>(keys.get(), n);
  call_twice([&](void *d_temp, size_t &bytes) {
    return multisplit_keys(d_temp, bytes, in, out.get(), n, m, scattered_bucket{}, offsets.get(),
                           {}, coarse{});
  });
  check_items<<<2048, 256>>>(out.get(), n, offsets.get(), n >> 32 ? n - (uint64_t{1} << 32) : 0,
                             wrong.get());
  wrong.expect_none("items in 1000 buckets");
  EXPECT(offsets.read()[0] == 0 && offsets.read()[m] == n, "offsets");
  out.expect_intact("keys");
  call_twice([&](void *d_temp, size_t &bytes) {
    return multisplit_counts(d_temp, bytes, in, n, m, last_bucket{}, offsets.get(), {}, coarse{});
  });
  std::vector<uint64_t> right(m + 1);
  right[m] = n;
  EXPECT(offsets.read() == right, "counts of one bucket");
  return gpu_result("more than 2^32 items into many buckets");
}
