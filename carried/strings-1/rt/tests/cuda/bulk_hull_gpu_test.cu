//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Many convex hulls by one call: sets of all kinds and sizes against the host's function, in every
// part, at their offsets and packed, by x too; what is refused; a captured graph whose sets change.
//
//   --small        for the sanitizers
//   --seeds A B    a long campaign: seeds A to B - 1
//
//===----------------------------------------------------------------------===//

#include "../hull_cases.hpp"
#include "device_case.cuh"
#include "seed_range.hpp"

#include <colonnade/bulk_convex_hull.cuh>
#include <colonnade/host_convex_hull.hpp>

using namespace colonnade;
using testing::hull_case;
using testing::hull_points_of;
using testing::num_hull_cases;

namespace {

template <class T> struct ragged {
  std::vector<T> points;
  std::vector<uint32_t> offsets{0};

  uint64_t num_points() const { return points.size() / 2; }
  uint64_t num_sets() const { return offsets.size() - 1; }
  void add(hull_case kind, uint64_t n, uint64_t seed, bool by_x) {
    const auto set = hull_points_of<T>(seed).points(kind, n);
    std::vector<size_t> order(n);
    for (size_t i = 0; i < n; ++i)
      order[i] = i;
    if (by_x)
      std::sort(order.begin(), order.end(),
                [&](size_t a, size_t b) { return set[2 * a] < set[2 * b]; });
    for (const size_t i : order)
      points.insert(points.end(), {set[2 * i], set[2 * i + 1]});
    offsets.push_back(static_cast<uint32_t>(num_points()));
  }
  std::vector<uint32_t> hull(uint64_t s, hull_part part) const {
    std::vector<uint32_t> found(offsets[s + 1] - offsets[s]);
    uint64_t num_hull = 0;
    EXPECT(host_convex_hull(interleaved_points<T>{points.data() + 2 * offsets[s]}, found.size(),
                            found.data(), found.size(), num_hull, {part})
               .ok(),
           "on the host");
    found.resize(num_hull);
    for (uint32_t &i : found)
      i += offsets[s];
    return found;
  }
};

template <class T> ragged<T> sets_of_all_kinds(uint64_t seed, bool by_x, bool small) {
  ragged<T> all;
  const std::vector<uint64_t> sizes =
      small ? std::vector<uint64_t>{0, 1, 2, 3, 32, 33, 600}
            : std::vector<uint64_t>{0,   1,   2,   3,   7,    31,   32,   33,  100,
                                    511, 512, 513, 900, 4095, 4096, 4097, 9000};
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : sizes)
      all.add(static_cast<hull_case>(kind), n, seed + 100 * kind + n, by_x);
  all.add(hull_case::on_circle, small ? 4500 : 300000, seed, by_x); // several levels of joining
  all.add(hull_case::in_disc, 20, seed, by_x);
  all.add(hull_case::in_disc, small ? 4400 : 65535, seed, by_x); // the longest that is sieved
  if (!small)
    all.add(hull_case::in_disc, 65536, seed, by_x);
  return all;
}

