//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: runs a convex hull by marriage before conquest: the launches of
// marriage_blocks.hpp.
//
// In: the arguments of convex_hull.cuh, and a policy whose method is marriage_before_conquest. Out:
// the hull, or a CUDA error. Invariant: nothing is read back; kernels that have nothing to do end
// at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/convex_hull.cuh>
#include <colonnade/detail/convex_hull/marriage/marriage_blocks.hpp>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class T>
__global__ void begin_marriage_kernel(const __grid_constant__ begin_marriage_arguments<T> a) {
  const device_machine machine;
  begin_marriage(machine, a);
}

template <class Policy>
concept marries_first = Policy::method == hull_method::marriage_before_conquest;

template <class Policy, class Points, class Vertices>
  requires marries_first<Policy>
class hull_run<Policy, Points, Vertices> {
public:
  using coordinate = typename Points::coordinate;
  using blocks = marriage_blocks<Policy, Points, Vertices, device_machine>;
  using plan_type = marriage_plan<Policy, coordinate>;

  Points points;
  item_count num_points;
  hull_options what;
  hull_output<Vertices> out;
  run_options options;

  template <hull_input Input> static size_t bytes(uint64_t most) {
    return plan_type(most).storage.bytes();
  }
  template <hull_input Input> cudaError_t run(void *d_temp) const {
    static_assert(Input == hull_input::in_any_order,
                  "convex hull: marriage before conquest takes points in any order");
    device_properties gpu{};
    if (const cudaError_t error = query_device(gpu))
      return error;
    const plan_type plan(num_points.most);
    const marriage_storage<coordinate> s = plan.at(d_temp);
    constexpr uint32_t threads = 256;
    const uint64_t words = mark_words(num_points.most);
    const uint32_t most_blocks = static_cast<uint32_t>(gpu.num_sms) * 8;
    const uint32_t wanted = static_cast<uint32_t>(std::min<uint64_t>(words / threads, most_blocks));
    if (const cudaError_t error = launch(
            begin_marriage_kernel<coordinate>, {wanted + 1, threads, 0, options.stream, false},
            begin_marriage_arguments<coordinate>{s, words, num_points, options.d_status}))
      return error;
    return find_by_marriage<blocks, Policy>(hull_launcher{gpu, options.stream, 1}, points,
                                            num_points, s, plan, what.part, out);
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
