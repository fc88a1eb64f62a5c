//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// portions_launch.cuh: runs a convex hull of any number of points: at once, or by portions.
//
// In: as dispatch.cuh, which finds hulls at once, or boundary_launch.cuh, which finds all points on
// their boundaries. Out: the hull, or its boundary. Invariant: the kernels that find the hull of a
// portion are those that find hulls at once; whether there are portions depends on the most points
// that there can be, and on the policy, alone. What is on the boundary of all points is on that of
// its portion, so boundaries are joined as hulls are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/dispatch.cuh>
#include <colonnade/detail/convex_hull/portions.hpp>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

/// AtOnce: finds the hull of a portion, and joins two.
template <class Policy, class Points, class Vertices,
          class AtOnce = hull_run<Policy, Points, Vertices>>
class any_number_run {
public:
  using at_once = AtOnce;
  using plan_type = portions_plan<Points, Vertices>;
  static constexpr uint64_t most_portions = 4096, least_portion = 1024;
  /// Of a call: the last index fits.
  static constexpr uint64_t most_points =
      gives_indices<Vertices> && sizeof(typename Vertices::number) == 4 ? uint64_t{1} << 32
                                                                        : uint64_t{1} << 56;

  Points points;
  item_count num_points;
  hull_options what;
  hull_output<Vertices> out;
  run_options options;

  template <hull_input Input> static size_t bytes(uint64_t most) {
    return is_at_once<Input>(most) ? bytes_at_once<Input>(most) : plan<Input>(most).storage.bytes();
  }
  template <hull_input Input> cudaError_t run(void *d_temp) const {
    if (is_at_once<Input>(num_points.most))
      return at_once{points, num_points, what, out, options}.template run<Input>(d_temp);
    device_properties gpu{};
    if (const cudaError_t error = query_device(gpu))
      return error;
    const plan_type p = plan<Input>(num_points.most);
    auto *vertices = temp_storage::at<typename Vertices::number>(d_temp, p.vertices);
    const auto hull = [&](auto input, const Points &of, const item_count &count, hull_part part,
                          uint64_t capacity, uint64_t *num_hull, device_status *status) {
      return at_once{
          of, count, {part}, {{vertices}, capacity, num_hull, status}, {options.stream, status}}
          .template run<decltype(input)::value>(p.hull_at(d_temp));
    };
    return find_by_portions<device_machine, Input>(hull_launcher{gpu, options.stream}, hull, points,
                                                   num_points, what.part, out, p, d_temp);
  }

private:
  template <hull_input Input> static size_t bytes_at_once(uint64_t most) {
    return at_once::template bytes<Input>(most);
  }
  template <hull_input Input> static bool is_at_once(uint64_t most) {
    return most <= Policy::most_at_once &&
           (most <= least_portion || bytes_at_once<Input>(most) <= Policy::most_temporary);
  }
  /// Hulls are joined in any order.
  template <hull_input Input> static plan_type plan_of(uint64_t most, uint64_t portion) {
    const plan_type sizes(most, portion, 0);
    return plan_type(most, portion,
                     std::max(bytes_at_once<Input>(sizes.most_points),
                              bytes_at_once<hull_input::in_any_order>(2 * sizes.most_vertices)));
  }
  template <hull_input Input> static plan_type plan(uint64_t most) {
    const uint64_t least = std::max(least_portion, (most + most_portions - 1) / most_portions);
    uint64_t portion = std::min({(most + 1) / 2, uint64_t{1} << 31, Policy::most_at_once});
    while (portion > least &&
           plan_of<Input>(most, portion).storage.bytes() > Policy::most_temporary)
      portion = (portion + 1) / 2;
    return plan_of<Input>(most, portion);
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
