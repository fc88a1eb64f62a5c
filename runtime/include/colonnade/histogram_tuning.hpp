//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram_tuning.hpp: what a histogram is tuned by.
//
// A policy is a type with the members of histogram_policy; derive from it
// to change some. Results are the same under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

struct histogram_tuning {
  uint32_t threads = 256;         // a block
  uint32_t items = 32;            // a thread reads at once, at most 255; whole 16-byte loads
  uint32_t blocks_per_sm = 4;     // at most; fewer where shared memory ends
  uint32_t counter_bytes = 32768; // of copies of counters; one copy may take more
  uint32_t max_log2_copies = 0;   // log2 of the counters a bin: 5 is one for each lane, 0 one
  bool few_in_registers = true;   // 8 bins or fewer are counted in registers
};

struct histogram_policy {
  /// Up to so many samples are counted by one block in one launch, if it holds the bins.
  static constexpr uint64_t most_block_samples = 4096;

  static constexpr histogram_tuning tuning(gpu_architecture, size_t sample_bytes) {
    histogram_tuning t;
    t.items = static_cast<uint32_t>(128 / sample_bytes); // eight loads
    return t;
  }
};

namespace detail {
/// A tuning as a type.
template <class Policy, size_t SampleBytes, gpu_architecture Architecture = compiled_architecture>
struct histogram_tuned {
  static constexpr histogram_tuning value = Policy::tuning(Architecture, SampleBytes);
};
/// That of each architecture, for kernels' template arguments.
template <class Policy, size_t SampleBytes> struct histogram_tunings {
  template <gpu_architecture Architecture>
  using on = histogram_tuned<Policy, SampleBytes, Architecture>;
};
} // namespace detail

} // namespace colonnade
