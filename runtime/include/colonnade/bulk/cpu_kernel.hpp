//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_kernel.hpp: what the tile loop and generated CPU kernels agree on. A kernel
// runs one group: as many instances as the instruction set has lanes, one per
// lane. Lanes beyond the last instance repeat it, so all lanes are active.
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

/// The failure of the lowest instance that one thread has seen.
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

struct lane_group {
  void *const *arrays; // cell 0 of lane 0; uniform arrays as they are
  int64_t stride;      // cells from one cell of a lane to its next
  const scalar_bits *scalars;
  const uint64_t *cells;
  unsigned char *scratch; // local arrays that do not fit on the stack
  lane_failure *failure;
  uint64_t first_instance;
};

using lane_kernel = void (*)(const lane_group &);

/// Copies one array of `lanes` whole instances between rows of `cells` cells and
/// a tile of stride `lanes`.
using tile_copy = void (*)(const void *from, void *to, uint64_t cells);
/// The same where cell i of the lanes lies together, `stride` cells apart.
using strided_copy = void (*)(const void *from, void *to, uint64_t cells, uint64_t stride);

/// One instruction set's build of one function.
struct isa_kernels {
  const char *name; // "avx512"
  uint64_t lanes;
  lane_kernel tile[2];       // stride = lanes; [1] guards masked accesses
  lane_kernel strided[2];    // stride from the group
  tile_copy rows_to_tile[4]; // by log2 of the cell's bytes
  tile_copy tile_to_rows[4];
  strided_copy strided_to_tile[4];
  strided_copy tile_to_strided[4];
};

/// What a walk over a(i) found.
struct walk_result {
  bool within = true;      // all unmasked addresses, and all checks hold
  bool all_within = true;  // masked ones too, and all could be evaluated
  uint64_t accesses = 0;   // of one instance; 0 if the walk was not made
  uint32_t site = 0;       // of the first unmasked address outside
  int64_t cell = 0;        // and the cell
  uint64_t cells = 0;      // of how many
  bool checks_hold = true; // else `site` is the one that does not

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

/// Everything the tile loop needs to know about one function.
struct cpu_program {
  const function_info &(*info)();
  const isa_kernels *const *isas; // best first
  uint32_t num_isas;
  walk_result (*walk)(const scalar_bits *scalars, const uint64_t *cells);
  uint64_t (*scratch_bytes)(const scalar_bits *scalars, uint64_t lanes);
  const access_site *sites;
};

} // namespace colonnade::runtime::detail
