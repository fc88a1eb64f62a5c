//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls on the GPU: all hard cases against the host's function, in every part and form of
// points, 12,750 inputs of up to 40 points among them; large inputs by check_convex_hull, which is
// itself asked about hulls that are wrong; capacities, counts of the device, what is not finite; a
// captured graph whose input changes.
//
//   --small        for the sanitizers
//   --seeds A B    a long campaign: seeds A to B - 1 of every case
//
//===----------------------------------------------------------------------===//

#include "hull_comparison.cuh"
#include "seed_range.hpp"

#include <colonnade/check_convex_hull.cuh>

using namespace colonnade;
using testing::find_hull;
using testing::host_hull;
using testing::hull_case;
using testing::hull_points_of;
using testing::num_hull_cases;

namespace {

template <class T> void check_cases(const char *type, bool small, uint64_t seed) {
  const std::vector<uint64_t> sizes =
      small ? std::vector<uint64_t>{2, 300, 4000}
            : std::vector<uint64_t>{0, 1, 2, 3, 100, 3584, 3585, 5121, 9216, 9217, 20000, 300000};
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (size_t i = 0; i < sizes.size(); ++i)
      if (!small || testing::in_short_test(kind, i, seed))
        testing::compare_hull<T>(
            type, kind, sizes[i], seed + kind,
            static_cast<hull_part>(small || sizes[i] > 100000 ? kind % 3 : (kind + sizes[i]) % 3));
  testing::compare_small_hulls<T>(type, small ? 6 : 250, 10000 * seed);
}

/// Separate arrays, coordinates as output, a count that a kernel has written, too little room.
void check_forms(uint64_t n) {
  const auto points = hull_points_of<double>(7).points(hull_case::in_disc, n);
  std::vector<double> x, y;
  for (size_t i = 0; i < points.size(); i += 2) {
    x.push_back(points[i]);
    y.push_back(points[i + 1]);
  }
  const device_array<double> d_points(points), d_x(x), d_y(y), d_hull(2 * n);
  const device_array<uint64_t> count(1), num_hull(1);
  const auto expected = host_hull(points, hull_part::whole);
  EXPECT(find_hull(separate_points<double>{d_x.get(), d_y.get()}, n, n, hull_part::whole).hull ==
             expected,
         "separate arrays");
  call_twice([&](void *d_temp, size_t &bytes) {
    return convex_hull_points(d_temp, bytes, interleaved_points<double>{d_points.get()}, n,
                              d_hull.get(), n, num_hull.get());
  });
  const auto coordinates = d_hull.read();
  bool same = num_hull.read()[0] == expected.size();
  for (size_t k = 0; same && k < expected.size(); ++k)
    same = coordinates[2 * k] == x[expected[k]] && coordinates[2 * k + 1] == y[expected[k]];
  EXPECT(same, "coordinates");
  const auto few = find_hull(interleaved_points<double>{d_points.get()}, n, 5, hull_part::whole);
  EXPECT(few.num_hull == expected.size() && few.status.error() == data_error::buffer_too_small &&
             few.status.detail() == expected.size() &&
             std::equal(few.hull.begin(), few.hull.end(), expected.begin()),
         "too little room");
  for (const uint64_t now : {uint64_t{0}, uint64_t{1}, uint64_t{2000}, n - 1, n, n + 1}) {
    count.write({now});
    const uint64_t used = std::min(now, n);
    const auto got = find_hull(interleaved_points<double>{d_points.get()},
                               item_count(count.get(), n), n, hull_part::whole);
    EXPECT(got.hull == host_hull(std::vector<double>(points.begin(),
                                                     points.begin() +
                                                         static_cast<std::ptrdiff_t>(2 * used)),
                                 hull_part::whole) &&
               got.status.ok() == (now <= n),
           "a count of the device, %llu", static_cast<unsigned long long>(now));
  }
}

template <class T> void check_not_finite(uint64_t n, T number) {
  auto points = hull_points_of<T>(8).points(hull_case::in_disc, n);
  points[n + 7] = points[n - 2] = points[2 * n - 1] = number;
  const device_array<T> d_points(points);
  const auto got = find_hull(interleaved_points<T>{d_points.get()}, n, n, hull_part::whole);
  EXPECT(got.num_hull == 0 && got.status.error() == data_error::value_out_of_range &&
             got.status.detail() == (n - 2) / 2,
         "not finite, of %llu", static_cast<unsigned long long>(n));
}

template <class T>
hull_check check(const device_array<T> &points, uint64_t n, const device_array<uint32_t> &hull,
                 item_count h) {
  const device_array<hull_check> result(1);
  call_twice([&](void *d_temp, size_t &bytes) {
    return check_convex_hull(d_temp, bytes, interleaved_points<T>{points.get()}, n,
                             static_cast<const uint32_t *>(hull.get()), h, result.get());
  });
  return result.read()[0];
}

/// Points by x, and what is not.
template <class T> void check_by_x(hull_case kind, uint64_t n) {
  const auto random = hull_points_of<T>(11).points(kind, n);
  std::vector<uint64_t> order(n);
  for (uint64_t i = 0; i < n; ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](uint64_t a, uint64_t b) { return random[2 * a] < random[2 * b]; });
  std::vector<T> points;
  for (const uint64_t i : order)
    points.insert(points.end(), {random[2 * i], random[2 * i + 1]});
  const device_array<T> d_points(points);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  const auto find = [&] {
    call_twice([&](void *d_temp, size_t &bytes) {
      return convex_hull_by_x(d_temp, bytes, interleaved_points<T>{d_points.get()}, n, hull.get(),
                              n, num_hull.get(), {}, {nullptr, status.get()});
    });
  };
  find();
  auto got = hull.read();
  got.resize(num_hull.read()[0]);
  EXPECT(got == host_hull(points, hull_part::whole) && status.read()[0].ok(), "%llu points by x",
         static_cast<unsigned long long>(n));
  if (n < 2 || points[0] == points[2 * n - 2])
    return;
  std::swap(points[0], points[2 * n - 2]);
  d_points.write(points);
  find();
  EXPECT(num_hull.read()[0] == 0 && status.read()[0].error() == data_error::index_out_of_range &&
             status.read()[0].detail() <= n - 1,
         "%llu points not by x", static_cast<unsigned long long>(n));
}

