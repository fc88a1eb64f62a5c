//===- SizeExpr.h - Symbolic sizes over uniform parameters ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An extent, a bound or an access count: a small integer expression over the names of
// uniform scalar parameters. It is what `--extent b=n*n`, `COLONNADE_EXTENT(n*n)` and
// the JSON report's "accesses":"2*n" hold.
//
// In: text, or other expressions. Out: text, values, and expressions with names
// replaced.
// Invariant: immutable; what is made of something unknown is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_SUPPORT_SIZEEXPR_H
#define COLONNADE_SUPPORT_SIZEEXPR_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace colonnade {

class SizeExpr {
public:
  enum class Kind : uint8_t {
    Unknown,  // "?": not declared and not derived
    Constant, // 32
    Name,     // n
    Add,      // n+1
    Sub,      // n-1
    Mul,      // n*n
    Div,      // n/2   (rounds toward zero, as in C)
    Rem,      // n%4
    Max,      // max(n, m)
    Min       // min(n, m)
  };

  SizeExpr() = default; // Unknown
  static SizeExpr constant(int64_t value);
  static SizeExpr name(std::string name);
  /// Folds constants, the neutral elements 0 and 1, and (x+1)-1. Unknown if a
  /// side is. A fold that would overflow 64 bits is left undone.
  static SizeExpr binary(Kind kind, SizeExpr lhs, SizeExpr rhs);

  Kind kind() const { return node_ ? node_->kind : Kind::Unknown; }
  bool known() const { return node_ != nullptr; }
  bool isConstant(int64_t value) const { return kind() == Kind::Constant && node_->value == value; }
  std::optional<int64_t> asConstant() const;
  const std::string &name() const { return node_->name; }
  SizeExpr lhs() const { return SizeExpr(node_->lhs); }
  SizeExpr rhs() const { return SizeExpr(node_->rhs); }

  /// The value under `names`; nullopt if unknown, a name is missing, a division
  /// is by zero or the result overflows 64 bits.
  std::optional<int64_t> evaluate(const std::map<std::string, int64_t> &names) const;
  /// C spelling with minimal parentheses; "?" if unknown.
  std::string str() const;
  /// Names used, each once, in order of first use.
  std::vector<std::string> names() const;
  /// Substitutes names by expressions; names not in the map stay.
  SizeExpr substitute(const std::map<std::string, SizeExpr> &map) const;

  /// Parses C-like `n*(n+1)/2`, `max(a,b)`, and "?" for Unknown. Member
  /// names such as `s.n` are names; `s->n` is spelt `s.n`. On failure returns nullopt and sets
  /// `error`.
  static std::optional<SizeExpr> parse(std::string_view text, std::string &error);

  /// Structural equality.
  friend bool operator==(const SizeExpr &, const SizeExpr &);

private:
  struct Node {
    Kind kind;
    int64_t value = 0;
    std::string name;
    std::shared_ptr<const Node> lhs, rhs;
  };
  explicit SizeExpr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

inline SizeExpr operator+(SizeExpr a, SizeExpr b) {
  return SizeExpr::binary(SizeExpr::Kind::Add, std::move(a), std::move(b));
}
inline SizeExpr operator-(SizeExpr a, SizeExpr b) {
  return SizeExpr::binary(SizeExpr::Kind::Sub, std::move(a), std::move(b));
}
inline SizeExpr operator*(SizeExpr a, SizeExpr b) {
  return SizeExpr::binary(SizeExpr::Kind::Mul, std::move(a), std::move(b));
}

} // namespace colonnade

#endif // COLONNADE_SUPPORT_SIZEEXPR_H
