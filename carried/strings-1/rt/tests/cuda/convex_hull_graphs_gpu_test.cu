//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls: calls that are captured in a graph once and replayed on changed inputs, among them
// some that are refused. Coordinates, points by x, places of points, packed hulls; the other calls'
// graphs are with their tests.
//
//===----------------------------------------------------------------------===//

#include "../hull_cases.hpp"
#include "host_hull.cuh"

#include <colonnade/bulk_convex_hull.cuh>
#include <colonnade/convex_hull.cuh>
#include <colonnade/points_in_hull.cuh>

using namespace colonnade;
using testing::host_hull;
using testing::hull_case;
using testing::hull_points_of;

namespace {

constexpr hull_case kinds[] = {hull_case::on_circle, hull_case::small_grid, hull_case::in_disc,
                               hull_case::all_equal};

/// call(d_temp, bytes, stream), captured with storage of its own.
class replayed_call {
public:
  template <class Call>
  explicit replayed_call(Call call)
      : bytes_(bytes_of(call)), temp_(bytes_, 5, contents_of_storage()),
        graph_([&](cudaStream_t stream) { return call(temp_.get(), bytes_, stream); }) {}
  void replay() const {
    graph_.replay();
    temp_.expect_intact("temporary storage");
  }

private:
  template <class Call> static size_t bytes_of(Call call) {
    size_t bytes = 0;
    CUDA_OK(call(nullptr, bytes, nullptr));
    return bytes;
  }
  size_t bytes_;
  device_array<uint8_t> temp_;
  captured_graph graph_;
};

std::vector<float> by_x(const std::vector<float> &points) {
  std::vector<float> sorted;
  std::vector<size_t> order(points.size() / 2);
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return points[2 * a] < points[2 * b]; });
  for (const size_t i : order)
    sorted.insert(sorted.end(), {points[2 * i], points[2 * i + 1]});
  return sorted;
}

void check_coordinates(uint64_t n) {
  const device_array<float> d_points(2 * n), d_hull(2 * n);
  const device_array<uint64_t> num_hull(1);
  const replayed_call call([&](void *d_temp, size_t &bytes, cudaStream_t stream) {
    return convex_hull_points(d_temp, bytes, interleaved_points<float>{d_points.get()}, n,
                              d_hull.get(), n, num_hull.get(), {}, {stream});
  });
  for (const hull_case kind : kinds) {
    const auto points = hull_points_of<float>(21).points(kind, n);
    d_points.write(points);
    call.replay();
    const auto got = d_hull.read();
    const auto expected = host_hull(points);
    bool same = num_hull.read()[0] == expected.size();
    for (size_t k = 0; same && k < expected.size(); ++k)
      same = std::memcmp(&got[2 * k], &points[2 * expected[k]], 2 * sizeof(float)) == 0;
    EXPECT(same, "coordinates, kind %u", static_cast<unsigned>(kind));
  }
}

/// Points by x, and the first that is not, by one step of a subnormal number, or is not finite.
void check_by_x(uint64_t n) {
  const device_array<float> d_points(2 * n);
  const device_array<uint32_t> hull(n);
  const device_array<uint64_t> num_hull(1);
  const device_array<device_status> status(1);
  const replayed_call call([&](void *d_temp, size_t &bytes, cudaStream_t stream) {
    return convex_hull_by_x(d_temp, bytes, interleaved_points<float>{d_points.get()}, n, hull.get(),
                            n, num_hull.get(), {}, {stream, status.get()});
  });
  const auto replay = [&](const std::vector<float> &points) {
    d_points.write(points);
    status.write(std::vector<device_status>(1));
    call.replay();
    return status.read()[0];
  };
  const auto refuse = [&](const std::vector<float> &points, data_error error, uint64_t at) {
    const device_status said = replay(points);
    EXPECT(said.error() == error && said.detail() == at && num_hull.read()[0] == 0,
           "point %llu is refused: error %d, at %llu", static_cast<unsigned long long>(at),
           static_cast<int>(said.error()), static_cast<unsigned long long>(said.detail()));
  };
  const float least = std::numeric_limits<float>::denorm_min();
  for (const hull_case kind : kinds) {
    auto points = by_x(hull_points_of<float>(22).points(kind, n));
    const auto expected = host_hull(points);
    const device_status said = replay(points);
    auto got = hull.read();
    got.resize(std::min(n, num_hull.read()[0]));
    EXPECT(said.ok() && got == expected, "by x, kind %u", static_cast<unsigned>(kind));
    auto changed = points;
    changed[2 * (n - 1)] = std::numeric_limits<float>::infinity();
    refuse(changed, data_error::value_out_of_range, n - 1);
    changed[2 * (n / 3) + 1] = std::numeric_limits<float>::quiet_NaN();
    refuse(changed, data_error::value_out_of_range, n / 3);
    for (uint64_t i = 0; i < n; ++i) // a line whose middle has two zeros
      points[2 * i] = (static_cast<float>(i) - static_cast<float>(n / 2)) * least;
    points[2 * (n / 2) + 2] = -0.0f;
    EXPECT(replay(points).ok(), "subnormal steps, and -0.0 behind 0.0");
    points[2 * (n / 2 + 7)] -= 2 * least;
    refuse(points, data_error::index_out_of_range, n / 2 + 7);
  }
}

