//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// prefix_sums_info.hpp: a bulk function written by hand, as the tests' stand-in
// for a generated one. `out[i] = scale[i] * in[i] + out[i - 1]`, and a check
// that no input is negative; `seen` is a pure output that only instances with an
// odd first input write.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/function.hpp>

#include <cstring>

namespace colonnade::bulk::testing {

inline int64_t extent_n(uint32_t, const scalar_bits *scalars) {
  return static_cast<int32_t>(scalars[0]);
}
inline int64_t extent_1(uint32_t, const scalar_bits *) { return 1; }

inline void sum_sequential(void *const *arrays, const scalar_bits *scalars) {
  const int32_t n = static_cast<int32_t>(scalars[0]);
  const int32_t *in = static_cast<const int32_t *>(arrays[0]);
  const int32_t *scale = static_cast<const int32_t *>(arrays[1]);
  int32_t *out = static_cast<int32_t *>(arrays[2]);
  for (int32_t i = 0; i < n; ++i)
    out[i] = static_cast<int32_t>(static_cast<uint32_t>(scale[i]) * static_cast<uint32_t>(in[i]) +
                                  static_cast<uint32_t>(i ? out[i - 1] : 0));
  if (n > 0 && in[0] % 2)
    *static_cast<uint8_t *>(arrays[3]) = 7;
}

template <class Layout> inline status sum_kernel(const raw_arguments &a, uint64_t first_instance) {
  const uint64_t n = a.cells[0];
  for (uint64_t j = 0; j < a.count; ++j) {
    const instance_view in = Layout::view(j, n, a.count), one = Layout::view(j, 1, a.count);
    const int32_t *x = static_cast<const int32_t *>(a.arrays[0]) + in.base;
    const int32_t *scale = static_cast<const int32_t *>(a.arrays[1]);
    int32_t *y = static_cast<int32_t *>(a.arrays[2]) + in.base;
    uint32_t sum = 0;
    for (uint64_t i = 0; i < n; ++i) {
      if (x[i * in.stride] < 0)
        return status::failure(status_code::failed_check,
                               "instance " + std::to_string(first_instance + j) +
                                   ": a negative input",
                               first_instance + j);
      sum += static_cast<uint32_t>(scale[i]) * static_cast<uint32_t>(x[i * in.stride]);
      y[i * in.stride] = static_cast<int32_t>(sum);
    }
    if (n > 0 && x[0] % 2)
      static_cast<uint8_t *>(a.arrays[3])[one.base] = 7;
  }
  return status::success();
}

inline status sum_cpu(const raw_arguments &a, layout l, const cpu_launch_options &options) {
  if (l == layout::row_wise)
    return sum_kernel<row_wise_layout>(a, options.first_instance);
  if (l == layout::column_wise)
    return sum_kernel<column_wise_layout>(a, options.first_instance);
  return sum_kernel<tiled_layout<16>>(a, options.first_instance);
}

inline const function_info &sum_info() {
  static const array_info arrays[] = {
      {"in", "in", cell_type::s32, direction::in, false, 1, extent_n},
      {"scale", "scale", cell_type::s32, direction::in, true, 1, extent_n},
      {"out", "out", cell_type::s32, direction::out, false, 1, extent_n, true},
      {"seen", "seen", cell_type::u8, direction::out, false, 1, extent_1}};
  static const scalar_info scalars[] = {{"n", cell_type::s32}};
  static const function_info info = {"sum",   arrays,  4,  scalars, 1,
                                     nullptr, sum_cpu, 16, nullptr, sum_sequential};
  return info;
}

} // namespace colonnade::bulk::testing
