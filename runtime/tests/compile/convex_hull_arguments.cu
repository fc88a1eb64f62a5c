//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What convex_hull.cuh, by either algorithm, and check_convex_hull.cuh refuse before any CUDA call;
// how much temporary storage they ask for.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/bulk_convex_hull.cuh>
#include <colonnade/check_convex_hull.cuh>
#include <colonnade/convex_hull.cuh>
#include <colonnade/convex_hull_boundary.cuh>
#include <colonnade/marriage_hull.cuh>
#include <colonnade/points_in_hull.cuh>

using namespace colonnade;

namespace {

some_memory<double> coordinates, others, vertices;
some_memory<uint32_t> hull, set_offsets, set_counts;
some_memory<uint64_t> number, hull_offsets;
some_memory<hull_side> sides;
some_memory<char> temp;

constexpr size_t plenty = ~size_t{0};

struct call {
  const double *points = coordinates.in();
  uint64_t num_points = 100;
  uint32_t *d_hull = hull.get();
  uint64_t capacity = 100;
  uint64_t *d_num_hull = number.get();
  size_t bytes = plenty;
};
template <class Policy = convex_hull_policy> cudaError_t hull_of(call c) {
  return convex_hull(temp.get(), c.bytes, interleaved_points<double>{c.points}, c.num_points,
                     c.d_hull, c.capacity, c.d_num_hull, {}, {}, Policy{});
}
cudaError_t by_x(call c) {
  return convex_hull_by_x(temp.get(), c.bytes, interleaved_points<double>{c.points}, c.num_points,
                          c.d_hull, c.capacity, c.d_num_hull);
}
cudaError_t apart(const double *x, const double *y) {
  size_t bytes = plenty;
  return convex_hull(temp.get(), bytes, separate_points<double>{x, y}, 100, hull.get(), 100,
                     number.get());
}
template <class Policy = convex_hull_policy>
cudaError_t points_of(double *out, uint64_t capacity = 50) {
  size_t bytes = plenty;
  return convex_hull_points(temp.get(), bytes, interleaved_points<double>{coordinates.in()}, 50,
                            out, capacity, number.get(), {}, {}, Policy{});
}
cudaError_t check(const double *points, const uint32_t *vertices_of, hull_check *result,
                  size_t bytes = plenty, uint64_t num_points = 100) {
  return check_convex_hull(temp.get(), bytes, interleaved_points<double>{points}, num_points,
                           vertices_of, 100, result);
}
struct bulk_call {
  const double *points = coordinates.in();
  uint64_t num_points = 100, num_sets = 20;
  const uint32_t *offsets = set_offsets.in();
  uint32_t *hulls = hull.get(), *counts = set_counts.get();
  size_t bytes = plenty;
};
cudaError_t bulk(bulk_call c) {
  return bulk_convex_hull(temp.get(), c.bytes, interleaved_points<double>{c.points}, c.num_points,
                          c.offsets, c.num_sets, c.hulls, c.counts);
}
cudaError_t boundary(const double *points, uint32_t *vertices_of, uint64_t *number_of,
                     size_t bytes = plenty) {
  return convex_hull_boundary(temp.get(), bytes, interleaved_points<double>{points}, 100,
                              vertices_of, 100, number_of);
}
cudaError_t sides_of(const double *queries, hull_side *sides, uint64_t num_queries = 100,
                     size_t bytes = plenty) {
  return points_in_hull(temp.get(), bytes, interleaved_points<double>{coordinates.in()}, 100,
                        hull.in(), 100, interleaved_points<double>{queries}, num_queries, sides);
}
template <class Change> cudaError_t bulk_changed(Change change) {
  bulk_call c;
  change(c);
  return bulk(c);
}
cudaError_t packed(uint64_t capacity, uint64_t *offsets) {
  size_t bytes = plenty;
  return bulk_convex_hull_packed(temp.get(), bytes, interleaved_points<double>{coordinates.in()},
                                 100, set_offsets.in(), 20, hull.get(), capacity, offsets);
}
template <class Policy = convex_hull_policy, class Change> cudaError_t changed(Change change) {
  call c;
  change(c);
  return hull_of<Policy>(c);
}

/// Whether marriage before conquest asks for no more than 2.5 times the input.
template <class T> bool within_limit(uint64_t n) {
  size_t bytes = 0;
  return convex_hull(nullptr, bytes, interleaved_points<T>{nullptr}, n, hull.get(), 0, nullptr, {},
                     {}, marriage_hull_policy{}) == cudaSuccess &&
         bytes > 4 * n * sizeof(T) && bytes <= 5 * n * sizeof(T);
}
void marriage_before_conquest() {
  using marriage = marriage_hull_policy;
  REACHES_CUDA(hull_of<marriage>({}));
  REACHES_CUDA(changed<marriage>([](call &c) { c.d_hull = nullptr, c.capacity = 0; }));
  REFUSED(changed<marriage>([](call &c) { c.points = nullptr; }));
  REFUSED(changed<marriage>([](call &c) { c.num_points = negative; }));
  REFUSED(changed<marriage>([](call &c) { c.num_points = (uint64_t{1} << 32) + 1; }));
  REFUSED(changed<marriage>([](call &c) { c.d_hull = hull.at(2); }));
  REFUSED(changed<marriage>([](call &c) { c.d_num_hull = nullptr; }));
  REFUSED(changed<marriage>([](call &c) { c.bytes = 100; }));
  REACHES_CUDA(points_of<marriage>(vertices.get()));
  REFUSED(points_of<marriage>(coordinates.get()));
  for (const uint64_t n : {10'000u, 100'000u, 1'000'000u, 10'000'000u, 4'000'000'000u}) {
    EXPECT(within_limit<float>(n), "storage for %llu floats", static_cast<unsigned long long>(n));
    EXPECT(within_limit<int32_t>(n), "storage for %llu int32_t",
           static_cast<unsigned long long>(n));
    EXPECT(within_limit<double>(n), "storage for %llu doubles", static_cast<unsigned long long>(n));
  }
}

} // namespace

int main() {
  require_no_gpu();
  size_t few = 0, many = 0;
  const interleaved_points<double> points{nullptr};
  EXPECT(convex_hull(nullptr, few, points, 100, hull.get(), 100, nullptr) == cudaSuccess &&
             few == 1,
         "bytes of few");
  EXPECT(convex_hull_by_x(nullptr, few, points, 3584, hull.get(), 100, nullptr) == cudaSuccess &&
             few == 1,
         "bytes of few by x");
  EXPECT(convex_hull(nullptr, many, points, 1000000, hull.get(), 100, nullptr) == cudaSuccess &&
             many > 24000000 && many < 24000000 * 1.02 + 262144,
         "bytes of many");
  size_t bytes = 0;
  REFUSED(convex_hull(nullptr, bytes, points, (uint64_t{1} << 32) + 1, hull.get(), 100, nullptr));
  REFUSED(
      convex_hull_by_x(nullptr, bytes, points, (uint64_t{1} << 32) + 1, hull.get(), 100, nullptr));
  REACHES_CUDA(hull_of({}));
  REACHES_CUDA(changed([](call &c) { c.d_hull = nullptr; }));
  REACHES_CUDA(changed([](call &c) { c.capacity = 0; }));
  REACHES_CUDA(changed([](call &c) { c.points = nullptr, c.num_points = 0; }));
  REACHES_CUDA(changed([](call &c) { c.bytes = 1; }));
  REFUSED(changed([](call &c) { c.bytes = 0; }));
  REFUSED(changed([](call &c) { c.num_points = 1000000, c.bytes = 24000000; }));
  REFUSED(changed([](call &c) { c.points = nullptr; }));
  REFUSED(changed([](call &c) { c.points = coordinates.at(8); })); // a pair has 16 bytes
  REFUSED(changed([](call &c) { c.points = coordinates.at(4); }));
  REFUSED(changed([](call &c) { c.num_points = negative; }));
  REFUSED(changed([](call &c) { c.capacity = negative; }));
  REFUSED(changed([](call &c) { c.d_num_hull = nullptr; }));
  REFUSED(changed([](call &c) { c.d_num_hull = number.at(4); }));
  REFUSED(changed([](call &c) { c.d_hull = hull.at(2); }));
  REFUSED(
      changed([](call &c) { c.d_hull = reinterpret_cast<uint32_t *>(coordinates.get() + 199); }));
  REFUSED(changed([](call &c) { c.d_num_hull = reinterpret_cast<uint64_t *>(coordinates.get()); }));
  REFUSED(changed([](call &c) { c.d_num_hull = reinterpret_cast<uint64_t *>(hull.get() + 98); }));
  call c;
  REACHES_CUDA(by_x(c));
  c.points = nullptr;
  REFUSED(by_x(c));
  c = {};
  c.bytes = 0;
  REFUSED(by_x(c));
  c = {};
  c.d_num_hull = nullptr;
  REFUSED(by_x(c));
  REACHES_CUDA(apart(coordinates.in(), others.in()));
  REFUSED(apart(coordinates.in(), nullptr));
  REFUSED(apart(nullptr, others.in()));
  REFUSED(apart(coordinates.at(4), others.in()));
  REACHES_CUDA(points_of(vertices.get()));
  REFUSED(points_of(vertices.at(4)));
  REFUSED(points_of(coordinates.get() + 99));
  hull_check result;
  REACHES_CUDA(check(coordinates.in(), hull.in(), &result));
  REFUSED(check(nullptr, hull.in(), &result));
  REFUSED(check(coordinates.in(), nullptr, &result));
  REFUSED(check(coordinates.in(), hull.in(), nullptr));
  REFUSED(check(coordinates.in(), hull.in(), reinterpret_cast<hull_check *>(hull.get() + 98)));
  REFUSED(
      check(coordinates.in(), hull.in(), reinterpret_cast<hull_check *>(coordinates.get() + 199)));
  REFUSED(check(coordinates.in(), hull.in(), &result, 100));
  REFUSED(check(coordinates.in(), hull.in(), &result, plenty, negative));
  size_t of_boundary = 0;
  EXPECT(convex_hull_boundary(nullptr, of_boundary, points, 1000000, hull.get(), 100, nullptr) ==
                 cudaSuccess &&
             of_boundary > 25000000 && of_boundary < 25000000 * 1.02 + 262144,
         "bytes of a boundary");
  REACHES_CUDA(boundary(coordinates.in(), hull.get(), number.get()));
  REFUSED(boundary(nullptr, hull.get(), number.get()));
  REFUSED(boundary(coordinates.in(), hull.at(2), number.get()));
  REFUSED(boundary(coordinates.in(), hull.get(), nullptr));
  REFUSED(boundary(coordinates.in(), hull.get(), number.get(), 100));
  REACHES_CUDA(sides_of(others.in(), sides.get()));
  REFUSED(sides_of(nullptr, sides.get()));
  REFUSED(sides_of(others.in(), nullptr));
  REFUSED(sides_of(others.in(), sides.get(), negative));
  REFUSED(sides_of(others.in(), sides.get(), 100, 0));
  REFUSED(sides_of(others.in(), reinterpret_cast<hull_side *>(others.get() + 10)));
  REFUSED(sides_of(others.in(), reinterpret_cast<hull_side *>(hull.get() + 10)));
  size_t of_small = 0, of_any = 0;
  bulk_hull_options small_sets;
  small_sets.longest = 3072;
  EXPECT(bulk_convex_hull(nullptr, of_small, points, 1000000, set_offsets.in(), 1000, hull.get(),
                          nullptr, small_sets) == cudaSuccess &&
             of_small < 4000 + 65536,
         "bytes of sets that are small");
  EXPECT(bulk_convex_hull(nullptr, of_any, points, 1000000, set_offsets.in(), 1000, hull.get(),
                          nullptr) == cudaSuccess &&
             of_any > 24000000 && of_any < 24000000 * 1.02 + 262144,
         "bytes of any sets");
  REFUSED(bulk_convex_hull(nullptr, bytes, points, uint64_t{1} << 32, set_offsets.in(), 20,
                           hull.get(), nullptr));
  REFUSED(bulk_convex_hull(nullptr, bytes, points, 100, set_offsets.in(), uint64_t{1} << 32,
                           hull.get(), nullptr));
  REACHES_CUDA(bulk({}));
  REACHES_CUDA(bulk_changed([](bulk_call &c) { c.hulls = nullptr; }));
  REFUSED(bulk_changed([](bulk_call &c) { c.bytes = 100; }));
  REFUSED(bulk_changed([](bulk_call &c) { c.points = nullptr; }));
  REFUSED(bulk_changed([](bulk_call &c) { c.num_points = negative; }));
  REFUSED(bulk_changed([](bulk_call &c) { c.num_sets = negative; }));
  REFUSED(bulk_changed([](bulk_call &c) { c.offsets = nullptr; }));
  REFUSED(bulk_changed([](bulk_call &c) { c.counts = nullptr; }));
  REFUSED(bulk_changed([](bulk_call &c) { c.hulls = hull.at(2); }));
  REFUSED(bulk_changed([](bulk_call &c) { c.counts = hull.get() + 99; }));
  REFUSED(bulk_changed([](bulk_call &c) { c.counts = const_cast<uint32_t *>(c.offsets) + 20; }));
  REFUSED(bulk_changed(
      [](bulk_call &c) { c.hulls = reinterpret_cast<uint32_t *>(coordinates.get() + 199); }));
  REACHES_CUDA(packed(100, hull_offsets.get()));
  REFUSED(packed(negative, hull_offsets.get()));
  REFUSED(packed(100, nullptr));
  REFUSED(packed(100, hull_offsets.at(4)));
  REFUSED(packed(100, reinterpret_cast<uint64_t *>(hull.get() + 98)));
  marriage_before_conquest();
  return gpu_result("arguments of convex hulls");
}
