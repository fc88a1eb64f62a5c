//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// function.hpp: the type-erased description of one generated bulk function.
//
// In: generated files, each of which fills in one function_info. Out: what argument
// checks, transposes, chunks, files and the runner programme need to know; they are
// written once, against it. Invariant: arrays and scalars are always in the order of
// function_info, cells are per instance, and a null function pointer means that the
// function was generated without that part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/layout.hpp>
#include <colonnade/bulk/status.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::runtime {

/// The type of an array's cells or of a scalar; named as in the IR.
enum class cell_type : uint8_t { boolean, s8, u8, s16, u16, s32, u32, s64, u64, f32, f64 };
constexpr size_t size_bytes(cell_type type) {
  constexpr size_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<size_t>(type)];
}

enum class direction : uint8_t { in, out, inout };

/// A uniform scalar argument, by its bits zero-extended to 64.
using scalar_bits = uint64_t;

struct array_info {
  const char *name;      // "b", "s.field", "return"
  const char *parameter; // the source parameter it belongs to
  cell_type cell;
  direction dir;
  bool uniform;  // one copy for all instances
  uint32_t rank; // dimensions of an instance
  /// Extent of dimension `dim` for these scalars; negative if they do not determine it. May be
  /// null: no extent is known.
  int64_t (*extent)(uint32_t dim, const scalar_bits *scalars);
  /// Every run of the function writes every cell: then an output is not copied in. False where
  /// that is not shown: cells that are not written keep the caller's contents.
  bool fully_written = false;
  /// Of a leaf of structs: the dimensions of each part of its name within the parameter, one
  /// digit each: "10" for s.parts.x, where parts has one and x none. They come after those of the
  /// parameter itself. Null: not known.
  const char *part_ranks = nullptr;
  /// Cells may be given an indeterminate value: `int f(int *a) { if (a[0]) return 1; }` in C. There
  /// another result than the sequential function's is no error.
  bool may_be_indeterminate = false;
};

struct scalar_info {
  const char *name;
  cell_type type;
  /// The one value that the code was generated for: "32". Null: any.
  const char *fixed_text = nullptr;
  scalar_bits fixed = 0;
};

/// Type-erased arguments of one call.
struct raw_arguments {
  void *const *arrays;        // one pointer per array, in array_info order
  const scalar_bits *scalars; // in scalar_info order
  const uint64_t *cells;      // per instance of each array; of a uniform array all its cells
  uint64_t count;             // instances
};

/// The failure of the lowest instance that failed in a launch: (instance << 16) | site, by atomic
/// minimum. All ones: none; the caller sets it so before the launch.
struct device_status {
  static constexpr uint64_t none = ~uint64_t{0};
  uint64_t first_failure = none;
};

class device; // device.hpp

/// How instances run on the CPU. Results are the same, bit by bit.
enum class cpu_plan : uint8_t {
  fastest, // of row-wise instances the one that takes less time, measured on the first of them
  lanes,   // one in each SIMD lane
  serial,  // one after the other; row-wise instances only, others run in lanes
};

struct cpu_launch_options {
  unsigned num_threads = 0;         // 0: one for each core
  const char *isa = nullptr;        // "avx512", "avx2", "sse2"; null: best supported
  const char **isa_taken = nullptr; // receives the name of the one that ran
  cpu_plan plan = cpu_plan::fastest;
  cpu_plan *plan_taken = nullptr; // receives lanes or serial
  /// After each of the pieces in which instances are run, from any thread; null: not wanted.
  void (*on_done)(void *context, uint64_t instances) = nullptr;
  void *context = nullptr;
  uint64_t first_instance = 0; // the number of the arrays' first instance in messages
};

struct function_info {
  const char *name;
  const array_info *arrays;
  uint32_t num_arrays;
  const scalar_info *scalars;
  uint32_t num_scalars;
  /// Walks over the function's addresses at these sizes: out_of_extent if an access that every
  /// instance makes is outside its array. Work: at most that of one instance; no memory.
  status (*check_extents)(const scalar_bits *scalars, const uint64_t *cells);
  /// Runs over host arrays in layout `l` (tiled: w = cpu_tile). Null: no CPU back end.
  status (*run_cpu)(const raw_arguments &arguments, layout l, const cpu_launch_options &options);
  uint64_t cpu_tile;
  /// Runs over device arrays in layout `l` (tiled: w = 32) on `stream`, a cudaStream_t;
  /// asynchronous. d_status: a device_status on the device, or null. Null: no CUDA back end.
  status (*run_cuda)(const raw_arguments &arguments, layout l, void *stream, void *d_status);
  /// The original sequential function on one instance, whose cells are row-wise; null if its
  /// source is not linked in. For --verify and the comparison of speeds.
  void (*sequential)(void *const *instance_arrays, const scalar_bits *scalars);
  /// The message of `site` of a device_status: "f.cpp:7: index 9 is outside b".
  const char *(*cuda_failure)(uint32_t site) = nullptr;
  /// Opens the current CUDA device, which the caller deletes; null, with a status, if there is
  /// none. Null: no CUDA back end.
  device *(*open_device)(status &result) = nullptr;
  /// The layout on a GPU by which row-wise host arrays are expected to be done first at these
  /// sizes: row-wise needs no transposes. Null: tiled.
  layout (*device_layout)(const scalar_bits *scalars) = nullptr;
  /// The functions of <cmath> it calls whose results on a GPU, or with vector math, may differ from
  /// the host's by some ulp (docs/numerics.md): "sin, exp". Null: none.
  const char *inexact_math = nullptr;
  /// One of them has float results: doubles that come from it differ as much as a float does.
  bool inexact_floats = false;
  /// On the CPU they are computed for all lanes at once (COLONNADE_VECTOR_MATH).
  bool vector_math = false;
};

} // namespace colonnade::runtime
