//===- CpuOperations.cpp - Vector operations as C++ expressions -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of which at least one operand is a vector, in terms of
// runtime/include/colonnade/simd. A scalar operand converts by itself for operators, which are
// friends of vec; a function template cannot deduce its type, so there it is wrapped: vec<T>(x).
//
//===----------------------------------------------------------------------===//

#include "Emit/Cpu/CpuKernelPrinter.h"

#include "IR/Evaluate.h"
#include "IR/Operators.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

CxxExpr CpuKernelPrinter::convertTo(ValueId target, ValueId value) {
  if (!varying(target) && varying(value))
    fail(function_.loc,
         "internal: a varying value is assigned to the uniform '" + nameOf(target) + "'");
  return varying(target) && !varying(value) ? vector(value) : use(value, true);
}

CxxExpr CpuKernelPrinter::vector(ValueId value) {
  CxxExpr text = use(value, true);
  if (varying(value))
    return text;
  return call(laneType(function_.value(value).type), {text});
}

CxxExpr CpuKernelPrinter::operation(const Op &op) {
  if (op.opcode == Opcode::AnyLane)
    return call("any", {vector(op.operands[0])});
  bool vectors = llvm::any_of(op.operands, [&](ValueId value) { return varying(value); });
  return vectors ? vectorOperation(op) : scalarOperation(op);
}

CxxExpr CpuKernelPrinter::uniformChoice(const Op &op) {
  CxxExpr condition = use(op.operands[0]), a = vector(op.operands[1]);
  return conditionalExpr(condition, a, vector(op.operands[2]));
}

CxxExpr CpuKernelPrinter::vectorChoice(const Op &op) {
  bool truth = function_.value(op.results[0]).type == ScalarType::Bool;
  ValueId condition = op.operands[0];
  if (!varying(condition))
    return uniformChoice(op);
  if (truth)
    return call("select", {call("mask", {use(condition)}), call("mask", {use(op.operands[1])}),
                           call("mask", {use(op.operands[2])})});
  CxxExpr a = use(op.operands[1], true), b = use(op.operands[2], true);
  if (!varying(op.operands[1]) && !varying(op.operands[2]))
    a = vector(op.operands[1]);
  return call("select", {use(condition), a, b});
}

CxxExpr CpuKernelPrinter::vectorCast(const Op &op) {
  ScalarType from = function_.value(op.operands[0]).type, to = function_.value(op.results[0]).type;
  CxxExpr value = vector(op.operands[0]);
  if (to == ScalarType::Bool)
    return binaryExpr(value, "!=", literal({from, 0}, true), Precedence::Equality);
  const char *function = from == ScalarType::Bool ? "to_number<" : "convert<";
  return call(std::string(function) + cxxName(to) + ">", {value});
}

CxxExpr CpuKernelPrinter::dividedByConstant(const Op &op) {
  const char *function = op.opcode == Opcode::DivConstant ? "divide<" : "modulo<";
  const int64_t divisor = asInt64(*function_.constant(op.operands[1]));
  return call(function + std::to_string(divisor) + ">", {vector(op.operands[0])});
}

CxxExpr CpuKernelPrinter::vectorBinary(const Op &op) {
  const Operator *symbol = binaryOperator(op.opcode);
  if (!symbol) {
    fail(op.loc, llvm::Twine("no vector form of the operation ") + mnemonic(op.opcode));
    return {"0", Precedence::Primary};
  }
  if (function_.value(op.operands[0]).type == ScalarType::Bool)
    return truthBinary(op, *symbol);
  CxxExpr a = use(op.operands[0], true);
  return binaryExpr(a, symbol->text, use(op.operands[1], true), symbol->precedence);
}

CxxExpr CpuKernelPrinter::truthBinary(const Op &op, const Operator &symbol) {
  if (op.opcode == Opcode::And || op.opcode == Opcode::Or || op.opcode == Opcode::Xor) {
    CxxExpr a = use(op.operands[0], true);
    return binaryExpr(a, symbol.text, use(op.operands[1], true), symbol.precedence);
  }
  // Truth values compare by their bits: a < b is !a & b.
  CxxExpr a = vector(op.operands[0]), b = vector(op.operands[1]);
  auto negated = [](const CxxExpr &x) {
    return CxxExpr{"!" + x.within(Precedence::Primary), Precedence::Unary};
  };
  switch (op.opcode) {
  case Opcode::Ne:
    return binaryExpr(a, "^", b, Precedence::BitXor);
  case Opcode::Eq:
    return negated(binaryExpr(a, "^", b, Precedence::BitXor));
  case Opcode::Lt:
    return binaryExpr(negated(a), "&", b, Precedence::BitAnd);
  case Opcode::Le:
    return binaryExpr(negated(a), "|", b, Precedence::BitOr);
  case Opcode::Gt:
    return binaryExpr(a, "&", negated(b), Precedence::BitAnd);
  case Opcode::Ge:
    return binaryExpr(a, "|", negated(b), Precedence::BitOr);
  default:
    fail(op.loc, llvm::Twine("no arithmetic on truth values: ") + mnemonic(op.opcode));
    return {"false", Precedence::Primary};
  }
}

CxxExpr CpuKernelPrinter::vectorShift(const Op &op) {
  ScalarType type = function_.value(op.results[0]).type;
  bool left = op.opcode == Opcode::Shl;
  if (!varying(op.operands[1]))
    return call(
        left ? "shift_left" : "shift_right",
        {use(op.operands[0]), function_.constant(op.operands[1])
                                  ? use(op.operands[1])
                                  : CxxExpr{"static_cast<int>(" + use(op.operands[1]).text + ")"}});
  CxxExpr count = use(op.operands[1]);
  if (function_.value(op.operands[1]).type != type)
    count = call(std::string("convert<") + cxxName(type) + ">", {count});
  return binaryExpr(vector(op.operands[0]), left ? "<<" : ">>", count, Precedence::Shift);
}

CxxExpr CpuKernelPrinter::vectorOperation(const Op &op) {
  ScalarType type = function_.value(op.results[0]).type;
  switch (op.opcode) {
  case Opcode::Select:
  case Opcode::Blend:
    return vectorChoice(op);
  case Opcode::Cast:
    return vectorCast(op);
  case Opcode::Bitcast:
    return call(std::string("reinterpret<") + cxxName(type) + ">", {vector(op.operands[0])});
  case Opcode::Neg:
    return {"-" + use(op.operands[0]).within(Precedence::Primary), Precedence::Unary};
  case Opcode::Not:
    return {(type == ScalarType::Bool ? "!" : "~") +
                use(op.operands[0]).within(Precedence::Primary),
            Precedence::Unary};
  case Opcode::Shl:
  case Opcode::Shr:
    return vectorShift(op);
  case Opcode::MulLowHalves:
    return call("multiply_low_halves", {vector(op.operands[0]), vector(op.operands[1])});
  case Opcode::DivConstant:
  case Opcode::RemConstant:
    return dividedByConstant(op);
  case Opcode::Math: {
    llvm::SmallVector<CxxExpr> args;
    for (ValueId operand : op.operands)
      args.push_back(vector(operand));
    return call(ir::name(op.math), args);
  }
  default:
    return vectorBinary(op);
  }
}
