//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls, and all points on their boundaries, by portions on the GPU: against the host's
// functions, with policies that make portions of few points or allow little storage; captured
// graphs whose input changes.
//
//   --small        for the sanitizers
//   --seeds A B    a long campaign: seeds A to B - 1 of every case
//
//===----------------------------------------------------------------------===//

#include "../hull_cases.hpp"
#include "host_hull.cuh"
#include "seed_range.hpp"

#include <colonnade/convex_hull.cuh>
#include <colonnade/convex_hull_boundary.cuh>

#include <algorithm>
#include <string>

using namespace colonnade;
using testing::host_boundary;
using testing::host_hull;
using testing::hull_case;
using testing::hull_points_of;
using testing::num_hull_cases;

namespace {

struct few_at_once : convex_hull_policy {
  static constexpr uint64_t most_at_once = 5000;
};
struct little_storage : convex_hull_policy {
  static constexpr size_t most_temporary = 1'000'000;
};

/// Boundaries that have room, with points that are no vertices.
uint32_t num_boundaries = 0;

template <class T> std::vector<T> with_small_boundary(const std::vector<T> &points) {
  return testing::with_small_boundary(
      points, 400, [](const auto &of) { return host_boundary(of, hull_part::whole); });
}

/// Whether what was expected is found, or else that it has no room. find(d_temp, bytes, points,
/// indices, their number, the status) is a call.
template <class T, class Find>
bool compare(const std::string &name, const std::vector<T> &points,
             const std::vector<uint32_t> &expected, Find find) {
  const uint64_t n = points.size() / 2;
  const device_array<T> d_points(points);
  const device_array<uint32_t> found(n);
  const device_array<uint64_t> number(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  call_twice([&](void *d_temp, size_t &bytes) {
    return find(d_temp, bytes, interleaved_points<T>{d_points.get()}, found.get(), number.get(),
                status.get());
  });
  const device_status said = status.read()[0];
  if (said.error() == data_error::overflow) {
    EXPECT(number.read()[0] == 0 && said.detail() > 16, "%s: overflow", name.c_str());
    return false;
  }
  std::vector<uint32_t> got = found.read();
  got.resize(std::min(n, number.read()[0]));
  EXPECT(said.ok() && got == expected, "%s: %llu points, %zu of %zu found", name.c_str(),
         static_cast<unsigned long long>(n), got.size(), expected.size());
  return got == expected;
}

template <class Policy, class T>
void compare_hull(const std::string &name, const std::vector<T> &points, hull_part part) {
  const uint64_t n = points.size() / 2;
  compare(name, points, host_hull(points, part),
          [&](void *d_temp, size_t &bytes, auto of, uint32_t *hull, uint64_t *num_hull,
              device_status *status) {
            return convex_hull(d_temp, bytes, of, n, hull, n, num_hull, {part}, {nullptr, status},
                               Policy{});
          });
}

template <class Policy, class T>
void compare_boundary(const std::string &name, const std::vector<T> &points, hull_part part) {
  const uint64_t n = points.size() / 2;
  const auto expected = host_boundary(points, part);
  const bool is_found =
      compare(name + ", boundary", points, expected,
              [&](void *d_temp, size_t &bytes, auto of, uint32_t *hull, uint64_t *num_hull,
                  device_status *status) {
                return convex_hull_boundary(d_temp, bytes, of, n, hull, n, num_hull, {part},
                                            {nullptr, status}, Policy{});
              });
  num_boundaries += is_found && expected.size() > host_hull(points, part).size();
}

/// small: hulls of one number of points, and boundaries of every third kind.
template <class T> void check_cases(const std::string &type, bool small, uint64_t seed) {
  const auto sizes =
      small ? std::vector<uint64_t>{5001} : std::vector<uint64_t>{5000, 5001, 30'000, 100'000};
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : sizes) {
      const auto points = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), n);
      const auto part = static_cast<hull_part>((kind + n) % 3);
      const std::string name =
          type + ", kind " + std::to_string(kind) + ", seed " + std::to_string(seed + kind);
      compare_hull<few_at_once>(name, points, part);
      if (!small || kind % 3 == 0)
        compare_boundary<few_at_once>(name, with_small_boundary(points), part);
      if (n == 30'000)
        compare_boundary<few_at_once>(name, points, part);
      if (n == 100'000) {
        compare_hull<little_storage>(name, points, hull_part::whole);
        compare_boundary<little_storage>(name, with_small_boundary(points), hull_part::whole);
      }
    }
}

