//===- CastLowering.cpp - Casts -------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using ir::ScalarType;
using llvm::dyn_cast;

/// enum E : bool { no, yes }; of (E)2 g++ 12 takes the lowest bit. 0 and 1 are the same to all.
static bool isNumberAsEnumOfBool(const clang::CastExpr &expr, const clang::ASTContext &context) {
  const auto *type = expr.getType()->getAs<clang::EnumType>();
  const Expr &operand = *expr.getSubExpr();
  if (!type || !type->getDecl()->getIntegerType()->isBooleanType() ||
      !operand.getType()->isArithmeticType() || operand.getType()->isBooleanType())
    return false;
  Expr::EvalResult known;
  return !(operand.EvaluateAsInt(known, context) && known.Val.getInt().ult(2));
}

ValueId FunctionLowering::lowerCast(const clang::CastExpr &expr) {
  const Expr &operand = *expr.getSubExpr();
  if (const auto *written = dyn_cast<clang::ExplicitCastExpr>(&expr))
    evaluateVariableExtents(written->getTypeAsWritten()); // (int (*)[n])p
  if (isNumberAsEnumOfBool(expr, context_))
    return unsupported(expr.getExprLoc(),
                       "conversion of a number to an enumeration of bool, which compilers disagree "
                       "about (write 'x != 0')",
                       expr.getType());
  switch (expr.getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_UserDefinedConversion:
  case clang::CK_ConstructorConversion:
    return lowerScalar(operand);
  case clang::CK_ToVoid:
    lowerDiscarded(operand);
    return {};
  case clang::CK_IntegralToBoolean:
  case clang::CK_FloatingToBoolean:
  case clang::CK_PointerToBoolean:
    return lowerCondition(operand);
  case clang::CK_IntegralCast:
  case clang::CK_BooleanToSignedIntegral:
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingToIntegral:
  case clang::CK_FloatingCast: {
    ValueId value = lowerScalar(operand);
    at(expr.getExprLoc());
    std::optional<ScalarType> to = scalarType(expr.getType());
    if (!to || builder_.typeOf(value) == ScalarType::Pointer)
      return unsupported(expr.getExprLoc(), "conversion to " + unsupportedReason(expr.getType()),
                         expr.getType());
    return builder_.convert(value, *to);
  }
  case clang::CK_LValueToRValueBitCast:
    return lowerBitCast(expr);
  case clang::CK_LValueBitCast: // reinterpret_cast<unsigned &>(x)
    return loadFrom(lowerLValue(expr), expr.getExprLoc());
  default:
    return lowerPointerCast(expr);
  }
}

/// std::bit_cast and __builtin_bit_cast between scalars.
ValueId FunctionLowering::lowerBitCast(const clang::CastExpr &expr) {
  QualType from = expr.getSubExpr()->getType();
  std::optional<ScalarType> source = scalarType(from), target = scalarType(expr.getType());
  if (!source || !target || *source == ScalarType::Pointer || *target == ScalarType::Pointer ||
      bitWidth(*source) != bitWidth(*target))
    return unsupported(expr.getExprLoc(), "bit cast of anything but a scalar", expr.getType());
  ValueId value = lowerScalar(*expr.getSubExpr());
  return *source == *target ? value : builder_.bitcast(value, *target);
}

ValueId FunctionLowering::lowerPointerCast(const clang::CastExpr &expr) {
  const Expr &operand = *expr.getSubExpr();
  switch (expr.getCastKind()) {
  case clang::CK_ArrayToPointerDecay: {
    LValue array = lowerLValue(operand);
    at(expr.getExprLoc());
    return decay(array.pointer, array.type);
  }
  case clang::CK_NullToPointer:
    if (operand.getType()->isNullPtrType()) // (f(), nullptr)
      lowerDiscarded(operand);
    return builder_.null();
  case clang::CK_BitCast: {
    if (!expr.getType()->isPointerType() || !scalarType(expr.getType()))
      break;
    ValueId pointer = lowerScalar(operand);
    if (builder_.typeOf(pointer) != ScalarType::Pointer) // to a function, say: refused already
      return builder_.null();
    // (float *)rows: the first element of an array is where the array is.
    QualType from = operand.getType()->getPointeeType(), to = expr.getType()->getPointeeType();
    at(expr.getExprLoc());
    while (!from.isNull() && from->isArrayType() && !to->isArrayType() && !to->isVoidType()) {
      pointer = decay(pointer, from);
      from = from->getAsArrayTypeUnsafe()->getElementType();
    }
    return pointer;
  }
  case clang::CK_DerivedToBase:
  case clang::CK_UncheckedDerivedToBase: {
    ValueId pointer = lowerScalar(operand);
    at(expr.getExprLoc());
    return lowerBaseCast(expr, pointer, operand.getType()->getPointeeType());
  }
  case clang::CK_BaseToDerived: {
    ValueId pointer = lowerScalar(operand);
    at(expr.getExprLoc());
    return lowerDerivedCast(expr, pointer, expr.getType()->getPointeeType());
  }
  case clang::CK_IntegralToPointer:
  case clang::CK_PointerToIntegral:
    return unsupported(expr.getExprLoc(), "conversion between pointer and integer", expr.getType());
  case clang::CK_FunctionToPointerDecay:
  case clang::CK_BuiltinFnToFnPtr:
    return unsupported(expr.getExprLoc(), FunctionPointer, expr.getType());
  default:
    break;
  }
  return unsupported(expr.getExprLoc(), std::string("conversion '") + expr.getCastKindName() + "'",
                     expr.getType());
}

/// Walks the path of base classes to `derived` back from the last one: static_cast<D *>(this).
ValueId FunctionLowering::lowerDerivedCast(const clang::CastExpr &expr, ValueId pointer,
                                           QualType derived) {
  llvm::SmallVector<std::pair<const clang::CXXRecordDecl *, unsigned>, 2> steps;
  const clang::CXXRecordDecl *current = derived->getAsCXXRecordDecl();
  for (const clang::CXXBaseSpecifier *base : expr.path()) {
    const clang::CXXRecordDecl *next = base->getType()->getAsCXXRecordDecl();
    if (base->isVirtual() || !current || !next || !current->hasDefinition())
      return unsupported(expr.getExprLoc(), "conversion to a derived class", context_.VoidPtrTy);
    if (std::string reason = unsupportedReason(context_.getRecordType(current)); !reason.empty())
      return unsupported(expr.getExprLoc(), reason, context_.VoidPtrTy);
    steps.emplace_back(current, baseIndex(*current, *next));
    current = next;
  }
  for (const auto &[record, base] : llvm::reverse(steps))
    pointer = builder_.record(pointer, memType(context_.getRecordType(record)), base);
  return pointer;
}

/// Walks the path of base classes from `derived`.
ValueId FunctionLowering::lowerBaseCast(const clang::CastExpr &expr, ValueId pointer,
                                        QualType derived) {
  const clang::CXXRecordDecl *current = derived->getAsCXXRecordDecl();
  for (const clang::CXXBaseSpecifier *base : expr.path()) {
    const clang::CXXRecordDecl *next = base->getType()->getAsCXXRecordDecl();
    if (base->isVirtual() || !current || !next || !current->hasDefinition())
      return unsupported(expr.getExprLoc(),
                         base->isVirtual() ? "virtual base class" : "conversion to a base class",
                         context_.VoidPtrTy);
    pointer = baseOf(pointer, *current, baseIndex(*current, *next)).pointer;
    current = next;
  }
  return pointer;
}

} // namespace colonnade::frontend
