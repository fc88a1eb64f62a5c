//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/radix_sort.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/radix_sort.cuh>
#include <colonnade/single_phase.cuh>

namespace {

cudaError_t largest_first(const float *d_in, float *d_out, uint64_t n, cudaStream_t stream) {
  return colonnade::single_phase(
      colonnade::async_resource{}, stream, [&](void *d_temp, size_t &bytes) {
        return colonnade::sort_keys(d_temp, bytes, d_in, d_out, n, {.descending = true}, {stream});
      });
}

cudaError_t by_second_byte(colonnade::double_buffer<uint32_t> &keys, uint64_t n, void *d_temp,
                           size_t &bytes) {
  return colonnade::sort_keys(d_temp, bytes, keys, n, {.begin_bit = 8, .end_bit = 16});
}

} // namespace

int main() {
  require_gpu();
  const device_array<float> in(std::vector<float>{70, 100, 12.5f, 99.9f, 50, -3, 64.9f}), sorted(7);
  CUDA_OK(largest_first(in.get(), sorted.get(), 7, nullptr));
  EXPECT(sorted.read() == (std::vector<float>{100, 99.9f, 70, 64.9f, 50, 12.5f, -3}),
         "largest first");

  const device_array<uint32_t> a(std::vector<uint32_t>{0x300, 0x102, 0x201, 0x1fe}), b(4);
  colonnade::double_buffer<uint32_t> both{a.get(), b.get()};
  call_twice([&](void *d_temp, size_t &bytes) { return by_second_byte(both, 4, d_temp, bytes); });
  EXPECT((both.current == a.get() ? a : b).read() ==
             (std::vector<uint32_t>{0x102, 0x1fe, 0x201, 0x300}),
         "second byte");
  return gpu_result("examples of radix sort");
}
