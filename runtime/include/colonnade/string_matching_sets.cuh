//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_sets.cuh: where the patterns of a set are in a text, on the GPU: exact matching
// of up to 10,000 patterns at once.
//
//   matcher_set            owns the patterns in device memory; its ref() is what calls take
//   count_matches_of_set   how many matches there are: pairs of a position and a pattern
//   count_matches_of_each  how many matches each pattern has
//   find_matches_of_set    all matches, by position, then by the pattern's number
//
// n characters of text, patterns of m bytes in all:
//   texts         bytes of any alignment; n < 2^48. No byte outside [text, text + n) is read
//   patterns      1 to 10,000, of 1 to 2^16 bytes each, at most 2^26 in all, in host memory at
//                 creation. A pattern's number is its place among them. Equal patterns each match
//   method        patterns of 7 bytes and more have four bytes at a multiple of 4 wherever they
//                 begin: every aligned word of the text is looked up in a filter of bits in shared
//                 memory, and where it may be such a word, the first 7 or 8 bytes from the four
//                 positions around it in another. Where patterns are shorter, the first (up to 4)
//                 bytes from every position on are looked up besides. What passes is gathered until
//                 all lanes of a warp have some, looked up in a hash table of the patterns' first 8
//                 bytes, and compared. Where all have 8 bytes and more, a text of 64 MB and more is
//                 sampled: if many of its positions begin like a pattern, all are asked for the
//                 first 8 bytes of patterns in shared memory. count_matches_of_set, if many of its
//                 words pass the first filter, or if patterns of 4 to 7 bytes are in the set, asks
//                 for 8 bytes of each pattern that are rare in the set
//   case          matcher_options::fold_case: A to Z equal a to z; all other bytes only themselves
//   work          O(n), and for every position that passes the filters: the bytes that the text has
//                 in common with a pattern from there on; where several patterns agree in 64 bytes,
//                 times the logarithm of their number
//   traffic       reads the text once; find_matches_of_set reads it where matches are once more,
//                 and writes its notes and reads them: 2 bytes for a position at which patterns
//                 begin, at most an eighth of a byte for a position
//   temporary     count_matches_of_set: 1 KB; count_matches_of_each: 512 bytes for each pattern;
//                 find_matches_of_set: an eighth and a hundredth of the text
//   device memory of a set: its patterns, 7 MB of tables at most, and 2 bytes for each pair of a
//                 pattern and another that is its prefix (100 MB at most)
//   stability     does not apply; determinism: the same bits on every run, GPU and policy
//   aliasing      arrays do not overlap, nor with the text. Several calls may use a set at once
//   synchronises  never, except creation, which waits until the tables are copied; calls are
//                 graph-capturable. All work is queued on options.stream
//   n too small   for a pattern: it has no match; not an error
//   too few       positions: *d_num_matches is the true number all the same, the first `capacity`
//                 matches are written, and the status says buffer_too_small and how many there are
//   returns       cudaErrorInvalidValue, before any CUDA call, for no pattern, an empty one, or
//   more
//                 or longer ones than above, null, unaligned or overlapping arrays, too little
//                 storage, a set that was not created; cudaErrorMemoryAllocation;
//                 cudaErrorStreamCaptureUnsupported for creation in a captured stream; else what
//                 CUDA calls return
//
// Why it is built like this: docs/decisions/0030-sets-of-patterns.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/string_matching/sets/build.hpp>
#include <colonnade/detail/string_matching/sets/build_anchors.hpp>
#include <colonnade/detail/string_matching/sets/build_resident.hpp>
#include <colonnade/detail/string_matching/sets/launch.cuh>
#include <colonnade/single_phase.cuh>
#include <colonnade/string_matching_sets_options.hpp>

#include <array>
#include <vector>

