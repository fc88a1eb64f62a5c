//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lattice_polygon.hpp: strictly convex polygons with as many corners as one likes and coordinates
// of 32 bits.
//
// In: an even number of corners, up to some 10^7. Out: the corners, counter-clockwise, and the
// radius of a circle around the origin that no edge cuts. Invariant: no two edges have one
// direction, so every corner is a vertex; the polygon is its own image through the origin.
//
// Its edges are the shortest primitive vectors (those whose coordinates have no common divisor),
// each with its opposite, sorted by angle: no polygon on the integer lattice with so many corners
// is much smaller. 10^6 of them span 1.5 * 10^8.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

namespace bench {

struct lattice_vector {
  int64_t x, y;
  int64_t square() const { return x * x + y * y; }
  friend int64_t cross(lattice_vector a, lattice_vector b) { return a.x * b.y - a.y * b.x; }
};

struct lattice_polygon {
  std::vector<lattice_vector> corners;
  double inner_radius;
};

/// So many of the shortest primitive vectors with angles in [0, pi), by angle.
inline std::vector<lattice_vector> shortest_vectors(uint64_t number) {
  // Of radius r there are 3 / pi * r^2 of them, nearly.
  const int64_t reach = static_cast<int64_t>(1.1 * std::sqrt(static_cast<double>(number))) + 3;
  std::vector<lattice_vector> found{{1, 0}};
  for (int64_t y = 1; y <= reach; ++y)
    for (int64_t x = -reach; x <= reach; ++x)
      if (x * x + y * y <= reach * reach && std::gcd(x, y) == 1)
        found.push_back({x, y});
  std::sort(found.begin(), found.end(), [](const lattice_vector &a, const lattice_vector &b) {
    return std::make_tuple(a.square(), a.y, a.x) < std::make_tuple(b.square(), b.y, b.x);
  });
  found.resize(number);
  std::sort(found.begin(), found.end(),
            [](const lattice_vector &a, const lattice_vector &b) { return cross(a, b) > 0; });
  return found;
}

/// Around the origin, within 2^30 of it.
inline lattice_polygon polygon_of(uint64_t num_corners) {
  const std::vector<lattice_vector> edges = shortest_vectors(num_corners / 2);
  lattice_vector opposite{0, 0}; // of the first corner, which stands at (0, 0)
  for (const lattice_vector &edge : edges)
    opposite = {opposite.x + edge.x, opposite.y + edge.y};
  // Twice the corners, less `opposite`: the centre goes to the origin.
  lattice_vector at{-opposite.x, -opposite.y};
  std::vector<lattice_vector> corners;
  for (const lattice_vector &edge : edges) {
    corners.push_back(at);
    at = {at.x + 2 * edge.x, at.y + 2 * edge.y};
  }
  int64_t span = 0;
  for (const lattice_vector &corner : corners)
    span = std::max({span, std::abs(corner.x), std::abs(corner.y)});
  const int64_t scale = (int64_t{1} << 30) / span;
  for (lattice_vector &corner : corners)
    corner = {scale * corner.x, scale * corner.y};
  for (uint64_t k = 0; k < edges.size(); ++k)
    corners.push_back({-corners[k].x, -corners[k].y});
  double inner_radius = 0x1p30;
  for (uint64_t k = 0; k < edges.size(); ++k) {
    const lattice_vector a = corners[k], b = corners[k + 1];
    inner_radius = std::min(inner_radius, static_cast<double>(cross(a, b)) /
                                              std::hypot(static_cast<double>(b.x - a.x),
                                                         static_cast<double>(b.y - a.y)));
  }
  return {corners, inner_radius * (1 - 1e-9)};
}

} // namespace bench
