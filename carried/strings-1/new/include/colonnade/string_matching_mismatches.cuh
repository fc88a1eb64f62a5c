//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_mismatches.cuh: where a pattern is in a text with up to k of its characters
// replaced by others (Hamming distance at most k), on the GPU.
//
//   mismatch_matcher  owns a pattern in device memory, and k; its ref() is what calls take
//   count_matches     at how many positions of a text the pattern is with up to k mismatches
//   find_matches      all of these positions, ascending, and the number of mismatches at each
//   find_first        the first of these positions
//
// n characters of text, a pattern of m characters:
//   texts         bytes of any alignment; n < 2^48. No byte outside [text, text + n) is read
//   patterns      1 to 2^20 bytes of host memory at creation; k at most 8, and less than m
//   method        pieces: of k + 1 pieces of 7 bytes, which do not overlap, one is there exactly,
//                 and of it four bytes are at a multiple of 4: these words of the text are looked
//                 up in a table of hashes, and the pattern is compared where it may be.
//                 counting: the mismatches of up to 32 bytes of the pattern are counted at every
//                 position, by planes of bits, until no position of 2 KB can be a match; the rest
//                 is compared. The pattern decides which, unless the options do
//   case          mismatch_options::fold_case: A to Z equal a to z; all other bytes only themselves
//   work          O(n), and min(m, 32) n / 32 where mismatches are counted; and for each candidate
//                 the bytes up to its mismatch k + 1, or all m: O(n m) in a text of repetitions of
//                 the pattern's (pieces of 4 equal bytes in a text of this byte)
//   traffic       reads the text once; find_matches reads parts of 62 KB a second time where more
//                 than one position in 64 matches, and the text at all matches for their numbers of
//                 mismatches
//   temporary     count_matches, find_first: 1 KB at most; find_matches: a thirty-second of the
//   text stability     does not apply; determinism: the same bits on every run, GPU, policy and
//   method aliasing      arrays do not overlap, nor with the text. Several calls may use a matcher
//   at once synchronises  never, except creation, which waits until the pattern is copied; calls
//   are
//                 graph-capturable. All work is queued on options.stream
//   n < m         no match; not an error
//   too few       positions: *d_num_matches is the true number all the same, the first `capacity`
//                 of them are written, and the status says buffer_too_small and how many there are
//   returns       cudaErrorInvalidValue, before any CUDA call, for an empty or too long pattern,
//                 k > 8, k >= m, pieces asked for where m < 7 (k + 1), null, unaligned or
//                 overlapping arrays, too little storage, a matcher that was not created;
//                 cudaErrorMemoryAllocation; cudaErrorStreamCaptureUnsupported for creation in a
//                 captured stream; else what CUDA calls return
//
// Why it is built like this: docs/decisions/0031-mismatches.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/mismatches/launch.cuh>
#include <colonnade/detail/string_matching/mismatches/plan.hpp>
#include <colonnade/string_matching.cuh>

