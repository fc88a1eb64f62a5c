//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// run_cpu.hpp: runs a function over row-wise host memory through the CPU back end.
//
// In: checked arguments over row-wise host arrays. Out: the results in them, or the
// failure of the lowest instance among those that were run. Each worker thread takes a
// group of tiles that fits in its second-level cache, transposes it into scratch memory,
// runs the kernel there and transposes the results back.
// Invariant: the caller's arrays need no padding, and no instance is run by two workers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/arguments.hpp>
#include <colonnade/bulk/host_memory.hpp>
#include <colonnade/bulk/transpose.hpp>
#include <colonnade/bulk/worker_threads.hpp>

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace colonnade::runtime::detail {

/// One run. Workers take groups from a counter until none is left or one has failed.
class cpu_row_runner {
public:
  cpu_row_runner(const function_info &f, const raw_arguments &arguments,
                 const cpu_launch_options &options, const bool *no_input,
                 const std::function<void(uint64_t, uint64_t)> &progress)
      : function_(f), arguments_(arguments), options_(options), no_input_(no_input),
        progress_(progress), group_(group_size()) {
    options_.num_threads = 1; // the workers are the threads
  }

  status run(unsigned num_threads) {
    const uint64_t groups = (arguments_.count + group_ - 1) / group_;
    run_on_threads(number_of_threads(num_threads), groups, [this] { work(); });
    return result_;
  }

private:
  static constexpr uint64_t scratch_bytes = 256 << 10;

  bool is_instance(uint32_t a) const {
    return !function_.arrays[a].uniform && arguments_.cells[a] > 0;
  }
  uint64_t bytes_of(uint32_t a, uint64_t count) const {
    return storage_cells(layout::tiled, function_.cpu_tile, count, arguments_.cells[a]) *
           size_bytes(function_.arrays[a].cell);
  }

  uint64_t group_size() const {
    uint64_t tile_bytes = 1;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (is_instance(a))
        tile_bytes += bytes_of(a, 1);
    return std::max<uint64_t>(1, scratch_bytes / tile_bytes) * function_.cpu_tile;
  }

  void work() {
    std::vector<host_memory<>> scratch(function_.num_arrays);
    std::vector<void *> arrays(function_.num_arrays);
    if (!allocate(scratch, arrays))
      return report(status::failure(status_code::out_of_memory, "not enough memory for a tile"));
    for (;;) {
      const uint64_t first = next_.fetch_add(group_);
      if (first >= arguments_.count || failed_)
        return;
      const uint64_t count = std::min(group_, arguments_.count - first);
      if (status s = run_group(arrays, first, count); !s)
        report(std::move(s));
      finished(count);
    }
  }

  bool allocate(std::vector<host_memory<>> &scratch, std::vector<void *> &arrays) const {
    const uint64_t count = std::min(group_, arguments_.count);
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      arrays[a] = arguments_.arrays[a];
      if (!is_instance(a))
        continue;
      scratch[a] = aligned_memory(bytes_of(a, count));
      arrays[a] = scratch[a].get();
      if (!arrays[a])
        return false;
    }
    return true;
  }

  void *host(uint32_t a, uint64_t first) const {
    return static_cast<char *>(arguments_.arrays[a]) +
           first * arguments_.cells[a] * size_bytes(function_.arrays[a].cell);
  }

  status run_group(const std::vector<void *> &arrays, uint64_t first, uint64_t count) {
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      if (!is_instance(a))
        continue;
      if (no_input_ && no_input_[a])
        std::memset(arrays[a], 0, bytes_of(a, count));
      else
        rows_to_layout(layout::tiled, function_.cpu_tile, host(a, first), arrays[a], count,
                       arguments_.cells[a], size_bytes(function_.arrays[a].cell));
    }
    const raw_arguments group{arrays.data(), arguments_.scalars, arguments_.cells, count};
    cpu_launch_options options = options_;
    options.first_instance = first;
    if (status s = function_.run_cpu(group, layout::tiled, options); !s)
      return s;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (is_instance(a) && function_.arrays[a].dir != direction::in)
        layout_to_rows(layout::tiled, function_.cpu_tile, arrays[a], host(a, first), count,
                       arguments_.cells[a], size_bytes(function_.arrays[a].cell));
    return status::success();
  }

  // Of several failures that of the lowest instance is kept.
  void report(status s) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (result_.ok() || s.instance < result_.instance)
      result_ = std::move(s);
    failed_ = true;
  }
  void finished(uint64_t count) {
    if (!progress_)
      return;
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ += count;
    progress_(done_, arguments_.count);
  }

  const function_info &function_;
  const raw_arguments &arguments_;
  cpu_launch_options options_;
  const bool *no_input_;
  const std::function<void(uint64_t, uint64_t)> &progress_;
  const uint64_t group_;
  std::atomic<uint64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  status result_;
  uint64_t done_ = 0;
};

} // namespace colonnade::runtime::detail