void check_sides(uint64_t n) {
  const device_array<float> d_points(2 * n), d_queries(2 * n);
  const device_array<uint32_t> d_hull(n);
  const device_array<uint64_t> num_hull(1);
  const device_array<hull_side> d_sides(n);
  const replayed_call call([&](void *d_temp, size_t &bytes, cudaStream_t stream) {
    return points_in_hull(d_temp, bytes, interleaved_points<float>{d_points.get()}, n,
                          static_cast<const uint32_t *>(d_hull.get()),
                          item_count(num_hull.get(), n), interleaved_points<float>{d_queries.get()},
                          n, d_sides.get(), {stream});
  });
  for (const hull_case kind : kinds) {
    const auto points = hull_points_of<float>(23).points(kind, n),
               queries = hull_points_of<float>(24).points(kind, n);
    auto hull = host_hull(points);
    const uint64_t h = hull.size();
    std::vector<hull_side> expected(n);
    host_points_in_hull(interleaved_points<float>{points.data()}, n, hull.data(), h,
                        interleaved_points<float>{queries.data()}, n, expected.data());
    hull.resize(n);
    d_points.write(points);
    d_queries.write(queries);
    d_hull.write(hull);
    num_hull.write({h});
    call.replay();
    EXPECT(d_sides.read() == expected, "sides, kind %u", static_cast<unsigned>(kind));
  }
}

/// Sets of other sizes each time.
void check_packed(uint64_t n) {
  constexpr uint64_t p = 50;
  const device_array<float> d_points(2 * n);
  const device_array<uint32_t> d_offsets(p + 1), d_hulls(n);
  const device_array<uint64_t> d_hull_offsets(p + 1);
  const uint32_t *offsets_at = d_offsets.get();
  const replayed_call call([&](void *d_temp, size_t &bytes, cudaStream_t stream) {
    return bulk_convex_hull_packed(d_temp, bytes, interleaved_points<float>{d_points.get()}, n,
                                   offsets_at, p, d_hulls.get(), n, d_hull_offsets.get(), {},
                                   {stream});
  });
  for (uint32_t seed = 1; seed < 5; ++seed) {
    const auto points = hull_points_of<float>(seed).points(hull_case::in_disc, n);
    std::vector<uint32_t> offsets{0}, expected;
    std::vector<uint64_t> begins{0};
    for (uint64_t s = 0; s < p; ++s) {
      const uint64_t size = s % 9 == seed ? n / 9 : 17 * s * seed % 300, begin = offsets.back(),
                     end = std::min(n, begin + size);
      const std::vector<float> set(points.begin() + static_cast<std::ptrdiff_t>(2 * begin),
                                   points.begin() + static_cast<std::ptrdiff_t>(2 * end));
      for (const uint32_t i : host_hull(set))
        expected.push_back(static_cast<uint32_t>(begin + i));
      offsets.push_back(static_cast<uint32_t>(end));
      begins.push_back(expected.size());
    }
    d_points.write(points);
    d_offsets.write(offsets);
    call.replay();
    const auto got = d_hulls.read();
    EXPECT(d_hull_offsets.read() == begins &&
               std::equal(expected.begin(), expected.end(), got.begin()),
           "packed, %u", seed);
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = has_option(argc, argv, "--small") ? 4500 : 50000;
  check_coordinates(n);
  check_by_x(n);
  check_sides(n);
  check_packed(n);
  return gpu_result("convex hulls in graphs");
}
