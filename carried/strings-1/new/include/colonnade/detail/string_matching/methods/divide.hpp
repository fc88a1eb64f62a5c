//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// divide.hpp: the hits of divide and conquer: a lane's windows from a tile; in two stages, chunks
// of the pattern besides.
//
// In: a job, a tile. Out: which windows have the fingerprint that is looked for. Invariant: none
// that is the pattern is missing.
//
// Source: S. Ashkiani, thesis (2017), 2.6.2 and algorithm 1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/methods/rolling.hpp>
#include <colonnade/string_matching_method.hpp>

namespace colonnade::detail {

template <matching_method Method> struct divide_hits {
  const method_job &job;
  const text_tile &tile;

  COLONNADE_KERNEL_CODE uint64_t begin() const { return tile.begin(); }
  COLONNADE_KERNEL_CODE uint32_t at(uint64_t offset) const {
    if constexpr (Method == matching_method::divide)
      return rolling_modulo(job, tile, offset);
    else if constexpr (Method == matching_method::divide_32)
      return rolling_exact<uint32_t>(job, tile, offset);
    else
      return rolling_exact<uint64_t>(job, tile, offset);
  }
  /// Those of which all chunks of 32 characters have the pattern's fingerprints; by a warp.
  template <class Machine>
  COLONNADE_KERNEL_CODE uint32_t confirmed(const Machine &machine, uint32_t hits,
                                           uint64_t position) const {
    if (Method != matching_method::two_stage || job.part_length == job.length)
      return hits;
    const uint32_t weight = job.mod.power_of_two(job.character_bits * (31 - machine.lane()));
    uint32_t kept = 0;
    while (const uint32_t asking = machine.ballot(hits != 0)) {
      const uint32_t leader = machine.first_one(asking), mine = machine.first_one(hits);
      const uint64_t place = machine.shuffle(position + mine, leader);
      bool same = true;
      for (uint64_t chunk = 0; same && 32 * chunk < job.length; ++chunk)
        same = chunk_print(machine, place, 32 * chunk, weight) == job.chunk_prints[chunk];
      if (machine.lane() == leader) {
        hits &= hits - 1;
        kept |= uint32_t{same} << mine;
      }
    }
    return kept;
  }

private:
  template <class Machine>
  COLONNADE_KERNEL_CODE uint32_t chunk_print(const Machine &machine, uint64_t place, uint64_t first,
                                             uint32_t weight) const {
    const uint64_t i = first + machine.lane();
    uint32_t print =
        i < job.length ? job.mod.of(uint64_t{weight} * character_at(job, place + i)) : 0;
    COLONNADE_UNROLL
    for (uint32_t mask = 1; mask < 32; mask *= 2) {
      print += machine.shuffle_xor(print, mask);
      print = print >= job.mod.prime ? print - job.mod.prime : print;
    }
    return print;
  }
};

} // namespace colonnade::detail
