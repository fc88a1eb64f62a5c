//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Points on the boundary of a hull, and where points lie: all hard cases against the host's
// functions, in every part; too little room, counts of the device, what is not finite; a captured
// graph whose input changes.
//
//   --small        for the sanitizers
//   --seeds A B    a long campaign: seeds A to B - 1 of every case
//
//===----------------------------------------------------------------------===//

#include "../hull_cases.hpp"
#include "host_hull.cuh"
#include "seed_range.hpp"

#include <colonnade/convex_hull_boundary.cuh>
#include <colonnade/points_in_hull.cuh>

using namespace colonnade;
using testing::host_boundary;
using testing::hull_case;
using testing::hull_points_of;
using testing::num_hull_cases;

namespace {

template <class T> void compare(const char *type, uint32_t kind, uint64_t n, uint64_t seed) {
  const auto points = hull_points_of<T>(seed).points(static_cast<hull_case>(kind), n);
  const hull_part part = static_cast<hull_part>((kind + n) % 3);
  const device_array<T> d_points(points);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> number(1), count(std::vector<uint64_t>{n});
  const device_array<device_status> status(std::vector<device_status>(1));
  call_twice([&](void *d_temp, size_t &bytes) {
    return convex_hull_boundary(d_temp, bytes, interleaved_points<T>{d_points.get()},
                                item_count(count.get(), n), hull.get(), n, number.get(), {part},
                                {nullptr, status.get()});
  });
  hull.expect_intact("the boundary");
  auto got = hull.read();
  got.resize(std::min(n, number.read()[0]));
  const auto expected = host_boundary(points, part);
  EXPECT(got == expected && number.read()[0] == expected.size() && status.read()[0].ok(),
         "%s: kind %u, %llu points, part %u, seed %llu: %llu of %zu on the boundary", type, kind,
         static_cast<unsigned long long>(n), static_cast<unsigned>(part),
         static_cast<unsigned long long>(seed), static_cast<unsigned long long>(number.read()[0]),
         expected.size());
  if (n == 0)
    return;

  // Where other points lie, and these.
  std::vector<uint32_t> vertices(n);
  uint64_t num_vertices = 0;
  EXPECT(host_convex_hull(interleaved_points<T>{points.data()}, n, vertices.data(), n, num_vertices)
             .ok(),
         "on the host");
  auto queries = hull_points_of<T>(seed + 1).points(static_cast<hull_case>(kind), n);
  queries.insert(queries.end(), points.begin(), points.end());
  if constexpr (std::is_floating_point_v<T>)
    queries[3] = std::numeric_limits<T>::quiet_NaN();
  const device_array<T> d_queries(queries);
  const device_array<uint32_t> d_vertices(vertices);
  const device_array<hull_side> sides(2 * n);
  call_twice([&](void *d_temp, size_t &bytes) {
    return points_in_hull(d_temp, bytes, interleaved_points<T>{d_points.get()}, n,
                          static_cast<const uint32_t *>(d_vertices.get()), num_vertices,
                          interleaved_points<T>{d_queries.get()}, 2 * n, sides.get());
  });
  sides.expect_intact("sides");
  std::vector<hull_side> host_sides(2 * n);
  host_points_in_hull(interleaved_points<T>{points.data()}, n, vertices.data(), num_vertices,
                      interleaved_points<T>{queries.data()}, 2 * n, host_sides.data());
  EXPECT(sides.read() == host_sides, "%s: kind %u, %llu points, seed %llu: sides", type, kind,
         static_cast<unsigned long long>(n), static_cast<unsigned long long>(seed));
}

/// small: each kind has one type, and one of three sizes: the calls are of many kernels.
template <class T> void check_cases(const char *type, bool small, uint64_t seed) {
  const std::vector<uint64_t> sizes = small ? std::vector<uint64_t>{2, 300, 4000}
                                            : std::vector<uint64_t>{0, 1, 2, 3, 100, 5000, 60000};
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (size_t i = 0; i < sizes.size(); ++i)
      if (!small || (kind % 3 == seed % 3 && testing::in_short_test(kind / 3, i, 0)))
        compare<T>(type, kind, sizes[i], seed + kind);
}

void check_refusals(uint64_t n) {
  auto points = hull_points_of<double>(3).points(hull_case::small_grid, n);
  const auto expected = host_boundary(points, hull_part::whole);
  const device_array<double> d_points(points);
  const device_array<uint32_t> hull(10);
  const device_array<uint64_t> number(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  const auto find = [&] {
    call_twice([&](void *d_temp, size_t &bytes) {
      return convex_hull_boundary(d_temp, bytes, interleaved_points<double>{d_points.get()}, n,
                                  hull.get(), 10, number.get(), {}, {nullptr, status.get()});
    });
  };
  find();
  hull.expect_intact("the boundary");
  const auto got = hull.read();
  EXPECT(number.read()[0] == expected.size() &&
             status.read()[0].error() == data_error::buffer_too_small &&
             status.read()[0].detail() == expected.size() &&
             std::equal(got.begin(), got.end(), expected.begin()),
         "too little room");
  points[n + 1] = std::numeric_limits<double>::infinity();
  d_points.write(points);
  status.write(std::vector<device_status>(1));
  find();
  EXPECT(number.read()[0] == 0 && status.read()[0].error() == data_error::value_out_of_range &&
             status.read()[0].detail() == (n + 1) / 2,
         "not finite");
}

void check_graph(uint64_t n) {
  const device_array<float> d_points(2 * n);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> number(1);
  const interleaved_points<float> points{d_points.get()};
  size_t bytes = 0;
  CUDA_OK(convex_hull_boundary(nullptr, bytes, points, n, hull.get(), n, number.get()));
  const device_array<uint8_t> temp(bytes, 5, contents_of_storage());
  const captured_graph graph([&](cudaStream_t stream) {
    return convex_hull_boundary(temp.get(), bytes, points, n, hull.get(), n, number.get(), {},
                                {stream});
  });
  for (const hull_case kind : {hull_case::on_circle, hull_case::small_grid, hull_case::oblique}) {
    const auto now = hull_points_of<float>(7).points(kind, n);
    d_points.write(now);
    graph.replay();
    auto got = hull.read();
    got.resize(number.read()[0]);
    EXPECT(got == host_boundary(now, hull_part::whole), "replay");
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const seed_range seeds(argc, argv);
  for (uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    check_cases<float>("float", small, 300 * seed - 200);
    check_cases<double>("double", small, 300 * seed - 100);
    check_cases<int32_t>("int32_t", small, 300 * seed);
  }
  check_refusals(small ? 400 : 20000);
  check_graph(small ? 4000 : 50000);
  return gpu_result("points on boundaries of hulls");
}
