//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// worker_threads.hpp: one piece of work on several threads of the host.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace colonnade::runtime::detail {

/// As many as are asked for; for 0 one for each core.
inline unsigned number_of_threads(unsigned asked) {
  return asked ? asked : std::max(1u, std::thread::hardware_concurrency());
}

/// work() on this thread and on others, `num_threads` in all, or as many as there are
/// tasks; returns when all have. Work takes its tasks itself until none is left, so
/// fewer threads than wanted will do.
template <class Work> void run_on_threads(unsigned num_threads, uint64_t tasks, const Work &work) {
  std::vector<std::thread> others;
  try {
    for (uint64_t t = 1; t < std::min<uint64_t>(num_threads, tasks); ++t)
      others.emplace_back([&work] { work(); });
  } catch (const std::system_error &) {
    // No more threads to be had: those there are do the work.
  }
  work();
  for (std::thread &t : others)
    t.join();
}

} // namespace colonnade::runtime::detail
