//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// run_cpu.hpp: runs a function over host memory through the CPU back end.
//
// In: checked arguments over row-wise or column-wise host arrays. Out: the results in them,
// or the failure of the lowest instance, and how the instances ran. Invariant: the caller's
// arrays need no padding.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/arguments.hpp>

#include <cstring>
#include <functional>
#include <mutex>
#include <string>

namespace colonnade::runtime::detail {

/// Adds up what threads have done.
class done_counter {
public:
  done_counter(uint64_t count, const std::function<void(uint64_t, uint64_t)> &progress)
      : count_(count), progress_(progress) {}
  static void add(void *counter, uint64_t instances) {
    static_cast<done_counter *>(counter)->add(instances);
  }

private:
  void add(uint64_t instances) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ += instances;
    progress_(done_, count_);
  }

  std::mutex mutex_;
  uint64_t done_ = 0;
  const uint64_t count_;
  const std::function<void(uint64_t, uint64_t)> &progress_;
};

/// Arrays that start as zeros; what a function writes in full starts as it likes.
inline void clear_arrays(const function_info &f, const raw_arguments &arguments,
                         const bool *no_input) {
  for (uint32_t a = 0; no_input && a < f.num_arrays; ++a)
    if (no_input[a] && !(f.arrays[a].dir == direction::out && f.arrays[a].fully_written))
      std::memset(arguments.arrays[a], 0,
                  arguments.cells[a] * (f.arrays[a].uniform ? 1 : arguments.count) *
                      size_bytes(f.arrays[a].cell));
}

/// How instances were run: "avx512, an instance in each lane".
inline std::string described(const function_info &f, const char *isa, cpu_plan plan) {
  return std::string(isa) +
         (plan == cpu_plan::serial ? ", one instance after the other"
                                   : ", an instance in each lane") +
         (f.vector_math ? ", vector math" : "");
}

/// how: receives what describes the run, if it came to one.
inline status run_lanes_or_serial(const function_info &f, const raw_arguments &arguments, layout l,
                                  const cpu_launch_options &wanted,
                                  const std::function<void(uint64_t, uint64_t)> &progress,
                                  std::string &how) {
  done_counter counter(arguments.count, progress);
  cpu_launch_options options = wanted;
  const char *isa = nullptr;
  cpu_plan plan = cpu_plan::lanes;
  options.isa_taken = &isa;
  options.plan_taken = &plan;
  if (progress) {
    options.on_done = done_counter::add;
    options.context = &counter;
  }
  status s = f.run_cpu(arguments, l, options);
  if (wanted.isa_taken)
    *wanted.isa_taken = isa;
  if (wanted.plan_taken)
    *wanted.plan_taken = plan;
  if (isa)
    how = described(f, isa, plan);
  return s;
}

} // namespace colonnade::runtime::detail
