//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// npy_literal.hpp: parses the Python literals that an .npy header is made of.
//
// In: the header's text, which nobody has checked. Out: a tree, or false with a reason.
// Invariant: depth, number of items and digits are bounded, so that no text can exhaust
// the stack or memory, or overflow an integer.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/namespace.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace colonnade::runtime::npy {

struct literal {
  enum class kind : uint8_t {
    none,      // None
    boolean,   // True
    integer,   // 32
    string,    // '<f4'
    sequence,  // (3, 4) or [3, 4]
    dictionary // {'a': 1}: items are key, value, key, value
  };
  kind type = kind::none;
  uint64_t number = 0; // boolean, integer
  std::string text;    // string
  std::vector<literal> items;
  size_t begin = 0, end = 0; // where it is in the parsed text

  bool is(kind k) const { return type == k; }
  /// The value of a string key; null if absent.
  const literal *find(std::string_view key) const {
    for (size_t i = 0; i + 1 < items.size(); i += 2)
      if (items[i].is(kind::string) && items[i].text == key)
        return &items[i + 1];
    return nullptr;
  }
};

/// A recursive-descent parser of one text.
class literal_parser {
public:
  explicit literal_parser(std::string_view text) : text_(text) {}

  /// Parses one literal, with nothing but white space after it.
  bool parse(literal &result) {
    if (!value(result, 0))
      return false;
    skip_space();
    return next_ == text_.size() || fail("text after the end");
  }
  const char *reason() const { return reason_; }

private:
  static constexpr unsigned max_depth = 16;
  static constexpr size_t max_items = 1 << 16;

  bool fail(const char *reason) {
    reason_ = reason;
    return false;
  }
  void skip_space() {
    while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\n' ||
                                    text_[next_] == '\t' || text_[next_] == '\r'))
      ++next_;
  }
  bool accept(char c) {
    skip_space();
    if (next_ == text_.size() || text_[next_] != c)
      return false;
    ++next_;
    return true;
  }
  bool accept_word(std::string_view word) {
    if (text_.substr(next_, word.size()) != word)
      return false;
    next_ += word.size();
    return true;
  }

  bool value(literal &result, unsigned depth) {
    if (depth > max_depth)
      return fail("nested too deeply");
    skip_space();
    result.begin = next_;
    const bool good = unplaced_value(result, depth);
    result.end = next_;
    return good;
  }

  bool unplaced_value(literal &result, unsigned depth) {
    if (next_ == text_.size())
      return fail("text ends too early");
    const char c = text_[next_];
    if (c == '\'' || c == '"')
      return string(result);
    if (c >= '0' && c <= '9')
      return integer(result);
    if (accept('('))
      return items(result, literal::kind::sequence, ')', depth);
    if (accept('['))
      return items(result, literal::kind::sequence, ']', depth);
    if (accept('{'))
      return items(result, literal::kind::dictionary, '}', depth);
    return word(result);
  }

  bool word(literal &result) {
    if (accept_word("True")) {
      result.type = literal::kind::boolean;
      result.number = 1;
      return true;
    }
    if (accept_word("False")) {
      result.type = literal::kind::boolean;
      return true;
    }
    return accept_word("None") || fail("unexpected character");
  }

  bool string(literal &result) {
    const char quote = text_[next_++];
    result.type = literal::kind::string;
    for (; next_ < text_.size() && text_[next_] != quote; ++next_) {
      if (text_[next_] == '\\' && ++next_ == text_.size())
        break;
      result.text += text_[next_];
    }
    if (next_ == text_.size())
      return fail("unterminated string");
    ++next_;
    return true;
  }

  bool integer(literal &result) {
    result.type = literal::kind::integer;
    for (; next_ < text_.size() && text_[next_] >= '0' && text_[next_] <= '9'; ++next_) {
      const uint64_t digit = static_cast<uint64_t>(text_[next_] - '0');
      if (result.number > (UINT64_MAX - digit) / 10)
        return fail("number too large");
      result.number = result.number * 10 + digit;
    }
    if (next_ < text_.size() && text_[next_] == 'L') // written by Python 2
      ++next_;
    return true;
  }

  bool items(literal &result, literal::kind type, char close, unsigned depth) {
    result.type = type;
    while (!accept(close)) {
      if (++num_items_ > max_items)
        return fail("too many items");
      literal item;
      if (!value(item, depth + 1))
        return false;
      result.items.push_back(std::move(item));
      if (type == literal::kind::dictionary && result.items.size() % 2 == 1) {
        if (!accept(':'))
          return fail("expected ':'");
        continue;
      }
      if (accept(','))
        continue;
      if (!accept(close))
        return fail("expected ',' or a closing bracket");
      break;
    }
    if (type == literal::kind::dictionary && result.items.size() % 2 == 1)
      return fail("a key without a value");
    // In Python (3) is the number 3 and (3,) a tuple of one. Both become a sequence here: where
    // headers have parentheses, a tuple is meant.
    return true;
  }

  std::string_view text_;
  size_t next_ = 0;
  size_t num_items_ = 0;
  const char *reason_ = "";
};

} // namespace colonnade::runtime::npy
