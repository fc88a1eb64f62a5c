//===- CpuOperations.cpp - Vector operations as C++ expressions -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators where one operand at least is a vector; scalars convert by themselves
// where the function is a friend of vec, and are wrapped where it is a template.
//
//===----------------------------------------------------------------------===//

#include "Emit/CpuKernelPrinter.h"

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

CxxExpr CpuKernelPrinter::choose(const Op &op) {
  bool truth = function_.value(op.results[0]).type == ScalarType::Bool;
  ValueId condition = op.operands[0];
  if (!varying(condition))
    return {use(condition).within(Precedence::LogicalOr) + " ? " +
                vector(op.operands[1]).within(Precedence::LogicalOr) + " : " +
                vector(op.operands[2]).within(Precedence::LogicalOr),
            Precedence::Conditional};
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

bool CpuKernelPrinter::fitsLowHalf(ValueId value) const {
  return function_.value(value).type == ScalarType::U64 && ranges_.of(value).getActiveBits() <= 32;
}

CxxExpr CpuKernelPrinter::vectorBinary(const Op &op) {
  if (op.opcode == Opcode::Mul && fitsLowHalf(op.operands[0]) && fitsLowHalf(op.operands[1]))
    return call("multiply_low_halves", {vector(op.operands[0]), vector(op.operands[1])});
  // A constant divisor becomes a multiplication; the runtime does 16 and 32 bits.
  if (op.opcode == Opcode::Div || op.opcode == Opcode::Rem)
    if (const Scalar *divisor = function_.constant(op.operands[1])) {
      ScalarType type = divisor->type;
      unsigned width = bitWidth(type);
      int64_t value = isSigned(type) ? int64_t(divisor->bits << (64 - width)) >> (64 - width)
                                     : int64_t(divisor->bits);
      if (isInteger(type) && width <= 32 && (value > 1 || value < -1))
        return call((op.opcode == Opcode::Div ? "divide<" : "modulo<") + std::to_string(value) +
                        ">",
                    {vector(op.operands[0])});
    }
  struct Operator {
    Opcode opcode;
    const char *text;
    Precedence precedence;
  };
  static const Operator operators[] = {{Opcode::Add, "+", Precedence::Additive},
                                       {Opcode::Sub, "-", Precedence::Additive},
                                       {Opcode::Mul, "*", Precedence::Multiplicative},
                                       {Opcode::Div, "/", Precedence::Multiplicative},
                                       {Opcode::Rem, "%", Precedence::Multiplicative},
                                       {Opcode::And, "&", Precedence::BitAnd},
                                       {Opcode::Or, "|", Precedence::BitOr},
                                       {Opcode::Xor, "^", Precedence::BitXor},
                                       {Opcode::Eq, "==", Precedence::Equality},
                                       {Opcode::Ne, "!=", Precedence::Equality},
                                       {Opcode::Lt, "<", Precedence::Relational},
                                       {Opcode::Le, "<=", Precedence::Relational},
                                       {Opcode::Gt, ">", Precedence::Relational},
                                       {Opcode::Ge, ">=", Precedence::Relational}};
  auto found = llvm::find_if(operators, [&](const Operator &o) { return o.opcode == op.opcode; });
  if (found == std::end(operators)) {
    fail(op.loc, llvm::Twine("no vector form of the operation ") + mnemonic(op.opcode));
    return {"0", Precedence::Primary};
  }
  CxxExpr a = use(op.operands[0], true), b = use(op.operands[1], true);
  if (function_.value(op.operands[0]).type != ScalarType::Bool ||
      found->precedence == Precedence::BitAnd || found->precedence == Precedence::BitOr ||
      found->precedence == Precedence::BitXor)
    return binaryExpr(a, found->text, b, found->precedence);
  // Truth values compare by their bits: a < b is !a & b.
  a = vector(op.operands[0]);
  b = vector(op.operands[1]);
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

CxxExpr CpuKernelPrinter::vectorOperation(const Op &op) {
  ScalarType type = function_.value(op.results[0]).type;
  switch (op.opcode) {
  case Opcode::Select:
  case Opcode::Blend:
    return choose(op);
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
  case Opcode::Shr: {
    bool left = op.opcode == Opcode::Shl;
    if (!varying(op.operands[1]))
      return call(left ? "shift_left" : "shift_right",
                  {use(op.operands[0]),
                   function_.constant(op.operands[1])
                       ? use(op.operands[1])
                       : CxxExpr{"static_cast<int>(" + use(op.operands[1]).text + ")"}});
    CxxExpr count = use(op.operands[1]);
    if (function_.value(op.operands[1]).type != type)
      count = call(std::string("convert<") + cxxName(type) + ">", {count});
    return binaryExpr(vector(op.operands[0]), left ? "<<" : ">>", count, Precedence::Shift);
  }
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
