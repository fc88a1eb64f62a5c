//===- CxxOperations.cpp - Operations as C++ expressions -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar C++ with the C semantics of the IR: narrow results are cast back to
// their type, because C++ promotes; unsigned short products go through unsigned.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/CxxPrinter.h"
#include "IR/Operators.h"

using namespace colonnade;
using namespace colonnade::ir;

CxxExpr CxxPrinter::constant(ValueId value, bool typed) {
  return literal(*function_.constant(value), typed);
}

CxxExpr CxxPrinter::use(ValueId value, bool typed) {
  if (function_.constant(value))
    return constant(value, typed);
  if (!plan_.folded(value))
    return {valueNames_[value.index], Precedence::Primary};
  const Op &op = *function_.definition(value);
  return op.opcode == Opcode::Load ? load(op) : operation(op);
}

CxxExpr CxxPrinter::operation(const Op &op) { return scalarOperation(op); }

// An index may stay an int where the other operand already has 64 bits.
CxxExpr CxxPrinter::stripIndexCast(ValueId value, bool &stripped) {
  const Op *def = function_.definition(value);
  stripped = def && def->opcode == Opcode::Cast && plan_.folded(value) &&
             function_.value(value).type == ScalarType::S64 &&
             isInteger(function_.value(def->operands[0]).type) &&
             bitWidth(function_.value(def->operands[0]).type) < 64;
  return stripped ? use(def->operands[0]) : use(value);
}

CxxExpr CxxPrinter::cell(const Op &access) {
  AccessOperands parts = accessOperands(access);
  bool stripped;
  CxxExpr index = stripIndexCast(parts.subscripts[0], stripped);
  if (parts.radices.empty())
    return index;
  if (stripped)
    index = use(parts.subscripts[0]);
  for (size_t k = 0; k < parts.radices.size(); ++k) {
    const Scalar *zero = function_.constant(parts.subscripts[0]);
    CxxExpr next = stripIndexCast(parts.subscripts[k + 1], stripped);
    if (k == 0 && zero && zero->bits == 0) {
      const bool isLast = k + 1 == parts.radices.size();
      index = isLast ? next : use(parts.subscripts[k + 1]); // a factor has all its 64 bits
      continue;
    }
    CxxExpr radix = stripIndexCast(parts.radices[k], stripped);
    CxxExpr row = binaryExpr(index, "*", radix, Precedence::Multiplicative);
    const Scalar *last = function_.constant(parts.subscripts[k + 1]);
    index = last && last->bits == 0 ? row : binaryExpr(row, "+", next, Precedence::Additive);
  }
  return index;
}

static bool isNarrow(ScalarType type) { return isInteger(type) && bitWidth(type) < 32; }

static CxxExpr staticCast(ScalarType type, const CxxExpr &value) {
  return {"static_cast<" + std::string(cxxName(type)) + ">(" + value.text + ")",
          Precedence::Primary};
}

CxxExpr CxxPrinter::arithmetic(const Op &op) {
  Operator symbol = *binaryOperator(op.opcode);
  ScalarType type = function_.value(op.operands[0]).type;
  if (type == ScalarType::Bool && op.opcode == Opcode::And)
    symbol = {"&&", Precedence::LogicalAnd};
  if (type == ScalarType::Bool && op.opcode == Opcode::Or)
    symbol = {"||", Precedence::LogicalOr};
  if (type == ScalarType::Bool && op.opcode == Opcode::Xor)
    symbol = {"!=", Precedence::Equality};
  bool shift = op.opcode == Opcode::Shl || op.opcode == Opcode::Shr;
  bool strippedLeft = false, strippedRight = false;
  CxxExpr rhs = shift ? use(op.operands[1]) : stripIndexCast(op.operands[1], strippedRight);
  bool rhsConstant = function_.constant(op.operands[1]) != nullptr;
  CxxExpr lhs = strippedRight || rhsConstant || shift
                    ? use(op.operands[0], true)
                    : stripIndexCast(op.operands[0], strippedLeft);
  if (type == ScalarType::U16 && op.opcode == Opcode::Mul)
    lhs = staticCast(ScalarType::U32, lhs); // int would overflow
  CxxExpr value = binaryExpr(lhs, symbol.text, rhs, symbol.precedence);
  bool sameType = function_.value(op.results[0]).type == type;
  return sameType && isNarrow(type) ? staticCast(type, value) : value;
}