/// The same by x; and what of it is not.
void check_by_x(uint64_t n) {
  for (const hull_case kind : {hull_case::in_disc, hull_case::lattice, hull_case::near_line}) {
    const auto points = hull_points_of<float>(7).points(kind, n);
    std::vector<std::pair<float, float>> sorted(n);
    for (uint64_t i = 0; i < n; ++i)
      sorted[i] = {points[2 * i], points[2 * i + 1]};
    std::sort(sorted.begin(), sorted.end());
    for (const uint64_t bad : {uint64_t{0}, uint64_t{7000}, few_at_once::most_at_once}) {
      std::vector<float> by_x;
      for (const auto &[x, y] : sorted)
        by_x.insert(by_x.end(), {x, y});
      const bool is_bad = bad > 0 && by_x[2 * bad] < sorted.back().first;
      if (is_bad)
        by_x[2 * bad - 2] = sorted.back().first;
      const device_array<float> d_points(by_x);
      const device_array<uint32_t> hull(n);
      const device_array<uint64_t> num_hull(1);
      const device_array<device_status> status(std::vector<device_status>(1));
      call_twice([&](void *d_temp, size_t &bytes) {
        return convex_hull_by_x(d_temp, bytes, interleaved_points<float>{d_points.get()}, n,
                                hull.get(), n, num_hull.get(), {}, {nullptr, status.get()},
                                few_at_once{});
      });
      const auto expected = is_bad ? std::vector<uint32_t>{} : host_hull(by_x);
      auto found = hull.read();
      found.resize(std::min(n, num_hull.read()[0]));
      const device_status said = status.read()[0];
      EXPECT(found == expected &&
                 (is_bad ? said.error() == data_error::index_out_of_range && said.detail() == bad
                         : said.ok()),
             "by x, kind %u, out of order at %llu: %zu vertices of %zu",
             static_cast<unsigned>(kind), static_cast<unsigned long long>(bad), found.size(),
             expected.size());
    }
  }
}

/// As many bytes as the policy allows, or nothing less would do.
void check_storage() {
  size_t bytes = 0;
  uint32_t hull = 0;
  uint64_t num_hull = 0;
  const float none = 0;
  for (const uint64_t n : {uint64_t{100'000}, uint64_t{1'000'000}, uint64_t{1} << 33}) {
    uint64_t *const wide = nullptr;
    CUDA_OK(convex_hull(nullptr, bytes, interleaved_points<float>{&none}, n, wide, n, &num_hull));
    EXPECT(bytes <= 5 * n * sizeof(float), "%zu bytes for %llu points", bytes,
           static_cast<unsigned long long>(n));
    CUDA_OK(convex_hull_boundary(nullptr, bytes, interleaved_points<float>{&none}, n, wide, n,
                                 &num_hull));
    EXPECT(bytes <= 5 * n * sizeof(float), "%zu bytes for the boundary of %llu points", bytes,
           static_cast<unsigned long long>(n));
  }
  CUDA_OK(convex_hull(nullptr, bytes, interleaved_points<float>{&none}, 1'000'000, &hull, 1,
                      &num_hull, {}, {}, little_storage{}));
  EXPECT(bytes <= little_storage::most_temporary, "%zu bytes", bytes);
  CUDA_OK(convex_hull_boundary(nullptr, bytes, interleaved_points<float>{&none}, 1'000'000, &hull,
                               1, &num_hull, {}, {}, little_storage{}));
  EXPECT(bytes <= little_storage::most_temporary, "%zu bytes of a boundary", bytes);
}

/// Points of one input after the other, by one graph. find(d_temp, bytes, points, indices, their
/// number, options) is a call; on_host(points) what it should find.
template <class Find, class OnHost> void check_graph(uint64_t n, Find find, OnHost on_host) {
  const device_array<float> d_points(2 * n);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return find(d_temp, bytes, interleaved_points<float>{d_points.get()}, hull.get(),
                num_hull.get(), run_options{stream});
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes, 5, contents_of_storage());
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (const hull_case kind : {hull_case::in_disc, hull_case::small_grid, hull_case::near_line}) {
    const auto now = with_small_boundary(hull_points_of<float>(11).points(kind, n));
    d_points.write(now);
    graph.replay();
    auto found = hull.read();
    found.resize(std::min(n, num_hull.read()[0]));
    EXPECT(found == on_host(now), "graph, kind %u", static_cast<unsigned>(kind));
  }
}
void check_graphs(uint64_t n) {
  check_graph(
      n,
      [&](void *d_temp, size_t &bytes, auto points, uint32_t *hull, uint64_t *num_hull,
          run_options options) {
        return convex_hull(d_temp, bytes, points, n, hull, n, num_hull, {}, options, few_at_once{});
      },
      [](const auto &points) { return host_hull(points); });
  check_graph(
      n,
      [&](void *d_temp, size_t &bytes, auto points, uint32_t *hull, uint64_t *num_hull,
          run_options options) {
        return convex_hull_boundary(d_temp, bytes, points, n, hull, n, num_hull, {}, options,
                                    few_at_once{});
      },
      [](const auto &points) { return host_boundary(points, hull_part::whole); });
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const seed_range seeds(argc, argv);
  for (uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    check_cases<float>("float", small, 60 * seed - 57);
    if (!small) {
      check_cases<double>("double", small, 60 * seed - 37);
      check_cases<int32_t>("int32_t", small, 60 * seed - 17);
    }
  }
  EXPECT(num_boundaries >= (small ? 2 : 60) * (seeds.last - seeds.first), "%u boundaries",
         num_boundaries);
  check_by_x(12'000);
  check_storage();
  check_graphs(12'000);
  return gpu_result("convex hulls by portions");
}
