//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/histogram.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/histogram.cuh>

namespace {

cudaError_t byte_counts(const uint8_t *d_bytes, uint64_t n, uint64_t *d_counts, void *d_temp,
                        size_t &bytes) {
  return colonnade::histogram_even(d_temp, bytes, d_bytes, d_counts, n, 256, 0, 256);
}

// d_grades: 0, 50, 65, 80, 100: four bins; a score of 100 or more is in none.
cudaError_t grade_counts(const float *d_scores, uint64_t n, const float *d_grades,
                         uint64_t *d_counts, void *d_temp, size_t &bytes) {
  return colonnade::histogram_range(d_temp, bytes, d_scores, d_counts, n, 4, d_grades);
}

} // namespace

int main() {
  require_gpu();
  const device_array<float> scores(std::vector<float>{70, 100, 12.5f, 99.9f, 50, -3, 64.9f});
  const device_array<float> grades(std::vector<float>{0, 50, 65, 80, 100});
  const device_array<uint64_t> counts(4), of_bytes(256);
  call_twice([&](void *d_temp, size_t &bytes) {
    return grade_counts(scores.get(), 7, grades.get(), counts.get(), d_temp, bytes);
  });
  EXPECT(counts.read() == (std::vector<uint64_t>{1, 2, 1, 1}), "grades");

  const device_array<uint8_t> text(std::vector<uint8_t>{'b', 'a', 255, 'a'});
  call_twice([&](void *d_temp, size_t &bytes) {
    return byte_counts(text.get(), 4, of_bytes.get(), d_temp, bytes);
  });
  const std::vector<uint64_t> got = of_bytes.read();
  EXPECT(got['a'] == 2 && got['b'] == 1 && got[255] == 1 && got[0] == 0, "bytes");
  return gpu_result("examples of histogram");
}
