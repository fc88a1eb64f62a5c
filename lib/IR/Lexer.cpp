//===- Lexer.cpp - Characters of the textual IR -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Lexer.h"

#include "llvm/ADT/StringExtras.h"

namespace colonnade::ir {

void Lexer::failAt(size_t at, const llvm::Twine &what) {
  if (!ok())
    return;
  llvm::StringRef before = text_.take_front(at);
  size_t line = before.count('\n') + 1;
  size_t column = at - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
  error_ = (llvm::Twine(line) + ":" + llvm::Twine(column) + ": " + what).str();
}

void Lexer::skipBlanks() {
  while (pos_ < text_.size()) {
    if (llvm::isSpace(text_[pos_]))
      ++pos_;
    else if (text_.substr(pos_).starts_with("//"))
      pos_ = std::min(text_.find('\n', pos_), text_.size());
    else
      return;
  }
}

llvm::StringRef Lexer::advance(size_t length) {
  llvm::StringRef piece = text_.substr(pos_, length);
  pos_ += piece.size();
  skipBlanks();
  return piece;
}

llvm::StringRef Lexer::wordAhead() const {
  if (peek() == '.')
    return {};
  return text_.substr(atEnd() ? text_.size() : pos_).take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  });
}

bool Lexer::eatWord(llvm::StringRef word) {
  if (wordAhead() != word)
    return false;
  advance(word.size());
  return true;
}

bool Lexer::eat(llvm::StringRef punctuation) {
  if (!ok() || !text_.substr(pos_).starts_with(punctuation))
    return false;
  advance(punctuation.size());
  return true;
}

void Lexer::expect(llvm::StringRef punctuation) {
  if (!eat(punctuation))
    fail("expected '" + punctuation + "'");
}

void Lexer::expectWord(llvm::StringRef word) {
  if (!eatWord(word))
    fail("expected '" + word + "'");
}

llvm::StringRef Lexer::word() { return advance(wordAhead().size()); }

std::string Lexer::string() {
  size_t start = pos_;
  std::string value;
  if (peek() != '"') {
    fail("expected a string");
    return value;
  }
  for (size_t i = pos_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
    if (text_[i] == '"') {
      advance(i + 1 - pos_);
      return value;
    }
    if (text_[i] != '\\') {
      value += text_[i];
    } else if (i + 1 < text_.size() && text_[i + 1] == '\\') {
      value += '\\';
      ++i;
    } else if (i + 2 < text_.size() && llvm::isHexDigit(text_[i + 1]) &&
               llvm::isHexDigit(text_[i + 2])) {
      value += static_cast<char>(llvm::hexFromNibbles(text_[i + 1], text_[i + 2]));
      i += 2;
    } else {
      failAt(i, "bad escape in a string");
      return {};
    }
  }
  failAt(start, "the string does not end on its line");
  return {};
}

std::string Lexer::wordOrString() { return peek() == '"' ? string() : expectWord().str(); }

uint64_t Lexer::number(uint64_t limit) {
  size_t start = pos_;
  llvm::StringRef digits = text_.substr(atEnd() ? text_.size() : pos_).take_while(llvm::isDigit);
  uint64_t value = 0;
  if (digits.empty() || digits.getAsInteger(10, value) || value > limit) {
    failAt(start, digits.empty() ? "expected a number" : "the number is too large");
    return 0;
  }
  advance(digits.size());
  return value;
}

llvm::StringRef Lexer::scalar() {
  llvm::StringRef rest = text_.substr(atEnd() ? text_.size() : pos_);
  size_t length = rest.starts_with("nan:") ? 4 : 0;
  while (length < rest.size() && (llvm::isAlnum(rest[length]) || rest[length] == '.' ||
                                  rest[length] == '-' || rest[length] == '+'))
    ++length;
  return nonEmpty(advance(length), "expected a constant");
}

std::vector<SizeExpr> Lexer::sizes() {
  std::vector<SizeExpr> list;
  expect("[");
  if (eat("]") || !ok())
    return list;
  unsigned depth = 0;
  size_t start = pos_;
  for (size_t i = pos_; i < text_.size(); ++i) {
    char c = text_[i];
    depth += c == '(';
    depth -= c == ')' && depth > 0;
    if (depth > 0 || (c != ',' && c != ']'))
      continue;
    std::string error;
    auto size = SizeExpr::parse(text_.slice(start, i), error);
    if (!size) {
      failAt(start, error);
      return {};
    }
    list.push_back(*size);
    start = i + 1;
    if (c == ']') {
      advance(i + 1 - pos_);
      return list;
    }
  }
  fail("expected ']'");
  return {};
}

} // namespace colonnade::ir
