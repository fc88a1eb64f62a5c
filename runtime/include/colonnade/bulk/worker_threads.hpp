//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// worker_threads.hpp: runs the same function on several threads of the host.
//
// In: a function that takes its tasks from a shared counter itself. Out: nothing; all
// threads have ended. Invariant: it runs on the calling thread at least, so all tasks are
// done even if no thread could be started.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace colonnade::runtime::detail {

/// `asked`, or one for each core if that is 0.
inline unsigned number_of_threads(unsigned asked) {
  return asked ? asked : std::max(1u, std::thread::hardware_concurrency());
}

/// Calls work() on this thread and on others, on min(num_threads, tasks) threads in all, and
/// returns when all calls have. work must be safe to call from several threads at once.
template <class Work> void run_on_threads(unsigned num_threads, uint64_t tasks, const Work &work) {
  std::vector<std::thread> others;
  try {
    for (uint64_t t = 1; t < std::min<uint64_t>(num_threads, tasks); ++t)
      others.emplace_back([&work] { work(); });
  } catch (const std::system_error &) {
    // The system has no more threads: those that run do all tasks.
  }
  work();
  for (std::thread &t : others)
    t.join();
}

} // namespace colonnade::runtime::detail
