//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_cpu_peers.cpp: Qhull's and CGAL's convex hulls, on one thread of the CPU.
//
// Of CGAL's methods the two that were fastest: those of Bykat and Eddy take 1.2 to 5 times as long
// on 10^7 points in a square, a disc, a ring and on a circle. Not part of the library: CGAL's
// package is under the GPL, and serves as a peer only.
//
//===----------------------------------------------------------------------===//

#include "hull_cpu_peers.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/ch_akl_toussaint.h>
#include <CGAL/ch_graham_andrew.h>

extern "C" {
#include <libqhull_r/libqhull_r.h>
}

#include <chrono>
#include <cstdio>
#include <fstream>

namespace bench {

namespace {
using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using points_of_cgal = std::vector<kernel::Point_2>;

double seconds_of(const auto &work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

cpu_hull by_qhull(std::vector<double> xy) {
  cpu_hull result{"Qhull", 0, 0};
  qhT state;
  qh_zero(&state, stderr);
  char command[] = "qhull";
  int failed = 0;
  result.seconds = seconds_of([&] {
    failed = qh_new_qhull(&state, 2, static_cast<int>(xy.size() / 2), xy.data(), False, command,
                          nullptr, stderr);
  });
  if (failed)
    std::fprintf(stderr, "Qhull: error %d\n", failed);
  result.num_vertices = static_cast<uint64_t>(state.num_vertices);
  qh_freeqhull(&state, True);
  return result;
}

template <class Method>
cpu_hull by_cgal(const char *name, const points_of_cgal &points, Method method) {
  cpu_hull result{std::string("CGAL, ") + name, 0, 0};
  points_of_cgal hull;
  result.seconds =
      seconds_of([&] { method(points.begin(), points.end(), std::back_inserter(hull)); });
  result.num_vertices = hull.size();
  return result;
}
} // namespace

std::vector<cpu_hull> cpu_hulls(const std::vector<double> &xy) {
  points_of_cgal points;
  for (size_t i = 0; i < xy.size(); i += 2)
    points.emplace_back(xy[i], xy[i + 1]);
  const auto akl_toussaint = [](auto begin, auto end, auto out) {
    CGAL::ch_akl_toussaint(begin, end, out);
  };
  const auto graham_andrew = [](auto begin, auto end, auto out) {
    CGAL::ch_graham_andrew(begin, end, out);
  };
  std::vector<cpu_hull> found;
  found.push_back(by_cgal("Akl-Toussaint", points, akl_toussaint));
  found.push_back(by_cgal("Graham-Andrew", points, graham_andrew));
  found.push_back(by_qhull(xy));
  return found;
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0)
      return line.substr(line.find(':') + 2);
  return "unknown";
}

} // namespace bench
