//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// search.hpp: where a pattern, or several, are in a text: what bulkgrep.cpp does on the CPU and
// bulkgrep.cu on the GPU.
//
// In: patterns, a text. Out: positions, ascending; of several patterns also which, the lower number
// first. Invariant: all of them; or of one pattern those that GNU grep -o has: none overlaps the
// one before.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "command.hpp"

#include <colonnade/host_string_matching.hpp>
#include <colonnade/host_string_matching_sets.hpp>
#include <colonnade/string_matching_source.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// The text in memory, and where it can be read from.
struct searched_text {
  std::string_view view;
  const colonnade::text_source *source;
};

/// Positions, ascending, in pieces; returns whether to go on.
using position_sink = std::function<bool(const uint64_t *positions, uint64_t count)>;
using match_sink =
    std::function<bool(const uint64_t *positions, const uint32_t *patterns, uint64_t count)>;
using progress_function = std::function<void(uint64_t done, uint64_t all)>;

class search {
public:
  virtual ~search() = default;
  /// Empty, or what is wrong.
  virtual std::string find(const std::string &pattern, colonnade::match_selection selection,
                           const searched_text &text, const position_sink &sink,
                           const progress_function &progress) = 0;
  /// Of at least two patterns, the same in each call.
  virtual std::string find_several(const std::vector<std::string> &patterns,
                                   const searched_text &text, const match_sink &sink,
                                   const progress_function &progress) = 0;
  /// For --stats: of the last call.
  virtual std::string method() const = 0;
};

inline std::vector<colonnade::set_pattern> as_set(const std::vector<std::string> &patterns) {
  std::vector<colonnade::set_pattern> set;
  for (const std::string &pattern : patterns)
    set.push_back({pattern.data(), pattern.size()});
  return set;
}

/// In bulkgrep.cpp or bulkgrep.cu.
std::unique_ptr<search> make_search(const command &c);

/// The serial method of Rabin and Karp, for several patterns the automaton of Aho and Corasick; by
/// pieces of 16 MB.
class host_search : public search {
public:
  host_search(const command &c, std::string why) : fold_case_(c.fold_case), why_(std::move(why)) {}

  std::string find(const std::string &pattern, colonnade::match_selection selection,
                   const searched_text &text, const position_sink &sink,
                   const progress_function &progress) override {
    method_ = "the serial method of Rabin and Karp";
    const auto *const bytes = reinterpret_cast<const uint8_t *>(text.view.data());
    const auto *const wanted = reinterpret_cast<const uint8_t *>(pattern.data());
    uint64_t next_free = 0;
    for (uint64_t at = 0; at < text.view.size(); at += piece) {
      const uint64_t size = std::min<uint64_t>(piece + pattern.size() - 1, text.view.size() - at);
      std::vector<uint64_t> found =
          colonnade::host_find_matches(bytes + at, size, wanted, pattern.size(), {fold_case_});
      for (uint64_t &position : found)
        position += at;
      if (selection == colonnade::match_selection::non_overlapping) {
        std::erase_if(found, [&](uint64_t position) { return position < next_free; });
        found = colonnade::host_non_overlapping(found, pattern.size());
        if (!found.empty())
          next_free = found.back() + pattern.size();
      }
      if (!found.empty() && !sink(found.data(), found.size()))
        return "";
      progress(std::min(at + piece, text.view.size()), text.view.size());
    }
    return "";
  }
  std::string find_several(const std::vector<std::string> &patterns, const searched_text &text,
                           const match_sink &sink, const progress_function &progress) override {
    method_ = "the automaton of Aho and Corasick";
    if (!automaton_)
      automaton_.emplace(as_set(patterns).data(), static_cast<uint32_t>(patterns.size()),
                         colonnade::matcher_options{fold_case_});
    const uint64_t longest = std::max_element(patterns.begin(), patterns.end(), shorter)->size();
    const auto *const bytes = reinterpret_cast<const uint8_t *>(text.view.data());
    for (uint64_t at = 0; at < text.view.size(); at += piece) {
      const uint64_t size = std::min<uint64_t>(piece + longest - 1, text.view.size() - at);
      std::vector<uint64_t> positions;
      std::vector<uint32_t> numbers;
      for (const colonnade::set_match &match : automaton_->find_matches(bytes + at, size))
        if (match.position < piece) {
          positions.push_back(at + match.position);
          numbers.push_back(match.pattern);
        }
      if (!positions.empty() && !sink(positions.data(), numbers.data(), positions.size()))
        return "";
      progress(std::min(at + piece, text.view.size()), text.view.size());
    }
    return "";
  }
  std::string method() const override { return method_ + ", on one thread of the CPU: " + why_; }

private:
  static constexpr uint64_t piece = 16u << 20;
  static bool shorter(const std::string &a, const std::string &b) { return a.size() < b.size(); }

  bool fold_case_;
  std::string why_, method_ = "none";
  std::optional<colonnade::host_matcher_set> automaton_;
};
