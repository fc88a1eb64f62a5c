//===- Lexer.h - Characters of the textual IR -------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the parser: pieces of the text. There is no token stream: the grammar
// always knows what may come next and asks for it.
//
// In: the text. Out: words, numbers, strings and sizes as they are asked for, with
// blanks and // comments skipped after each piece.
// Invariant: the first failure sticks; everything after it reads nothing.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_LEXER_H
#define COLONNADE_IR_LEXER_H

#include "Support/SizeExpr.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <vector>

namespace colonnade::ir {

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text_(text) { skipBlanks(); }

  bool ok() const { return error_.empty(); }
  /// "line:column: what"; the position is where the lexer stands, or `at`.
  void fail(const llvm::Twine &what) { failAt(pos_, what); }
  void failAt(size_t at, const llvm::Twine &what);
  const std::string &error() const { return error_; }
  size_t position() const { return pos_; }

  bool atEnd() const { return !ok() || pos_ >= text_.size(); }
  /// The next character; 0 at the end and after a failure.
  char peek() const { return atEnd() ? '\0' : text_[pos_]; }

  /// Whether `!N =` comes next, the beginning of a definition rather than a reference.
  bool atDefinition() const {
    const llvm::StringRef number = text_.drop_front(pos_).ltrim('!');
    return peek() == '!' && number.ltrim("0123456789").ltrim().starts_with("=");
  }

  /// Consumes the word, if it comes next.
  bool eatWord(llvm::StringRef word);
  bool eat(llvm::StringRef punctuation);
  void expect(llvm::StringRef punctuation);
  void expectWord(llvm::StringRef word);

  /// Letters, digits, '_' and '.', not starting with '.'; empty if none.
  llvm::StringRef word();
  llvm::StringRef expectWord() { return nonEmpty(word(), "expected a word"); }
  std::string string(); // "…" with \\ and \hh escapes
  std::string wordOrString();
  uint64_t number(uint64_t limit);
  llvm::StringRef scalar();      // the text of a constant: 1e-07, -inf, nan:0x7fc00001
  std::vector<SizeExpr> sizes(); // [n, n*m]

private:
  llvm::StringRef nonEmpty(llvm::StringRef text, const char *expected) {
    if (text.empty())
      fail(expected);
    return text;
  }
  llvm::StringRef wordAhead() const;
  llvm::StringRef advance(size_t length);
  void skipBlanks();

  llvm::StringRef text_;
  size_t pos_ = 0;
  std::string error_;
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_LEXER_H
