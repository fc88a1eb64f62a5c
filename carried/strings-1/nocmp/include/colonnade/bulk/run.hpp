//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// run.hpp: runs a function over any count of instances in ordinary host memory, on the
// GPU if there is one, else on the CPU.
//
// In: a function's description, and host arrays, all row-wise or all column-wise. It
// checks the arguments, picks the target, cuts into chunks, transposes, copies and runs.
// Out: a status; nothing is thrown. Invariant: on failure the arrays that the function
// writes hold unspecified values, and nothing else has changed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/run_cpu.hpp>
#include <colonnade/bulk/scheduler.hpp>

#include <memory>
#include <new>
#include <optional>
#include <string>

namespace colonnade::runtime {

enum class target : uint8_t {
  automatic, // the GPU if there is a back end and a device, else the CPU
  cpu,
  cuda,
};

/// What a run did.
struct run_report {
  target used = target::automatic;
  std::string device;
  uint64_t chunk_instances = 0;
  uint64_t num_chunks = 0;
  unsigned slots = 0;                   // of each device
  layout device_layout = layout::tiled; // of row-wise host arrays, on a GPU
  unsigned devices = 1;
};

/// How to run; the defaults are right for most calls.
struct run_options {
  target where = target::automatic;
  uint64_t device_memory_bytes = 0; // of each device; 0: nine tenths of what is free
  /// GPUs that share the instances: the current one, and those behind it; 0: all there are. Results
  /// have the same bits for any number.
  unsigned devices = 1;
  /// Of row-wise host arrays, on the GPU; none: the one that is expected to be the fastest.
  std::optional<layout> device_layout = std::nullopt;
  uint64_t max_chunk_instances = 0; // 0: as many as useful
  cpu_launch_options cpu = {};
  /// Per array: starts as zeros, the host's contents are not read. Null: none.
  const bool *no_input = nullptr;
  /// The host's arrays without input are zeros already.
  bool are_zeros = false;
  progress_callback on_progress = {}; // from one thread at a time
  run_report *report = nullptr;       // null: not wanted
};

namespace detail {

inline layout device_layout_for(const function_info &f, const raw_arguments &arguments,
                                layout host_layout, const run_options &options) {
  if (options.device_layout)
    return *options.device_layout;
  return host_layout == layout::row_wise && f.device_layout ? f.device_layout(arguments.scalars)
                                                            : layout::tiled;
}

/// "NVIDIA H200", "2 x NVIDIA H200"; of different ones each.
inline std::string names_of(const device_list &devices) {
  std::string first = devices[0]->name(), all = first;
  bool same = true;
  for (size_t i = 1; i < devices.size(); ++i) {
    same = same && first == devices[i]->name();
    all += std::string(", ") + devices[i]->name();
  }
  return !same ? all : devices.size() == 1 ? first : std::to_string(devices.size()) + " x " + first;
}

inline status run_on_devices(const device_list &devices, const function_info &f,
                             const raw_arguments &arguments, layout host_layout,
                             const run_options &options) {
  plan_options wanted;
  uint64_t free = devices[0]->free_bytes();
  for (device *d : devices) {
    free = std::min(free, d->free_bytes());
    wanted.full_load = std::max(wanted.full_load, d->full_load());
  }
  wanted.budget_bytes =
      options.device_memory_bytes ? std::min(options.device_memory_bytes, free) : free - free / 10;
  wanted.host_layout = host_layout;
  wanted.device_layout = device_layout_for(f, arguments, host_layout, options);
  wanted.no_input = options.no_input;
  wanted.max_chunk = options.max_chunk_instances;
  wanted.devices = static_cast<unsigned>(devices.size());
  chunk_plan plan;
  if (status s = make_chunk_plan(f, arguments, devices[0]->tile(f), wanted, plan); !s)
    return s;
  if (options.report)
    *options.report = {target::cuda,  names_of(devices),
                       plan.chunk,    (arguments.count + plan.chunk - 1) / plan.chunk,
                       plan.slots,    wanted.device_layout,
                       wanted.devices};
  return run_chunks(devices, f, arguments, host_layout, plan, options.on_progress);
}

/// As many as are wanted, or as there are: the current one first. None: its status.
inline status open_devices(const function_info &f, unsigned wanted,
                           std::vector<std::unique_ptr<device>> &devices) {
  for (unsigned k = 0; wanted == 0 || k < wanted; ++k) {
    status opened = status::success();
    std::unique_ptr<device> d(k == 0 ? f.open_device(opened) : devices[0]->open_behind(opened, k));
    if (d && opened) {
      devices.push_back(std::move(d));
      continue;
    }
    if (k > 0 && wanted == 0 && opened.code == status_code::invalid_argument)
      break;
    if (k > 0)
      opened.message = std::to_string(wanted) + " devices are wanted: " + opened.message;
    return opened;
  }
  return status::success();
}

inline status run_on_cpu(const function_info &f, const raw_arguments &arguments, layout host_layout,
                         const run_options &options) {
  if (!f.run_cpu)
    return status::failure(status_code::no_backend,
                           std::string(f.name) + " has no CPU back end: emit it with --target cpu");
  if (!options.are_zeros)
    clear_arrays(f, arguments, options.no_input);
  std::string how;
  status s = run_lanes_or_serial(f, arguments, host_layout, options.cpu, options.on_progress, how);
  if (options.report)
    *options.report = {target::cpu, how.empty() ? "CPU" : "CPU (" + how + ")", arguments.count, 1,
                       1};
  return s;
}

inline status run_checked(const function_info &f, const raw_arguments &arguments,
                          layout host_layout, const run_options &options) {
  if (options.where == target::cpu)
    return run_on_cpu(f, arguments, host_layout, options);
  status opened =
      status::failure(status_code::no_backend,
                      std::string(f.name) + " has no CUDA back end: emit it with --target cuda");
  if (f.open_device && f.run_cuda) {
    std::vector<std::unique_ptr<device>> owned;
    opened = open_devices(f, options.devices, owned);
    device_list devices;
    for (const std::unique_ptr<device> &d : owned)
      devices.push_back(d.get());
    if (opened)
      return run_on_devices(devices, f, arguments, host_layout, options);
  }
  if (options.where == target::automatic &&
      (opened.code == status_code::no_device || opened.code == status_code::no_backend))
    return run_on_cpu(f, arguments, host_layout, options);
  return opened;
}

} // namespace detail

/// Runs `arguments.count` instances over host memory, row_wise (shape p, n) or column_wise (n, p).
/// Arrays that share bytes are an error if the function writes one of them. Returns when the
/// results are in the arrays.
inline status run_host(const function_info &f, const raw_arguments &arguments, layout host_layout,
                       const run_options &options = {}) {
  if (host_layout == layout::tiled)
    return detail::invalid("host arrays are row-wise or column-wise");
  if (status s = check_arguments(f, arguments); !s)
    return s;
  if (arguments.count == 0)
    return status::success();
  try {
    return detail::run_checked(f, arguments, host_layout, options);
  } catch (const std::bad_alloc &) {
    return status::failure(status_code::out_of_memory, "not enough host memory");
  }
}

/// The same over row-wise memory, which is what users have.
inline status run_rows(const function_info &f, const raw_arguments &arguments,
                       const run_options &options = {}) {
  return run_host(f, arguments, layout::row_wise, options);
}

} // namespace colonnade::runtime
