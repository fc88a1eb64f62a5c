//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// worker_threads.hpp: runs the same function on several threads of the host.
//
// Compiled with OpenMP they are those of its pool, which stay for the next call; within a parallel
// region of the caller's there is one, unless the caller allows nested regions. Else each thread
// starts two others before it takes tasks itself, unless all tasks are taken by then: a long job
// soon has all its threads, a short one ends with few.
//
// In: a function that takes its tasks from a shared counter itself. Out: nothing; all
// threads have ended. Invariant: it runs on the calling thread at least, so all tasks are
// done even if no thread could be started.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>

namespace colonnade::runtime::detail {

// Object files with and without OpenMP may meet in a programme: what depends on it has another
// name.
#ifdef _OPENMP
#define COLONNADE_THREADS_NAMESPACE pooled_threads
#else
#define COLONNADE_THREADS_NAMESPACE own_threads
#endif
inline namespace COLONNADE_THREADS_NAMESPACE {

/// `asked`, or one for each core if that is 0.
inline unsigned number_of_threads(unsigned asked) {
  return asked ? asked : std::max(1u, std::thread::hardware_concurrency());
}

#ifdef _OPENMP

/// Calls work() on this thread and on others of OpenMP's pool, on at most min(num_threads, tasks)
/// threads in all, and returns when all calls have. work returns when no task is left, must be safe
/// to call from several threads at once, and throws nothing.
template <class Work> void run_on_threads(unsigned num_threads, uint64_t tasks, const Work &work) {
  const int threads =
      static_cast<int>(std::max<uint64_t>(1, std::min<uint64_t>(num_threads, tasks)));
#pragma omp parallel num_threads(threads)
  work();
}

#else

/// Calls of one function on several threads.
template <class Work> class crew {
public:
  /// others: threads that may be started.
  crew(uint64_t others, const Work &work) : others_(static_cast<int64_t>(others)), work_(work) {}

  /// Returns when this call of work, and those of the threads that it started, have ended.
  void take_part() {
    std::thread first, second;
    start(first);
    start(second);
    work_();
    done_ = true;
    for (std::thread *t : {&first, &second})
      if (t->joinable())
        t->join();
  }

private:
  void start(std::thread &t) {
    if (done_ || others_.fetch_sub(1) <= 0)
      return;
    try {
      t = std::thread([this] { take_part(); });
    } catch (const std::system_error &) {
      // The system has no more threads: those that run do all tasks.
    }
  }

  std::atomic<int64_t> others_;
  std::atomic<bool> done_{false};
  const Work &work_;
};

/// Calls work() on this thread and on others, on at most min(num_threads, tasks) threads in all,
/// and returns when all calls have. work returns when no task is left, and must be safe to call
/// from several threads at once.
template <class Work> void run_on_threads(unsigned num_threads, uint64_t tasks, const Work &work) {
  const uint64_t threads = std::min<uint64_t>(num_threads, tasks);
  crew<Work>(threads ? threads - 1 : 0, work).take_part();
}

#endif
} // namespace COLONNADE_THREADS_NAMESPACE

} // namespace colonnade::runtime::detail
