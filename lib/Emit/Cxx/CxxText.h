//===- CxxText.h - Writing C++ text: names, lines, expressions -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every emitter needs to write C++ that a person can read. In: names, literals,
// operands. Out: identifiers that keep the source's names, indented lines with a comment
// that points back to the source, expressions with no needless parentheses.
// Invariant: identifiers of one scope never clash; literals are exact.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_CXXTEXT_H
#define COLONNADE_EMIT_CXX_CXXTEXT_H

#include "IR/Function.h"
#include "IR/Operators.h"

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace colonnade {

struct CxxExpr {
  std::string text;
  Precedence precedence = Precedence::Primary;

  /// The text, in parentheses if it binds less tightly than `limit`.
  std::string within(Precedence limit) const;
};

CxxExpr call(llvm::StringRef function, llvm::ArrayRef<CxxExpr> args);
/// Left-associative: the right operand must bind tighter than the operator.
/// Parenthesises also where compilers warn about mixed operators (-Wparentheses).
CxxExpr binaryExpr(const CxxExpr &lhs, llvm::StringRef op, const CxxExpr &rhs,
                   Precedence precedence);

/// c ? a : b
CxxExpr conditionalExpr(const CxxExpr &condition, const CxxExpr &a, const CxxExpr &b);

/// An exact literal. `typed`: its C++ type is the scalar's also standing alone;
/// otherwise the type may come from the other operand ("i + 1").
CxxExpr literal(ir::Scalar scalar, bool typed);

/// How the leaves and functions of a SizeExpr are spelt where it is printed.
struct SizeSpelling {
  llvm::function_ref<std::string(int64_t)> constant;
  llvm::function_ref<CxxExpr(const std::string &)> name;
  const char *max;
  const char *min;
  CxxExpr unknown;
};
CxxExpr sizeExpr(const SizeExpr &size, const SizeSpelling &spelling);

/// Identifiers of one scope, each handed out once.
class CxxNames {
public:
  CxxNames();
  void reserve(llvm::StringRef name) { used_.insert(name.str()); }
  /// `wanted` if it is free and not in ReservedNames.def; otherwise with "_2", "_3", …
  /// "s.field" becomes "s_field"; an empty name becomes `fallback`.
  std::string unique(llvm::StringRef wanted, llvm::StringRef fallback = "t");

private:
  std::set<std::string> used_;
  std::map<std::string, unsigned> next_;
};

/// Indented lines; a line whose source line differs from the one before gets
/// the comment "// f.cpp:12".
class CxxWriter {
public:
  explicit CxxWriter(const SourceMap &sources) : sources_(sources) {}

  void line(llvm::StringRef text, LocId loc = {});
  void open(llvm::StringRef text, LocId loc = {}); // appends " {", indents
  void reopen(llvm::StringRef text);               // "} else {"
  void close(llvm::StringRef suffix = "");         // "}" + suffix
  void blank() { text_ += '\n'; }
  /// Multi-line text at indentation zero, as it is.
  void raw(llvm::StringRef text) { text_ += text; }
  void indent() { ++depth_; }
  void outdent() { --depth_; }
  /// "f.cpp:12" of the innermost position; empty if unknown.
  std::string position(LocId loc) const;
  std::string take() { return std::move(text_); }

private:
  const SourceMap &sources_;
  std::string text_;
  std::string lastPosition_;
  unsigned depth_ = 0;
};

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_CXXTEXT_H
