//===- CxxText.cpp - Writing C++ text -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Literals are exact: floats by shortest digits that read back to the same bits.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/CxxText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <bit>
#include <charconv>
#include <cmath>

using namespace colonnade;

std::string CxxExpr::within(Precedence limit) const {
  return precedence > limit ? "(" + text + ")" : text;
}

CxxExpr colonnade::call(llvm::StringRef function, llvm::ArrayRef<CxxExpr> args) {
  std::string text = function.str() + "(";
  for (size_t i = 0; i < args.size(); ++i)
    text += (i ? ", " : "") + args[i].text;
  return {text + ")", Precedence::Primary};
}

static bool isBitwise(Precedence p) {
  return p == Precedence::BitAnd || p == Precedence::BitXor || p == Precedence::BitOr ||
         p == Precedence::Shift;
}

CxxExpr colonnade::conditionalExpr(const CxxExpr &condition, const CxxExpr &a, const CxxExpr &b) {
  return {condition.within(Precedence::LogicalOr) + " ? " + a.within(Precedence::LogicalOr) +
              " : " + b.within(Precedence::LogicalOr),
          Precedence::Conditional};
}

CxxExpr colonnade::binaryExpr(const CxxExpr &lhs, llvm::StringRef op, const CxxExpr &rhs,
                              Precedence precedence) {
  Precedence left = precedence;
  Precedence right = Precedence(unsigned(precedence) - 1);
  if (isBitwise(precedence) || precedence == Precedence::Equality ||
      precedence == Precedence::Relational)
    left = right = Precedence::Unary; // a & (b + c): what readers and -Wparentheses ask for
  if (precedence == Precedence::Relational || precedence == Precedence::Equality)
    left = right = Precedence::Additive;
  if (precedence == Precedence::LogicalOr || precedence == Precedence::LogicalAnd)
    left = right = Precedence::BitOr;
  if (lhs.precedence == precedence && isBitwise(precedence) && precedence != Precedence::Shift)
    left = precedence; // a ^ b ^ c
  return {(lhs.within(left) + " " + op + " " + rhs.within(right)).str(), precedence};
}

