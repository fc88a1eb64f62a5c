//===- NestingLimits.h - How deep a source may nest -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tokens of the preprocessed source ─▶ NestingScan ─▶ the limit that is passed, or none
//
// Clang's parser and all that follow it recurse as deep as the source nests, and `a || b || c` and
// `else if` nest once for each element. What would exhaust the stack, or take minutes, is
// refused beforehand, with the limit named (docs/command.md). Clang itself limits brackets
// (-fbracket-depth, 256).
//
// In: the tokens of a file, macros expanded. Out: at which token a limit is passed.
// Invariant: the nesting of an expression, and of statements without braces, is at most what is
// counted here; text with no such nesting (a table of a million numbers) counts nothing.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_NESTINGLIMITS_H
#define COLONNADE_FRONTEND_NESTINGLIMITS_H

#include "clang/Basic/FileManager.h"
#include "clang/Basic/TokenKinds.h"
#include "clang/Frontend/CompilerInvocation.h"

#include <optional>
#include <string>
#include <vector>

namespace colonnade::frontend {

constexpr unsigned MaxOperators = 20'000; // of one expression: + - ~ [ ( , …
constexpr unsigned MaxDecisions = 6'000;  // of one expression: || && ?:
constexpr unsigned MaxStatements = 6'000; // else if, and nested without braces

class NestingScan {
public:
  NestingScan() { levels_.emplace_back(); }
  /// What there is too much of, now: "more than 6000 nested statements".
  std::optional<std::string> add(clang::tok::TokenKind kind);

private:
  /// Between two brackets, or outside all.
  struct Level {
    bool isList = false;   // {1, 2}: commas separate
    bool isBlock = true;   // { f(); }
    bool hasEnded = false; // a statement, unless `else` follows
    unsigned operators = 0, decisions = 0, statements = 0;
  };

  void open(clang::tok::TokenKind kind);
  void close(clang::tok::TokenKind kind);
  void endStatement();
  void count(clang::tok::TokenKind kind);

  std::vector<Level> levels_;
  unsigned statements_ = 0; // of all levels
  bool sawEnum_ = false;    // enum class e : int {
  clang::tok::TokenKind last_ = clang::tok::semi;
};

/// "f.c:3:5: more than …", or nullopt. The file is preprocessed for it, which says nothing.
std::optional<std::string> passedLimit(const clang::CompilerInvocation &invocation,
                                       clang::FileManager &files);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_NESTINGLIMITS_H
