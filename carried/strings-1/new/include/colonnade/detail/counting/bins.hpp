//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bins.hpp: the interface of bins to the kernels that count. Bins are those of a histogram
// (histogram/level_bins.hpp), or buckets (multisplit/many_buckets/bucket_bins.hpp).
//
// In: samples. Out: for each its bin. Every kind of bins has
//   shared_bytes()         bytes of a table that every block makes in shared memory
//   fill(machine, table)   makes the table; called by all threads, a block_sync follows
//   find<Few>(table, samples, indices, bins)
//                          the bins of several samples at once, so that their loads and
//                          comparisons overlap. Few: there are at most max_few bins
//   report(machine, sample, index, status)
//                          reports a bad sample, where samples can be bad
//   by_value               true for byte_bins, which count values instead of bins
// Invariant: a sample outside all bins gets no_bin; so does NaN.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/device_status.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::detail {

constexpr uint32_t no_bin = ~0u;
constexpr uint32_t max_few = 1u << 22;

struct bins_without_table {
  static size_t shared_bytes() { return 0; }
  template <class Machine> COLONNADE_KERNEL_CODE void fill(const Machine &, void *) const {}
};
struct bins_without_errors {
  static constexpr bool by_value = false;
  template <class Machine, class Sample>
  COLONNADE_KERNEL_CODE void report(const Machine &, const Sample &, uint64_t,
                                    device_status *) const {}
};

/// Samples of one byte: each block counts the 256 values, and finds their bins once.
template <class Sample, class Bins> struct byte_bins {
  static constexpr bool by_value = true;
  static constexpr uint32_t num_values = 256;
  Bins bins;
  uint32_t num_bins; // of `bins`

  size_t shared_bytes() const { return bins.shared_bytes(); }
  template <class Machine> COLONNADE_KERNEL_CODE void fill(const Machine &machine, void *to) const {
    bins.fill(machine, to);
  }
  template <bool Few, uint32_t N>
  COLONNADE_KERNEL_CODE void find(const void *, const Sample (&samples)[N], const uint64_t (&)[N],
                                  uint32_t (&values)[N]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k)
      values[k] = static_cast<uint8_t>(samples[k]);
  }
  COLONNADE_KERNEL_CODE uint32_t bin_of_value(const void *table, uint32_t value) const {
    const Sample samples[1] = {static_cast<Sample>(static_cast<uint8_t>(value))};
    const uint64_t index[1] = {};
    uint32_t found[1];
    bins.template find<true>(table, samples, index, found);
    return found[0];
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE void report(const Machine &, const Sample &, uint64_t,
                                    device_status *) const {}
};

} // namespace colonnade::detail
