//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/speed.hpp: measures the sequential function, beside the run and beside the vector lanes.
//
// In: the arrays of a run that is over, and the time it took. Out: how many times as fast as the
// sequential function on one core (1) the run was, and (2) the lanes are on one core. (1) compares
// whole jobs: memory is mapped before both, the run's transposes and the start of
// its threads count, and every instance is met once; the sequential function runs over rows, over
// as many of the instances as take the time of the run, or 50 ms if that is more. (2) compares what
// the code can do: both run over the same first instances, which stay in cache, and take turns; the
// lanes' transposes count; the fastest run of each does. It takes about 50 ms, or a twentieth of
// the run if that is more. If that is too short for enough instances, one is timed for the
// sequential function, and the whole run for the lanes.
// Invariant: the run's results are not touched.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/run.hpp>
#include <colonnade/bulk/runner/arrays.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

namespace colonnade::runtime::runner {

class speed_probe {
public:
  speed_probe(const function_info &f, const array_set &set, const scalar_bits *scalars,
              const cpu_launch_options &options)
      : function_(f), set_(set), scalars_(scalars), options_(options) {
    options_.num_threads = 1;
  }

  /// Of a run of so many seconds. False if nothing was measured: the original is not linked in,
  /// there are no instances, or memory is short.
  bool measure_job(double seconds) {
    if (!can_measure() || seconds <= 0 || !prepare(1, false))
      return false;
    run_sequential(); // its code
    const double each = std::max(1e-9, run_sequential());
    const double affordable = std::max(0.05, seconds) / each;
    uint64_t sample = set_.count;
    if (affordable < static_cast<double>(sample))
      sample = std::max<uint64_t>(1, static_cast<uint64_t>(affordable));
    if (!prepare(sample, false))
      return false;
    const double share = static_cast<double>(sample) / static_cast<double>(set_.count);
    job_speedup_ = run_sequential() / share / seconds;
    return true;
  }
  double job_speedup() const { return job_speedup_; }
  /// Instances that the last measurement ran.
  uint64_t sample() const { return sample_; }

  /// core_seconds: seconds of the whole run times its threads. False as above.
  bool measure_lanes(double core_seconds) {
    if (!can_measure() || core_seconds <= 0)
      return false;
    budget_ = std::max(0.05, core_seconds / 20);
    const double lanes_each = core_seconds / static_cast<double>(set_.count);
    if (!prepare(1, true))
      return false;
    run_sequential(); // pages and caches
    const double sequential_each = run_sequential();
    const double affordable = budget_ / (4 * (lanes_each + sequential_each));
    uint64_t sample = std::min(set_.count, max_sample());
    if (affordable < static_cast<double>(sample))
      sample = static_cast<uint64_t>(affordable);
    if (sample < std::min(set_.count, function_.cpu_tile)) {
      sequential_ = sequential_each;
      lanes_ = lanes_each;
      return true;
    }
    return prepare(sample, true) && take_turns();
  }

  /// How many times as fast as the sequential function the lanes are; below 1 they are slower.
  double lanes_speedup() const { return sequential_ / lanes_; }

private:
  using clock = std::chrono::steady_clock;
  static double seconds_since(clock::time_point begin) {
    return std::chrono::duration<double>(clock::now() - begin).count();
  }

  bool can_measure() const { return function_.sequential && set_.count > 0; }
  bool is_instance(uint32_t a) const { return !function_.arrays[a].uniform; }
  size_t cell_bytes(uint32_t a) const { return size_bytes(function_.arrays[a].cell); }
  uint64_t instance_bytes(uint32_t a) const { return set_.cells[a] * cell_bytes(a); }

  /// Instances whose cells stay in cache (1 MiB): in a loop over all instances the hardware would
  /// prefetch them.
  uint64_t max_sample() const {
    uint64_t bytes = 1;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      bytes += is_instance(a) ? instance_bytes(a) : 0;
    return std::max<uint64_t>(2 * function_.cpu_tile, (uint64_t{1} << 20) / bytes);
  }

