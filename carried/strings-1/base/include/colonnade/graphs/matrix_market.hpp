//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// matrix_market.hpp: reads a graph from a Matrix Market file.
//
// In: `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, comments, a line of sizes,
// and one line an edge: from, to (counted from 1) and, unless FIELD is pattern, a
// weight. FIELD: pattern, integer, real; SYMMETRY: general, symmetric. Out: the
// edges in the file's order (of a symmetric file both ways), or the first error
// with its line. Invariant: whatever the bytes, the parser ends, and takes memory in
// proportion to what it has read.
//
// Source: R. Boisvert, R. Pozo and K. Remington, The Matrix Market exchange formats
// (1996).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/graphs/host_graph.hpp>

#include <array>
#include <charconv>
#include <istream>
#include <string>
#include <string_view>
#include <type_traits>

namespace colonnade {

struct matrix_market_error {
  uint64_t line = 0; // counted from 1; 0: no error
  std::string text;
  explicit operator bool() const { return line != 0; }
};

struct matrix_market_options {
  uint32_t max_vertices = 1u << 27;
};

namespace detail {

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

template <class Weight> class matrix_market_reader {
public:
  matrix_market_reader(std::istream &in, const matrix_market_options &options)
      : in_(in), options_(options) {}

  matrix_market_error read(edge_list<Weight> &list) {
    list = {};
    if (read_banner() && read_sizes(list))
      read_edges(list);
    return error_;
  }

  bool has_weights() const { return !pattern_; }

private:
  using words_type = std::array<std::string_view, 6>;

  bool fail(std::string text) {
    error_ = {line_ ? line_ : 1, std::move(text)};
    return false;
  }
  static std::string quoted(std::string_view text) {
    std::string safe;
    for (const char c : text.substr(0, 40))
      safe += c >= ' ' && c <= '~' ? c : '?';
    return "'" + safe + (text.size() > 40 ? "...'" : "'");
  }

  /// Splits the next line into words; false at the end. A line of more than five words counts
  /// as one of six.
  bool next_line() {
    if (!std::getline(in_, text_))
      return false;
    ++line_;
    num_words_ = 0;
    for (size_t end = 0; num_words_ < words_.size();) {
      const size_t begin = text_.find_first_not_of(" \t\r\v\f", end);
      if (begin == std::string::npos)
        break;
      end = std::min(text_.find_first_of(" \t\r\v\f", begin), text_.size());
      words_[num_words_++] = std::string_view(text_).substr(begin, end - begin);
    }
    return true;
  }
  /// The next line that is neither empty nor a comment; false at the end.
  bool next_data() {
    while (next_line())
      if (num_words_ && words_[0][0] != '%')
        return true;
    return false;
  }

  bool read_banner() {
    if (!next_line() || !num_words_ || lower_case(words_[0]) != "%%matrixmarket")
      return fail("the file does not begin with %%MatrixMarket");
    if (num_words_ != 5)
      return fail("the first line needs four words after %%MatrixMarket");
    if (lower_case(words_[1]) != "matrix" || lower_case(words_[2]) != "coordinate")
      return fail("only 'matrix coordinate' is a graph, not " + quoted(words_[1]) + " " +
                  quoted(words_[2]));
    const std::string field = lower_case(words_[3]), symmetry = lower_case(words_[4]);
    if (field != "pattern" && field != "integer" && field != "real")
      return fail("weights must be pattern, integer or real, not " + quoted(words_[3]));
    if (symmetry != "general" && symmetry != "symmetric")
      return fail("symmetry must be general or symmetric, not " + quoted(words_[4]));
    pattern_ = field == "pattern";
    symmetric_ = symmetry == "symmetric";
    return true;
  }

  /// A whole number from 0 to `most`.
  bool read_count(std::string_view word, const char *what, uint64_t most, uint64_t &count) {
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (code != std::errc{} || end != word.data() + word.size() || count > most)
      return fail(std::string(what) + " " + quoted(word) + " is not a whole number up to " +
                  std::to_string(most));
    return true;
  }

  bool read_sizes(edge_list<Weight> &list) {
    if (!next_data())
      return fail("the file ends before its line of sizes");
    uint64_t rows = 0, columns = 0;
    if (num_words_ != 3)
      return fail("a line of three sizes must come here: rows, columns, entries");
    if (!read_count(words_[0], "the number of rows", options_.max_vertices, rows) ||
        !read_count(words_[1], "the number of columns", options_.max_vertices, columns) ||
        !read_count(words_[2], "the number of entries", uint64_t{1} << 48, num_entries_))
      return false;
    if (rows != columns)
      return fail("a graph's matrix is square, not " + std::to_string(rows) + " by " +
                  std::to_string(columns));
    list.num_vertices = static_cast<uint32_t>(rows);
    return true;
  }

  bool read_edges(edge_list<Weight> &list) {
    for (uint64_t i = 0; i < num_entries_; ++i) {
      if (!next_data())
        return fail("the file ends after " + std::to_string(i) + " of " +
                    std::to_string(num_entries_) + " entries");
      if (!read_edge(list))
        return false;
    }
    if (next_data())
      return fail("there is more than the " + std::to_string(num_entries_) + " entries announced");
    return true;
  }

  bool read_edge(edge_list<Weight> &list) {
    const uint32_t expected = pattern_ ? 2 : 3;
    if (num_words_ != expected)
      return fail("an entry of " + std::to_string(expected) + " numbers must come here");
    uint64_t from = 0, to = 0;
    if (!read_count(words_[0], "the row", list.num_vertices, from) ||
        !read_count(words_[1], "the column", list.num_vertices, to))
      return false;
    if (from == 0 || to == 0)
      return fail("rows and columns are counted from 1");
    Weight weight = 1;
    if (!pattern_ && !read_weight(words_[2], weight))
      return false;
    const auto a = static_cast<uint32_t>(from - 1), b = static_cast<uint32_t>(to - 1);
    list.edges.push_back({a, b, weight});
    if (symmetric_ && a != b)
      list.edges.push_back({b, a, weight});
    return true;
  }

  bool read_weight(std::string_view word, Weight &weight) {
    const char *begin = word.data() + (word[0] == '+'), *last = word.data() + word.size();
    double value = 0;
    const auto [end, code] = std::from_chars(begin, last, value);
    if (code != std::errc{} || end != last || !(value - value == 0)) // or not finite
      return fail("the weight " + quoted(word) + " is not a number");
    if (value < 0)
      return fail("the weight " + quoted(word) + " is negative");
    if constexpr (std::is_integral_v<Weight>) {
      if (value > 4294967295.0 || value != static_cast<double>(static_cast<uint64_t>(value)))
        return fail("the weight " + quoted(word) + " is not a whole number below 2^32");
    } else {
      if (value > 3.4028234e38)
        return fail("the weight " + quoted(word) + " is too large");
    }
    weight = static_cast<Weight>(value);
    return true;
  }

  std::istream &in_;
  matrix_market_options options_;
  matrix_market_error error_;
  std::string text_;
  words_type words_;
  size_t num_words_ = 0;
  uint64_t line_ = 0, num_entries_ = 0;
  bool pattern_ = false, symmetric_ = false;
};

} // namespace detail

/// Reads a graph from `in`. Weights are finite and not negative; of an integral Weight, whole
/// numbers below 2^32. has_weights, if not null: whether the file has weights; without them every
/// edge weighs 1. On an error `list` holds what had been read.
template <class Weight>
[[nodiscard]] matrix_market_error read_matrix_market(std::istream &in, edge_list<Weight> &list,
                                                     bool *has_weights = nullptr,
                                                     const matrix_market_options &options = {}) {
  detail::matrix_market_reader<Weight> reader(in, options);
  matrix_market_error error = reader.read(list);
  if (has_weights)
    *has_weights = reader.has_weights();
  return error;
}

} // namespace colonnade
