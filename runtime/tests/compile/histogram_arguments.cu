//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What histogram.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/histogram.cuh>

#include <limits>

using namespace colonnade;

namespace {

some_memory<float> samples, levels;
some_memory<uint64_t> counts;
some_memory<char> temp;

cudaError_t even(size_t bytes, const float *in, uint64_t *to, uint64_t n = 100, uint32_t m = 10,
                 float lower = 0, float upper = 1) {
  return histogram_even(temp.get(), bytes, in, to, n, m, lower, upper);
}
cudaError_t even_integers(int32_t lower, int32_t upper) {
  size_t bytes = 0;
  const auto call = [&](void *d_temp) {
    return histogram_even(d_temp, bytes, reinterpret_cast<const int32_t *>(samples.in()),
                          counts.get(), 100, 10, lower, upper);
  };
  const cudaError_t error = call(nullptr);
  return error ? error : call(temp.get());
}
cudaError_t range(size_t bytes, const float *in, uint64_t *to, const float *borders,
                  uint64_t n = 100, uint32_t m = 10) {
  return histogram_range(temp.get(), bytes, in, to, n, m, borders);
}

void test_even() {
  size_t bytes = 0;
  const float inf = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  const float largest = std::numeric_limits<float>::max();
  const float *in = samples.in();
  uint64_t *to = counts.get();
  EXPECT(histogram_even(nullptr, bytes, in, to, 100, 10, 0.0f, 1.0f) == cudaSuccess && bytes > 0,
         "bytes");
  REACHES_CUDA(even(bytes, in, to));
  REACHES_CUDA(even(bytes, nullptr, to, 0));
  REFUSED(even(bytes - 1, in, to));
  REFUSED(even(bytes, in, to, 100, 0));
  REFUSED(even(bytes, in, to, 100, (1u << 31) + 1));
  REFUSED(even(bytes, nullptr, to));
  REFUSED(even(bytes, in, nullptr));
  REFUSED(even(bytes, in, nullptr, 0)); // counts are owed
  REFUSED(even(bytes, samples.at(2), to));
  REFUSED(even(bytes, in, counts.at(4)));
  REFUSED(even(bytes, in, reinterpret_cast<uint64_t *>(samples.get() + 98)));
  REFUSED(even(bytes, in, to, 100, 10, 1, 1));
  REFUSED(even(bytes, in, to, 100, 10, 2, 1));
  REFUSED(even(bytes, in, to, 100, 10, nan, 1));
  REFUSED(even(bytes, in, to, 100, 10, 0, nan));
  REFUSED(even(bytes, in, to, 100, 10, 0, inf));
  REFUSED(even(bytes, in, to, 100, 10, -inf, 0));
  REFUSED(even(bytes, in, to, 100, 10, -largest, largest)); // the width is infinite
  REACHES_CUDA(
      even_integers(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
  REFUSED(even_integers(5, 5));
  REFUSED(even_integers(5, -5));
}

void test_range() {
  size_t bytes = 0;
  const float *in = samples.in(), *borders = levels.in();
  uint64_t *to = counts.get();
  EXPECT(histogram_range(nullptr, bytes, in, to, 100, 10, borders) == cudaSuccess && bytes > 0,
         "bytes");
  REACHES_CUDA(range(bytes, in, to, borders));
  REFUSED(range(bytes - 1, in, to, borders));
  REFUSED(range(bytes, in, to, borders, 100, 0));
  REFUSED(range(bytes, in, to, borders, 100, (1u << 31) + 1));
  REFUSED(range(bytes, nullptr, to, borders));
  REFUSED(range(bytes, in, nullptr, borders));
  REFUSED(range(bytes, in, to, nullptr));
  REFUSED(range(bytes, in, to, levels.at(1)));
  REFUSED(range(bytes, in, counts.at(2), borders));
  REFUSED(range(bytes, samples.at(1), to, borders));
  REFUSED(range(bytes, in, reinterpret_cast<uint64_t *>(levels.get() + 10), borders));
  REFUSED(range(bytes, in, reinterpret_cast<uint64_t *>(samples.get()), borders));
  REACHES_CUDA(range(bytes, in, reinterpret_cast<uint64_t *>(levels.get() + 12), borders));
}

} // namespace

int main() {
  require_no_gpu();
  test_even();
  test_range();
  return gpu_result("arguments of histogram");
}