static std::string shortest(double value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}
static std::string shortest(float value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

template <class T> static CxxExpr floatLiteral(T value, llvm::StringRef suffix) {
  bool negative = std::signbit(value);
  std::string text;
  if (std::isnan(value) || std::isinf(value)) {
    text = std::isnan(value) ? "__builtin_nan" : "__builtin_huge_val";
    text += suffix.str() + (std::isnan(value) ? "(\"\")" : "()");
  } else {
    text = shortest(std::fabs(value));
    if (text.find_first_of(".e") == std::string::npos)
      text += ".0";
    text += suffix;
  }
  return negative ? CxxExpr{"-" + text, Precedence::Unary} : CxxExpr{text, Precedence::Primary};
}

static CxxExpr signedLiteral(int64_t value, unsigned width) {
  if (width == 64 && value == INT64_MIN)
    return {"INT64_MIN", Precedence::Primary};
  if (width == 32 && value == INT32_MIN)
    return {"INT32_MIN", Precedence::Primary};
  return {std::to_string(value), value < 0 ? Precedence::Unary : Precedence::Primary};
}

CxxExpr colonnade::literal(ir::Scalar scalar, bool typed) {
  using ir::ScalarType;
  uint64_t bits = scalar.bits;
  switch (scalar.type) {
  case ScalarType::Bool:
    return {bits ? "true" : "false", Precedence::Primary};
  case ScalarType::F32:
    return floatLiteral(std::bit_cast<float>(uint32_t(bits)), "f");
  case ScalarType::F64:
    return floatLiteral(std::bit_cast<double>(bits), "");
  case ScalarType::U32:
    return {std::to_string(uint32_t(bits)) + "u", Precedence::Primary};
  case ScalarType::S32:
    return signedLiteral(int32_t(bits), 32);
  default:
    break;
  }
  unsigned width = ir::bitWidth(scalar.type);
  CxxExpr text;
  if (ir::isSigned(scalar.type))
    text = signedLiteral(int64_t(bits << (64 - width)) >> (64 - width), width);
  else
    text = {std::to_string(bits & (~0ull >> (64 - width))) + "u", Precedence::Primary};
  if (!typed)
    return text;
  return {std::string(ir::cxxName(scalar.type)) + "{" + text.text + "}", Precedence::Primary};
}

CxxExpr colonnade::sizeExpr(const SizeExpr &size, const SizeSpelling &spelling) {
  using Kind = SizeExpr::Kind;
  const auto operand = [&](const SizeExpr &e) { return sizeExpr(e, spelling); };
  const auto binary = [&](llvm::StringRef op, Precedence precedence) {
    const CxxExpr lhs = operand(size.lhs());
    return binaryExpr(lhs, op, operand(size.rhs()), precedence);
  };
  const auto function = [&](llvm::StringRef name) {
    const CxxExpr lhs = operand(size.lhs());
    return call(name, {lhs, operand(size.rhs())});
  };
  switch (size.kind()) {
  case Kind::Unknown:
    return spelling.unknown;
  case Kind::Constant:
    return {spelling.constant(*size.asConstant()), Precedence::Primary};
  case Kind::Name:
    return spelling.name(size.name());
  case Kind::Add:
    return binary("+", Precedence::Additive);
  case Kind::Sub:
    return binary("-", Precedence::Additive);
  case Kind::Mul:
    return binary("*", Precedence::Multiplicative);
  case Kind::Div:
    return binary("/", Precedence::Multiplicative);
  case Kind::Rem:
    return binary("%", Precedence::Multiplicative);
  case Kind::Max:
    return function(spelling.max);
  case Kind::Min:
    return function(spelling.min);
  }
  return {};
}

static const char *const Reserved[] = {
#include "Emit/Cxx/ReservedNames.def"
};

CxxNames::CxxNames() {
  for (const char *name : Reserved)
    used_.insert(name);
}

std::string CxxNames::unique(llvm::StringRef wanted, llvm::StringRef fallback) {
  std::string name;
  for (char c : wanted)
    if (llvm::isAlnum(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_'; // also avoids "__", which is reserved
  while (!name.empty() && name.back() == '_')
    name.pop_back();
  if (name.empty())
    name = fallback.str();
  if (llvm::isDigit(name[0]))
    name = "t" + name;
  if (used_.insert(name).second)
    return name;
  unsigned &next = next_[name];
  std::string candidate;
  do
    candidate = name + "_" + std::to_string(next++ + 2);
  while (!used_.insert(candidate).second);
  return candidate;
}

std::string CxxWriter::position(LocId loc) const {
  if (!loc.valid())
    return "";
  const SourceLocation &location = sources_[loc];
  if (!location.line)
    return "";
  llvm::StringRef file = sources_.fileName(location.file);
  return (file.rsplit('/').second.empty() ? file : file.rsplit('/').second).str() + ":" +
         std::to_string(location.line);
}

/// Blocks nested deeper look alike, or thousands of them would be nothing but spaces.
static constexpr unsigned MaxIndented = 30;

void CxxWriter::line(llvm::StringRef text, LocId loc) {
  text_.append(2 * std::min(depth_, MaxIndented), ' ');
  text_ += text;
  std::string position = this->position(loc);
  if (!position.empty() && position != lastPosition_) {
    text_ += " // " + position;
    lastPosition_ = position;
  }
  text_ += '\n';
}

void CxxWriter::open(llvm::StringRef text, LocId loc) {
  line((text + " {").str(), loc);
  ++depth_;
}

void CxxWriter::reopen(llvm::StringRef text) {
  --depth_;
  line(text);
  ++depth_;
}

void CxxWriter::close(llvm::StringRef suffix) {
  --depth_;
  line(("}" + suffix).str());
}
