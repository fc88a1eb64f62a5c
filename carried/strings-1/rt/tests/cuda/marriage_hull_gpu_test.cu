//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls by marriage before conquest on the GPU: all hard cases against the host's function,
// with the usual policy and with small subproblems; large inputs by check_convex_hull; the number
// of iterations against proposition 3.7; what is not finite; a captured graph whose input changes.
//
//   --small        for the sanitizers
//   --seeds A B    a long campaign: seeds A to B - 1 of every case
//
//===----------------------------------------------------------------------===//

#include "../hull_cases.hpp"
#include "host_hull.cuh"
#include "seed_range.hpp"

#include <colonnade/check_convex_hull.cuh>
#include <colonnade/marriage_hull.cuh>
#include <colonnade/single_phase.cuh>

using namespace colonnade;
using testing::host_hull;
using testing::hull_case;
using testing::hull_points_of;
using testing::num_hull_cases;

namespace {

struct small_subproblems : marriage_hull_policy {
  static constexpr uint32_t processors = 100000, split_least = 64;
  static constexpr bool count_iterations = true;
};
struct counted_policy : marriage_hull_policy {
  static constexpr bool count_iterations = true;
};

/// The method is chosen by the type of the last argument.
cudaError_t outline_by_marriage(const float2 *d_places, uint64_t n, uint32_t *d_hull,
                                uint64_t *d_num_hull) {
  const colonnade::interleaved_points<float> points{&d_places->x};
  return colonnade::single_phase(
      colonnade::async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
        return colonnade::convex_hull(d_temp, bytes, points, n, d_hull, n, d_num_hull, {}, {},
                                      colonnade::marriage_hull_policy{});
      });
}

template <class Policy, class T>
void compare(const std::vector<T> &points, const char *type, uint32_t kind, uint64_t seed,
             hull_part part) {
  const uint64_t n = points.size() / 2;
  const device_array<T> d_points(points);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  call_twice([&](void *d_temp, size_t &bytes) {
    return convex_hull(d_temp, bytes, interleaved_points<T>{d_points.get()}, n, hull.get(), n,
                       num_hull.get(), {part}, {nullptr, status.get()}, Policy{});
  });
  hull.expect_intact("hull");
  const auto expected = host_hull(points, part);
  const uint64_t h = num_hull.read()[0];
  auto got = hull.read();
  got.resize(std::min(h, n));
  EXPECT(status.read()[0].ok() && got == expected,
         "%s: kind %u, %llu points, part %u, seed %llu: %llu vertices of %zu", type, kind,
         static_cast<unsigned long long>(n), static_cast<unsigned>(part),
         static_cast<unsigned long long>(seed), static_cast<unsigned long long>(h),
         expected.size());
}

template <class T> void check_cases(const char *type, bool small, uint64_t seed) {
  const std::vector<uint64_t> sizes = small ? std::vector<uint64_t>{2, 300, 6000}
                                            : std::vector<uint64_t>{0, 1, 2, 3, 100, 5000, 200000};
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (small && !testing::in_short_test(kind, i, seed))
        continue;
      const uint64_t n = sizes[i];
      const auto points = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), n);
      const hull_part part = static_cast<hull_part>((kind + n) % 3);
      compare<marriage_hull_policy>(points, type, kind, seed + kind, part);
      if (n < 100000)
        compare<small_subproblems>(points, type, kind, seed + kind, part);
    }
}

