//===- LValueLowering.cpp - Addresses -------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using ir::ScalarType;
using llvm::cast;
using llvm::dyn_cast;

/// C's `f().x` is no lvalue, but a part of a temporary all the same.
bool FunctionLowering::isPlace(const Expr &expr) {
  const Expr *bare = expr.IgnoreParens();
  return expr.isGLValue() || llvm::isa<clang::MemberExpr, clang::ArraySubscriptExpr>(bare);
}

/// Reports what cannot be read or written; false if so.
bool FunctionLowering::checkAccess(QualType type, clang::SourceLocation loc) {
  std::string reason = type.isVolatileQualified()
                           ? "volatile access (leave out what only wipes memory)"
                           : unsupportedReason(type);
  if (reason.empty() && !scalarType(type))
    reason = "access of this type";
  if (!reason.empty())
    unsupported(loc, reason);
  return reason.empty();
}

ValueId FunctionLowering::loadFrom(LValue lvalue, clang::SourceLocation loc, llvm::StringRef name) {
  std::optional<ScalarType> scalar = scalarType(lvalue.type);
  if (!checkAccess(lvalue.type, loc))
    return builder_.undef(scalar.value_or(ScalarType::S32));
  at(loc);
  return builder_.load(lvalue.pointer, memType(lvalue.type), *scalar, name);
}

void FunctionLowering::storeTo(LValue lvalue, ValueId value, clang::SourceLocation loc) {
  if (!checkAccess(lvalue.type, loc))
    return;
  at(loc);
  if (builder_.typeOf(value) != *scalarType(lvalue.type))
    value = builder_.undef(*scalarType(lvalue.type));
  builder_.store(lvalue.pointer, value, memType(lvalue.type));
}

/// Elements of an array type, at run time.
ValueId FunctionLowering::radixOf(QualType type) {
  if (std::optional<StdArray> stdArray = asStdArray(type))
    return builder_.index64(stdArray->count);
  const auto *array = type->getAsArrayTypeUnsafe();
  if (const auto *constant = dyn_cast<clang::ConstantArrayType>(array))
    return builder_.index64(constant->getSize().getZExtValue());
  if (const auto *variable = dyn_cast<clang::VariableArrayType>(array))
    if (const Expr *size = variable->getSizeExpr()) {
      auto it = variableExtents_.find(size);
      return it != variableExtents_.end() ? it->second : lowerIndex(*size);
    }
  return builder_.index64(0); // T[]: never a row of something else
}

ValueId FunctionLowering::decay(ValueId pointer, QualType arrayType) {
  ValueId radix = radixOf(arrayType);
  return builder_.decay(pointer, radix, memType(arrayType));
}

LValue FunctionLowering::lowerTemporary(const Expr &value) {
  at(value.getExprLoc());
  LValue temporary = makeTemporary(value.getType(), "%tmp");
  initialize(value, temporary);
  return temporary;
}

