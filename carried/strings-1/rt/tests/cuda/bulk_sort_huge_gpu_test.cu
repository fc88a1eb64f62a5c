//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bulk sorts of more than 2^32 keys in all on the GPU: in registers, in blocks and in
// several passes; keys, and row numbers. 14 GB of device memory.
//
//   --small   a few thousand keys by the same code
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"

#include <colonnade/bulk_sort.cuh>

using namespace colonnade;

namespace {

struct light_policy : bulk_sort_policy {
  static constexpr bulk_sort_lengths lengths[] = {{33, 48}};
  static constexpr uint32_t window_bits(gpu_architecture, uint32_t) { return 4; }
  static constexpr uint32_t max_block_log2_rows = 9;
};

/// An array a thread: it rises, and its items are those of the input.
__global__ void check_keys(const uint8_t *in, const uint8_t *out, uint64_t count, uint32_t length,
                           unsigned long long *wrong) {
  const uint64_t j = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  if (j >= count)
    return;
  uint64_t before = 0, after = 0;
  bool rises = true;
  for (uint32_t i = 0; i < length; ++i) {
    before += scramble(in[i * count + j]);
    after += scramble(out[i * count + j]);
    rises = rises && (i == 0 || out[(i - 1) * count + j] <= out[i * count + j]);
  }
  if (!rises || before != after)
    atomicAdd(wrong, 1ull);
}
/// Keys rise, and of equal keys the rows: so every row comes once.
__global__ void check_rows(const uint8_t *in, const uint16_t *rows, uint64_t count, uint32_t length,
                           unsigned long long *wrong) {
  const uint64_t j = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  if (j >= count)
    return;
  int64_t before = -1;
  for (uint32_t i = 0; i < length; ++i) {
    const uint64_t row = rows[i * count + j];
    const int64_t now =
        row < length ? static_cast<int64_t>(uint64_t{in[row * count + j]} << 16 | row) : -1;
    if (now <= before)
      return static_cast<void>(atomicAdd(wrong, 1ull));
    before = now;
  }
}

void test(uint64_t least_items, uint32_t length) {
  const uint64_t count = least_items / length + 1, cells = count * length;
  const uint32_t blocks = static_cast<uint32_t>(count / 256 + 1);
  const device_array<uint8_t> keys(cells);
  const wrong_counter wrong;
  const uint8_t *in = keys.get();
  fill_with_scrambled<<<2048, 256>>>(keys.get(), cells);
  {
    const device_array<uint8_t> out(cells);
    call_twice([&](void *d_temp, size_t &bytes) {
      return bulk_sort_keys(d_temp, bytes, in, out.get(), count, length, ascending{}, {},
                            light_policy{});
    });
    check_keys<<<blocks, 256>>>(in, out.get(), count, length, wrong.get());
    wrong.expect_none("arrays of keys");
    out.expect_intact("keys");
  }
  const device_array<uint16_t> rows(cells);
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_argsort(d_temp, bytes, in, rows.get(), count, length, ascending{}, {},
                        light_policy{});
  });
  check_rows<<<blocks, 256>>>(in, rows.get(), count, length, wrong.get());
  wrong.expect_none("arrays of row numbers");
  rows.expect_intact("row numbers");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 5);
  for (uint32_t length : {40, 300, 3000})
    test(n, length);
  return gpu_result("bulk sort of more than 2^32 keys");
}
