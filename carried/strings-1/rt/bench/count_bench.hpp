//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// count_bench.hpp: what the files of the histogram benchmark share: ours and the
// peer, each compiled in a file of its own. Samples are floats.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace bench {

struct count_arrays {
  const float *samples;
  const float *levels; // of a range; null: even bins between 0 and 1
  void *counts;        // 64-bit ours, 32-bit the peer's
  uint64_t num_samples;
  uint32_t num_bins;
};

/// Tuning 0 is the default.
extern const char *const count_tunings[];
constexpr int num_count_tunings = 6;
cudaError_t our_counts(void *d_temp, size_t &temp_bytes, const count_arrays &, int tuning = 0);
cudaError_t peer_counts(void *d_temp, size_t &temp_bytes, const count_arrays &);

/// Even bins of samples of other types, between 0 and an upper level that is no power of
/// two; floats between 0 and 1.
enum class sample_type { bytes, words16, words32, words64, half_floats, doubles };
constexpr sample_type sample_types[] = {sample_type::bytes,       sample_type::words16,
                                        sample_type::words32,     sample_type::words64,
                                        sample_type::half_floats, sample_type::doubles};
constexpr const char *sample_names[] = {"8-bit integers",  "16-bit integers", "32-bit integers",
                                        "64-bit integers", "half floats",     "doubles"};

/// visit(a sample, upper level), 0 being the lower one.
template <class Visit> auto with_sample_type(sample_type type, Visit visit) {
  switch (type) {
  case sample_type::bytes:
    return visit(uint8_t{}, 250);
  case sample_type::words16:
    return visit(uint16_t{}, 50000);
  case sample_type::words32:
    return visit(uint32_t{}, 3000000000u);
  case sample_type::words64:
    return visit(uint64_t{}, uint64_t{10000000000});
  case sample_type::half_floats:
    return visit(__half{}, 1.0f);
  default:
    return visit(double{}, 1.0);
  }
}

struct typed_samples {
  sample_type type;
  const void *samples;
  void *counts; // 64-bit ours, 32-bit the peer's
  uint64_t num_samples;
  uint32_t num_bins;
};
cudaError_t our_even_counts(void *d_temp, size_t &temp_bytes, const typed_samples &);
cudaError_t peer_even_counts(void *d_temp, size_t &temp_bytes, const typed_samples &);

} // namespace bench
