//===- SizeExpr.cpp - Symbolic sizes: folding, evaluation, printing -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/SizeExpr.h"

#include <algorithm>
#include <cassert>

namespace colonnade {

using Kind = SizeExpr::Kind;

namespace {
/// The C operators on 64-bit values; nullopt on overflow or division by zero.
std::optional<int64_t> apply(Kind kind, int64_t a, int64_t b) {
  int64_t result;
  switch (kind) {
  case Kind::Add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Kind::Sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Kind::Mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Kind::Div:
    return b == 0 || (a == INT64_MIN && b == -1) ? std::nullopt : std::optional(a / b);
  case Kind::Rem:
    return b == 0 || (a == INT64_MIN && b == -1) ? std::nullopt : std::optional(a % b);
  case Kind::Max:
    return std::max(a, b);
  case Kind::Min:
    return std::min(a, b);
  case Kind::Unknown:
  case Kind::Constant:
  case Kind::Name:
    break;
  }
  return std::nullopt;
}

bool isAdditive(const SizeExpr &e) { return e.kind() == Kind::Add || e.kind() == Kind::Sub; }
} // namespace

SizeExpr SizeExpr::constant(int64_t value) {
  return SizeExpr(std::make_shared<const Node>(Node{Kind::Constant, value, {}, {}, {}}));
}

SizeExpr SizeExpr::name(std::string name) {
  return SizeExpr(std::make_shared<const Node>(Node{Kind::Name, 0, std::move(name), {}, {}}));
}

SizeExpr SizeExpr::binary(Kind kind, SizeExpr lhs, SizeExpr rhs) {
  assert(kind >= Kind::Add && "not a binary operator");
  if (!lhs.known() || !rhs.known())
    return {};
  auto a = lhs.asConstant(), b = rhs.asConstant();
  if (a && b)
    if (auto folded = apply(kind, *a, *b))
      return constant(*folded);
  switch (kind) {
  case Kind::Add:
    if (a == 0)
      return rhs;
    if (b == 0)
      return lhs;
    if (b && *b < 0 && *b != INT64_MIN)
      return binary(Kind::Sub, lhs, constant(-*b));
    break;
  case Kind::Sub:
    if (b == 0)
      return lhs;
    if (b && *b < 0 && *b != INT64_MIN)
      return binary(Kind::Add, lhs, constant(-*b));
    if (lhs == rhs)
      return constant(0);
    break;
  case Kind::Mul:
    if (a == 0 || b == 1)
      return lhs;
    if (b == 0 || a == 1)
      return rhs;
    break;
  case Kind::Div:
    if (b == 1)
      return lhs;
    break;
  case Kind::Max:
  case Kind::Min:
    if (lhs == rhs)
      return lhs;
    break;
  default:
    break;
  }
  // (x + c) + d and its relatives: one constant at the end. c and d are
  // positive here, so that the signed sum is exact unless both are huge.
  if (b && isAdditive(lhs) && (kind == Kind::Add || kind == Kind::Sub))
    if (auto c = lhs.rhs().asConstant()) {
      auto left = lhs.kind() == Kind::Add ? c : apply(Kind::Sub, 0, *c);
      auto sum = left ? apply(kind, *left, *b) : std::nullopt;
      if (sum)
        return binary(Kind::Add, lhs.lhs(), constant(*sum));
    }
  return SizeExpr(std::make_shared<const Node>(Node{kind, 0, {}, lhs.node_, rhs.node_}));
}

std::optional<int64_t> SizeExpr::asConstant() const {
  if (kind() != Kind::Constant)
    return std::nullopt;
  return node_->value;
}

std::optional<int64_t> SizeExpr::evaluate(const std::map<std::string, int64_t> &names) const {
  switch (kind()) {
  case Kind::Unknown:
    return std::nullopt;
  case Kind::Constant:
    return node_->value;
  case Kind::Name: {
    auto it = names.find(node_->name);
    return it == names.end() ? std::nullopt : std::optional(it->second);
  }
  default:
    break;
  }
  auto a = lhs().evaluate(names);
  auto b = a ? rhs().evaluate(names) : std::nullopt;
  return a && b ? apply(kind(), *a, *b) : std::nullopt;
}

namespace {
void collectNames(const SizeExpr &e, std::vector<std::string> &names) {
  if (e.kind() == Kind::Name) {
    if (std::find(names.begin(), names.end(), e.name()) == names.end())
      names.push_back(e.name());
  } else if (e.known() && e.kind() != Kind::Constant) {
    collectNames(e.lhs(), names);
    collectNames(e.rhs(), names);
  }
}

// Binding strength for printing: 1 additive, 2 multiplicative, 3 unary, 4 primary.
int precedence(const SizeExpr &e) {
  switch (e.kind()) {
  case Kind::Add:
    return 1;
  case Kind::Sub:
    return e.lhs().isConstant(0) ? 3 : 1; // printed as unary minus
  case Kind::Mul:
  case Kind::Div:
  case Kind::Rem:
    return 2;
  case Kind::Constant:
    return *e.asConstant() < 0 ? 3 : 4;
  default:
    return 4;
  }
}

void print(const SizeExpr &e, std::string &out);

/// `strict`: the right side of a left-associative operator. A leading minus is
/// bracketed there too: "n-(-3)", never "n--3".
void printOperand(const SizeExpr &e, int parent, bool strict, std::string &out) {
  int own = precedence(e);
  bool brackets = own < parent || (strict && (own == parent || own == 3));
  if (brackets)
    out += '(';
  print(e, out);
  if (brackets)
    out += ')';
}

void print(const SizeExpr &e, std::string &out) {
  const char *op = nullptr;
  switch (e.kind()) {
  case Kind::Unknown:
    out += '?';
    return;
  case Kind::Constant:
    out += std::to_string(*e.asConstant());
    return;
  case Kind::Name:
    out += e.name();
    return;
  case Kind::Max:
  case Kind::Min:
    out += e.kind() == Kind::Max ? "max(" : "min(";
    print(e.lhs(), out);
    out += ", ";
    print(e.rhs(), out);
    out += ')';
    return;
  case Kind::Sub:
    if (e.lhs().isConstant(0)) {
      out += '-';
      printOperand(e.rhs(), 4, false, out);
      return;
    }
    op = "-";
    break;
  case Kind::Add:
    op = "+";
    break;
  case Kind::Mul:
    op = "*";
    break;
  case Kind::Div:
    op = "/";
    break;
  case Kind::Rem:
    op = "%";
    break;
  }
  printOperand(e.lhs(), precedence(e), false, out);
  out += op;
  printOperand(e.rhs(), precedence(e), true, out);
}
} // namespace

std::string SizeExpr::str() const {
  std::string out;
  print(*this, out);
  return out;
}

std::vector<std::string> SizeExpr::names() const {
  std::vector<std::string> names;
  collectNames(*this, names);
  return names;
}

SizeExpr SizeExpr::substitute(const std::map<std::string, SizeExpr> &map) const {
  switch (kind()) {
  case Kind::Unknown:
  case Kind::Constant:
    return *this;
  case Kind::Name: {
    auto it = map.find(node_->name);
    return it == map.end() ? *this : it->second;
  }
  default:
    return binary(kind(), lhs().substitute(map), rhs().substitute(map));
  }
}

bool operator==(const SizeExpr &a, const SizeExpr &b) {
  if (a.node_ == b.node_)
    return true;
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case Kind::Unknown:
    return true;
  case Kind::Constant:
    return a.node_->value == b.node_->value;
  case Kind::Name:
    return a.node_->name == b.node_->name;
  default:
    return a.lhs() == b.lhs() && a.rhs() == b.rhs();
  }
}

} // namespace colonnade
