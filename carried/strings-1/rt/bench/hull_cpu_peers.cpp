//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_cpu_peers.cpp: Qhull's and CGAL's convex hulls, on one thread of the CPU.
//
// Of CGAL's methods all whose time does not grow with the product of points and vertices (Jarvis's
// does). Those of Bykat and Eddy say that some points within edges are vertices, too: some 30 of
// 10^7 floats on a circle. Not part of the library: CGAL's package is under the GPL, and serves as
// a peer only.
//
//===----------------------------------------------------------------------===//

#include "hull_cpu_peers.hpp"

#define CGAL_NDEBUG // CGAL checks its results else, and is timed with that
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/ch_akl_toussaint.h>
#include <CGAL/ch_bykat.h>
#include <CGAL/ch_eddy.h>
#include <CGAL/ch_graham_andrew.h>

extern "C" {
#include <libqhull_r/libqhull_r.h>
}

#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>

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
  cpu_hull result{"Qhull", false, 0, 0};
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
cpu_hull by_cgal(const char *name, bool is_exact, const points_of_cgal &points, Method method) {
  cpu_hull result{std::string("CGAL, ") + name, is_exact, 0, 0};
  points_of_cgal hull;
  result.seconds =
      seconds_of([&] { method(points.begin(), points.end(), std::back_inserter(hull)); });
  result.num_vertices = hull.size();
  return result;
}
} // namespace

struct cpu_peers::points {
  std::vector<double> xy;
  points_of_cgal of_cgal;
};

cpu_peers::cpu_peers(const std::vector<double> &xy) : points_(new points{xy, {}}) {
  points_->of_cgal.reserve(xy.size() / 2);
  for (size_t i = 0; i < xy.size(); i += 2)
    points_->of_cgal.emplace_back(xy[i], xy[i + 1]);
}
cpu_peers::~cpu_peers() = default;

std::vector<cpu_hull> cpu_peers::run() const {
  const auto akl_toussaint = [](auto begin, auto end, auto out) {
    CGAL::ch_akl_toussaint(begin, end, out);
  };
  const auto bykat = [](auto begin, auto end, auto out) { CGAL::ch_bykat(begin, end, out); };
  const auto eddy = [](auto begin, auto end, auto out) { CGAL::ch_eddy(begin, end, out); };
  const auto graham_andrew = [](auto begin, auto end, auto out) {
    CGAL::ch_graham_andrew(begin, end, out);
  };
  const points_of_cgal &points = points_->of_cgal;
  std::vector<cpu_hull> found;
  found.push_back(by_cgal("Akl-Toussaint", true, points, akl_toussaint));
  found.push_back(by_cgal("Bykat", false, points, bykat));
  found.push_back(by_cgal("Eddy", false, points, eddy));
  found.push_back(by_cgal("Graham-Andrew", true, points, graham_andrew));
  found.push_back(by_qhull(points_->xy));
  return found;
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  std::map<std::string, std::string> found; // of the first core
  for (std::string line; std::getline(info, line) && !line.empty();) {
    const size_t colon = line.find(':'), end = line.find_last_not_of("\t ", colon - 1);
    if (colon != std::string::npos && colon + 2 <= line.size())
      found[line.substr(0, end + 1)] = line.substr(colon + 2);
  }
  const auto fact = [&](const char *name) {
    return found.contains(name) ? found[name] : std::string("unknown");
  };
  return fact("model name") + ", family " + fact("cpu family") + ", model " + fact("model") +
         ", stepping " + fact("stepping");
}

} // namespace bench
