//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_packed.cuh: where one string is in another, on the GPU, if characters are of 1, 2
// or 4 bits, such as DNA.
//
//   packed_matcher  owns a pattern in device memory; its ref() is what calls take
//   packed_text     characters in device memory, and which of them are not known
//   count_matches, find_matches, find_first   as in string_matching.cuh, whose contract holds, with
//                                             positions, lengths and capacities in characters
//
// What differs:
//   texts         n < 2^48 characters, from the first of a byte of any alignment on. No byte
//                 outside of the (n * bits + 7) / 8 bytes is read
//   patterns      1 to 2^20 characters, a byte each, in host memory at creation; a character
//                 outside of the alphabet is cudaErrorInvalidValue
//   not known     sorted intervals of characters, none empty, apart from each other, as .2bit files
//                 have them for N; a match that touches one is none. Unsorted ones: matches may be
//                 missing or too many, and nothing else is read
//   method        the text is skimmed for 16 bits of the pattern, which are compared at all
//                 characters of a word at once. Patterns of 32 bits and more, less a character: a
//                 table in shared memory tells of each aligned 16 bits of the text (of 32 bits, by
//                 a hash, for patterns of 64 bits and more, less a character) whether they are one
//                 of the windows around that part of the pattern. Where they are, the whole
//                 pattern is compared: 256 bits by a lane, more by a warp. Which 16 bits: those in
//                 the neighbourhood that has the most different groups of four bits
//   work          O(n), and m for every candidate; repetitions as in string_matching.cuh, of 2^16
//                 characters in place of 32 KB
//   temporary     as in string_matching.cuh, of the text's bytes
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/string_matching/packed/launch.cuh>
#include <colonnade/detail/string_matching/packed/pattern.hpp>
#include <colonnade/single_phase.cuh>
#include <colonnade/string_matching_options.hpp>
#include <colonnade/string_matching_packed_options.hpp>