LValue FunctionLowering::lowerLValue(const Expr &expr) {
  at(expr.getExprLoc());
  if (!isPlace(expr))
    return lowerTemporary(expr);
  switch (expr.getStmtClass()) {
  case Stmt::ParenExprClass:
    return lowerLValue(*cast<clang::ParenExpr>(expr).getSubExpr());
  case Stmt::ExprWithCleanupsClass:
  case Stmt::ConstantExprClass:
    return lowerLValue(*cast<clang::FullExpr>(expr).getSubExpr());
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return lowerLValue(*cast<clang::SubstNonTypeTemplateParmExpr>(expr).getReplacement());
  case Stmt::GenericSelectionExprClass:
    return lowerLValue(*cast<clang::GenericSelectionExpr>(expr).getResultExpr());
  case Stmt::CXXDefaultArgExprClass:
    return lowerLValue(*cast<clang::CXXDefaultArgExpr>(expr).getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return lowerLValue(*cast<clang::CXXDefaultInitExpr>(expr).getExpr());
  case Stmt::CXXRewrittenBinaryOperatorClass:
    return lowerLValue(*cast<clang::CXXRewrittenBinaryOperator>(expr).getSemanticForm());
  case Stmt::MaterializeTemporaryExprClass:
    return lowerTemporary(*cast<clang::MaterializeTemporaryExpr>(expr).getSubExpr());
  case Stmt::OpaqueValueExprClass: {
    const auto &opaque = cast<clang::OpaqueValueExpr>(expr);
    if (auto it = opaqueObjects_.find(&opaque); it != opaqueObjects_.end())
      return it->second;
    if (opaque.getSourceExpr())
      return lowerLValue(*opaque.getSourceExpr());
    break;
  }
  case Stmt::DeclRefExprClass:
    return lowerDeclRef(cast<clang::DeclRefExpr>(expr));
  case Stmt::MemberExprClass:
    return lowerMember(cast<clang::MemberExpr>(expr));
  case Stmt::ArraySubscriptExprClass:
    return lowerSubscript(cast<clang::ArraySubscriptExpr>(expr));
  case Stmt::StringLiteralClass:
    return lowerString(cast<clang::StringLiteral>(expr));
  case Stmt::PredefinedExprClass:
    if (const auto *name = cast<clang::PredefinedExpr>(expr).getFunctionName())
      return lowerString(*name);
    break;
  case Stmt::CompoundLiteralExprClass: {
    LValue temporary = makeTemporary(expr.getType(), "%lit");
    initialize(*cast<clang::CompoundLiteralExpr>(expr).getInitializer(), temporary);
    return temporary;
  }
  case Stmt::UnaryOperatorClass: {
    const auto &unary = cast<clang::UnaryOperator>(expr);
    if (unary.getOpcode() == clang::UO_Deref)
      return {lowerScalar(*unary.getSubExpr()), expr.getType()};
    if (unary.isPrefix() && unary.isIncrementDecrementOp()) {
      LValue target;
      lowerIncrement(unary, &target);
      return target;
    }
    if (unary.getOpcode() == clang::UO_Extension)
      return lowerLValue(*unary.getSubExpr());
    break;
  }
  case Stmt::BinaryOperatorClass: {
    const auto &binary = cast<clang::BinaryOperator>(expr);
    LValue target;
    if (binary.getOpcode() == clang::BO_Comma) {
      lowerDiscarded(*binary.getLHS());
      return lowerLValue(*binary.getRHS());
    }
    if (binary.getOpcode() != clang::BO_Assign)
      break;
    lowerAssignment(binary, &target);
    return target;
  }
  case Stmt::CompoundAssignOperatorClass: {
    LValue target;
    lowerCompoundAssignment(cast<clang::CompoundAssignOperator>(expr), &target);
    return target;
  }
  case Stmt::ConditionalOperatorClass:
    return lowerConditionalLValue(cast<clang::AbstractConditionalOperator>(expr));
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass: {
    const auto &conversion = cast<clang::CastExpr>(expr);
    LValue operand = lowerLValue(*conversion.getSubExpr());
    at(expr.getExprLoc());
    switch (conversion.getCastKind()) {
    case clang::CK_NoOp:
    case clang::CK_LValueBitCast:
    case clang::CK_UserDefinedConversion:
    case clang::CK_ConstructorConversion:
      return {operand.pointer, expr.getType()};
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase:
      return {lowerBaseCast(conversion, operand.pointer, conversion.getSubExpr()->getType()),
              expr.getType()};
    default:
      return {unsupported(expr.getExprLoc(),
                          std::string("conversion '") + conversion.getCastKindName() + "'",
                          context_.getPointerType(expr.getType())),
              expr.getType()};
    }
  }
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass: {
    ValueId pointer = lowerCall(cast<clang::CallExpr>(expr));
    return {pointer ? pointer : builder_.null(), expr.getType()};
  }
  default:
    break;
  }
  QualType pointer = expr.getType()->isFunctionType() ? context_.VoidPtrTy
                                                      : context_.getPointerType(expr.getType());
  return {unsupported(expr.getExprLoc(),
                      std::string("expression '") + expr.getStmtClassName() + "'", pointer),
          expr.getType()};
}

LValue FunctionLowering::lowerDeclRef(const clang::DeclRefExpr &expr) {
  const clang::ValueDecl &decl = *expr.getDecl();
  if (auto it = variables_.find(&decl); it != variables_.end())
    return it->second;
  if (const auto *binding = dyn_cast<clang::BindingDecl>(&decl)) {
    if (const clang::VarDecl *holder = binding->getHoldingVar())
      if (auto it = variables_.find(holder); it != variables_.end())
        return it->second;
    if (binding->getBinding())
      return lowerLValue(*binding->getBinding());
  }
  if (std::optional<LValue> capture = lowerCapture(decl, expr.getExprLoc()))
    return *capture;
  if (const auto *variable = dyn_cast<clang::VarDecl>(&decl))
    return lowerVariableLValue(*variable, expr.getExprLoc());
  if (const auto *object = dyn_cast<clang::TemplateParamObjectDecl>(&decl))
    if (auto pointer = tableOf(object->getValue(), expr.getType(), "constant", object))
      return {*pointer, expr.getType()};
  std::string what = llvm::isa<clang::FunctionDecl>(decl) ? "function pointer"
                                                          : "name '" + decl.getNameAsString() + "'";
  return {unsupported(expr.getExprLoc(), what, context_.VoidPtrTy), expr.getType()};
}

/// A variable that is no local object: a table, or outside the subset.
LValue FunctionLowering::lowerVariableLValue(const clang::VarDecl &variable,
                                             clang::SourceLocation loc) {
  QualType type = variable.getType().getNonReferenceType();
  if (std::optional<LValue> table = lowerTable(variable))
    return *table;
  std::string name = variable.getNameAsString(), what;
  if (!variable.hasGlobalStorage())
    what = "variable '" + name + "' of an enclosing function";
  else if (!type.isConstQualified())
    what = (variable.isStaticLocal() ? "mutable static '" : "mutable global '") + name + "'";
  else
    what = "constant '" + name + "' whose value is not visible or not a plain table";
  return {unsupported(loc, what, context_.VoidPtrTy), type};
}

/// Inside a lambda, a variable of the enclosing function is a field of *this.
std::optional<LValue> FunctionLowering::lowerCapture(const clang::ValueDecl &variable,
                                                     clang::SourceLocation loc) {
  auto it = captures_.find(&variable);
  if (it == captures_.end())
    return std::nullopt;
  return fieldOf(this_, *it->second, loc);
}

/// The field itself, or what it refers to if it is a reference.
LValue FunctionLowering::fieldOf(ValueId record, const clang::FieldDecl &field,
                                 clang::SourceLocation loc) {
  at(loc);
  QualType type = field.getType();
  QualType owner = context_.getRecordType(field.getParent());
  if (field.isBitField())
    return {unsupported(loc, "bit-field", context_.VoidPtrTy), type};
  if (std::string reason = unsupportedReason(owner); !reason.empty())
    return {unsupported(loc, reason, context_.VoidPtrTy), type.getNonReferenceType()};
  ValueId slot = builder_.field(record, memType(owner), fieldIndex(field), fieldName(field));
  if (!type->isReferenceType())
    return {slot, type};
  return {builder_.load(slot, memType(type), ScalarType::Pointer, fieldName(field)),
          type.getNonReferenceType()};
}

LValue FunctionLowering::lowerMember(const clang::MemberExpr &expr) {
  const clang::ValueDecl &member = *expr.getMemberDecl();
  if (const auto *variable = dyn_cast<clang::VarDecl>(&member)) { // static member
    return lowerVariableLValue(*variable, expr.getExprLoc());
  }
  const auto *field = dyn_cast<clang::FieldDecl>(&member);
  if (!field)
    return {unsupported(expr.getExprLoc(), "member '" + member.getNameAsString() + "'",
                        context_.VoidPtrTy),
            expr.getType()};
  const Expr &base = *expr.getBase();
  ValueId record = expr.isArrow() ? lowerScalar(base) : lowerLValue(base).pointer;
  LValue result = fieldOf(record, *field, expr.getMemberLoc());
  if (expr.getType().isVolatileQualified())
    result.type = expr.getType();
  return result;
}

LValue FunctionLowering::lowerSubscript(const clang::ArraySubscriptExpr &expr) {
  const Expr &base = *expr.getBase();
  if (!base.getType()->isPointerType())
    return {unsupported(expr.getExprLoc(), "subscript of a vector", context_.VoidPtrTy),
            expr.getType()};
  ValueId pointer, index;
  if (expr.getLHS() == expr.getIdx()) { // i[a]
    index = lowerIndex(*expr.getIdx());
    pointer = lowerScalar(base);
  } else {
    pointer = lowerScalar(base);
    index = lowerIndex(*expr.getIdx());
  }
  at(expr.getExprLoc());
  return {builder_.index(pointer, index, memType(expr.getType())), expr.getType()};
}

/// c ? a : b as a place: the address is chosen.
LValue FunctionLowering::lowerConditionalLValue(const clang::AbstractConditionalOperator &expr) {
  QualType pointer = context_.getPointerType(expr.getType());
  ValueId slot = builder_.object(memType(pointer), "%place");
  ValueId condition = lowerCondition(*expr.getCond());
  auto arm = [&](const Expr &value) {
    LValue place = lowerLValue(value);
    at(expr.getQuestionLoc());
    builder_.store(slot, place.pointer, memType(pointer));
  };
  at(expr.getQuestionLoc());
  builder_.emitIf(condition, [&] { arm(*expr.getTrueExpr()); }, [&] { arm(*expr.getFalseExpr()); });
  return {builder_.load(slot, memType(pointer), ScalarType::Pointer), expr.getType()};
}

} // namespace colonnade::frontend