/// Coordinates as output, a count that a kernel has written, too little room.
void check_forms(uint64_t n) {
  const auto points = hull_points_of<double>(7).points(hull_case::in_disc, n);
  std::vector<double> x, y;
  for (size_t i = 0; i < points.size(); i += 2) {
    x.push_back(points[i]);
    y.push_back(points[i + 1]);
  }
  const device_array<double> d_points(points), d_x(x), d_y(y), d_hull(2 * n);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> count(1), num_hull(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  const auto expected = host_hull(points, hull_part::whole);
  call_twice([&](void *d_temp, size_t &bytes) {
    return convex_hull_points(d_temp, bytes, separate_points<double>{d_x.get(), d_y.get()}, n,
                              d_hull.get(), n, num_hull.get(), {}, {}, marriage_hull_policy{});
  });
  const auto coordinates = d_hull.read();
  bool same = num_hull.read()[0] == expected.size();
  for (size_t k = 0; same && k < expected.size(); ++k)
    same = coordinates[2 * k] == x[expected[k]] && coordinates[2 * k + 1] == y[expected[k]];
  EXPECT(same, "coordinates");
  for (const uint64_t now : {uint64_t{0}, uint64_t{1}, uint64_t{2000}, n - 1, n, n + 1}) {
    count.write({now});
    status.write(std::vector<device_status>(1));
    const uint64_t used = std::min(now, n), room = 5;
    call_twice([&](void *d_temp, size_t &bytes) {
      return convex_hull(d_temp, bytes, interleaved_points<double>{d_points.get()},
                         item_count(count.get(), n), hull.get(), room, num_hull.get(), {},
                         {nullptr, status.get()}, marriage_hull_policy{});
    });
    const auto right = host_hull(
        std::vector<double>(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(2 * used)),
        hull_part::whole);
    const auto got = hull.read();
    EXPECT(num_hull.read()[0] == right.size() &&
               std::equal(right.begin(),
                          right.begin() +
                              static_cast<std::ptrdiff_t>(std::min<size_t>(room, right.size())),
                          got.begin()) &&
               status.read()[0].ok() == (now <= n && right.size() <= room),
           "a count of the device, %llu", static_cast<unsigned long long>(now));
  }
}

template <class T> void check_not_finite(uint64_t n, T number) {
  auto points = hull_points_of<T>(8).points(hull_case::in_disc, n);
  points[n + 7] = points[n - 2] = points[2 * n - 1] = number;
  const device_array<T> d_points(points);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  call_twice([&](void *d_temp, size_t &bytes) {
    return convex_hull(d_temp, bytes, interleaved_points<T>{d_points.get()}, n, hull.get(), n,
                       num_hull.get(), {}, {nullptr, status.get()}, marriage_hull_policy{});
  });
  const device_status got = status.read()[0];
  EXPECT(num_hull.read()[0] == 0 && got.error() == data_error::value_out_of_range &&
             got.detail() == (n - 2) / 2,
         "not finite, of %llu", static_cast<unsigned long long>(n));
}

/// Large inputs, and how often their subproblems were split.
template <class T> void check_large(const char *what, hull_case kind, uint64_t n) {
  const auto points = hull_points_of<T>(9).points(kind, n);
  const device_array<T> d_points(points);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  const device_array<hull_check> result(1);
  size_t bytes = 0, check_bytes = 0;
  const interleaved_points<T> input{d_points.get()};
  const auto find = [&](void *d_temp) {
    return convex_hull(d_temp, bytes, input, n, hull.get(), n, num_hull.get(), {}, {},
                       counted_policy{});
  };
  CUDA_OK(find(nullptr));
  const device_array<uint8_t> temp(bytes);
  CUDA_OK(find(temp.get()));
  const item_count h(num_hull.get(), n);
  const auto check = [&](void *d_temp) {
    return check_convex_hull(d_temp, check_bytes, input, n,
                             static_cast<const uint32_t *>(hull.get()), h, result.get());
  };
  CUDA_OK(check(nullptr));
  const device_array<uint8_t> check_temp(check_bytes);
  CUDA_OK(check(check_temp.get()));
  marriage_counts counts;
  const uintptr_t at = (reinterpret_cast<uintptr_t>(temp.get()) + 255) / 256 * 256;
  CUDA_OK(cudaMemcpy(&counts, reinterpret_cast<const void *>(at), sizeof counts,
                     cudaMemcpyDeviceToHost));
  const double warps =
      static_cast<double>(n) / detail::split_size<counted_policy>(n); // P of the proposition
  std::printf("%s: %llu points, %llu vertices, %llu iterations of splitting, %llu subproblems\n",
              what, static_cast<unsigned long long>(n),
              static_cast<unsigned long long>(num_hull.read()[0]),
              static_cast<unsigned long long>(counts.splitting_iterations),
              static_cast<unsigned long long>(counts.independent_problems));
  EXPECT(result.read()[0].ok(), "%s", what);
  EXPECT(static_cast<double>(counts.splitting_iterations) <=
             7 * std::log(std::max(warps, 2.0)) / std::log(1.2),
         "%s: more iterations than proposition 3.7 says", what);
  EXPECT(counts.independent_iterations >= counts.independent_problems &&
             counts.longest_independent <= counts.independent_iterations,
         "%s: counts", what);
}

void check_example(uint64_t n) {
  const auto points = hull_points_of<float>(12).points(hull_case::on_circle, n);
  const device_array<float> d_points(points);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  CUDA_OK(outline_by_marriage(reinterpret_cast<const float2 *>(d_points.get()), n, hull.get(),
                              num_hull.get()));
  auto got = hull.read();
  got.resize(num_hull.read()[0]);
  EXPECT(got == host_hull(points, hull_part::whole), "the example");
}

void check_graph(uint64_t n) {
  const device_array<float> d_points(2 * n);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  const interleaved_points<float> points{d_points.get()};
  size_t bytes = 0;
  CUDA_OK(convex_hull(nullptr, bytes, points, n, hull.get(), n, num_hull.get(), {}, {},
                      marriage_hull_policy{}));
  const device_array<uint8_t> temp(bytes, 5, contents_of_storage());
  const captured_graph graph([&](cudaStream_t stream) {
    return convex_hull(temp.get(), bytes, points, n, hull.get(), n, num_hull.get(), {}, {stream},
                       marriage_hull_policy{});
  });
  uint64_t seed = 0;
  for (const hull_case kind :
       {hull_case::on_circle, hull_case::small_grid, hull_case::in_disc, hull_case::on_circle}) {
    const auto now = hull_points_of<float>(++seed).points(kind, n);
    d_points.write(now);
    graph.replay();
    auto got = hull.read();
    got.resize(num_hull.read()[0]);
    EXPECT(got == host_hull(now, hull_part::whole), "replay %llu",
           static_cast<unsigned long long>(seed));
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const seed_range seeds(argc, argv);
  for (uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    check_cases<float>("float", small, 100 * seed);
    check_cases<double>("double", small, 100 * seed + 40);
    check_cases<int32_t>("int32_t", small, 100 * seed + 71);
  }
  const uint64_t many = small ? 5000 : 50000;
  check_forms(many);
  check_not_finite<float>(300, std::numeric_limits<float>::infinity());
  check_not_finite<double>(many, std::numeric_limits<double>::quiet_NaN());
  check_example(many);
  check_graph(many);
  check_large<float>("circle, float", hull_case::on_circle, small ? 9000 : 3000000);
  check_large<int32_t>("disc, int32_t", hull_case::in_disc, small ? 9000 : 3000000);
  if (!small) {
    check_large<double>("circle, double", hull_case::on_circle, 1000000);
    check_large<int32_t>("circle, int32_t", hull_case::on_circle, 1000000);
  }
  return gpu_result("convex hulls by marriage before conquest");
}
