//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_string_matching_sets.hpp: where the patterns of a set are in a text, on the host: the
// automaton of Aho and Corasick, the reference of string_matching_sets.cuh.
//
//   host_find_matches_of_set  as find_matches_of_set: all matches, by position, then by number
//   host_matcher_set          the automaton of a set, for several texts
//
// In: a text and patterns that a set may have; a host_matcher_set may have as many as memory has
// room for, none of them empty. Out: matches; none where a set may not have the patterns.
// Invariant: equal patterns each are in the result.
//
// Complexity: work O(n + the patterns' bytes + k log k) for k matches, on one thread; the automaton
// takes some 100 bytes for each byte of the patterns.
//
// Source: A. Aho, M. Corasick, Efficient string matching: an aid to bibliographic search (1975).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_sets_options.hpp>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace colonnade {

namespace detail {

class aho_corasick {
public:
  aho_corasick(const set_pattern *patterns, uint32_t num_patterns, bool fold_case)
      : fold_(fold_case) {
    for (uint32_t i = 0; i < num_patterns; ++i)
      add(patterns[i], i);
    set_failures();
  }

  /// each(position, pattern's number); by the matches' ends.
  template <class Each> void search(const uint8_t *text, uint64_t num_items, Each each) const {
    uint32_t at = 0;
    for (uint64_t i = 0; i < num_items; ++i) {
      at = after(at, byte(text[i]));
      for (uint32_t s = nodes_[at].patterns.empty() ? nodes_[at].shorter : at; s != 0;
           s = nodes_[s].shorter)
        for (const uint32_t number : nodes_[s].patterns)
          each(i + 1 - nodes_[s].depth, number);
    }
  }

private:
  struct node {
    uint32_t depth = 0, parent = 0;
    uint8_t from_parent = 0;
    uint32_t failure = 0; // the longest proper suffix that is a node
    uint32_t shorter = 0; // the longest proper suffix that is a pattern; 0: none
    std::vector<uint32_t> patterns;
  };

  uint8_t byte(uint8_t b) const {
    return fold_ && b >= 'A' && b <= 'Z' ? static_cast<uint8_t>(b + 32) : b;
  }
  static uint64_t edge(uint32_t from, uint8_t b) { return uint64_t{from} << 8 | b; }
  void add(const set_pattern &pattern, uint32_t number) {
    uint32_t at = 0;
    for (uint64_t i = 0; i < pattern.length; ++i) {
      const uint8_t b = byte(static_cast<const uint8_t *>(pattern.bytes)[i]);
      const auto [edge_at, fresh] =
          edges_.try_emplace(edge(at, b), static_cast<uint32_t>(nodes_.size()));
      if (fresh)
        nodes_.push_back({nodes_[at].depth + 1, at, b, 0, 0, {}});
      at = edge_at->second;
    }
    nodes_[at].patterns.push_back(number);
  }
  /// By depth, so that shorter ones are set.
  void set_failures() {
    std::vector<uint32_t> order(nodes_.size());
    for (uint32_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [this](uint32_t a, uint32_t b) { return nodes_[a].depth < nodes_[b].depth; });
    for (const uint32_t i : order) {
      node &n = nodes_[i];
      if (n.depth > 1)
        n.failure = after(nodes_[n.parent].failure, n.from_parent);
      const node &other = nodes_[n.failure];
      n.shorter = other.patterns.empty() ? other.shorter : n.failure;
    }
  }
  uint32_t after(uint32_t at, uint8_t b) const {
    for (;; at = nodes_[at].failure) {
      const auto found = edges_.find(edge(at, b));
      if (found != edges_.end())
        return found->second;
      if (at == 0)
        return 0;
    }
  }

  bool fold_;
  std::vector<node> nodes_ = std::vector<node>(1);
  std::unordered_map<uint64_t, uint32_t> edges_;
};

} // namespace detail

class host_matcher_set {
public:
  host_matcher_set(const set_pattern *patterns, uint32_t num_patterns, matcher_options options = {})
      : automaton_(patterns, num_patterns, options.fold_case) {}

  /// All matches, by position, then by number.
  std::vector<set_match> find_matches(const uint8_t *text, uint64_t num_items) const {
    std::vector<set_match> matches;
    automaton_.search(text, num_items, [&](uint64_t position, uint32_t number) {
      matches.push_back({position, number});
    });
    std::sort(matches.begin(), matches.end());
    return matches;
  }

private:
  detail::aho_corasick automaton_;
};

inline std::vector<set_match> host_find_matches_of_set(const uint8_t *text, uint64_t num_items,
                                                       const set_pattern *patterns,
                                                       uint32_t num_patterns,
                                                       matcher_options options = {}) {
  if (!detail::valid_set(patterns, num_patterns))
    return {};
  return host_matcher_set(patterns, num_patterns, options).find_matches(text, num_items);
}

} // namespace colonnade
