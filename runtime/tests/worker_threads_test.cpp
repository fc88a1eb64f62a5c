//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads of the host: all tasks are done, by as many threads as were allowed. Compiled with and
// without OpenMP.
//
//===----------------------------------------------------------------------===//
#include <colonnade/bulk/worker_threads.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace {

using colonnade::runtime::detail::run_on_threads;

/// Calls of work, with `tasks` tasks of so many microseconds each.
unsigned calls(unsigned threads, uint64_t tasks, int microseconds) {
  std::vector<std::atomic<int>> done(tasks);
  std::atomic<uint64_t> next{0};
  std::atomic<unsigned> calls{0};
  run_on_threads(threads, tasks, [&] {
    ++calls;
    for (uint64_t t; (t = next++) < tasks; ++done[t])
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  });
  for (uint64_t t = 0; t < tasks; ++t)
    EXPECT_EQ(done[t], 1) << t << " of " << tasks << ", " << threads << " threads";
  return calls;
}

TEST(WorkerThreads, AllTasksAreDoneByAtMostSoMany) {
  for (unsigned threads : {1, 2, 3, 4, 7, 16})
    for (uint64_t tasks : {0, 1, 2, 5, 100})
      EXPECT_LE(calls(threads, tasks, 0),
                std::max<uint64_t>(1, std::min<uint64_t>(threads, tasks)));
}

#ifdef _OPENMP
TEST(WorkerThreads, NestedRegionsHaveOneThreadEach) {
  std::atomic<unsigned> in_all{0};
  // clang-format off
#pragma omp parallel num_threads(3)
  in_all += calls(4, 20, 0);
  // clang-format on
  EXPECT_EQ(in_all, 3u);
}
#endif

TEST(WorkerThreads, LongJobsHaveThemAll) {
  for (unsigned threads : {1, 2, 3, 6, 13})
    EXPECT_EQ(calls(threads, 50 * threads, 2000), threads);
}

} // namespace
