//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// describe.hpp: what the methods know of a pattern and their options before any kernel runs.
//
// In: a job with the text and the pattern, options. Out: the modulus, and which windows are looked
// at. Invariant: a method that cannot have such patterns is refused.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/methods/job.hpp>
#include <colonnade/host_string_matching.hpp>
#include <colonnade/string_matching_method.hpp>

#include <algorithm>

namespace colonnade::detail {

inline bool method_takes(const matching_method_options &options, uint64_t length) {
  const uint64_t bits = options.character_bits;
  if (bits < 1 || bits > 8)
    return false;
  switch (options.method) {
  case matching_method::divide_32:
    return length * bits <= 32;
  case matching_method::divide_64:
    return length * bits <= 64;
  case matching_method::hybrid:
    return length <= most_hybrid_length;
  case matching_method::cooperative:
  case matching_method::cooperative_affine:
  case matching_method::divide:
  case matching_method::two_stage:
    return true;
  }
  return false;
}

/// The last seed's, since the search for a prime takes longer than a small text.
inline uint32_t prime_of_seed(uint64_t seed) {
  thread_local uint64_t last_seed = 1;
  thread_local uint32_t prime = static_cast<uint32_t>(random_prime(last_seed));
  if (seed != last_seed) {
    prime = static_cast<uint32_t>(random_prime(seed));
    last_seed = seed;
  }
  return prime;
}

inline void describe_method(const matching_method_options &options, uint64_t num_items,
                            method_job &job) {
  job.character_bits = options.character_bits;
  job.mod = modulus::of_prime(prime_of_seed(options.seed));
  job.num_positions = num_items < job.length ? 0 : num_items - job.length + 1;
  job.portion_positions = job.num_positions;
  job.num_rejected = options.d_num_rejected;
  job.part_length = job.length;
  if (options.method == matching_method::two_stage) {
    job.part_length = std::min<uint64_t>(job.length, options.character_bits <= 4 ? 16 : 8);
    job.part_offset = options.seed * 0x9e3779b97f4a7c15u % (job.length - job.part_length + 1);
  }
  const uint32_t power = job.mod.power_of_two(job.character_bits * job.length);
  job.leaving = (job.mod.prime - power) % job.mod.prime;
}

} // namespace colonnade::detail
