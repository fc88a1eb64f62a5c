//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// job.hpp: what the kernels of the thesis's methods are given besides.
//
// In: a matching_job, temporary storage. Out: the divisions of the text: blocks of warps, each of
// whose lanes has the 32 windows from a multiple of 32 on (g of the thesis). Invariant: windows are
// numbered by offsets, of which `begin` is position `first` of the text.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/methods/fingerprint.hpp>

namespace colonnade::detail {

constexpr uint32_t windows_per_lane = 32, windows_per_warp = 32 * windows_per_lane;
constexpr uint32_t method_threads = 256, hybrid_threads = 64;
constexpr uint64_t most_hybrid_length = 512;

/// The pattern's fingerprints: written by one block before the others run.
struct pattern_prints {
  matrix product;
  uint64_t exact; // of the subpattern, without modulo
  uint32_t number;
};

struct method_job : matching_job {
  modulus mod;
  uint32_t character_bits;
  /// The windows: of all of the pattern, or of the subpattern of two_stage.
  uint64_t part_offset, part_length;
  uint32_t leaving; // what a character that leaves a window is multiplied by, negative

  pattern_prints *prints;
  uint32_t *chunk_prints; // two_stage: of each 32 characters
  uint64_t *num_rejected; // or null

  /// Cooperative methods: the portion, and what is scanned of it.
  uint64_t first, portion_positions, tiles;
  matrix *forward, *backward;
  uint32_t *numbers;
  void *tile_values;
  bool last; // of the portions

  COLONNADE_HOST_DEVICE uint32_t character_mask() const { return (1u << character_bits) - 1; }
};

/// As fingerprints are made of it.
COLONNADE_KERNEL_CODE uint32_t character_at(const method_job &job, uint64_t position) {
  return folded(job.text[position], job.fold) & job.character_mask();
}

} // namespace colonnade::detail
