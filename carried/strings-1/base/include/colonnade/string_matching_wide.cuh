//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_wide.cuh: where one string is in another, on the GPU, if characters have 16 bits,
// such as UTF-16 or samples of signals.
//
//   wide_matcher  owns a pattern in device memory; its ref() is what calls take
//   count_matches, find_matches, find_first   those of string_matching.cuh, whose contract holds,
//                                             with positions, lengths, capacities in characters
//
// What differs:
//   texts         const uint16_t *, aligned to 2 bytes; n < 2^48 characters
//   patterns      1 to 2^20 characters, uint16_t in host memory at creation
//   method        as for bytes, with four characters (64 bits) where those have four bytes; a
//                 sample has up to 10,240 windows
//   case          A to Z equal a to z, U+0041 to U+005A, and nothing else
//   work          O(n + m n / 16384) for repetitions: a warp has 16,384 characters
//
// Surrogates and byte orders are not known here: a character is a number of 16 bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching.cuh>

namespace colonnade {

template <class Resource = async_resource>
using basic_wide_matcher = basic_matcher<Resource, uint16_t>;
using wide_matcher = basic_wide_matcher<>;
using wide_matcher_ref = basic_matcher_ref<uint16_t>;

} // namespace colonnade