CxxExpr CxxPrinter::castOperation(const Op &op) {
  ScalarType from = function_.value(op.operands[0]).type, to = function_.value(op.results[0]).type;
  CxxExpr value = use(op.operands[0], true);
  if (to == ScalarType::Bool)
    return {value.within(Precedence::Additive) + (isFloat(from) ? " != 0.0f" : " != 0"),
            Precedence::Equality};
  return staticCast(to, value);
}

CxxExpr CxxPrinter::choice(const Op &op) {
  CxxExpr condition = use(op.operands[0]), a = use(op.operands[1], true);
  return conditionalExpr(condition, a, use(op.operands[2], true));
}

static const char *wrappingName(const Function &function, const Op &op) {
  switch (op.opcode) {
  case Opcode::Add:
    return "wrapping::add";
  case Opcode::Sub:
    return "wrapping::sub";
  case Opcode::Mul:
    return "wrapping::mul";
  case Opcode::Div:
    return "wrapping::div";
  case Opcode::Rem:
    return "wrapping::rem";
  case Opcode::Shl:
    return "wrapping::shl";
  case Opcode::Shr:
    return "wrapping::shr";
  case Opcode::Neg:
    return "wrapping::neg";
  case Opcode::Cast:
    return isFloat(function.value(op.operands[0]).type) ? "wrapping::to_integer" : nullptr;
  default:
    return nullptr;
  }
}

CxxExpr CxxPrinter::wrappingOperation(const Op &op) {
  const ScalarType type = function_.value(op.results[0]).type;
  llvm::SmallVector<CxxExpr> operands;
  for (ValueId operand : op.operands)
    operands.push_back(use(operand, true));
  return call(std::string(wrappingName(function_, op)) + "<" + cxxName(type) + ">", operands);
}

CxxExpr CxxPrinter::scalarOperation(const Op &op) {
  ScalarType type = function_.value(op.results[0]).type;
  if (op.speculative && isInteger(type) && wrappingName(function_, op))
    return wrappingOperation(op);
  if (binaryOperator(op.opcode))
    return arithmetic(op);
  switch (op.opcode) {
  case Opcode::Undef:
    return literal({type, 0}, true); // defined, whatever it is
  case Opcode::Neg: {
    CxxExpr value{"-" + use(op.operands[0], true).within(Precedence::Primary), Precedence::Unary};
    return isNarrow(type) ? staticCast(type, value) : value;
  }
  case Opcode::Not: {
    const char *symbol = type == ScalarType::Bool ? "!" : "~";
    CxxExpr value{symbol + use(op.operands[0], true).within(Precedence::Primary),
                  Precedence::Unary};
    return isNarrow(type) ? staticCast(type, value) : value;
  }
  case Opcode::Cast:
    return castOperation(op);
  case Opcode::Bitcast:
    return call("runtime::bit_cast<" + std::string(cxxName(type)) + ">",
                {use(op.operands[0], true)});
  case Opcode::Select:
    return choice(op);
  case Opcode::Math: {
    llvm::SmallVector<CxxExpr> args;
    for (ValueId operand : op.operands)
      args.push_back(use(operand, true));
    return call(std::string("std::") + ir::name(op.math), args);
  }
  default:
    fail(op.loc, llvm::Twine("no C++ for the operation ") + mnemonic(op.opcode));
    return {"0", Precedence::Primary};
  }
}