namespace colonnade {

struct packed_text {
  const uint8_t *d_characters = nullptr;
  uint64_t num_items = 0; // characters
  const unknown_characters *d_unknown = nullptr;
  uint64_t num_unknown = 0; // intervals
};

namespace detail {
template <class Policy, matching_result Result> struct packed_matching;
} // namespace detail

/// A pattern in device memory, as calls take it: until its matcher ends.
class packed_matcher_ref {
public:
  uint64_t length() const { return job_.length; }

private:
  template <class Resource> friend class basic_packed_matcher;
  template <class Policy, detail::matching_result Result> friend struct detail::packed_matching;
  detail::packed_job job_{}; // step: set; every: 1
  uint32_t bits_ = 0;
};

/// Resource: as in single_phase.cuh.
template <class Resource = async_resource> class basic_packed_matcher {
public:
  static constexpr uint64_t most_length = 1u << 20;

  /// A matcher of `length` characters of host memory in place of what was there; if it cannot be
  /// had, that is unchanged.
  [[nodiscard]] static cudaError_t create(basic_packed_matcher &matcher, const void *pattern,
                                          uint64_t length, packed_options options = {},
                                          cudaStream_t stream = nullptr, Resource resource = {}) {
    if (!pattern || length == 0 || length > most_length || !detail::valid_packing(options))
      return cudaErrorInvalidValue;
    const std::vector<uint8_t> numbers =
        detail::numbers_of(static_cast<const uint8_t *>(pattern), length, options);
    if (numbers.empty())
      return cudaErrorInvalidValue;
    basic_packed_matcher fresh;
    const std::vector<uint32_t> words = detail::describe_pattern(numbers, options, fresh.ref_.job_);
    detail::temp_storage place;
    place.add<uint32_t>(words.size());
    if (const cudaError_t error = fresh.memory_.allocate(place.bytes(), stream, resource))
      return error;
    uint32_t *const d_pattern = detail::temp_storage::at<uint32_t>(fresh.memory_.get(), 0);
    if (const cudaError_t error =
            cudaMemcpyAsync(d_pattern, words.data(), words.size() * sizeof(uint32_t),
                            cudaMemcpyHostToDevice, stream))
      return error;
    if (const cudaError_t error = cudaStreamSynchronize(stream))
      return error;
    fresh.ref_.job_.pattern = reinterpret_cast<const uint8_t *>(d_pattern);
    fresh.ref_.bits_ = options.bits;
    matcher = std::move(fresh);
    return cudaSuccess;
  }
  /// For calls; empty if the matcher was not created. find_first does not depend on the selection.
  packed_matcher_ref ref(match_selection selection = match_selection::all) const {
    packed_matcher_ref ref = memory_.get() ? ref_ : packed_matcher_ref{};
    if (selection == match_selection::non_overlapping && ref.job_.step)
      ref.job_.every = static_cast<uint32_t>((ref.job_.length + ref.job_.step - 1) / ref.job_.step);
    return ref;
  }
  /// Of device memory.
  size_t bytes() const { return memory_.bytes(); }

private:
  detail::owned_memory<Resource> memory_;
  packed_matcher_ref ref_;
};
using packed_matcher = basic_packed_matcher<>;

namespace detail {

/// Both phases. d_positions: null if Result is one number.
template <class Policy, matching_result Result> struct packed_matching {
  static cudaError_t run(void *d_temp, size_t &temp_bytes, const packed_matcher_ref &pattern,
                         const packed_text &text, uint64_t *d_positions, uint64_t capacity,
                         uint64_t *d_result, const run_options &options) {
    if (pattern.job_.length == 0 || text.num_items >> 48 || capacity >> 48 ||
        too_many(text.num_unknown))
      return cudaErrorInvalidValue;
    const uint64_t bytes = (text.num_items * pattern.bits_ + 7) / 8,
                   unknown_bytes = text.num_unknown * sizeof(unknown_characters);
    if (d_temp &&
        (!valid_array(text.d_characters, bytes) || !valid_array(d_result, 1) ||
         !valid_array(d_positions, capacity) || !valid_array(text.d_unknown, text.num_unknown) ||
         !apart(text.d_characters, bytes, d_result, 8) ||
         !apart(text.d_characters, bytes, d_positions, 8 * capacity) ||
         !apart(d_positions, capacity, d_result, 8) ||
         !apart(d_positions, capacity, text.d_unknown, unknown_bytes) ||
         !apart(d_result, 1, text.d_unknown, unknown_bytes)))
      return cudaErrorInvalidValue;
    packed_job job = pattern.job_;
    job.text = text.d_characters;
    job.unknown = text.d_unknown;
    job.num_unknown = text.num_unknown;
    job.num_matches = d_result;
    job.positions = d_positions;
    job.capacity = capacity;
    job.status = options.d_status;
    return match_packed<Policy, Result>(d_temp, temp_bytes, job, pattern.bits_, text.num_items,
                                        options.stream);
  }
};

} // namespace detail

/// *d_num_matches: the number of positions.
template <class Policy = string_matching_policy>
[[nodiscard]] cudaError_t
count_matches(void *d_temp_storage, size_t &temp_storage_bytes, packed_matcher_ref pattern,
              packed_text text, uint64_t *d_num_matches, run_options options = {}, Policy = {}) {
  return detail::packed_matching<Policy, detail::matching_result::count>::run(
      d_temp_storage, temp_storage_bytes, pattern, text, nullptr, 0, d_num_matches, options);
}

/// *d_num_matches: the number of positions; d_positions: the first `capacity` of them.
template <class Policy = string_matching_policy>
[[nodiscard]] cudaError_t
find_matches(void *d_temp_storage, size_t &temp_storage_bytes, packed_matcher_ref pattern,
             packed_text text, uint64_t *d_positions, uint64_t capacity, uint64_t *d_num_matches,
             run_options options = {}, Policy = {}) {
  return detail::packed_matching<Policy, detail::matching_result::positions>::run(
      d_temp_storage, temp_storage_bytes, pattern, text, d_positions, capacity, d_num_matches,
      options);
}

/// *d_position: the first position, all ones if there is none.
template <class Policy = string_matching_policy>
[[nodiscard]] cudaError_t find_first(void *d_temp_storage, size_t &temp_storage_bytes,
                                     packed_matcher_ref pattern, packed_text text,
                                     uint64_t *d_position, run_options options = {}, Policy = {}) {
  return detail::packed_matching<Policy, detail::matching_result::first>::run(
      d_temp_storage, temp_storage_bytes, pattern, text, nullptr, 0, d_position, options);
}

} // namespace colonnade
