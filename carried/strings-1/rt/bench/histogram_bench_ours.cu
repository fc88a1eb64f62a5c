//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_bench_ours.cu: our histograms, compiled apart.
//
//===----------------------------------------------------------------------===//

#include "count_bench.hpp"

#include <colonnade/histogram.cuh>

namespace bench {
namespace {

template <uint32_t Items, uint32_t Blocks, uint32_t Log2Copies, bool Registers = true>
struct tuned : colonnade::histogram_policy {
  static constexpr colonnade::histogram_tuning tuning(colonnade::gpu_architecture, size_t) {
    colonnade::histogram_tuning t;
    t.items = Items;
    t.blocks_per_sm = Blocks;
    t.max_log2_copies = Log2Copies;
    t.few_in_registers = Registers;
    return t;
  }
};

template <class Policy>
cudaError_t counts_by(void *d_temp, size_t &temp_bytes, const count_arrays &a) {
  uint64_t *counts = static_cast<uint64_t *>(a.counts);
  if (a.levels)
    return colonnade::histogram_range(d_temp, temp_bytes, a.samples, counts, a.num_samples,
                                      a.num_bins, a.levels, {}, Policy{});
  return colonnade::histogram_even(d_temp, temp_bytes, a.samples, counts, a.num_samples, a.num_bins,
                                   0.0f, 1.0f, {}, Policy{});
}

} // namespace

const char *const count_tunings[] = {"default",
                                     "16 items, 6 blocks",
                                     "32 items, 6 blocks",
                                     "16 items, 8 blocks",
                                     "16 items, 6 blocks, 32 copies",
                                     "32 items, 4 blocks, no registers"};

cudaError_t our_counts(void *d_temp, size_t &temp_bytes, const count_arrays &a, int tuning) {
  switch (tuning) {
  case 1:
    return counts_by<tuned<16, 6, 0>>(d_temp, temp_bytes, a);
  case 2:
    return counts_by<tuned<32, 6, 0>>(d_temp, temp_bytes, a);
  case 3:
    return counts_by<tuned<16, 8, 0>>(d_temp, temp_bytes, a);
  case 4:
    return counts_by<tuned<16, 6, 5>>(d_temp, temp_bytes, a);
  case 5:
    return counts_by<tuned<32, 4, 0, false>>(d_temp, temp_bytes, a);
  default:
    return counts_by<colonnade::histogram_policy>(d_temp, temp_bytes, a);
  }
}

} // namespace bench
