//===- SizeExprParser.cpp - Text to symbolic sizes ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sum     := product (('+' | '-') product)*
//   product := unary (('*' | '/' | '%') unary)*
//   unary   := '-' unary | '+' unary | primary
//   primary := number | name | ('max' | 'min') '(' sum ',' sum ')' | '(' sum ')'
//
//===----------------------------------------------------------------------===//

#include "Support/SizeExpr.h"

#include <cctype>
#include <charconv>

namespace colonnade {

namespace {

using Kind = SizeExpr::Kind;

class Parser {
public:
  Parser(std::string_view text, std::string &error) : text_(text), error_(error) {}

  std::optional<SizeExpr> run() {
    skipBlanks();
    if (text_.substr(pos_) == "?")
      return SizeExpr();
    SizeExpr e = sum();
    if (ok() && pos_ != text_.size())
      fail("expected an operator or the end");
    return ok() ? std::optional(e) : std::nullopt;
  }

private:
  // Deeper text is refused, so that input cannot exhaust the stack.
  static constexpr unsigned MaxDepth = 200;

  bool ok() const { return !failed_; }

  SizeExpr fail(const std::string &what) {
    if (failed_)
      return {};
    failed_ = true;
    error_ =
        "in size '" + std::string(text_) + "', column " + std::to_string(pos_ + 1) + ": " + what;
    return {};
  }

  void skipBlanks() {
    while (pos_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[pos_])))
      ++pos_;
  }
  char peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }
  bool eat(char c) {
    if (peek() != c)
      return false;
    ++pos_;
    skipBlanks();
    return true;
  }
  void expect(char c) {
    if (ok() && !eat(c))
      fail(std::string("expected '") + c + "'");
  }

  SizeExpr sum() {
    if (++depth_ > MaxDepth)
      return fail("nested too deeply");
    SizeExpr e = product();
    while (ok()) {
      if (eat('+'))
        e = e + product();
      else if (eat('-'))
        e = e - product();
      else
        break;
    }
    --depth_;
    return e;
  }

  SizeExpr product() {
    SizeExpr e = unary();
    while (ok()) {
      if (eat('*'))
        e = e * unary();
      else if (eat('/'))
        e = SizeExpr::binary(Kind::Div, e, unary());
      else if (eat('%'))
        e = SizeExpr::binary(Kind::Rem, e, unary());
      else
        break;
    }
    return e;
  }

  SizeExpr unary() {
    bool negative = false;
    while (peek() == '-' || peek() == '+') {
      negative ^= peek() == '-';
      eat(peek());
    }
    if (std::isdigit(static_cast<unsigned char>(peek())))
      return number(negative);
    SizeExpr e = primary();
    return negative && ok() ? SizeExpr::constant(0) - e : e;
  }

  SizeExpr primary() {
    if (eat('(')) {
      SizeExpr e = sum();
      expect(')');
      return e;
    }
    if (!std::isalpha(static_cast<unsigned char>(peek())) && peek() != '_')
      return fail("expected a number, a name or '('");
    std::string name = identifier();
    if (peek() == '(')
      return call(name);
    return SizeExpr::name(std::move(name));
  }

  SizeExpr call(const std::string &name) {
    bool isMax = name == "max" || name == "std::max";
    if (!isMax && name != "min" && name != "std::min")
      return fail("only 'max' and 'min' can be called, not '" + name + "'");
    expect('(');
    SizeExpr a = sum();
    expect(',');
    SizeExpr b = ok() ? sum() : SizeExpr();
    expect(')');
    return ok() ? SizeExpr::binary(isMax ? Kind::Max : Kind::Min, a, b) : SizeExpr();
  }

  std::string identifier() {
    std::string name;
    while (pos_ < text_.size()) {
      char c = text_[pos_];
      bool scope = text_.substr(pos_, 2) == "::";
      bool arrow = text_.substr(pos_, 2) == "->";
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && !scope && !arrow)
        break;
      name += arrow ? "." : scope ? "::" : std::string(1, c);
      pos_ += scope || arrow ? 2 : 1;
    }
    skipBlanks();
    return name;
  }

  SizeExpr number(bool negative) {
    int base = 10;
    if (peek() == '0' && pos_ + 1 < text_.size()) {
      char next = static_cast<char>(std::tolower(static_cast<unsigned char>(text_[pos_ + 1])));
      base = next == 'x'                                      ? 16
             : next == 'b'                                    ? 2
             : std::isdigit(static_cast<unsigned char>(next)) ? 8
                                                              : 10;
      pos_ += base == 16 || base == 2 ? 2 : 0;
    }
    uint64_t value = 0;
    auto [end, code] =
        std::from_chars(text_.data() + pos_, text_.data() + text_.size(), value, base);
    uint64_t limit = uint64_t(INT64_MAX) + (negative ? 1 : 0);
    if (code == std::errc::invalid_argument)
      return fail("expected digits");
    if (code != std::errc() || value > limit)
      return fail("the number does not fit 64 bits");
    pos_ = end - text_.data();
    while (pos_ < text_.size() &&
           std::string_view("uUlLzZ").find(text_[pos_]) != std::string_view::npos)
      ++pos_;
    if (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_' || peek() == '.')
      return fail("expected an integer");
    skipBlanks();
    return SizeExpr::constant(static_cast<int64_t>(negative ? 0 - value : value));
  }

  std::string_view text_;
  std::string &error_;
  size_t pos_ = 0;
  unsigned depth_ = 0;
  bool failed_ = false;
};

} // namespace

std::optional<SizeExpr> SizeExpr::parse(std::string_view text, std::string &error) {
  return Parser(text, error).run();
}

} // namespace colonnade