namespace colonnade {

namespace detail {
template <class Policy, set_result Result> struct set_matching;
} // namespace detail

/// A set of patterns in device memory, as calls take it: until its owner ends.
class matcher_set_ref {
public:
  uint32_t num_patterns() const { return tables_.num_patterns; }
  /// Of patterns; 0 if there is none.
  uint64_t shortest_length() const { return shortest_; }
  uint64_t longest_length() const { return longest_; }
  /// Of matches: patterns that are prefixes of one another, or equal.
  uint64_t most_at_position() const { return most_at_position_; }

private:
  template <class Resource> friend class basic_matcher_set;
  template <class Policy, detail::set_result Result> friend struct detail::set_matching;
  detail::set_tables tables_{};
  bool has_long_ = false, has_short_ = false;
  uint64_t shortest_ = 0, longest_ = 0, most_at_position_ = 0;
};

/// Resource: as in single_phase.cuh.
template <class Resource = async_resource> class basic_matcher_set {
public:
  /// A set of these patterns in place of what was there; if it cannot be had, that is unchanged.
  [[nodiscard]] static cudaError_t create(basic_matcher_set &set, const set_pattern *patterns,
                                          uint32_t num_patterns, matcher_options options = {},
                                          cudaStream_t stream = nullptr, Resource resource = {}) {
    if (!detail::valid_set(patterns, num_patterns))
      return cudaErrorInvalidValue;
    const detail::set_builder built(patterns, num_patterns, options.fold_case);
    const std::vector<uint32_t> filters = !built.has_short ? built.filters<detail::long_filters>()
                                          : built.has_long ? built.filters<detail::mixed_filters>()
                                                           : built.filters<detail::short_filters>();
    const detail::resident_builder resident(built.keys, built.tables.key_lengths,
                                            built.tables.fold);
    const detail::anchor_builder anchored(built);
    const std::array runs{anchored.runs};
    detail::temp_storage places;
    const size_t filters_at = places.add<uint32_t>(filters.size()),
                 keys_at = places.add<detail::set_key>(built.keys.size()),
                 steps_at = places.add<detail::set_step>(built.steps.size()),
                 members_at = places.add<detail::set_member>(built.members.size()),
                 lists_at = places.add<uint16_t>(built.lists.size()),
                 bytes_at = places.add<uint8_t>(built.bytes.size()),
                 pairs_at = places.add<uint32_t>(resident.pairs.size()),
                 displacements_at = places.add<uint8_t>(resident.displacements.size()),
                 counted_at = places.add<detail::resident_key>(resident.counted.size()),
                 members_of_keys_at = places.add<detail::resident_key>(resident.members.size()),
                 anchors_at = places.add<detail::set_anchor>(anchored.anchors.size()),
                 shorts_at = places.add<detail::short_patterns>(anchored.shorts.size()),
                 beginnings_at = places.add<uint32_t>(anchored.beginnings.size()),
                 runs_at = places.add<detail::run_patterns>(1),
                 anchor_pairs_at = places.add<uint32_t>(anchored.keys.pairs.size()),
                 anchor_displacements_at = places.add<uint8_t>(anchored.keys.displacements.size()),
                 anchor_keys_at = places.add<detail::resident_key>(anchored.keys.counted.size());
    basic_matcher_set fresh;
    if (const cudaError_t error = fresh.memory_.allocate(places.bytes(), stream, resource))
      return error;
    fresh.ref_.tables_ = built.tables;
    fresh.ref_.has_long_ = built.has_long;
    fresh.ref_.has_short_ = built.has_short;
    fresh.ref_.shortest_ = built.shortest;
    fresh.ref_.longest_ = built.longest;
    fresh.ref_.most_at_position_ = built.most_at_position;
    detail::set_tables &tables = fresh.ref_.tables_;
    cudaError_t error = cudaSuccess;
    const auto copy = [&](auto *&d_array, const auto &array, size_t at) {
      using item = std::remove_cv_t<std::remove_reference_t<decltype(array[0])>>;
      item *const d_items = detail::temp_storage::at<item>(fresh.memory_.get(), at);
      d_array = d_items;
      if (!error)
        error = cudaMemcpyAsync(d_items, array.data(), array.size() * sizeof(item),
                                cudaMemcpyHostToDevice, stream);
    };
    copy(tables.filters, filters, filters_at);
    copy(tables.keys, built.keys, keys_at);
    copy(tables.steps, built.steps, steps_at);
    copy(tables.members, built.members, members_at);
    copy(tables.lists, built.lists, lists_at);
    copy(tables.bytes, built.bytes, bytes_at);
    if (!resident.displacements.empty()) {
      tables.resident.multipliers = resident.multipliers;
      tables.resident.has_undecided = resident.has_undecided;
      copy(tables.resident.pairs, resident.pairs, pairs_at);
      copy(tables.resident.displacements, resident.displacements, displacements_at);
      copy(tables.resident.counted, resident.counted, counted_at);
      copy(tables.resident.members, resident.members, members_of_keys_at);
    }
    if (!anchored.anchors.empty()) {
      tables.anchored.kind = anchored.kind;
      tables.anchored.are_few = anchored.are_few;
      tables.anchor_keys.multipliers = anchored.keys.multipliers;
      copy(tables.anchored.anchors, anchored.anchors, anchors_at);
      if (anchored.has_short()) {
        copy(tables.anchored.shorts, anchored.shorts, shorts_at);
        copy(tables.anchored.beginnings, anchored.beginnings, beginnings_at);
      }
      copy(tables.anchored.runs, runs, runs_at);
      copy(tables.anchor_keys.pairs, anchored.keys.pairs, anchor_pairs_at);
      copy(tables.anchor_keys.displacements, anchored.keys.displacements, anchor_displacements_at);
      copy(tables.anchor_keys.counted, anchored.keys.counted, anchor_keys_at);
    }
    const cudaError_t copied = cudaStreamSynchronize(stream); // the arrays end here
    if (error || copied)
      return error ? error : copied;
    set = std::move(fresh);
    return cudaSuccess;
  }
  /// For calls; empty if the set was not created.
  matcher_set_ref ref() const { return memory_.get() ? ref_ : matcher_set_ref{}; }
  /// Of device memory.
  size_t bytes() const { return memory_.bytes(); }

private:
  detail::owned_memory<Resource> memory_;
  matcher_set_ref ref_;
};
using matcher_set = basic_matcher_set<>;

namespace detail {

/// Both phases. d_positions, d_patterns: null if Result has none.
template <class Policy, set_result Result> struct set_matching {
  static cudaError_t run(void *d_temp, size_t &temp_bytes, const matcher_set_ref &set,
                         const uint8_t *d_text, uint64_t n, uint64_t *d_positions,
                         uint32_t *d_patterns, uint64_t capacity, uint64_t *d_numbers,
                         const run_options &options) {
    const uint64_t num_patterns = set.tables_.num_patterns,
                   results = Result == set_result::each ? num_patterns : 1;
    if (num_patterns == 0 || n >> 48 || capacity >> 48)
      return cudaErrorInvalidValue;
    if (d_temp &&
        !(valid_array(d_text, n) && valid_array(d_numbers, results) &&
          valid_array(d_positions, capacity) && valid_array(d_patterns, capacity) &&
          apart(d_text, n, d_numbers, 8 * results) && apart(d_text, n, d_positions, 8 * capacity) &&
          apart(d_text, n, d_patterns, 4 * capacity) &&
          apart(d_positions, capacity, d_patterns, 4 * capacity) &&
          apart(d_positions, capacity, d_numbers, 8 * results) &&
          apart(d_patterns, capacity, d_numbers, 8 * results)))
      return cudaErrorInvalidValue;
    set_job job{};
    job.text = d_text;
    job.num_items = n;
    job.set = set.tables_;
    job.num_matches = d_numbers;
    job.positions = d_positions;
    job.patterns = d_patterns;
    job.capacity = capacity;
    job.status = options.d_status;
    return match_set<Policy, Result>(d_temp, temp_bytes, job, set.has_long_, set.has_short_,
                                     options.stream);
  }
};

} // namespace detail

/// *d_num_matches: the number of matches of all patterns.
template <class Policy = string_set_policy>
[[nodiscard]] cudaError_t count_matches_of_set(void *d_temp_storage, size_t &temp_storage_bytes,
                                               matcher_set_ref set, const uint8_t *d_text,
                                               uint64_t num_items, uint64_t *d_num_matches,
                                               run_options options = {}, Policy = {}) {
  return detail::set_matching<Policy, detail::set_result::count>::run(
      d_temp_storage, temp_storage_bytes, set, d_text, num_items, nullptr, nullptr, 0,
      d_num_matches, options);
}

/// d_nums_matches: the number of matches of each pattern, set.num_patterns() of them.
template <class Policy = string_set_policy>
[[nodiscard]] cudaError_t count_matches_of_each(void *d_temp_storage, size_t &temp_storage_bytes,
                                                matcher_set_ref set, const uint8_t *d_text,
                                                uint64_t num_items, uint64_t *d_nums_matches,
                                                run_options options = {}, Policy = {}) {
  return detail::set_matching<Policy, detail::set_result::each>::run(
      d_temp_storage, temp_storage_bytes, set, d_text, num_items, nullptr, nullptr, 0,
      d_nums_matches, options);
}

/// *d_num_matches: the number of matches of all patterns; d_positions, d_patterns: the positions
/// and the patterns' numbers of the first `capacity` of them.
template <class Policy = string_set_policy>
[[nodiscard]] cudaError_t
find_matches_of_set(void *d_temp_storage, size_t &temp_storage_bytes, matcher_set_ref set,
                    const uint8_t *d_text, uint64_t num_items, uint64_t *d_positions,
                    uint32_t *d_patterns, uint64_t capacity, uint64_t *d_num_matches,
                    run_options options = {}, Policy = {}) {
  return detail::set_matching<Policy, detail::set_result::matches>::run(
      d_temp_storage, temp_storage_bytes, set, d_text, num_items, d_positions, d_patterns, capacity,
      d_num_matches, options);
}

} // namespace colonnade