namespace colonnade {

namespace detail {
template <class Policy, matching_result Result> struct mismatch_matching;
} // namespace detail

/// A pattern and k in device memory, as calls take it: until its matcher ends.
class mismatch_matcher_ref {
public:
  uint64_t length() const { return length_; }
  uint32_t most_mismatches() const { return most_; }
  /// Never automatic, if there is a pattern.
  mismatch_method method() const {
    return length_ == 0 ? mismatch_method::automatic
           : num_units_ ? mismatch_method::pieces
                        : mismatch_method::counting;
  }

private:
  template <class Resource> friend class basic_mismatch_matcher;
  template <class Policy, detail::matching_result Result> friend struct detail::mismatch_matching;
  void describe(detail::mismatch_job &job) const {
    job.pattern = d_pattern_;
    job.length = length_;
    job.fold = fold_;
    job.choice.offset = offset_;
    job.most = most_;
    job.part = part_;
    job.num_units = num_units_;
    job.units = d_units_;
  }
  const uint8_t *d_pattern_ = nullptr;
  const detail::mismatch_unit *d_units_ = nullptr;
  uint64_t length_ = 0, offset_ = 0;
  uint32_t fold_ = 0, most_ = 0, part_ = 0, num_units_ = 0;
};

/// Resource: as in single_phase.cuh.
template <class Resource = async_resource> class basic_mismatch_matcher {
public:
  static constexpr uint64_t most_length = 1u << 20;

  /// A matcher of `length` bytes of host memory, up to most_mismatches of which may be others, in
  /// place of what was there; if it cannot be had, that is unchanged.
  [[nodiscard]] static cudaError_t create(basic_mismatch_matcher &matcher, const void *pattern,
                                          uint64_t length, uint32_t most_mismatches,
                                          mismatch_options options = {},
                                          cudaStream_t stream = nullptr, Resource resource = {}) {
    if (!pattern || length > most_length ||
        !detail::valid_mismatches(length, most_mismatches, options.method))
      return cudaErrorInvalidValue;
    std::vector<uint8_t> padded((length + 31) / 16 * 16);
    std::memcpy(padded.data(), pattern, length);
    const uint32_t fold = options.fold_case ? detail::case_bits : 0;
    for (uint8_t &c : padded)
      c = detail::letters<uint8_t>::lower(c, fold);
    const detail::mismatch_plan plan(padded.data(), length, most_mismatches, fold, options.method);
    detail::temp_storage places;
    const size_t pattern_at = places.add<uint8_t>(padded.size()),
                 units_at = places.add<detail::mismatch_unit>(plan.units.size());
    basic_mismatch_matcher fresh;
    if (const cudaError_t error = fresh.memory_.allocate(places.bytes(), stream, resource))
      return error;
    uint8_t *const d_pattern = detail::temp_storage::at<uint8_t>(fresh.memory_.get(), pattern_at);
    auto *const d_units =
        detail::temp_storage::at<detail::mismatch_unit>(fresh.memory_.get(), units_at);
    cudaError_t error =
        cudaMemcpyAsync(d_pattern, padded.data(), padded.size(), cudaMemcpyHostToDevice, stream);
    if (!error && !plan.units.empty())
      error = cudaMemcpyAsync(d_units, plan.units.data(), plan.units.size() * sizeof plan.units[0],
                              cudaMemcpyHostToDevice, stream);
    const cudaError_t copied = cudaStreamSynchronize(stream); // the arrays end here
    if (error || copied)
      return error ? error : copied;
    mismatch_matcher_ref &ref = fresh.ref_;
    ref.d_pattern_ = d_pattern;
    ref.d_units_ = d_units;
    ref.length_ = length;
    ref.offset_ = plan.offset;
    ref.fold_ = fold;
    ref.most_ = most_mismatches;
    ref.part_ = plan.part;
    ref.num_units_ = static_cast<uint32_t>(plan.units.size());
    matcher = std::move(fresh);
    return cudaSuccess;
  }
  /// For calls; empty if the matcher was not created.
  mismatch_matcher_ref ref() const { return memory_.get() ? ref_ : mismatch_matcher_ref{}; }
  /// Of device memory.
  size_t bytes() const { return memory_.bytes(); }

private:
  detail::owned_memory<Resource> memory_;
  mismatch_matcher_ref ref_;
};
using mismatch_matcher = basic_mismatch_matcher<>;

namespace detail {

/// Both phases. d_positions: null if Result is one number; d_mismatches may be null.
template <class Policy, matching_result Result> struct mismatch_matching {
  static cudaError_t run(void *d_temp, size_t &temp_bytes, const mismatch_matcher_ref &pattern,
                         const uint8_t *d_text, uint64_t n, uint64_t *d_positions,
                         uint8_t *d_mismatches, uint64_t capacity, uint64_t *d_result,
                         const run_options &options) {
    if (pattern.length_ == 0 ||
        !text_arrays_are_valid(d_temp, d_text, n, d_positions, capacity, d_result))
      return cudaErrorInvalidValue;
    if (d_temp && d_mismatches &&
        !(apart(d_text, n, d_mismatches, capacity) && apart(d_mismatches, capacity, d_result, 8) &&
          apart(d_positions, capacity, d_mismatches, capacity)))
      return cudaErrorInvalidValue;
    mismatch_job job{};
    job.text = d_text;
    pattern.describe(job);
    job.num_matches = d_result;
    job.positions = d_positions;
    job.capacity = capacity;
    job.status = options.d_status;
    return match_mismatches<Policy, Result>(d_temp, temp_bytes, job, d_mismatches, n,
                                            options.stream);
  }
};

} // namespace detail

/// *d_num_matches: the number of positions.
template <class Policy = string_mismatch_policy>
[[nodiscard]] cudaError_t count_matches(void *d_temp_storage, size_t &temp_storage_bytes,
                                        mismatch_matcher_ref pattern, const uint8_t *d_text,
                                        uint64_t num_items, uint64_t *d_num_matches,
                                        run_options options = {}, Policy = {}) {
  return detail::mismatch_matching<Policy, detail::matching_result::count>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, nullptr, nullptr, 0,
      d_num_matches, options);
}

/// *d_num_matches: the number of positions; d_positions, d_mismatches: the first `capacity` of
/// them, and the number of mismatches at each. d_mismatches may be null.
template <class Policy = string_mismatch_policy>
[[nodiscard]] cudaError_t
find_matches(void *d_temp_storage, size_t &temp_storage_bytes, mismatch_matcher_ref pattern,
             const uint8_t *d_text, uint64_t num_items, uint64_t *d_positions,
             uint8_t *d_mismatches, uint64_t capacity, uint64_t *d_num_matches,
             run_options options = {}, Policy = {}) {
  return detail::mismatch_matching<Policy, detail::matching_result::positions>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, d_positions, d_mismatches,
      capacity, d_num_matches, options);
}

/// *d_position: the first position, all ones if there is none.
template <class Policy = string_mismatch_policy>
[[nodiscard]] cudaError_t find_first(void *d_temp_storage, size_t &temp_storage_bytes,
                                     mismatch_matcher_ref pattern, const uint8_t *d_text,
                                     uint64_t num_items, uint64_t *d_position,
                                     run_options options = {}, Policy = {}) {
  return detail::mismatch_matching<Policy, detail::matching_result::first>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, nullptr, nullptr, 0,
      d_position, options);
}

} // namespace colonnade
