//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching.cuh: where one string is in another, on the GPU: exact matching of one pattern.
//
//   matcher        owns a pattern in device memory; its ref() is what calls take
//   count_matches  at how many positions of a text the pattern is; overlapping ones count
//   find_matches   all of these positions, ascending; of both, those that do not overlap if the
//                  matcher is asked for ref(match_selection::non_overlapping)
//   find_first     the first of them
//
// n characters of text, a pattern of m:
//   texts         bytes of any alignment; n < 2^48. No byte outside [text, text + n) is read
//   patterns      1 to 2^20 bytes, in host memory at creation
//   method        the text is skimmed for four bytes of the pattern, compared at every position;
//                 where they are, the whole pattern is compared, so no match is false. Which four:
//                 those that are rarest in a sample of up to 26,624 words of the text, which a
//                 kernel takes (of texts below 1 MB: the window of the most different bytes). Up to
//                 32 bytes are compared by a lane, longer patterns by a warp. Patterns of 1 to 4
//                 bytes are their own four
//   case          matcher_options::fold_case: A to Z equal a to z; all other bytes only themselves
//   work          O(n) and m for every candidate. Where the pattern is a repetition (its period at
//                 most half of it) a warp follows its period from one candidate on, and decides all
//                 others of 32 KB by that: O(n + m n / 32768), also where every position matches
//   apart         ref(match_selection::non_overlapping): the first match, then the first that
//   begins
//                 at its end or behind it, and so on, as `grep -o` has them; for count_matches and
//                 find_matches. Costs nothing where the pattern cannot overlap itself; else
//                 find_matches may read dense parts of the text a second time, as above, and
//                 count_matches looks at every row that has a candidate
//   depth         O(m + log n) and the candidates of 32 KB of text
//   traffic       reads the text once; find_matches writes its notes and reads them: 2 bytes for a
//                 match, at most an eighth of a byte for a position. Matches that do not overlap:
//                 parts of 32 KB are read a second time where more than one position in 64 matches
//   temporary     count_matches, find_first: 1 KB at most; find_matches: an eighth and a hundredth
//                 of the text and 5 KB (of 16-bit characters half of that). Matches that do not
//                 overlap, if the pattern can overlap itself: a two-hundredth of the text and 5 KB,
//                 find_matches a sixteenth. 40 KB more if the pattern is longer than 8192. However
//                 many matches there are
//   stability     does not apply; determinism: the same bits on every run, GPU and policy
//   aliasing      arrays do not overlap, nor with the text. Several calls may use a matcher at once
//   synchronises  never, except creation, which waits until the pattern is copied; calls are
//                 graph-capturable. All work is queued on options.stream
//   n < m         no match; not an error
//   too few       positions: *d_num_matches is the true number all the same, the first `capacity`
//                 of them are written, and the status says buffer_too_small and how many there are
//   returns       cudaErrorInvalidValue, before any CUDA call, for an empty pattern, or one above
//                 2^20, null, unaligned or overlapping arrays, too little storage, a matcher that
//                 was not created; cudaErrorMemoryAllocation; cudaErrorStreamCaptureUnsupported for
//                 creation in a captured stream; else what CUDA calls return
//
// Source: S. Ashkiani, thesis (2017), chapter 2. What differs:
// docs/decisions/0026-string-matching.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/string_matching/launch.cuh>
#include <colonnade/detail/string_matching/pattern_tables.hpp>
#include <colonnade/detail/string_matching/period.hpp>
#include <colonnade/single_phase.cuh>
#include <colonnade/string_matching_options.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

