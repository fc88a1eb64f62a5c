//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// job.hpp: what the kernels of matching with mismatches are given.
//
// In: a text, a pattern, how many of its bytes may be others. Out: types. Invariant: `part` bytes
// from choice.offset on are within the pattern; windows of the text are that part's places.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>

namespace colonnade::detail {

/// Four bytes of a piece; of an occurrence of it one of its units is at a multiple of 4.
struct mismatch_unit {
  uint32_t word;   // the first byte lowest; where case is folded, with the bit of case set
  uint16_t offset; // in the part
  uint16_t is_new; // no unit before has the same hash
};

constexpr uint32_t piece_bytes = 7, units_per_piece = 4, most_counted = 32;

struct mismatch_job : matching_job {
  uint32_t most;      // mismatches
  uint32_t part;      // bytes: of all pieces, or those that are counted
  uint32_t num_units; // 0: mismatches are counted
  const mismatch_unit *units;
};

} // namespace colonnade::detail
