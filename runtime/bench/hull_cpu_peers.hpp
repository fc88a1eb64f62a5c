//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_cpu_peers.hpp: Qhull's and CGAL's convex hulls, on one thread of the CPU.
//
// In: n points, interleaved, as doubles. Out: seconds of each method, and how many vertices it
// found. Invariant: points are in the library's own type before the time begins.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct cpu_hull {
  std::string method; // "CGAL, Akl-Toussaint"
  double seconds;
  uint64_t num_vertices;
};

std::vector<cpu_hull> cpu_hulls(const std::vector<double> &xy);

/// "AMD EPYC 9654 96-Core Processor"
std::string cpu_name();

} // namespace bench
