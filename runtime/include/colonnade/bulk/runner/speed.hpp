//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/speed.hpp: measures the vector lanes against the sequential function, each on
// one core.
//
// In: the arrays of a run that is over, and the time it took. Out: how many times as fast
// as the sequential function the lanes are. Both run over the same first instances: the
// sequential function over rows, the lanes over the layout of host memory, transposes
// included. They take turns, and the fastest run of each counts. The measurement takes
// about 50 ms, or a twentieth of the run if that is more. If that is too short for enough
// instances, one is timed for the sequential function, and the whole run for the lanes.
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

/// One measurement.
class speed_probe {
public:
  speed_probe(const function_info &f, const array_set &set, const scalar_bits *scalars,
              const cpu_launch_options &options)
      : function_(f), set_(set), scalars_(scalars), options_(options) {
    options_.num_threads = 1;
  }

  /// core_seconds: seconds of the whole run times its threads. False if nothing was measured: the
  /// original is not linked in, there are no instances, or memory is short.
  bool measure(double core_seconds) {
    if (!function_.sequential || set_.count == 0 || core_seconds <= 0)
      return false;
    budget_ = std::max(0.05, core_seconds / 20);
    const double lanes_each = core_seconds / static_cast<double>(set_.count);
    if (!prepare(1))
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
    return prepare(sample) && take_turns();
  }

  /// How many times as fast as the sequential function the lanes are; below 1 they are slower.
  double speedup() const { return sequential_ / lanes_; }

private:
  using clock = std::chrono::steady_clock;
  static double seconds_since(clock::time_point begin) {
    return std::chrono::duration<double>(clock::now() - begin).count();
  }

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

  bool prepare(uint64_t sample) {
    sample_ = sample;
    rows_.resize(function_.num_arrays);
    laid_.resize(function_.num_arrays);
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (is_instance(a))
        if (!detail::allocate(sample * instance_bytes(a), rows_[a]).ok() ||
            !detail::allocate(sample * instance_bytes(a), laid_[a]).ok())
          return false;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      fill(a);
    return true;
  }

  /// Copies array a's inputs of the sample, into rows and into the layout of the host.
  void fill(uint32_t a) {
    if (!is_instance(a))
      return;
    const bool columns = set_.host_layout == layout::column_wise;
    const char *input = static_cast<const char *>(set_.arrays[a].input);
    char *rows = static_cast<char *>(rows_[a].get()), *laid = static_cast<char *>(laid_[a].get());
    const uint64_t cells = set_.cells[a], size = cell_bytes(a);
    if (!input) {
      std::memset(rows, 0, sample_ * cells * size);
      std::memset(laid, 0, sample_ * cells * size);
    } else if (!columns) {
      std::memcpy(rows, input, sample_ * cells * size);
      std::memcpy(laid, input, sample_ * cells * size);
    } else {
      for (uint64_t i = 0; i < cells; ++i) {
        std::memcpy(laid + i * sample_ * size, input + i * set_.count * size, sample_ * size);
        for (uint64_t j = 0; j < sample_; ++j)
          std::memcpy(rows + (j * cells + i) * size, input + (i * set_.count + j) * size, size);
      }
    }
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
  double budget_ = 0, sequential_ = 0, lanes_ = 0;
  std::vector<buffer> rows_, laid_;
};

} // namespace colonnade::runtime::runner
