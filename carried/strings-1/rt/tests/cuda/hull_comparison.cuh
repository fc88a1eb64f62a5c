//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_comparison.cuh: convex hulls on the GPU against the host's function.
//
// In: a type of coordinates, kinds, sizes, seeds (hull_cases.hpp). Out: a message for each hull
// that differs. Invariant: the same inputs on every run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../hull_cases.hpp"
#include "host_hull.cuh"

#include <colonnade/convex_hull.cuh>

namespace colonnade::testing {

struct found_hull {
  std::vector<uint32_t> hull;
  uint64_t num_hull;
  device_status status;
};

template <class Points>
found_hull find_hull(Points points, item_count n, uint64_t capacity, hull_part part) {
  const device_array<uint32_t> hull(capacity);
  const device_array<uint64_t> num_hull(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  call_twice([&](void *d_temp, size_t &bytes) {
    return convex_hull(d_temp, bytes, points, n, hull.get(), capacity, num_hull.get(), {part},
                       {nullptr, status.get()});
  });
  hull.expect_intact("hull");
  found_hull found{hull.read(), num_hull.read()[0], status.read()[0]};
  found.hull.resize(std::min(capacity, found.num_hull));
  return found;
}

template <class T>
void compare_hull(const char *type, uint32_t kind, uint64_t n, uint64_t seed, hull_part part) {
  const auto points = hull_points_of<T>(seed).points(static_cast<hull_case>(kind), n);
  const device_array<T> d_points(points);
  const auto expected = host_hull(points, part);
  const auto got = find_hull(interleaved_points<T>{d_points.get()}, n, n, part);
  EXPECT(got.status.ok() && got.num_hull == expected.size() && got.hull == expected,
         "%s: kind %u, %llu points, part %u, seed %llu: %llu vertices of %zu", type, kind,
         static_cast<unsigned long long>(n), static_cast<unsigned>(part),
         static_cast<unsigned long long>(seed), static_cast<unsigned long long>(got.num_hull),
         expected.size());
}

/// The k-th of many small inputs: all kinds, of each all sizes in all parts.
struct small_input {
  static constexpr uint64_t most_points = 40;
  uint32_t kind;
  uint64_t n;
  hull_part part;
  explicit small_input(uint64_t k)
      : kind(static_cast<uint32_t>(k % num_hull_cases)),
        n((7 * (k / num_hull_cases) + 3 * kind) % (most_points + 1)),
        part(static_cast<hull_part>((k / num_hull_cases + kind) % 3)) {}
  template <class T> std::vector<T> points(uint64_t seed) const {
    return hull_points_of<T>(seed).points(static_cast<hull_case>(kind), n);
  }
};

/// So many inputs of each kind, one launch for each. All are queued, with one temporary storage;
/// then all are compared.
template <class T> void compare_small_hulls(const char *type, uint64_t of_each, uint64_t seed) {
  constexpr uint64_t most = small_input::most_points;
  const uint64_t count = of_each * num_hull_cases;
  std::vector<T> points(2 * most * count);
  for (uint64_t k = 0; k < count; ++k) {
    const auto made = small_input(k).points<T>(seed + k);
    std::copy(made.begin(), made.end(), points.data() + 2 * most * k);
  }
  const device_array<T> d_points(points);
  const device_array<uint32_t> hulls(most * count);
  const device_array<uint64_t> numbers(count);
  const device_array<device_status> statuses{std::vector<device_status>(count)};
  const auto call = [&](void *d_temp, size_t &bytes, uint64_t k, const small_input &input) {
    return convex_hull(d_temp, bytes, interleaved_points<T>{d_points.get() + 2 * most * k}, input.n,
                       hulls.get() + most * k, input.n, numbers.get() + k, {input.part},
                       {nullptr, statuses.get() + k});
  };
  size_t most_bytes = 0;
  for (uint64_t k = 0; k < count; ++k) {
    size_t bytes = 0;
    CUDA_OK(call(nullptr, bytes, k, small_input(k)));
    most_bytes = std::max(most_bytes, bytes);
  }
  const device_array<uint8_t> temp(most_bytes, 3, contents_of_storage());
  for (uint64_t k = 0; k < count; ++k)
    CUDA_OK(call(temp.get(), most_bytes, k, small_input(k)));
  CUDA_OK(cudaDeviceSynchronize());
  temp.expect_intact("temporary storage");
  hulls.expect_intact("hulls");
  const auto got = hulls.read();
  const auto num_hulls = numbers.read();
  const auto status = statuses.read();
  for (uint64_t k = 0; k < count; ++k) {
    const small_input input(k);
    const auto expected = host_hull(input.points<T>(seed + k), input.part);
    EXPECT(status[k].ok() && num_hulls[k] == expected.size() &&
               std::equal(expected.begin(), expected.end(), got.data() + most * k),
           "%s: small input %llu, kind %u, %llu points, part %u, seed %llu: %llu vertices of %zu",
           type, static_cast<unsigned long long>(k), input.kind,
           static_cast<unsigned long long>(input.n), static_cast<unsigned>(input.part),
           static_cast<unsigned long long>(seed + k), static_cast<unsigned long long>(num_hulls[k]),
           expected.size());
  }
}

} // namespace colonnade::testing
