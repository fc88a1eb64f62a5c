//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls that histogram.cuh refuses, each with its message; see check_refusals.py.
//
//===----------------------------------------------------------------------===//

#include <colonnade/histogram.cuh>

using namespace colonnade;

namespace {

struct point {
  float x, y;
};

template <class Sample, class Level> cudaError_t even() {
  size_t bytes = 0;
  return histogram_even(nullptr, bytes, static_cast<const Sample *>(nullptr),
                        static_cast<uint64_t *>(nullptr), 1, 2, Level{}, Level{});
}
template <class Sample, class Level> cudaError_t range() {
  size_t bytes = 0;
  return histogram_range(nullptr, bytes, static_cast<const Sample *>(nullptr),
                         static_cast<uint64_t *>(nullptr), 1, 2,
                         static_cast<const Level *>(nullptr));
}

} // namespace

// refused: histogram: samples and levels are integers
cudaError_t points() { return even<point, float>(); }
// refused: histogram: samples and levels are integers
cudaError_t pointers() { return range<const char *, float>(); }
// refused: histogram: samples and levels are integers
cudaError_t point_levels() { return range<float, point>(); }
// refused: histogram: samples and levels are integers
cudaError_t wide() { return even<long double, long double>(); }
// refused: no integer type holds both
cudaError_t mixed() { return even<uint64_t, int64_t>(); }
// refused: no integer type holds both
cudaError_t mixed_range() { return range<int32_t, uint32_t>(); }
