//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chunk_plan.hpp: how many instances are on the device at a time, and where in its memory.
//
// The scheduler cuts the instances into chunks; a slot is the device memory of one chunk.
// Copy-in, compute and copy-out of three successive chunks overlap, so up to three slots
// are in use.
//
// In: a function, its arguments over host memory, a budget in bytes. Out: the instances
// of a chunk, the number of slots, and the offset of every array in a slot.
// Invariant: uniform arrays and all slots together stay within the budget; a budget that
// does not hold one instance is out_of_memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/arguments.hpp>
#include <colonnade/bulk/device.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace colonnade::runtime {

/// What happens to one array of the function.
struct array_plan {
  uint64_t cells = 0; // per instance
  size_t cell_bytes = 0;
  bool present = false;    // an instance array with cells
  bool transposed = false; // copied as it is on the host, then transposed on the device
  bool copy_in = false;
  bool copy_out = false;
  bool zero_fill = false; // starts as zeros instead of the host's contents
  // In a slot: the host's layout, and the kernel's. Equal if the array is not transposed.
  uint64_t staging_offset = 0, laid_offset = 0;
};

struct chunk_plan {
  layout device_layout = layout::tiled;
  uint64_t tile = 1;  // instances of a tile of device_layout
  uint64_t chunk = 0; // instances
  unsigned slots = 0; // 1 to 3
  uint64_t slot_bytes = 0;
  uint64_t uniform_bytes = 0;
  std::vector<uint64_t> uniform_offsets; // per array
  std::vector<array_plan> arrays;        // per array
};

struct plan_options {
  uint64_t budget_bytes = 0;
  layout host_layout = layout::row_wise;
  layout device_layout = layout::tiled; // for row-wise host memory
  const bool *no_input = nullptr;       // per array; null: all have input
  uint64_t max_chunk = 0;               // instances; 0: as many as useful
  uint64_t full_load = 1;               // instances that keep a device busy
  unsigned devices = 1;                 // that share the instances
};