namespace colonnade {

namespace detail {
template <class Policy, matching_result Result, class Character> struct text_matching;
template <matching_result Result> struct method_matching; // string_matching_methods.cuh
} // namespace detail

/// A pattern in device memory, as calls take it: until its matcher ends. Character: uint8_t, or
/// uint16_t (string_matching_wide.cuh).
template <class Character> class basic_matcher_ref {
public:
  uint64_t length() const { return length_; }
  /// Whether places of the pattern may be left out, since they overlap a match.
  bool leaves_out() const { return selection_ != match_selection::all && step_ < length_; }

private:
  template <class Resource, class Char> friend class basic_matcher;
  template <class Policy, detail::matching_result Result, class Char>
  friend struct detail::text_matching;
  template <detail::matching_result Result> friend struct detail::method_matching;
  template <class Job> void describe(Job &job) const {
    job.pattern = reinterpret_cast<const uint8_t *>(d_pattern_);
    job.length = length_;
    job.fold = fold_;
    job.period = period_;
    job.sketch = sketch_;
    job.agreeing = d_agreeing_;
    job.step = step_;
    job.every = selection_ == match_selection::all
                    ? 1
                    : static_cast<uint32_t>((length_ + step_ - 1) / step_);
  }
  const Character *d_pattern_ = nullptr;
  const uint32_t *d_agreeing_ = nullptr;
  uint64_t length_ = 0;
  uint32_t fold_ = 0, period_ = 0, step_ = 0;
  match_selection selection_ = match_selection::all;
  detail::skim_choice choice_{};
  detail::pattern_sketch sketch_{};
};

using matcher_ref = basic_matcher_ref<uint8_t>;

/// Resource: as in single_phase.cuh.
template <class Resource = async_resource, class Character = uint8_t> class basic_matcher {
public:
  static constexpr uint64_t most_length = 1u << 20;

  /// A matcher of `length` characters of host memory in place of what was there; if it cannot be
  /// had, that is unchanged.
  [[nodiscard]] static cudaError_t create(basic_matcher &matcher, const void *pattern,
                                          uint64_t length, matcher_options options = {},
                                          cudaStream_t stream = nullptr, Resource resource = {}) {
    if (!pattern || length == 0 || length > most_length)
      return cudaErrorInvalidValue;
    using letters = detail::letters<Character>;
    std::vector<Character> padded((length + 31) / 16 * 16);
    std::memcpy(padded.data(), pattern, length * sizeof(Character));
    const uint32_t fold = options.fold_case ? letters::all_case_bits : 0;
    for (Character &c : padded)
      c = static_cast<Character>(letters::lower(c, fold));
    std::vector<uint32_t> agreeing; // where a lane does not compare the whole pattern
    if (length > detail::most_compared_alone)
      agreeing = detail::agreeing_lengths(padded.data(), length);
    basic_matcher fresh;
    if (const cudaError_t error = fresh.copy(padded, agreeing, stream, resource))
      return error;
    fresh.ref_.length_ = length;
    fresh.ref_.fold_ = fold;
    fresh.ref_.step_ = detail::smallest_period(padded.data(), length);
    fresh.ref_.period_ = 2 * uint64_t{fresh.ref_.step_} <= length ? fresh.ref_.step_ : 0;
    fresh.ref_.choice_ = choose_alone(padded.data(), length);
    if constexpr (sizeof(Character) == 1) // others are not skimmed for it
      fresh.ref_.sketch_ = detail::sketch_of(padded.data(), length, fold);
    matcher = std::move(fresh);
    return cudaSuccess;
  }
  /// For calls; empty if the matcher was not created. find_first does not depend on the selection.
  basic_matcher_ref<Character> ref(match_selection selection = match_selection::all) const {
    basic_matcher_ref<Character> ref = memory_.get() ? ref_ : basic_matcher_ref<Character>{};
    ref.selection_ = selection;
    return ref;
  }
  /// Of device memory.
  size_t bytes() const { return memory_.bytes(); }

private:
  /// To device memory.
  cudaError_t copy(const std::vector<Character> &pattern, const std::vector<uint32_t> &agreeing,
                   cudaStream_t stream, const Resource &resource) {
    detail::temp_storage place;
    const size_t characters = place.add<Character>(pattern.size()),
                 lengths = place.add<uint32_t>(agreeing.size());
    if (const cudaError_t error = memory_.allocate(place.bytes(), stream, resource))
      return error;
    auto *const d_pattern = detail::temp_storage::at<Character>(memory_.get(), characters);
    auto *const d_agreeing = detail::temp_storage::at<uint32_t>(memory_.get(), lengths);
    cudaError_t error =
        cudaMemcpyAsync(d_pattern, pattern.data(), pattern.size() * sizeof(Character),
                        cudaMemcpyHostToDevice, stream);
    if (!error && !agreeing.empty())
      error = cudaMemcpyAsync(d_agreeing, agreeing.data(), agreeing.size() * sizeof(uint32_t),
                              cudaMemcpyHostToDevice, stream);
    ref_.d_pattern_ = d_pattern;
    ref_.d_agreeing_ = agreeing.empty() ? nullptr : d_agreeing;
    return error ? error : cudaStreamSynchronize(stream);
  }
  /// Without a text: the window with the most different bytes, the first of several.
  static detail::skim_choice choose_alone(const Character *pattern, uint64_t length) {
    const uint64_t width = length < 4 ? length : 4;
    detail::skim_choice best{};
    uint64_t most = 0;
    for (uint64_t offset = 0; offset + width <= length && most < width; ++offset) {
      detail::skim_choice choice{offset, 0};
      uint64_t different = 0;
      for (uint64_t i = offset; i < offset + width; ++i) {
        if constexpr (sizeof(Character) == 1)
          choice.word |= uint32_t{pattern[i]} << 8 * (i - offset);
        different += std::find(pattern + offset, pattern + i, pattern[i]) == pattern + i;
      }
      if (different > most)
        most = different, best = choice;
    }
    return best;
  }

  detail::owned_memory<Resource> memory_;
  basic_matcher_ref<Character> ref_;
};
using matcher = basic_matcher<>;

namespace detail {

/// The arrays are looked at in the second phase.
template <class Character>
bool text_arrays_are_valid(const void *d_temp, const Character *d_text, uint64_t n,
                           const uint64_t *d_positions, uint64_t capacity,
                           const uint64_t *d_result) {
  if (n >> 48 || capacity >> 48)
    return false;
  return !d_temp ||
         (valid_array(d_text, n) && valid_array(d_result, 1) &&
          valid_array(d_positions, capacity) && apart(d_text, n, d_result, 8) &&
          apart(d_text, n, d_positions, 8 * capacity) && apart(d_positions, capacity, d_result, 8));
}

/// Both phases. d_positions: null if Result is one number.
template <class Policy, matching_result Result, class Character> struct text_matching {
  static cudaError_t run(void *d_temp, size_t &temp_bytes,
                         const basic_matcher_ref<Character> &pattern, const Character *d_text,
                         uint64_t n, uint64_t *d_positions, uint64_t capacity, uint64_t *d_result,
                         const run_options &options) {
    if (pattern.length_ == 0 ||
        !text_arrays_are_valid(d_temp, d_text, n, d_positions, capacity, d_result))
      return cudaErrorInvalidValue;
    matching_job job{};
    job.text = reinterpret_cast<const uint8_t *>(d_text);
    pattern.describe(job);
    job.choice = pattern.choice_;
    job.num_matches = d_result;
    job.positions = d_positions;
    job.capacity = capacity;
    job.status = options.d_status;
    return match<Policy, Result, Character>(d_temp, temp_bytes, job, n, options.stream);
  }
};

} // namespace detail

/// The type of a text that only the pattern decides.
template <class Character> using text_pointer = std::type_identity_t<const Character *>;

/// *d_num_matches: the number of positions.
template <class Policy = string_matching_policy, class Character>
[[nodiscard]] cudaError_t
count_matches(void *d_temp_storage, size_t &temp_storage_bytes,
              basic_matcher_ref<Character> pattern, text_pointer<Character> d_text,
              uint64_t num_items, uint64_t *d_num_matches, run_options options = {}, Policy = {}) {
  return detail::text_matching<Policy, detail::matching_result::count, Character>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, nullptr, 0, d_num_matches,
      options);
}

/// *d_num_matches: the number of positions; d_positions: the first `capacity` of them.
template <class Policy = string_matching_policy, class Character>
[[nodiscard]] cudaError_t
find_matches(void *d_temp_storage, size_t &temp_storage_bytes, basic_matcher_ref<Character> pattern,
             text_pointer<Character> d_text, uint64_t num_items, uint64_t *d_positions,
             uint64_t capacity, uint64_t *d_num_matches, run_options options = {}, Policy = {}) {
  return detail::text_matching<Policy, detail::matching_result::positions, Character>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, d_positions, capacity,
      d_num_matches, options);
}

/// *d_position: the first position, all ones if there is none.
template <class Policy = string_matching_policy, class Character>
[[nodiscard]] cudaError_t find_first(void *d_temp_storage, size_t &temp_storage_bytes,
                                     basic_matcher_ref<Character> pattern,
                                     text_pointer<Character> d_text, uint64_t num_items,
                                     uint64_t *d_position, run_options options = {}, Policy = {}) {
  return detail::text_matching<Policy, detail::matching_result::first, Character>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, nullptr, 0, d_position,
      options);
}

} // namespace colonnade
