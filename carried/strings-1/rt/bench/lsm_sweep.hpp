//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_sweep.hpp: several ways of one job, which take turns in one run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "lsm_bench.cuh"

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// time(): milliseconds of one run.
struct way {
  std::string name;
  std::function<float()> time;
};

/// Each beside the first: rates of so many items, and how many times the first one's.
inline void take_turns(report &out, const std::string &job, uint64_t items, int runs,
                       const std::vector<way> &ways) {
  std::vector<std::vector<double>> rates(ways.size());
  for (int i = 0; i < runs + 1; ++i)
    for (size_t k = 0; k < ways.size(); ++k)
      if (const float time = ways[k].time(); i > 0)
        rates[k].push_back(gigas(items, time));
  for (size_t k = 0; k < ways.size(); ++k)
    out.add(job + ": " + ways[k].name, "G/s", ways[0].name.c_str(), rates[k], rates[0]);
}

/// Of a batch alone, by other tiles.
void sweep_sorts(report &out, uint64_t n, int runs);

} // namespace bench