namespace detail {

constexpr uint64_t device_alignment = 256;
constexpr unsigned max_slots = 3;
/// Three stages over c chunks take about (c + 2) / c times as long as the longest stage
/// alone, so 64 chunks are enough. Chunks below 16 MiB only cost more launches, and those
/// beyond 32 MiB are no faster.
constexpr uint64_t wanted_chunks = 64;
// Where chunks grow to keep a device busy: of all devices, and of each.
constexpr uint64_t fewest_chunks = 32, fewest_chunks_each = 16;
constexpr uint64_t min_chunk_bytes = uint64_t{16} << 20;
constexpr uint64_t max_chunk_bytes = uint64_t{32} << 20;

constexpr uint64_t align_up(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

inline array_plan plan_array(const array_info &info, uint64_t cells, const plan_options &options,
                             layout device_layout, bool no_input) {
  array_plan a;
  a.cells = cells;
  a.cell_bytes = size_bytes(info.cell);
  a.present = !info.uniform && cells > 0;
  a.transposed = device_layout != options.host_layout && cells > 1;
  a.zero_fill = no_input;
  // What a function may leave unwritten must keep the host's contents.
  a.copy_in = !no_input && !(info.dir == direction::out && info.fully_written);
  a.copy_out = info.dir != direction::in;
  return a;
}

/// instances * cells * bytes, aligned. If that overflows or exceeds any memory: 2^56, of
/// which a function's arrays can be added up without overflow.
inline uint64_t buffer_bytes(uint64_t instances, const array_plan &a) {
  constexpr uint64_t far = uint64_t{1} << 56; // 255 of them fit in 64 bits
  uint64_t bytes = instances;
  if (__builtin_mul_overflow(bytes, a.cells, &bytes) ||
      __builtin_mul_overflow(bytes, uint64_t{a.cell_bytes}, &bytes) || bytes > far)
    return far;
  return align_up(bytes, device_alignment);
}

/// Bytes of one slot of `chunk` instances; sets the arrays' offsets.
inline uint64_t lay_out_slot(chunk_plan &plan, uint64_t chunk) {
  uint64_t next = 0;
  for (array_plan &a : plan.arrays) {
    if (!a.present)
      continue;
    a.laid_offset = next;
    next += buffer_bytes(align_up(chunk, plan.tile), a);
    a.staging_offset = a.laid_offset;
    if (!a.transposed)
      continue;
    a.staging_offset = next;
    next += buffer_bytes(chunk, a);
  }
  next += device_alignment; // the slot's device_status
  return next;
}

/// Down to a multiple of 128 or, below that, of 32.
inline uint64_t round_chunk(uint64_t chunk) {
  for (uint64_t unit : {uint64_t{128}, uint64_t{32}})
    if (chunk >= unit)
      return chunk / unit * unit;
  return chunk;
}

/// The largest chunk <= limit whose slots fit; 0 if not even one instance does.
inline uint64_t largest_chunk(chunk_plan &plan, unsigned slots, uint64_t budget, uint64_t limit) {
  uint64_t low = 0, high = limit;
  while (low < high) {
    const uint64_t middle = low + (high - low + 1) / 2;
    if (lay_out_slot(plan, middle) <= budget / slots)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// The instances of a chunk if memory were no limit. A kernel over fewer instances than
/// keep the device busy (full_load) takes as long as one over that many. So where instances
/// are long, chunks have more bytes than wanted, but stay enough for copies to overlap.
inline uint64_t useful_chunk(const chunk_plan &plan, uint64_t count, const plan_options &options) {
  uint64_t bytes = 1;
  for (const array_plan &a : plan.arrays)
    bytes += a.present ? a.cells * a.cell_bytes : 0;
  const uint64_t even = (count + wanted_chunks - 1) / wanted_chunks;
  const uint64_t wanted =
      std::clamp(even, min_chunk_bytes / bytes + 1, max_chunk_bytes / bytes + 1);
  const uint64_t fewest = std::max(fewest_chunks, fewest_chunks_each * options.devices),
                 busy = std::min(options.full_load, count / fewest);
  const uint64_t chunk = align_up(std::max(wanted, busy), 128);
  return std::min({chunk, count, options.max_chunk ? options.max_chunk : count});
}

inline void plan_uniform(const function_info &f, const raw_arguments &arguments, chunk_plan &plan) {
  for (uint32_t a = 0; a < f.num_arrays; ++a) {
    plan.uniform_offsets.push_back(plan.uniform_bytes);
    if (f.arrays[a].uniform)
      plan.uniform_bytes +=
          align_up(arguments.cells[a] * size_bytes(f.arrays[a].cell), device_alignment);
  }
}

inline status too_small(const chunk_plan &plan, uint64_t budget, uint64_t one) {
  return status::failure(status_code::out_of_memory,
                         "device memory of " + std::to_string(budget) +
                             " bytes does not hold one instance: needs " +
                             std::to_string(plan.uniform_bytes + one) + " bytes");
}

inline status plan_for_layout(const function_info &f, const raw_arguments &arguments, uint64_t tile,
                              layout device_layout, const plan_options &options, chunk_plan &plan) {
  plan = {};
  plan.device_layout = device_layout;
  plan.tile = plan.device_layout == layout::tiled ? tile : 1;
  for (uint32_t a = 0; a < f.num_arrays; ++a)
    plan.arrays.push_back(plan_array(f.arrays[a], arguments.cells[a], options, plan.device_layout,
                                     options.no_input && options.no_input[a]));
  plan_uniform(f, arguments, plan);
  const uint64_t budget = options.budget_bytes;
  const uint64_t one = lay_out_slot(plan, 1);
  if (budget < plan.uniform_bytes || budget - plan.uniform_bytes < one)
    return too_small(plan, budget, one);
  const uint64_t left = budget - plan.uniform_bytes;
  const uint64_t useful = useful_chunk(plan, arguments.count, options);
  const uint64_t chunks = (arguments.count + useful - 1) / useful;
  plan.slots = static_cast<unsigned>(std::min<uint64_t>(max_slots, chunks));
  while (plan.slots > 1 && largest_chunk(plan, plan.slots, left, useful) == 0)
    --plan.slots;
  plan.chunk = largest_chunk(plan, plan.slots, left, useful);
  if (plan.chunk < arguments.count)
    plan.chunk = round_chunk(plan.chunk);
  plan.slot_bytes = lay_out_slot(plan, plan.chunk);
  return status::success();
}
} // namespace detail

/// Plans arguments that check_arguments has accepted, count > 0. `tile`: instances of a tile
/// of the tiled layout. The tiled layout needs memory for a whole tile, however few the
/// instances: if that is too much, the column-wise layout is planned instead.
inline status make_chunk_plan(const function_info &f, const raw_arguments &arguments, uint64_t tile,
                              const plan_options &options, chunk_plan &plan) {
  const layout l =
      options.host_layout == layout::column_wise ? layout::column_wise : options.device_layout;
  const status s = detail::plan_for_layout(f, arguments, tile, l, options, plan);
  if (s.code != status_code::out_of_memory || l != layout::tiled)
    return s;
  return detail::plan_for_layout(f, arguments, tile, layout::column_wise, options, plan);
}

} // namespace colonnade::runtime
