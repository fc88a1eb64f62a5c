//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// thesis_bench.hpp: the methods of the thesis's tables on 4-byte keys and pairs, each
// kind compiled in a file of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "multisplit_bench.hpp"

namespace bench {

enum class method { direct, warp_level, block_level, reduced_bit, look_back };
constexpr method all_methods[] = {method::direct, method::warp_level, method::block_level,
                                  method::reduced_bit, method::look_back};
inline const char *name_of(method m) {
  constexpr const char *names[] = {"direct", "warp-level", "block-level", "reduced-bit sort",
                                   "look back (the default)"};
  return names[static_cast<int>(m)];
}

/// Delta-buckets: an integer division. Digits: a shift and a mask; identity buckets are
/// the digit at bit 0.
struct bucket_choice {
  uint32_t num_buckets;
  uint32_t divisor; // 0: a digit
  uint32_t shift = 0, mask = ~0u;
};

/// Direct and warp-level: at most 32 buckets.
cudaError_t split_keys(void *d_temp, size_t &temp_bytes, const arrays &, method,
                       const bucket_choice &);
cudaError_t split_pairs(void *d_temp, size_t &temp_bytes, const arrays &, method,
                        const bucket_choice &);

/// Milliseconds of the stages, delta-buckets: pre-scan, scan and post-scan; of reduced-bit
/// sort labelling (with its histogram), none, and sorting.
struct stage_times {
  float pre_scan, scan, post_scan;
};
stage_times time_stages_of_keys(const arrays &, method, const bucket_choice &);
stage_times time_stages_of_pairs(const arrays &, method, const bucket_choice &);

/// Floats between 0 and 1; levels null: even bins.
cudaError_t count_floats(void *d_temp, size_t &temp_bytes, const float *samples,
                         const float *levels, uint64_t *counts, uint64_t num_samples,
                         uint32_t num_bins);

} // namespace bench
