//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// job.hpp: what the kernels of string matching are given.
//
// In: a text, a pattern, temporary storage. Out: the divisions of the text: a warp's segment is
// `rounds` steps, a step `loads` rows, a row 512 windows. Invariant: what is written lies in
// temporary storage, or in the caller's arrays.
//
// Source: S. Ashkiani, thesis (2017), chapter 2: divide and conquer without fingerprints (2.6.2),
// two stages (2.7.2). What differs: docs/decisions/0026-string-matching.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/folding.hpp>
#include <colonnade/device_status.hpp>

#include <cstdint>

namespace colonnade::detail {

enum class matching_result : uint8_t { count, first, positions };

/// The part of the pattern that the text is skimmed for: up to 4 bytes.
struct skim_choice {
  uint64_t offset; // in the pattern
  uint32_t word;   // its bytes, the first lowest
  uint32_t dense;  // not 0: it is often in the text, all the same
};

/// One bit of each of the first (up to 32) characters of a pattern.
struct pattern_sketch {
  uint32_t bits, cared; // the first character's lowest; those that are part of it, or none
  uint32_t bit;         // of a character
};

struct match_piece;  // apart/piece.hpp
struct match_cursor; // likewise

struct matching_job {
  const uint8_t *text;
  uint64_t num_positions; // at which the pattern has room; not 0
  const uint8_t *pattern; // from a multiple of 16; 16 bytes behind it can be read
  uint64_t length;
  uint32_t fold;   // case_bits, or 0: the pattern is as it was given
  uint32_t period; // the smallest; 0 if it is more than half of the length
  pattern_sketch sketch;
  const uint32_t *agreeing; // pattern_tables.hpp; of a pattern of up to 32 characters null
  skim_choice choice;
  skim_choice *chosen; // null: `choice`
  uint32_t rounds;

  uint64_t *num_matches; // or the first one's position
  uint64_t *positions;
  uint64_t capacity;
  device_status *status;

  // Of the blocks and segments; slots of each segment, where positions are listed, or its notes
  // (notes.hpp).
  uint64_t *block_counts;
  uint32_t *segment_counts;
  uint16_t *slots;
  uint32_t writes = 1;        // of noted segments: by one warp, in turn; divides a block's warps
  uint32_t noting_blocks = 0; // the blocks whose segments they are

  // Matches that do not overlap: of places of the pattern that are `step` (its smallest period)
  // apart, one of `every` is a match; 0 or 1: places do not overlap, or all are wanted.
  uint32_t step, every;
  match_piece *block_pieces, *segment_pieces;
  match_cursor *block_cursors;
};

constexpr uint32_t row_bytes = 512, windows_per_slot = 64;

} // namespace colonnade::detail
