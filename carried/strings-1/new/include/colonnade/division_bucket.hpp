//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// division_bucket.hpp: a bucket functor for buckets of equal width: id = key / width, for any
// width.
//
// In: the width, on the host; keys, on the device. Out: bucket ids. A multisplit calls its functor
// several times for each item, and a division by a number that is only known at run time takes
// some 16 instructions on a GPU. Here the host computes a multiplier once, and the device needs a
// multiplication and a few shifts and additions. Invariant: ids are exactly key / width.
//
// With l = ceil(log2 width) and B bits a key, m = floor(2^B (2^l - width) / width) + 1:
// key / width = floor((floor(m key / 2^B) + key) / 2^l), whose sum has B + 1 bits.
//
// Source: T. Granlund and P. Montgomery, Division by invariant integers using
// multiplication (1994), section 4.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <type_traits>

namespace colonnade {

/// Key: uint32_t or uint64_t. width: at least 1. For buckets that begin at another key than 0, call
/// this functor from one of your own that subtracts it.
template <class Key = uint32_t> class division_bucket {
  static_assert(std::is_same_v<Key, uint32_t> || std::is_same_v<Key, uint64_t>,
                "division_bucket: keys are uint32_t or uint64_t");

public:
  explicit constexpr division_bucket(Key width) {
    constexpr uint32_t bits = 8 * sizeof(Key);
    while (shift_ < bits && Key{1} << shift_ < width)
      ++shift_;
    // 2^l - width, and 2^B times it divided by width, bit by bit.
    Key remainder = shift_ < bits ? (Key{1} << shift_) - width : Key{0} - width, quotient = 0;
    for (uint32_t bit = 0; bit < bits; ++bit) {
      const bool carry = remainder >> (bits - 1);
      remainder = static_cast<Key>(remainder << 1);
      quotient = static_cast<Key>(quotient << 1);
      if (carry || remainder >= width) {
        remainder = static_cast<Key>(remainder - width);
        quotient |= 1;
      }
    }
    multiplier_ = static_cast<Key>(quotient + 1);
  }

  /// key / width; ids that do not fit in 32 bits are all ones, which is no bucket.
  COLONNADE_HOST_DEVICE uint32_t operator()(Key key) const {
    if constexpr (sizeof(Key) == 4) {
      return static_cast<uint32_t>(((uint64_t{key} * multiplier_ >> 32) + key) >> shift_);
    } else {
      const uint64_t high = high_product(key, multiplier_);
      const uint64_t half = (key - high) / 2 + high; // half of the sum, which has 65 bits
      const uint64_t id = shift_ == 0 ? key : half >> (shift_ - 1);
      return id > 0xffffffffu ? 0xffffffffu : static_cast<uint32_t>(id);
    }
  }

private:
  static COLONNADE_HOST_DEVICE uint64_t high_product(uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#else
    const uint64_t a_low = a & 0xffffffffu, a_high = a >> 32, b_low = b & 0xffffffffu,
                   b_high = b >> 32;
    const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    return a_high * b_high + (middle >> 32) + ((a_low * b_high + (middle & 0xffffffffu)) >> 32);
#endif
  }

  Key multiplier_ = 0;
  uint32_t shift_ = 0; // l
};

} // namespace colonnade