/// At offsets, then packed.
template <class T, class Policy = bulk_hull_policy>
void compare(const char *type, const ragged<T> &sets, bulk_hull_options what) {
  const uint64_t n = sets.num_points(), p = sets.num_sets();
  const device_array<T> points(sets.points);
  const device_array<uint32_t> offsets(sets.offsets), hulls(n), counts(p);
  const device_array<uint64_t> packed(n), hull_offsets(p + 1);
  const device_array<device_status> status(std::vector<device_status>(1));
  const uint32_t *d_offsets = offsets.get();
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_convex_hull(d_temp, bytes, interleaved_points<T>{points.get()}, n, d_offsets, p,
                            hulls.get(), counts.get(), what, {nullptr, status.get()}, Policy{});
  });
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_convex_hull_packed(d_temp, bytes, interleaved_points<T>{points.get()}, n, d_offsets,
                                   p, packed.get(), n, hull_offsets.get(), what,
                                   {nullptr, status.get()}, Policy{});
  });
  hulls.expect_intact("hulls");
  counts.expect_intact("counts");
  packed.expect_intact("packed hulls");
  hull_offsets.expect_intact("their offsets");
  EXPECT(status.read()[0].ok(), "%s: an error", type);
  const auto got = hulls.read(), numbers = counts.read();
  const auto in_row = packed.read(), begins = hull_offsets.read();
  uint64_t before = 0;
  for (uint64_t s = 0; s < p; ++s) {
    const auto expected = sets.hull(s, what.part);
    EXPECT(numbers[s] == expected.size() &&
               std::equal(expected.begin(), expected.end(), got.begin() + sets.offsets[s]),
           "%s: set %llu of %u points, part %u, by x %d: %u vertices of %zu", type,
           static_cast<unsigned long long>(s), sets.offsets[s + 1] - sets.offsets[s],
           static_cast<unsigned>(what.part), what.by_x, numbers[s], expected.size());
    EXPECT(begins[s] == before && std::equal(expected.begin(), expected.end(),
                                             in_row.begin() + static_cast<std::ptrdiff_t>(before)),
           "%s: packed set %llu", type, static_cast<unsigned long long>(s));
    before += expected.size();
  }
  EXPECT(begins[p] == before, "%s: all vertices", type);
}

template <class T> void check_cases(const char *type, bool small, uint64_t seed) {
  const hull_part parts[] = {hull_part::whole, hull_part::lower, hull_part::upper};
  for (const bool by_x : {false, true})
    compare(type, sets_of_all_kinds<T>(seed + by_x, by_x, small), {parts[seed % 3], by_x});
}

/// Large sets of few points in all: one block sorts them.
template <class T> void check_few(const char *type, uint64_t seed) {
  for (const uint64_t more : {1, 2}) {
    ragged<T> all;
    for (uint64_t k = 0; k < more; ++k)
      all.add(hull_case::on_circle, 4098 + k, seed + k, false);
    all.add(hull_case::near_line, 300, seed, false);
    compare(type, all, {});
  }
}

/// Sets of one thread, many of each kind.
template <class T> void check_small_sets(const char *type, uint64_t count, uint64_t seed) {
  ragged<T> all;
  for (uint64_t k = 0; k < count; ++k)
    all.add(static_cast<hull_case>(k % num_hull_cases), k * 7 % 33, seed + k, false);
  compare(type, all, {static_cast<hull_part>(seed % 3), false, 32});
}

/// Counts alone, too little room, offsets of 64 bits, a point that is not finite, sets that are
/// wrong.
void check_refusals(uint64_t each) {
  ragged<double> sets;
  for (uint64_t k = 0; k < 40; ++k)
    sets.add(hull_case::in_disc, each + 17 * k, k, false);
  const uint64_t n = sets.num_points(), p = sets.num_sets();
  sets.points[2 * sets.offsets[21] + 5] = std::numeric_limits<double>::infinity();
  const device_array<double> points(sets.points);
  std::vector<uint64_t> wide(sets.offsets.begin(), sets.offsets.end());
  wide[8] = wide[7] - 1; // set 7 ends before it begins
  const device_array<uint64_t> offsets(wide), packed(50), hull_offsets(p + 1);
  const device_array<uint32_t> counts(p);
  const device_array<device_status> status(std::vector<device_status>(1));
  const uint64_t *d_offsets = offsets.get();
  const interleaved_points<double> all{points.get()};
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_convex_hull(d_temp, bytes, all, n, d_offsets, p, static_cast<uint32_t *>(nullptr),
                            counts.get(), {}, {nullptr, status.get()});
  });
  const auto numbers = counts.read();
  for (uint64_t s = 0; s < p; ++s)
    if (s != 7 && s != 8 && s != 21)
      EXPECT(numbers[s] == sets.hull(s, hull_part::whole).size(), "counts");
  EXPECT(numbers[7] == 0 && numbers[21] == 0, "refused sets");
  EXPECT(status.read()[0].error() == data_error::bucket_out_of_range &&
             status.read()[0].detail() == 7,
         "a set that ends before it begins");
  const device_array<device_status> again(std::vector<device_status>(1));
  offsets.write(std::vector<uint64_t>(sets.offsets.begin(), sets.offsets.end()));
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_convex_hull_packed(d_temp, bytes, all, n, d_offsets, p, packed.get(), 50,
                                   hull_offsets.get(), {}, {nullptr, again.get()});
  });
  packed.expect_intact("packed hulls");
  uint64_t all_vertices = 0;
  for (uint64_t s = 0; s < p; ++s)
    all_vertices += s == 21 ? 0 : sets.hull(s, hull_part::whole).size();
  EXPECT(hull_offsets.read()[p] == all_vertices, "all vertices");
  EXPECT(again.read()[0].error() == data_error::buffer_too_small ||
             (again.read()[0].error() == data_error::value_out_of_range &&
              again.read()[0].detail() == sets.offsets[21] + 2),
         "too little room, and a point that is not finite");
}

