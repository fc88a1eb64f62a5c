//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// job.hpp: what the kernels of sets of patterns are given.
//
// In: a text, a set, temporary storage. Out: the divisions of the text: a segment is `rounds`
// steps, a step `loads` rows of 512 bytes; 32 segments are a group. Invariant: what is written lies
// in temporary storage, or in the caller's arrays.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/sets/tables.hpp>

namespace colonnade::detail {

enum class set_result : uint8_t { count, each, matches };

struct set_job {
  const uint8_t *text;
  uint64_t num_items; // not 0
  set_tables set;
  uint32_t rounds;
  uint64_t num_segments;

  uint64_t *num_matches; // or of each pattern
  uint64_t *positions;
  uint32_t *patterns;
  uint64_t capacity;
  device_status *status;
  uint64_t *next_segment;  // 0 before
  uint32_t *is_frequent;   // whether a resident walk is taken; null: it is not
  uint32_t least_frequent; // so many of the sample, and it is; 0: always
  bool samples_words;      // of words that pass the first filter, not of positions with a key

  uint64_t *member_counts; // at how many positions each member is the longest: tally_copies times
  // Of the segments: matches, counters of positions that have some, and notes of these
  // (../notes.hpp); of the groups: matches before them.
  uint32_t *segment_matches, *segment_positions;
  uint16_t *slots;
  uint64_t *groups;
};

/// How far a lane's positions begin before its bytes, but in a resident walk.
constexpr uint32_t bytes_before = 3, resident_before = 8;
constexpr uint32_t group_segments = 32;
/// Warps add to different copies, so that not all wait for the counter of a frequent member.
constexpr uint32_t tally_copies = 64;

/// Whether the keys in shared memory are asked, once a sample was taken (frequency.hpp).
COLONNADE_KERNEL_CODE bool takes_resident_walk(const set_job &job) {
  return job.is_frequent && *job.is_frequent;
}

} // namespace colonnade::detail
