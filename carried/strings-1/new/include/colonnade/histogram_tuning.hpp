//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_tuning.hpp: the tuning of histograms.
//
// In: the architecture, and the bytes of a sample. Out: a histogram_tuning. A policy is a type with
// the members of histogram_policy; derive from it to change some. Invariant: counts are the same
// under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

struct histogram_tuning {
  uint32_t threads = 256;         // of a block
  uint32_t items = 32;            // that a thread reads at once, at most 255; whole 16-byte loads
  uint32_t blocks_per_sm = 4;     // at most; fewer if shared memory holds fewer
  uint32_t counter_bytes = 32768; // of all copies of the counters; a single copy may take more
  uint32_t max_log2_copies = 0;   // log2 of the copies of a counter: 5 is one for each lane
  bool few_in_registers = true;   // up to 8 bins are counted in registers
};

struct histogram_policy {
  /// Up to so many samples are counted in one launch, by one block (up to 4096) or by a cluster
  /// of them (from sm_90), if it has room for the bins.
  static constexpr uint64_t most_team_samples = 16384;

  static constexpr histogram_tuning tuning(gpu_architecture, size_t sample_bytes) {
    histogram_tuning t;
    t.items = static_cast<uint32_t>(128 / sample_bytes); // eight loads
    return t;
  }
};

namespace detail {
template <class Policy, size_t SampleBytes>
using histogram_tunings = policy_tunings<Policy, SampleBytes>;
} // namespace detail

} // namespace colonnade
