//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_sets_stream.cuh: where the patterns of a set are in a text in host memory or in a
// file, which may be larger than the GPU's memory: the text is copied once for all of them.
//
//   count_matches_of_set  how many matches there are: pairs of a position and a pattern
//   find_matches_of_set   all matches, by position, then by the pattern's number: in a vector, or
//   by
//                         calls of a function
//
// They take a text_stream of string_matching_stream.cuh, whose contract holds, with the set's
// longest pattern for the pattern, and these differences:
//   patterns      a matcher_set of string_matching_sets.cuh, whose contract holds for what is a
//                 match. It must have been created before
//   work          as there; to count, what chunks have in common (the longest pattern less one) is
//                 looked at twice
//   device memory at most 3 chunks; more only where more patterns than a sixty-fourth of a chunk
//   has
//                 bytes begin at one place
//   host memory   three eighths of a chunk for matches
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_sets.cuh>
#include <colonnade/string_matching_stream.cuh>

namespace colonnade {

namespace detail {

/// A set, as device.cuh takes it.
struct set_search {
  static constexpr bool has_patterns = true;
  matcher_set_ref set;

  uint64_t shortest() const { return set.shortest_length(); }
  uint64_t longest() const { return set.longest_length(); }
  uint64_t most_at_place() const { return set.most_at_position(); }
  bool leaves_out() const { return false; }
  cudaError_t count(void *d_temp, size_t &temp_bytes, const uint8_t *d_text, uint64_t n,
                    uint64_t *d_number, const run_options &options) const {
    return count_matches_of_set(d_temp, temp_bytes, set, d_text, n, d_number, options);
  }
  cudaError_t find(void *d_temp, size_t &temp_bytes, const uint8_t *d_text, uint64_t n,
                   uint64_t *d_positions, uint32_t *d_patterns, uint64_t capacity,
                   uint64_t *d_number, const run_options &options) const {
    return find_matches_of_set(d_temp, temp_bytes, set, d_text, n, d_positions, d_patterns,
                               capacity, d_number, options);
  }
};

struct stream_access {
  template <class Resource, class Sink>
  static stream_outcome run(basic_text_stream<Resource> &stream, matcher_set_ref set,
                            const text_source &source, bool lists, const Sink &sink,
                            uint64_t &num_matches) {
    return stream.run(set_search{set}, source, lists, sink, num_matches);
  }
};

} // namespace detail

/// Told of matches by position, then by number, which it may keep only as copies; returns whether
/// to go on.
using set_matches_sink =
    std::function<bool(const uint64_t *positions, const uint32_t *patterns, uint64_t count)>;

template <class Resource>
[[nodiscard]] stream_outcome count_matches_of_set(basic_text_stream<Resource> &stream,
                                                  matcher_set_ref set, const text_source &source,
                                                  uint64_t &num_matches) {
  return detail::stream_access::run(stream, set, source, false, set_matches_sink(), num_matches);
}

/// num_matches: of those that were handed out.
template <class Resource>
[[nodiscard]] stream_outcome find_matches_of_set(basic_text_stream<Resource> &stream,
                                                 matcher_set_ref set, const text_source &source,
                                                 const set_matches_sink &sink,
                                                 uint64_t &num_matches) {
  return detail::stream_access::run(stream, set, source, true, sink, num_matches);
}

/// matches: empty after an error.
template <class Resource>
[[nodiscard]] stream_outcome find_matches_of_set(basic_text_stream<Resource> &stream,
                                                 matcher_set_ref set, const text_source &source,
                                                 std::vector<set_match> &matches) {
  matches.clear();
  uint64_t number = 0;
  const stream_outcome outcome = find_matches_of_set(
      stream, set, source,
      [&](const uint64_t *positions, const uint32_t *patterns, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
          matches.push_back({positions[i], patterns[i]});
        return true;
      },
      number);
  if (!outcome.ok())
    matches.clear();
  return outcome;
}

} // namespace colonnade