/// Large inputs, and hulls that are nearly right.
template <class T> void check_large(const char *what, hull_case kind, uint64_t n) {
  const auto points = hull_points_of<T>(9).points(kind, n);
  const device_array<T> d_points(points);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  call_twice([&](void *d_temp, size_t &bytes) {
    return convex_hull(d_temp, bytes, interleaved_points<T>{d_points.get()}, n, hull.get(), n,
                       num_hull.get());
  });
  const uint64_t h = num_hull.read()[0];
  std::printf("%s: %llu points, %llu vertices\n", what, static_cast<unsigned long long>(n),
              static_cast<unsigned long long>(h));
  EXPECT(check(d_points, n, hull, item_count(num_hull.get(), n)).ok(), "%s", what);
  auto changed = hull.read();
  changed.resize(h);
  changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(h / 3));
  EXPECT(check(d_points, n, device_array<uint32_t>(changed), h - 1).fault() ==
             hull_fault::point_outside,
         "%s: a vertex is missing", what);
  changed = hull.read();
  changed.resize(h);
  std::swap(changed[h / 2], changed[h / 2 + 1]);
  EXPECT(check(d_points, n, device_array<uint32_t>(changed), h).fault() == hull_fault::not_convex,
         "%s: two are exchanged", what);
  changed[h - 1] = static_cast<uint32_t>(n);
  const hull_check beyond = check(d_points, n, device_array<uint32_t>(changed), h);
  EXPECT(beyond.fault() == hull_fault::vertex_is_no_point && beyond.at() == h - 1, "%s: no point",
         what);
}

void check_graph(uint64_t n) {
  const device_array<float> d_points(2 * n);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  const device_array<hull_check> result(1);
  const interleaved_points<float> points{d_points.get()};
  size_t bytes = 0, check_bytes = 0;
  CUDA_OK(convex_hull(nullptr, bytes, points, n, hull.get(), n, num_hull.get()));
  CUDA_OK(check_convex_hull(nullptr, check_bytes, points, n,
                            static_cast<const uint32_t *>(hull.get()),
                            item_count(num_hull.get(), n), result.get()));
  const device_array<uint8_t> temp(bytes, 5, contents_of_storage()), check_temp(check_bytes);
  const captured_graph graph([&](cudaStream_t stream) {
    const cudaError_t error =
        convex_hull(temp.get(), bytes, points, n, hull.get(), n, num_hull.get(), {}, {stream});
    return error ? error
                 : check_convex_hull(check_temp.get(), check_bytes, points, n,
                                     static_cast<const uint32_t *>(hull.get()),
                                     item_count(num_hull.get(), n), result.get(), {stream});
  });
  uint64_t seed = 0;
  for (const hull_case kind :
       {hull_case::on_circle, hull_case::small_grid, hull_case::in_disc, hull_case::on_circle}) {
    const auto now = hull_points_of<float>(++seed).points(kind, n);
    d_points.write(now);
    graph.replay();
    auto got = hull.read();
    got.resize(num_hull.read()[0]);
    EXPECT(got == host_hull(now, hull_part::whole) && result.read()[0].ok(), "replay %llu",
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
  check_graph(many);
  for (const uint64_t n : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{1793}, many}) {
    check_by_x<float>(hull_case::on_circle, n);
    check_by_x<int32_t>(hull_case::small_grid, n);
    check_by_x<double>(hull_case::in_disc, n);
  }
  check_large<float>("circle, float", hull_case::on_circle, small ? 6000 : 3000000);
  check_large<int32_t>("disc, int32_t", hull_case::in_disc, small ? 6000 : 3000000);
  if (!small) {
    check_large<double>("circle, double", hull_case::on_circle, 3000000);
    check_large<double>("disc, double", hull_case::in_disc, 3000000);
    check_large<int32_t>("circle, int32_t", hull_case::on_circle, 3000000);
  }
  return gpu_result("convex hulls");
}
