//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_kernel.hpp: the interface between generated CPU kernels and the loop that calls
// them (cpu_launch.hpp). A kernel runs one group of instances: one in each lane of the
// instruction set's vectors.
//
// In: a lane_group, with the arrays, scalars and sizes. Out: what the function writes, and
// the first failure. Invariant: every lane has an instance; in the last group, lanes
// beyond the last instance repeat it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/function.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace colonnade::runtime::detail {

/// Of the failures that one thread has seen, that of the lowest instance. site: an index of
/// cpu_program::sites.
struct lane_failure {
  uint64_t instance = ~uint64_t{0};
  uint32_t site = 0;

  void record(uint64_t failed_instance, uint32_t failed_site) {
    if (failed_instance < instance) {
      instance = failed_instance;
      site = failed_site;
    }
  }
};

/// The arguments of one kernel call.
struct lane_group {
  void *const *arrays; // cell 0 of lane 0; of uniform arrays, cell 0
  int64_t stride;      // cells from one cell of a lane to its next
  const scalar_bits *scalars;
  const uint64_t *cells;
  unsigned char *scratch; // local arrays that do not fit on the stack
  lane_failure *failure;
  uint64_t first_instance;
};

using lane_kernel = void (*)(const lane_group &);
/// One instance after the other, of so many whose rows follow those of the group's lane 0.
using serial_kernel = void (*)(lane_group first, uint64_t count);

/// Copies one array of a whole group between rows of `cells` cells, one for each instance, and a
/// tile, where cell i of all lanes is together and the next cell `lanes` further on.
using tile_copy = void (*)(const void *from, void *to, uint64_t cells);
/// The same between columns and a tile: in the columns, too, cell i of all lanes is together, and
/// the next cell is `stride` cells further on.
using strided_copy = void (*)(const void *from, void *to, uint64_t cells, uint64_t stride);

/// One instruction set's build of one function.
struct isa_kernels {
  const char *name; // "avx512"
  uint64_t lanes;
  lane_kernel tile[2];    // stride = lanes; [1] guards accesses under a mask
  lane_kernel strided[2]; // stride as the group says
  serial_kernel serial[2];
  tile_copy rows_to_tile[4]; // by log2 of the cell's bytes
  tile_copy tile_to_rows[4];
  strided_copy strided_to_tile[4];
  strided_copy tile_to_strided[4];
};

/// What a walk over the function's addresses found: a(i) is the address of its i-th access, which
/// depends on sizes alone. Masked accesses run only where data decides so.
struct walk_result {
  bool within = true;      // all unmasked addresses are, and all checks hold
  bool all_within = true;  // masked addresses are too, and all could be evaluated
  uint64_t accesses = 0;   // of one instance; 0 if the walk was not made
  uint32_t site = 0;       // of the first unmasked access outside its array
  int64_t cell = 0;        // that it accesses,
  uint64_t cells = 0;      // of an array of so many
  bool checks_hold = true; // else `site` is the check that does not

  /// Notes one access; false ends the walk.
  bool access(int64_t index, uint64_t num_cells, uint32_t at, bool masked) {
    ++accesses;
    if (static_cast<uint64_t>(index) < num_cells)
      return true;
    all_within = false;
    if (masked)
      return true;
    within = false;
    site = at;
    cell = index;
    cells = num_cells;
    return false;
  }
  /// Notes one check; false ends the walk.
  bool check(bool holds, uint32_t at) {
    if (holds)
      return true;
    all_within = within = checks_hold = false;
    site = at;
    return false;
  }
};

/// Where an access stands in the source, for messages.
struct access_site {
  const char *position; // "f.cpp:7:12"
  const char *what;     // "b", or a check's text
};

/// Everything that cpu_launch.hpp needs to know about one function.
struct cpu_program {
  const function_info &(*info)();
  const isa_kernels *const *isas; // best first
  uint32_t num_isas;
  walk_result (*walk)(const scalar_bits *scalars, const uint64_t *cells);
  uint64_t (*scratch_bytes)(const scalar_bits *scalars, uint64_t lanes);
  uint64_t (*serial_scratch_bytes)(const scalar_bits *scalars);
  const access_site *sites;
};

} // namespace colonnade::runtime::detail
