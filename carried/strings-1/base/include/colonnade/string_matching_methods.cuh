//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_methods.cuh: the methods of the thesis, beside the default of
// string_matching.cuh: all of them make fingerprints of the windows of a text.
//
//   count_matches_by, find_matches_by, find_first_by   as count_matches, find_matches and
//   find_first
//
// In, out: as in string_matching.cuh, of whose functions they have the contract; the options
// (string_matching_method.hpp) name the method. Invariant: the results are the default's, whatever
// the options. They are slower.
//
//   cooperative         CRK. Fingerprints of the second class (products of 2x2 matrices modulo a
//                       prime) of all prefixes, by a scan, and their inverses, by another in the
//                       same pass; that of a window is the product of two. A character's matrix is
//                       from a table of 2^character_bits fundamental ones
//   cooperative_affine  the same by fingerprints of the first class: the recurrence of a window's
//                       fingerprint is a scan of affine pairs (G. Blelloch)
//   divide              DRK. Fingerprints of the first class, one after the other by each lane, of
//                       its 32 windows; the text lies in shared memory as far as it fits
//   divide_32, _64      DRK without modulo, of patterns whose characters fit 32 or 64 bits
//   hybrid              HRK. As cooperative, each block of its own 2048 windows
//   two_stage           DRK-2S. divide_64 for 8 characters of the pattern (16 if they have up to 4
//                       bits), which the seed chooses; where those are, a warp compares
//                       fingerprints of chunks of 32 characters
//
//   every hit     is compared with the pattern, as in string_matching.cuh, and so with period:
//                 verification of dense hits is linear. Hits that it rejects can be counted
//   refused       cudaErrorInvalidValue: divide_32 and divide_64 for patterns that do not fit,
//                 hybrid above 512 characters, character_bits outside 1 to 8, too few temporary
//                 bytes for a portion of m + 1024 characters; n of 2^40 and more; matches that must
//                 not overlap
//   work          cooperative O(n), divide, hybrid O(n + m n / 8192), two_stage O(n) and m for each
//                 candidate
//   temporary     cooperative: 33 bytes a character of a portion, cooperative_affine 5; at most
//                 most_temporary_bytes and 64 KB. All: find_matches_by a thirty-second of the text
//                 or portion; two_stage an eighth of the pattern
//   portions      of the text are taken one after the other, and overlap by m - 1
//
// Source: S. Ashkiani, thesis (2017), chapter 2. What differs:
// docs/decisions/0029-string-matching-packed-and-methods.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/methods/describe.hpp>
#include <colonnade/detail/string_matching/methods/launch.cuh>
#include <colonnade/string_matching.cuh>

namespace colonnade {

namespace detail {

/// Both phases. d_positions: null if Result is one number.
template <matching_result Result> struct method_matching {
  static cudaError_t run(void *d_temp, size_t &temp_bytes, const matching_method_options &method,
                         const matcher_ref &pattern, const uint8_t *d_text, uint64_t n,
                         uint64_t *d_positions, uint64_t capacity, uint64_t *d_result,
                         const run_options &options) {
    if (pattern.length_ == 0 || n >> 40 || !method_takes(method, pattern.length_) ||
        pattern.selection_ != match_selection::all ||
        (method.d_num_rejected && !valid_array(method.d_num_rejected, 1)) ||
        !text_arrays_are_valid(d_temp, d_text, n, d_positions, capacity, d_result))
      return cudaErrorInvalidValue;
    method_job job{};
    job.text = d_text;
    pattern.describe(job);
    job.num_matches = d_result;
    job.positions = d_positions;
    job.capacity = capacity;
    job.status = options.d_status;
    describe_method(method, n, job);
    return match_by_method<Result>(d_temp, temp_bytes, job, method, options.stream);
  }
};

} // namespace detail

/// *d_num_matches: the number of positions. (Templates, so that only who calls them compiles them.)
template <class = void>
[[nodiscard]] cudaError_t
count_matches_by(const matching_method_options &method, void *d_temp_storage,
                 size_t &temp_storage_bytes, matcher_ref pattern, const uint8_t *d_text,
                 uint64_t num_items, uint64_t *d_num_matches, run_options options = {}) {
  return detail::method_matching<detail::matching_result::count>::run(
      d_temp_storage, temp_storage_bytes, method, pattern, d_text, num_items, nullptr, 0,
      d_num_matches, options);
}

/// *d_num_matches: the number of positions; d_positions: the first `capacity` of them.
template <class = void>
[[nodiscard]] cudaError_t
find_matches_by(const matching_method_options &method, void *d_temp_storage,
                size_t &temp_storage_bytes, matcher_ref pattern, const uint8_t *d_text,
                uint64_t num_items, uint64_t *d_positions, uint64_t capacity,
                uint64_t *d_num_matches, run_options options = {}) {
  return detail::method_matching<detail::matching_result::positions>::run(
      d_temp_storage, temp_storage_bytes, method, pattern, d_text, num_items, d_positions, capacity,
      d_num_matches, options);
}

/// *d_position: the first position, all ones if there is none.
template <class = void>
[[nodiscard]] cudaError_t find_first_by(const matching_method_options &method, void *d_temp_storage,
                                        size_t &temp_storage_bytes, matcher_ref pattern,
                                        const uint8_t *d_text, uint64_t num_items,
                                        uint64_t *d_position, run_options options = {}) {
  return detail::method_matching<detail::matching_result::first>::run(
      d_temp_storage, temp_storage_bytes, method, pattern, d_text, num_items, nullptr, 0,
      d_position, options);
}

} // namespace colonnade
