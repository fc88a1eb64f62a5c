//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_classes.cuh: where a pattern of character classes is in a text, on the GPU: exact
// matching of up to 64 classes, such as [A-Z]..[0-9], or GRTANC of nucleotides.
//
//   class_matcher  owns a pattern in device memory; its ref() is what calls take
//   count_matches  at how many positions of a text the pattern is; overlapping ones count
//   find_matches   all of these positions, ascending
//   find_first     the first of them
//
// n characters of text, a pattern of m classes:
//   texts         bytes of any alignment; n < 2^48. No byte outside [text, text + n) is read
//   patterns      1 to 64 classes (string_matching_classes_options.hpp says how they are written),
//                 in host memory at creation. Each is one character of a match: no repetitions
//   method        Shift-And: a lane runs through 128 bytes and m - 1 more, and keeps in a word of
//   32
//                 or 64 bits which beginnings of the pattern end at each byte
//   work          O(n (1 + m / 128)), whatever matches; depth: O(log n)
//   traffic       reads the text once; find_matches reads parts of 64 KB a second time where more
//                 than one position in 64 matches
//   temporary     count_matches, find_first: 1 KB at most; find_matches: a thirty-second of the
//   text stability     does not apply; determinism: the same bits on every run, GPU and policy
//   aliasing      arrays do not overlap, nor with the text. Several calls may use a matcher at once
//   synchronises  never, except creation, which waits until the pattern is copied; calls are
//                 graph-capturable. All work is queued on options.stream
//   n < m         no match; not an error
//   too few       positions: *d_num_matches is the true number all the same, the first `capacity`
//                 of them are written, and the status says buffer_too_small and how many there are
//   returns       cudaErrorInvalidValue, before any CUDA call, for an expression that is wrong, or
//                 has no class or more than 64, null, unaligned or overlapping arrays, too little
//                 storage, a matcher that was not created; cudaErrorMemoryAllocation;
//                 cudaErrorStreamCaptureUnsupported for creation in a captured stream; else what
//                 CUDA calls return
//
// Source: R. Baeza-Yates, G. Gonnet, A new approach to text searching (1992).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/classes/expression.hpp>
#include <colonnade/detail/string_matching/classes/launch.cuh>
#include <colonnade/string_matching.cuh>

namespace colonnade {

namespace detail {
template <class Policy, matching_result Result> struct class_matching;
} // namespace detail

/// A pattern in device memory, as calls take it: until its matcher ends.
class class_matcher_ref {
public:
  /// In characters.
  uint64_t length() const { return length_; }

private:
  template <class Resource> friend class basic_class_matcher;
  template <class Policy, detail::matching_result Result> friend struct detail::class_matching;
  const uint64_t *d_masks_ = nullptr;
  uint64_t length_ = 0;
};

/// Resource: as in single_phase.cuh.
template <class Resource = async_resource> class basic_class_matcher {
public:
  /// A matcher of an expression of `length` bytes of host memory in place of what was there; if it
  /// cannot be had, that is unchanged.
  [[nodiscard]] static cudaError_t create(basic_class_matcher &matcher, const void *expression,
                                          uint64_t length, class_options options = {},
                                          cudaStream_t stream = nullptr, Resource resource = {}) {
    if (!expression || length == 0 || detail::too_many(length))
      return cudaErrorInvalidValue;
    const auto classes = detail::read_classes(expression, length, options);
    if (classes.empty())
      return cudaErrorInvalidValue;
    const std::vector<uint64_t> masks = detail::masks_of(classes);
    detail::temp_storage place;
    place.add<uint64_t>(masks.size());
    basic_class_matcher fresh;
    if (const cudaError_t error = fresh.memory_.allocate(place.bytes(), stream, resource))
      return error;
    uint64_t *const d_masks = detail::temp_storage::at<uint64_t>(fresh.memory_.get(), 0);
    if (const cudaError_t error = cudaMemcpyAsync(
            d_masks, masks.data(), masks.size() * sizeof(uint64_t), cudaMemcpyHostToDevice, stream))
      return error;
    if (const cudaError_t error = cudaStreamSynchronize(stream))
      return error;
    fresh.ref_.d_masks_ = d_masks;
    fresh.ref_.length_ = classes.size();
    matcher = std::move(fresh);
    return cudaSuccess;
  }
  /// For calls; empty if the matcher was not created.
  class_matcher_ref ref() const { return memory_.get() ? ref_ : class_matcher_ref{}; }
  /// Of device memory.
  size_t bytes() const { return memory_.bytes(); }

private:
  detail::owned_memory<Resource> memory_;
  class_matcher_ref ref_;
};
using class_matcher = basic_class_matcher<>;

namespace detail {

/// Both phases. d_positions: null if Result is one number.
template <class Policy, matching_result Result> struct class_matching {
  static cudaError_t run(void *d_temp, size_t &temp_bytes, const class_matcher_ref &pattern,
                         const uint8_t *d_text, uint64_t n, uint64_t *d_positions,
                         uint64_t capacity, uint64_t *d_result, const run_options &options) {
    if (pattern.length_ == 0 ||
        !text_arrays_are_valid(d_temp, d_text, n, d_positions, capacity, d_result))
      return cudaErrorInvalidValue;
    class_job job{};
    job.text = d_text;
    job.masks = pattern.d_masks_;
    job.length = pattern.length_;
    job.num_matches = d_result;
    job.positions = d_positions;
    job.capacity = capacity;
    job.status = options.d_status;
    return match_classes<Policy, Result>(d_temp, temp_bytes, job, n, options.stream);
  }
};

} // namespace detail

/// *d_num_matches: the number of positions.
template <class Policy = string_class_policy>
[[nodiscard]] cudaError_t count_matches(void *d_temp_storage, size_t &temp_storage_bytes,
                                        class_matcher_ref pattern, const uint8_t *d_text,
                                        uint64_t num_items, uint64_t *d_num_matches,
                                        run_options options = {}, Policy = {}) {
  return detail::class_matching<Policy, detail::matching_result::count>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, nullptr, 0, d_num_matches,
      options);
}

/// *d_num_matches: the number of positions; d_positions: the first `capacity` of them.
template <class Policy = string_class_policy>
[[nodiscard]] cudaError_t
find_matches(void *d_temp_storage, size_t &temp_storage_bytes, class_matcher_ref pattern,
             const uint8_t *d_text, uint64_t num_items, uint64_t *d_positions, uint64_t capacity,
             uint64_t *d_num_matches, run_options options = {}, Policy = {}) {
  return detail::class_matching<Policy, detail::matching_result::positions>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, d_positions, capacity,
      d_num_matches, options);
}

/// *d_position: the first position, all ones if there is none.
template <class Policy = string_class_policy>
[[nodiscard]] cudaError_t find_first(void *d_temp_storage, size_t &temp_storage_bytes,
                                     class_matcher_ref pattern, const uint8_t *d_text,
                                     uint64_t num_items, uint64_t *d_position,
                                     run_options options = {}, Policy = {}) {
  return detail::class_matching<Policy, detail::matching_result::first>::run(
      d_temp_storage, temp_storage_bytes, pattern, d_text, num_items, nullptr, 0, d_position,
      options);
}

} // namespace colonnade
