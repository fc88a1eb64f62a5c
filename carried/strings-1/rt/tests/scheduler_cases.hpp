//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scheduler_cases.hpp: a function over host arrays, and runs of it on devices over host memory.
//
// In: sizes, devices, budgets. Out: a status, and the arrays beside what they must hold.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_device.hpp"
#include "prefix_sums_info.hpp"

#include <colonnade/bulk/run.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace colonnade::bulk::testing {

// Host arrays of the sum function, and what it must give.
struct problem {
  uint64_t count, n;
  std::vector<int32_t> in, scale, out, expected;
  std::vector<uint8_t> seen, expected_seen;
  scalar_bits scalars[1];
  uint64_t cells[4];
  void *arrays[4];

  problem(uint64_t p, uint64_t cells_n)
      : count(p), n(cells_n), in(p * n), scale(n), out(p * n, -9), expected(p * n), seen(p, 3),
        expected_seen(p, 3), scalars{n}, cells{n, n, n, 1},
        arrays{in.data(), scale.data(), out.data(), seen.data()} {
    std::mt19937 random(static_cast<unsigned>(p * 31 + n));
    for (int32_t &x : in)
      x = static_cast<int32_t>(random() % 1000);
    for (int32_t &x : scale)
      x = static_cast<int32_t>(random() % 10);
    for (uint64_t j = 0; j < p; ++j) {
      void *instance[] = {in.data() + j * n, scale.data(), expected.data() + j * n,
                          expected_seen.data() + j};
      sum_info().sequential(instance, scalars);
    }
  }
  raw_arguments arguments() { return {arrays, scalars, cells, count}; }
};

inline status run_on(const device_list &devices, problem &p, uint64_t budget,
                     uint64_t max_chunk = 0, layout host_layout = layout::row_wise,
                     run_report *report = nullptr) {
  run_options options;
  options.device_memory_bytes = budget;
  options.max_chunk_instances = max_chunk;
  options.report = report;
  return colonnade::bulk::detail::run_on_devices(devices, sum_info(), p.arguments(), host_layout,
                                                 options);
}
inline status run_on(host_device &d, problem &p, uint64_t budget, uint64_t max_chunk = 0,
                     layout host_layout = layout::row_wise, run_report *report = nullptr) {
  return run_on(device_list{&d}, p, budget, max_chunk, host_layout, report);
}

/// 100 instances in chunks of 32: told after each, and of all at the end.
inline void expect_progress(const device_list &devices) {
  problem q(100, 4);
  run_options options;
  options.max_chunk_instances = 32;
  uint64_t last = 0, calls = 0;
  options.on_progress = [&](uint64_t done, uint64_t count) {
    EXPECT_GT(done, last);
    EXPECT_EQ(count, 100u);
    last = done;
    ++calls;
  };
  ASSERT_TRUE(colonnade::bulk::detail::run_on_devices(devices, sum_info(), q.arguments(),
                                                      layout::row_wise, options)
                  .ok());
  EXPECT_EQ(last, 100u);
  EXPECT_EQ(calls, 4u);
}

} // namespace colonnade::bulk::testing