void check_graph(uint64_t n) {
  const uint64_t p = 60;
  const device_array<float> points(2 * n);
  const device_array<uint32_t> offsets(p + 1), hulls(n), counts(p);
  const uint32_t *d_offsets = offsets.get();
  const interleaved_points<float> all{points.get()};
  size_t bytes = 0;
  CUDA_OK(bulk_convex_hull(nullptr, bytes, all, n, d_offsets, p, hulls.get(), counts.get()));
  const device_array<uint8_t> temp(bytes, 5, contents_of_storage());
  const captured_graph graph([&](cudaStream_t stream) {
    return bulk_convex_hull(temp.get(), bytes, all, n, d_offsets, p, hulls.get(), counts.get(), {},
                            {stream});
  });
  for (uint64_t seed = 1; seed < 4; ++seed) {
    ragged<float> sets;
    for (uint64_t s = 0; s < p; ++s) {
      const uint64_t left = n - sets.num_points(), size = s % 7 == seed ? n / 8 : 13 * s % 200;
      sets.add(static_cast<hull_case>((s + seed) % num_hull_cases), std::min(left, size), seed + s,
               false);
    }
    const uint64_t used = sets.points.size();
    auto filled = sets.points;
    filled.resize(2 * n);
    points.write(filled);
    offsets.write(sets.offsets);
    graph.replay();
    const auto got = hulls.read(), numbers = counts.read();
    for (uint64_t s = 0; s < p; ++s) {
      const auto expected = sets.hull(s, hull_part::whole);
      EXPECT(numbers[s] == expected.size() &&
                 std::equal(expected.begin(), expected.end(), got.begin() + sets.offsets[s]),
             "replay %llu, set %llu", static_cast<unsigned long long>(seed),
             static_cast<unsigned long long>(s));
    }
    EXPECT(used > 0, "sets");
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const seed_range seeds(argc, argv);
  for (uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    check_cases<float>("float", small, 10 * seed);
    check_cases<double>("double", small, 10 * seed + 1);
    check_cases<int32_t>("int32_t", small, 10 * seed + 2);
    check_few<float>("large, few, float", 50 * seed);
    check_few<double>("large, few, double", 50 * seed + 1);
    const uint64_t count = small ? 200 : 20000;
    check_small_sets<float>("small, float", count, 1000 * seed);
    check_small_sets<double>("small, double", count, 1000 * seed + 1);
    check_small_sets<int32_t>("small, int32_t", count, 1000 * seed + 2);
  }
  check_refusals(small ? 20 : 300);
  check_graph(small ? 9000 : 60000);
  return gpu_result("many convex hulls");
}
