//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_cpu_peers.hpp: Qhull's and CGAL's convex hulls, on one thread of the CPU.
//
// In: n points, interleaved, as doubles. Out: seconds of each method, and how many vertices it
// found; the CPU's name. Invariant: points are in the library's own type before the time begins.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

struct cpu_hull {
  std::string method; // "CGAL, Akl-Toussaint"
  bool is_exact;      // whether it finds the vertices and nothing else
  double seconds;
  uint64_t num_vertices;
};

class cpu_peers {
public:
  explicit cpu_peers(const std::vector<double> &xy);
  ~cpu_peers();
  /// One run of each method, always in the same order.
  std::vector<cpu_hull> run() const;

private:
  struct points;
  std::unique_ptr<points> points_;
};

/// "AMD EPYC 9654 96-Core Processor, family 25, model 17, stepping 1"
std::string cpu_name();

} // namespace bench
