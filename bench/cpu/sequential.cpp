//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sequential.cpp: the original function, one instance after the other over
// row-wise memory: what the CPU back end is measured against. BENCH_<identifier>
// picks the function; SOURCE is the file that defines it.
//
//===----------------------------------------------------------------------===//
#include SOURCE

#include <cstdint>
#include <cstring>

namespace {
template <class T> T *at(void *const *arrays, int a, uint64_t j, uint64_t cells) {
  return static_cast<T *>(arrays[a]) + j * cells;
}
template <class T> T scalar(const uint64_t *scalars, int s) {
  T value;
  std::memcpy(&value, &scalars[s], sizeof value);
  return value;
}
} // namespace

void sequential_all([[maybe_unused]] void *const *arrays, [[maybe_unused]] const uint64_t *scalars,
                    [[maybe_unused]] const uint64_t *cells, uint64_t count) {
  for (uint64_t j = 0; j < count; ++j) {
#if defined(BENCH_prefix_sums)
    prefix_sums(at<float>(arrays, 0, j, cells[0]), scalar<int>(scalars, 0));
#elif defined(BENCH_floyd_warshall)
    floyd_warshall(at<float>(arrays, 0, j, cells[0]), scalar<int>(scalars, 0));
#elif defined(BENCH_bitonic_sort)
    bitonic_sort(at<float>(arrays, 0, j, cells[0]), scalar<int>(scalars, 0));
#elif defined(BENCH_triangulate)
    triangulate(at<float>(arrays, 0, j, cells[0]), at<float>(arrays, 1, j, cells[1]),
                scalar<int>(scalars, 0));
#elif defined(BENCH_montgomery_multiply)
    montgomery_multiply(at<uint32_t>(arrays, 0, j, cells[0]), at<uint32_t>(arrays, 1, j, cells[1]),
                        static_cast<uint32_t *>(arrays[2]), scalar<uint32_t>(scalars, 0),
                        at<uint32_t>(arrays, 3, j, cells[3]));
#elif defined(BENCH_escape_time)
    *at<int>(arrays, 2, j, 1) = escape_time(*at<double>(arrays, 0, j, 1),
                                            *at<double>(arrays, 1, j, 1), scalar<int>(scalars, 0));
#elif defined(BENCH_sharpen)
    sharpen(reinterpret_cast<const uint8_t(*)[bordered]>(at<uint8_t>(arrays, 0, j, cells[0])),
            reinterpret_cast<uint8_t(*)[tile]>(at<uint8_t>(arrays, 1, j, cells[1])),
            scalar<int>(scalars, 0));
#elif defined(BENCH_power_spectrum)
    power_spectrum(at<float>(arrays, 0, j, cells[0]), static_cast<float *>(arrays[1]),
                   static_cast<float *>(arrays[2]), static_cast<float *>(arrays[3]),
                   at<float>(arrays, 4, j, cells[4]));
#else
#error "no adapter for this function"
#endif
  }
}