  /// The first `sample` instances, in rows, and in the layout of the host for the lanes.
  bool prepare(uint64_t sample, bool for_lanes) {
    sample_ = sample;
    rows_.clear();
    laid_.clear();
    rows_.resize(function_.num_arrays);
    laid_.resize(function_.num_arrays);
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      const uint64_t bytes = sample * instance_bytes(a);
      if (is_instance(a) && (!detail::allocate(bytes, rows_[a]).ok() ||
                             (for_lanes && !detail::allocate(bytes, laid_[a]).ok())))
        return false;
      fill(a);
    }
    return true;
  }

  /// Array a's inputs of the sample. What is only written is not filled.
  void fill(uint32_t a) {
    if (!is_instance(a) || function_.arrays[a].dir == direction::out)
      return;
    fill_rows(a, static_cast<char *>(rows_[a].get()));
    if (laid_[a])
      fill_laid(a, static_cast<char *>(laid_[a].get()));
  }
  void fill_rows(uint32_t a, char *rows) const {
    const char *input = static_cast<const char *>(set_.arrays[a].input);
    const uint64_t cells = set_.cells[a], size = cell_bytes(a);
    if (!input || set_.host_layout != layout::column_wise)
      return copy_or_clear(rows, input, sample_ * cells * size);
    for (uint64_t i = 0; i < cells; ++i)
      for (uint64_t j = 0; j < sample_; ++j)
        std::memcpy(rows + (j * cells + i) * size, input + (i * set_.count + j) * size, size);
  }
  void fill_laid(uint32_t a, char *laid) const {
    const char *input = static_cast<const char *>(set_.arrays[a].input);
    const uint64_t cells = set_.cells[a], size = cell_bytes(a);
    if (!input || set_.host_layout != layout::column_wise)
      return copy_or_clear(laid, input, sample_ * cells * size);
    for (uint64_t i = 0; i < cells; ++i)
      std::memcpy(laid + i * sample_ * size, input + i * set_.count * size, sample_ * size);
  }
  static void copy_or_clear(char *to, const char *from, uint64_t bytes) {
    if (from)
      std::memcpy(to, from, bytes);
    else
      std::memset(to, 0, bytes);
  }

  void restore() {
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (function_.arrays[a].dir == direction::inout)
        fill(a);
  }

  double run_sequential() {
    std::vector<void *> pointers(function_.num_arrays + 1);
    const clock::time_point begin = clock::now();
    for (uint64_t j = 0; j < sample_; ++j) {
      for (uint32_t a = 0; a < function_.num_arrays; ++a)
        pointers[a] = is_instance(a) ? static_cast<char *>(rows_[a].get()) + j * instance_bytes(a)
                                     : const_cast<void *>(set_.arrays[a].input);
      function_.sequential(pointers.data(), scalars_);
    }
    return seconds_since(begin);
  }

  double run_lanes(bool &ok) {
    std::vector<void *> pointers(function_.num_arrays + 1);
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      pointers[a] = is_instance(a) ? laid_[a].get() : const_cast<void *>(set_.arrays[a].input);
    const raw_arguments arguments{pointers.data(), scalars_, set_.cells.data(), sample_};
    run_options wanted;
    wanted.cpu = options_;
    const clock::time_point begin = clock::now();
    ok = runtime::detail::run_on_cpu(function_, arguments, set_.host_layout, wanted).ok();
    return seconds_since(begin);
  }

  bool take_turns() {
    sequential_ = lanes_ = std::numeric_limits<double>::infinity();
    const clock::time_point begin = clock::now();
    bool ok = true;
    for (int turn = 0; ok && (turn < 3 || seconds_since(begin) < budget_) && turn < 200; ++turn) {
      restore();
      sequential_ = std::min(sequential_, run_sequential());
      lanes_ = std::min(lanes_, run_lanes(ok));
    }
    return ok && lanes_ > 0;
  }

  const function_info &function_;
  const array_set &set_;
  const scalar_bits *scalars_;
  cpu_launch_options options_;
  uint64_t sample_ = 0;
  double budget_ = 0, sequential_ = 0, lanes_ = 0, job_speedup_ = 0;
  std::vector<buffer> rows_, laid_;
};

} // namespace colonnade::runtime::runner
