//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Temporary storage of convex hulls: no call asks for more than 2.5 times its input, whatever its
// options, or what its header says of little input; convex_hull_arguments.cu says it of marriage
// before conquest.
//
//===----------------------------------------------------------------------===//

#include "faked_runtime.hpp"

#include <colonnade/bulk_convex_hull.cuh>
#include <colonnade/check_convex_hull.cuh>
#include <colonnade/convex_hull.cuh>
#include <colonnade/convex_hull_boundary.cuh>
#include <colonnade/points_in_hull.cuh>

#include <algorithm>
#include <vector>

using namespace colonnade;

namespace {

/// Hulls by portions, of numbers of points that go at once by default.
struct few_at_once : convex_hull_policy {
  static constexpr uint64_t most_at_once = 1 << 14;
};

/// call(d_temp, bytes) asks. input: in bytes. least: that it may ask for of any input.
template <class Call>
void within_limit(const char *what, uint64_t n, double input, Call call, double least = 1) {
  size_t bytes = 0;
  CUDA_OK(call(nullptr, bytes));
  EXPECT(bytes > 0 && static_cast<double>(bytes) <= std::max(2.5 * input, least),
         "%s, %llu points: %zu bytes, %.3f times", what, static_cast<unsigned long long>(n), bytes,
         static_cast<double>(bytes) / input);
}

/// Hulls of n points. Indices of 64 bits: those of 32 take as much or, by portions, less.
template <class Points> void one_hull(const Points &points, uint64_t n) {
  using coordinate = typename Points::coordinate;
  uint64_t *const hull = nullptr;
  coordinate *const vertices = nullptr;
  const auto check = [&](const char *what, auto call, double least = 1) {
    within_limit(what, n, 2.0 * sizeof(coordinate) * static_cast<double>(n), call, least);
  };
  for (const hull_options what : {hull_options{}, hull_options{hull_part::lower}}) {
    check("hull", [&](void *temp, size_t &bytes) {
      return convex_hull(temp, bytes, points, n, hull, 0, nullptr, what);
    });
    check("its coordinates", [&](void *temp, size_t &bytes) {
      return convex_hull_points(temp, bytes, points, n, vertices, 0, nullptr, what);
    });
    check("by portions", [&](void *temp, size_t &bytes) {
      return convex_hull(temp, bytes, points, n, hull, 0, nullptr, what, {}, few_at_once{});
    });
    check("its coordinates, by portions", [&](void *temp, size_t &bytes) {
      return convex_hull_points(temp, bytes, points, n, vertices, 0, nullptr, what, {},
                                few_at_once{});
    });
    check("by x", [&](void *temp, size_t &bytes) {
      return convex_hull_by_x(temp, bytes, points, n, hull, 0, nullptr, what);
    });
    check(
        "boundary",
        [&](void *temp, size_t &bytes) {
          return convex_hull_boundary(temp, bytes, points, n, hull, 0, nullptr, what);
        },
        49152);
    check(
        "boundary, by portions",
        [&](void *temp, size_t &bytes) {
          return convex_hull_boundary(temp, bytes, points, n, hull, 0, nullptr, what, {},
                                      few_at_once{});
        },
        49152);
  }
  check(
      "check",
      [&](void *temp, size_t &bytes) {
        return check_convex_hull(temp, bytes, points, n, hull, n, nullptr);
      },
      512);
  check("points in a hull", [&](void *temp, size_t &bytes) {
    return points_in_hull(temp, bytes, points, n, hull, n, points, n, nullptr);
  });
}

/// Hulls of n points in sets; offsets are an input, too.
template <class Points> void many_hulls(const Points &points, uint64_t n, uint64_t num_sets) {
  const uint32_t *const offsets = nullptr;
  uint32_t *const hulls = nullptr, *const counts = nullptr;
  const double input = 2.0 * sizeof(typename Points::coordinate) * static_cast<double>(n) +
                       4.0 * static_cast<double>(num_sets + 1);
  for (const bool by_x : {false, true})
    for (const uint64_t longest : {~uint64_t{0}, uint64_t{5000}, uint64_t{3072}, uint64_t{32}}) {
      const bulk_hull_options what{hull_part::whole, by_x, longest};
      const auto at_offsets = [&](void *temp, size_t &bytes) {
        return bulk_convex_hull(temp, bytes, points, n, offsets, num_sets, hulls, counts, what);
      };
      const auto packed = [&](void *temp, size_t &bytes) {
        return bulk_convex_hull_packed(temp, bytes, points, n, offsets, num_sets, hulls, 0, nullptr,
                                       what);
      };
      within_limit("many hulls", n, input, at_offsets, 8192);
      within_limit("packed hulls", n, input, packed, 8192);
    }
}

template <class Points> void all_sizes() {
  const Points points{};
  const std::vector<uint64_t> sizes{
      1,     100,   1500,   2000,    3072,    3073,    3584,     3585,      4096,      4097,
      5120,  5121,  8192,   8194,    9216,    9217,    10000,    12000,     20000,     25000,
      32767, 32768, 100000, 1000000, 2097152, 2097153, 10000000, 100000000, 4000000000};
  for (const uint64_t n : sizes) {
    one_hull(points, n);
    for (const uint64_t num_sets : {uint64_t{1}, n / 5000 + 1, n / 32 + 1, n})
      many_hulls(points, n, num_sets);
  }
  one_hull(points, 10000000000);
}

} // namespace

int main() {
  all_sizes<interleaved_points<float>>(); // those of int32_t are as large
  all_sizes<separate_points<double>>();
  return gpu_result("memory of convex hulls");
}
