//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// few_counts.hpp: one thread's counts of up to 8 bins, in registers, without branches.
//
// In: bins of samples. Out: a total for each bin. Counting a sample takes one shift and one
// addition: it adds 1 to four bits of a word. Before those can overflow they are added to bytes,
// and before these can, to words:
//
//   nibbles   one word      up to 15 samples           count()
//   bytes     two words     up to 255 samples          nibbles_to_bytes()
//   totals    eight words   fewer than 2^32 samples    bytes_to_totals()
//
// Invariant: no_bin is not counted, nor are bins from 8 to 2^28 - 1. The caller moves counts on
// before they overflow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

constexpr uint32_t max_register_bins = 8;

/// 1 << shift, or 0 if shift is 32 or more: one instruction on the GPU; in C++ that is undefined.
COLONNADE_KERNEL_CODE uint32_t one_shifted(uint32_t shift) {
#if defined(__CUDA_ARCH__)
  uint32_t result;
  asm("shl.b32 %0, 1, %1;" : "=r"(result) : "r"(shift));
  return result;
#else
  return shift < 32 ? 1u << shift : 0;
#endif
}

class few_counts {
public:
  static constexpr uint32_t max_nibbles = 15, max_bytes = 255;

  COLONNADE_KERNEL_CODE void count(uint32_t bin) { nibbles_ += one_shifted(4 * bin); }

  COLONNADE_KERNEL_CODE void nibbles_to_bytes() {
    even_ += nibbles_ & 0x0f0f0f0f;
    odd_ += nibbles_ >> 4 & 0x0f0f0f0f;
    nibbles_ = 0;
  }
  COLONNADE_KERNEL_CODE void bytes_to_totals() {
    COLONNADE_UNROLL
    for (uint32_t b = 0; b < max_register_bins; ++b)
      totals_[b] += (b % 2 ? odd_ : even_) >> (8 * (b / 2)) & 0xff;
    even_ = odd_ = 0;
  }
  COLONNADE_KERNEL_CODE uint32_t total(uint32_t bin) const { return totals_[bin]; }

private:
  uint32_t nibbles_ = 0, even_ = 0, odd_ = 0;
  uint32_t totals_[max_register_bins] = {};
};

} // namespace colonnade::detail
