//===- OperatorLowering.cpp - Arithmetic, comparisons, pointers ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a unary or binary operator that assigns nothing. Out: its value.
//
// Invariant: operands are evaluated left to right. After an unsupported operand types
// may disagree; the other operand then becomes undefined, so that the IR is well typed.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using ir::Opcode;
using ir::ScalarType;
using llvm::dyn_cast;

static std::optional<Opcode> arithmeticOpcode(clang::BinaryOperatorKind opcode) {
  switch (opcode) {
  case clang::BO_Mul:
    return Opcode::Mul;
  case clang::BO_Div:
    return Opcode::Div;
  case clang::BO_Rem:
    return Opcode::Rem;
  case clang::BO_Add:
    return Opcode::Add;
  case clang::BO_Sub:
    return Opcode::Sub;
  case clang::BO_Shl:
    return Opcode::Shl;
  case clang::BO_Shr:
    return Opcode::Shr;
  case clang::BO_And:
    return Opcode::And;
  case clang::BO_Or:
    return Opcode::Or;
  case clang::BO_Xor:
    return Opcode::Xor;
  default:
    return std::nullopt;
  }
}

static std::optional<Opcode> comparisonOpcode(clang::BinaryOperatorKind opcode) {
  switch (opcode) {
  case clang::BO_EQ:
    return Opcode::Eq;
  case clang::BO_NE:
    return Opcode::Ne;
  case clang::BO_LT:
    return Opcode::Lt;
  case clang::BO_LE:
    return Opcode::Le;
  case clang::BO_GT:
    return Opcode::Gt;
  case clang::BO_GE:
    return Opcode::Ge;
  default:
    return std::nullopt;
  }
}

ValueId FunctionLowering::lowerUnary(const clang::UnaryOperator &expr) {
  const Expr &operand = *expr.getSubExpr();
  switch (expr.getOpcode()) {
  case clang::UO_PreInc:
  case clang::UO_PreDec:
  case clang::UO_PostInc:
  case clang::UO_PostDec:
    return lowerIncrement(expr, nullptr);
  case clang::UO_Plus:
    return lowerScalar(operand);
  case clang::UO_Minus:
  case clang::UO_Not: {
    ValueId value = lowerScalar(operand);
    at(expr.getOperatorLoc());
    if (builder_.typeOf(value) == ScalarType::Pointer)
      return {};
    return builder_.unary(expr.getOpcode() == clang::UO_Minus ? Opcode::Neg : Opcode::Not, value);
  }
  case clang::UO_LNot: {
    ValueId value = lowerCondition(operand);
    at(expr.getOperatorLoc());
    return builder_.convert(builder_.unary(Opcode::Not, value), *scalarType(expr.getType()));
  }
  case clang::UO_AddrOf:
    if (operand.getType()->isFunctionType() || expr.getType()->isMemberPointerType())
      return unsupported(expr.getExprLoc(), FunctionPointer, expr.getType());
    return lowerLValue(operand).pointer;
  case clang::UO_Deref:
    return loadFrom(lowerLValue(expr), expr.getExprLoc());
  default:
    return unsupported(expr.getExprLoc(),
                       "operator '" + clang::UnaryOperator::getOpcodeStr(expr.getOpcode()).str() +
                           "'",
                       expr.getType());
  }
}

ValueId FunctionLowering::lowerBinary(const clang::BinaryOperator &expr) {
  clang::BinaryOperatorKind opcode = expr.getOpcode();
  if (opcode == clang::BO_Comma) {
    lowerDiscarded(*expr.getLHS());
    if (expr.getType()->isVoidType()) {
      lowerDiscarded(*expr.getRHS());
      return {};
    }
    return lowerScalar(*expr.getRHS());
  }
  if (opcode == clang::BO_Assign)
    return lowerAssignment(expr, nullptr);
  if (expr.isLogicalOp())
    return builder_.convert(lowerLogical(expr), *scalarType(expr.getType()));
  if (comparisonOpcode(opcode)) {
    ValueId value = lowerComparison(expr);
    return builder_.convert(value, *scalarType(expr.getType()));
  }
  if (!arithmeticOpcode(opcode))
    return unsupported(expr.getExprLoc(), "operator '" + expr.getOpcodeStr().str() + "'",
                       expr.getType());
  if (expr.getLHS()->getType()->isPointerType() || expr.getRHS()->getType()->isPointerType())
    return lowerPointerArithmetic(expr);
  ValueId lhs = lowerScalar(*expr.getLHS());
  ValueId rhs = lowerScalar(*expr.getRHS());
  at(expr.getOperatorLoc());
  return lowerArithmetic(opcode, lhs, rhs);
}

ValueId FunctionLowering::lowerArithmetic(clang::BinaryOperatorKind opcode, ValueId lhs,
                                          ValueId rhs) {
  Opcode op = *arithmeticOpcode(opcode);
  bool isShift = op == Opcode::Shl || op == Opcode::Shr;
  if (!isShift && builder_.typeOf(lhs) != builder_.typeOf(rhs))
    rhs = builder_.undef(builder_.typeOf(lhs));
  return builder_.binary(op, lhs, rhs);
}

ValueId FunctionLowering::lowerComparison(const clang::BinaryOperator &expr) {
  std::optional<Opcode> opcode = comparisonOpcode(expr.getOpcode());
  QualType type = expr.getLHS()->getType();
  if (type->isPointerType() || type->isNullPtrType() || expr.getRHS()->getType()->isPointerType())
    return lowerPointerComparison(expr);
  ValueId lhs = lowerScalar(*expr.getLHS());
  ValueId rhs = lowerScalar(*expr.getRHS());
  at(expr.getOperatorLoc());
  if (builder_.typeOf(lhs) != builder_.typeOf(rhs))
    rhs = builder_.undef(builder_.typeOf(lhs));
  return builder_.binary(*opcode, lhs, rhs);
}

/// On the pointers themselves: what they point to is known after resolution.
ValueId FunctionLowering::lowerPointerComparison(const clang::BinaryOperator &expr) {
  ValueId lhs = lowerScalar(*expr.getLHS());
  ValueId rhs = lowerScalar(*expr.getRHS());
  at(expr.getOperatorLoc());
  return builder_.binary(*comparisonOpcode(expr.getOpcode()), lhs, rhs);
}

ValueId FunctionLowering::lowerPointerArithmetic(const clang::BinaryOperator &expr) {
  const Expr &left = *expr.getLHS(), &right = *expr.getRHS();
  ValueId lhs = lowerScalar(left);
  ValueId rhs = lowerScalar(right);
  at(expr.getOperatorLoc());
  bool leftIsPointer = left.getType()->isPointerType();
  QualType pointee = (leftIsPointer ? left : right).getType()->getPointeeType();
  if (pointee->isFunctionType() || !unsupportedReason(pointee).empty())
    return unsupported(expr.getExprLoc(), "pointer arithmetic on this type", expr.getType());
  if (leftIsPointer && right.getType()->isPointerType())
    return builder_.convert(builder_.difference(lhs, rhs, memType(pointee)),
                            *scalarType(expr.getType()));
  return leftIsPointer ? offsetPointer(lhs, rhs, pointee, expr.getOpcode() == clang::BO_Sub)
                       : offsetPointer(rhs, lhs, pointee, false);
}

} // namespace colonnade::frontend
