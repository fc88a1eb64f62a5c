//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// function.hpp: the type-erased description of one generated bulk function.
// Generated files only fill one `function_info` in; argument checks, transposes,
// chunks, files and the runner programme are written once against it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/layout.hpp>
#include <colonnade/bulk/status.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::runtime {

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
  bool uniform; // one copy for all instances
  uint32_t rank;
  /// Extent of dimension `dim` under the scalars; < 0 if not derivable.
  int64_t (*extent)(uint32_t dim, const scalar_bits *scalars);
  /// Every cell is stored to in every run: a pure output needs no copy-in. False
  /// where that is not shown: unwritten cells must keep the caller's contents.
  bool fully_written = false;
};

struct scalar_info {
  const char *name;
  cell_type type;
  /// The one value that the code was generated for: "32". Null: any.
  const char *fixed_text = nullptr;
  scalar_bits fixed = 0;
};

/// Type-erased arguments: one pointer per array, in array_info order; uniform
/// scalars in scalar_info order; extents[a] = cells per instance of array a.
struct raw_arguments {
  void *const *arrays;
  const scalar_bits *scalars;
  const uint64_t *cells;
  uint64_t count;
};

/// The first failure of a kernel, found by atomic minimum: (instance << 16) |
/// site, all ones while there is none. Set to all ones before the launch.
struct device_status {
  static constexpr uint64_t none = ~uint64_t{0};
  uint64_t first_failure = none;
};

class device; // device.hpp

struct cpu_launch_options {
  unsigned num_threads = 0;         // 0: all cores
  const char *isa = nullptr;        // "avx512", "avx2", "sse2"; null: best supported
  const char **isa_taken = nullptr; // receives the name of the one that ran
  uint64_t first_instance = 0;      // what failures call the first one of the arrays
};

struct function_info {
  const char *name;
  const array_info *arrays;
  uint32_t num_arrays;
  const scalar_info *scalars;
  uint32_t num_scalars;
  /// Walks a(i) at these sizes: out_of_extent if an unmasked address exceeds
  /// cells[], success otherwise. Work O(t), no memory.
  status (*check_extents)(const scalar_bits *scalars, const uint64_t *cells);
  /// Runs over host arrays that are already in `l` (tiled: w = cpu_tile).
  status (*run_cpu)(const raw_arguments &arguments, layout l, const cpu_launch_options &options);
  uint64_t cpu_tile;
  /// Runs over device arrays in `l` (tiled: w = 32) on `stream` (a cudaStream_t);
  /// asynchronous; d_status: device pointer to a device_status, or null.
  /// Null if there is no CUDA back end.
  status (*run_cuda)(const raw_arguments &arguments, layout l, void *stream, void *d_status);
  /// The original sequential function on one instance, row-wise cells; null if
  /// its source is not linked in. Used by --verify.
  void (*sequential)(void *const *instance_arrays, const scalar_bits *scalars);
  /// What check `site` of a device_status says: "f.cpp:7: index 9 is outside b".
  const char *(*cuda_failure)(uint32_t site) = nullptr;
  /// Opens the current CUDA device; null, with a status, if there is none. The
  /// caller deletes it. Null if there is no CUDA back end.
  device *(*open_device)(status &result) = nullptr;
  /// Calls functions of <cmath> that agree with the host's only to some ulp on
  /// a GPU (docs/numerics.md): "sin, exp". Null if all are exact.
  const char *inexact_math = nullptr;
};

} // namespace colonnade::runtime
