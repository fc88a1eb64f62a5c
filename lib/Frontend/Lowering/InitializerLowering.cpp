//===- InitializerLowering.cpp - Initialiser lists, constructors, lambdas --===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an initialiser and the place it is for. Out: stores and copies to each field and
// element, in the order of the language: bases, then fields, then elements.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/CopyElision.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using ir::ScalarType;
using llvm::dyn_cast;

/// The elements given one by one, the rest by the filler.
void FunctionLowering::lowerArrayInit(llvm::ArrayRef<const Expr *> inits, const Expr *filler,
                                      LValue target) {
  std::optional<StdArray> stdArray = asStdArray(target.type);
  const auto *arrayType = llvm::dyn_cast_or_null<clang::ConstantArrayType>(
      stdArray ? nullptr : target.type->getAsArrayTypeUnsafe());
  if (!stdArray && !arrayType) // C23: int t[n] = {};
    return unsupported(inits.empty() ? decl_.getLocation() : inits.front()->getExprLoc(),
                       "initialiser of a variable-length array");
  uint64_t count = stdArray ? stdArray->count : arrayType->getSize().getZExtValue();
  LocId loc = builder_.loc();
  // Elements that are implicitly zero at the end belong to the rest.
  while (!inits.empty() && llvm::isa<clang::ImplicitValueInitExpr>(inits.back()))
    inits = inits.drop_back();
  for (uint64_t i = 0; i < inits.size(); ++i)
    initialize(*inits[i], elementOf(target, i));
  if (inits.size() >= count)
    return;
  builder_.setLoc(loc);
  lowerArrayRest(filler, target, inits.size(), count - inits.size());
}

/// `count` elements from `first` on; without a filler they are zero.
void FunctionLowering::lowerArrayRest(const Expr *filler, LValue target, uint64_t first,
                                      uint64_t count) {
  QualType element = elementType(target.type);
  ValueId rest = elementOf(target, first).pointer;
  ValueId number = builder_.index64(count);
  bool isZero = !filler || llvm::isa<clang::ImplicitValueInitExpr>(filler);
  if (const auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(filler))
    isZero = list->getNumInits() == 0 && element->isScalarType();
  std::optional<ScalarType> scalar = scalarType(element);
  if (isZero && scalar && *scalar != ScalarType::Pointer)
    return fillCells({rest, element}, builder_.zero(ScalarType::U8), number);
  emitCountedLoop(number, [&](ValueId i) {
    LValue place = cellOf({rest, element}, i);
    isZero ? zeroFill(place) : initialize(*filler, place);
  });
}

/// The list with what the language fills in; a list in a template has two forms.
static const clang::InitListExpr &semanticForm(const clang::InitListExpr &list) {
  return list.isSemanticForm() || !list.getSemanticForm() ? list : *list.getSemanticForm();
}

void FunctionLowering::lowerInitList(const clang::InitListExpr &syntactic, LValue target) {
  SourceNodeScope scope = standsFor(syntactic);
  const clang::InitListExpr &list = semanticForm(syntactic);
  if (list.hadArrayRangeDesignator()) // else its value has no side effects
    return unsupported(list.getBeginLoc(), "range designator whose value has side effects, which "
                                           "take place once (compute it before)");
  if (list.isTransparent() ||
      (list.getNumInits() == 1 && !target.type->isArrayType() &&
       context_.hasSameUnqualifiedType(list.getInit(0)->getType(), target.type)))
    return lowerInto(*list.getInit(0), target);
  if (target.type->isArrayType())
    return list.isStringLiteralInit() ? lowerInto(*list.getInit(0), target)
                                      : lowerArrayInit(list.inits(), list.getArrayFiller(), target);
  lowerRecordInit(list, list.inits(), list.getInitializedFieldInUnion(), target);
}

/// Base classes, then fields, as far as the list goes; of a union only `member`.
void FunctionLowering::lowerRecordInit(const Expr &list, llvm::ArrayRef<const Expr *> inits,
                                       const clang::FieldDecl *member, LValue target) {
  if (asStdArray(target.type)) { // one member: the array itself
    QualType type = inits.empty() ? QualType() : inits.front()->getType();
    return !type.isNull() && type->isArrayType() ? initialize(*inits[0], {target.pointer, type})
                                                 : zeroFill(target);
  }
  const clang::RecordDecl *record = target.type->getAsRecordDecl();
  if (!record || !unsupportedReason(target.type).empty())
    return unsupported(list.getBeginLoc(), "initialiser of " + unsupportedReason(target.type));
  if (record->isUnion())
    return member && inits.size() == 1 ? lowerFieldInit(*member, *inits[0], target)
                                       : zeroFill(target);
  unsigned next = 0;
  const auto *cxx = dyn_cast<clang::CXXRecordDecl>(record->getDefinition());
  for (unsigned i = 0; cxx && i < cxx->getNumBases() && next < inits.size(); ++i)
    initializeBase(*inits[next++], baseOf(target.pointer, *cxx, i));
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
    if (field->isUnnamedBitField())
      continue;
    if (next >= inits.size())
      break;
    lowerFieldInit(*field, *inits[next++], target);
  }
}

void FunctionLowering::lowerFieldInit(const clang::FieldDecl &field, const Expr &init,
                                      LValue target) {
  SourceNodeScope scope = standsFor(init);
  at(init.getExprLoc());
  if (const auto *ownDefault = dyn_cast<clang::CXXDefaultInitExpr>(&init))
    return lowerDefaultInit(field, *ownDefault, target);
  QualType type = field.getType();
  if (type->isReferenceType())
    return bindField(field, init, target);
  std::string reason = field.isBitField() ? bitFieldProblem(field) : unsupportedReason(type);
  if (reason.empty())
    return initialize(init, fieldOf(target.pointer, field, init.getExprLoc()));
  if (!isEmptyInit(init))
    unsupported(init.getExprLoc(), reason);
}

/// `int y = x + 1;` in the class: x is a field of the object being initialised, whatever
/// `this` is where the list stands.
void FunctionLowering::lowerDefaultInit(const clang::FieldDecl &field,
                                        const clang::CXXDefaultInitExpr &init, LValue target) {
  decltype(captures_) captures;
  ValueId self = target.pointer;
  QualType type = context_.getRecordType(field.getParent());
  auto exchange = [&] {
    std::swap(this_, self);
    std::swap(thisType_, type);
    std::swap(captures_, captures);
  };
  exchange();
  lowerFieldInit(field, *init.getExpr(), target);
  exchange();
}

/// A field of reference type holds an address.
void FunctionLowering::bindField(const clang::FieldDecl &field, const Expr &init, LValue record) {
  SourceNodeScope scope = standsFor(init);
  ValueId slot =
      builder_.field(record.pointer, memType(record.type), fieldIndex(field), fieldName(field));
  LValue referred = lowerLValue(init);
  builder_.store(slot, referred.pointer, memType(field.getType()));
}

/// A base, or the whole object for a delegating constructor.
void FunctionLowering::initializeBase(const Expr &init, LValue target) {
  if (isUndecidedBase(init, decl_))
    unsupported(init.getExprLoc(),
                "a base that is initialised from a temporary of its own class, which is the base "
                "itself or is copied to it, as the compiler likes, and the class tells apart (pass "
                "the arguments of the constructor)");
  initialize(init, target);
}

/// T a(1, 2) of C++20.
void FunctionLowering::lowerParenListInit(const clang::CXXParenListInitExpr &list, LValue target) {
  std::vector<const Expr *> inits(list.getInitExprs().begin(), list.getInitExprs().end());
  if (target.type->isArrayType())
    lowerArrayInit(inits, list.getArrayFiller(), target);
  else
    lowerRecordInit(list, inits, list.getInitializedFieldInUnion(), target);
}

/// Element-wise copy of an array member, as a defaulted copy constructor does.
void FunctionLowering::lowerArrayInitLoop(const clang::ArrayInitLoopExpr &expr, LValue target) {
  SourceNodeScope scope = standsFor(expr);
  const clang::OpaqueValueExpr *common = expr.getCommonExpr();
  opaqueObjects_[common] = lowerLValue(*common->getSourceExpr());
  ValueId first = decay(target.pointer, target.type);
  QualType element = elementType(target.type);
  emitCountedLoop(radixOf(target.type), [&](ValueId i) {
    std::optional<ValueId> outer = arrayInitIndex_;
    arrayInitIndex_ = i;
    initialize(*expr.getSubExpr(), cellOf({first, element}, i));
    arrayInitIndex_ = outer;
  });
}

void FunctionLowering::lowerConstruct(const clang::CXXConstructExpr &expr, LValue target) {
  SourceNodeScope scope = standsFor(expr);
  if (target.type->isArrayType())
    return lowerArrayConstruct(expr, target);
  if (std::string reason = unsupportedReason(target.type); !reason.empty())
    return unsupported(expr.getExprLoc(), reason);
  if (const Expr *temporary = elidedTemporary(expr))
    return initialize(*temporary, target);
  const clang::CXXConstructorDecl &constructor = *expr.getConstructor();
  if (expr.requiresZeroInitialization())
    zeroFill(target);
  bool copies = constructor.isCopyOrMoveConstructor() && expr.getNumArgs() >= 1;
  if (copies && (constructor.isTrivial() || &expr == elidedReturn_)) {
    LValue from = lowerLValue(*expr.getArg(0));
    at(expr.getExprLoc());
    return copyObject(target, from.pointer);
  }
  if (constructor.isTrivial() && constructor.isDefaultConstructor())
    return;
  std::vector<ValueId> args = {target.pointer};
  std::vector<const Expr *> exprs(expr.getArgs(), expr.getArgs() + expr.getNumArgs());
  lowerArguments(constructor, exprs, args);
  emitCall(constructor, std::move(args), context_.VoidTy, expr.getExprLoc(), nullptr);
}

/// `using Base::Base`: the base gets the very arguments of this constructor.
void FunctionLowering::lowerInheritedConstruct(const clang::CXXInheritedCtorInitExpr &expr,
                                               LValue target) {
  SourceNodeScope scope = standsFor(expr);
  if (std::string reason = unsupportedReason(target.type); !reason.empty())
    return unsupported(expr.getExprLoc(), reason);
  if (expr.inheritedFromVBase() || decl_.isVariadic())
    return unsupported(expr.getExprLoc(), "inherited constructor of this form");
  std::vector<ValueId> args = {target.pointer};
  for (const clang::ParmVarDecl *param : decl_.parameters()) {
    auto given = variables_.find(param);
    if (given == variables_.end()) // of a type that has been reported
      return unsupported(expr.getExprLoc(), "inherited constructor of this form");
    const bool isAddress = param->getType()->isReferenceType() || isAggregate(param->getType());
    args.push_back(isAddress ? given->second.pointer : loadFrom(given->second, expr.getExprLoc()));
  }
  emitCall(*expr.getConstructor(), std::move(args), context_.VoidTy, expr.getExprLoc(), nullptr);
}

/// Each element by the same constructor.
void FunctionLowering::lowerArrayConstruct(const clang::CXXConstructExpr &expr, LValue target) {
  if (expr.getConstructor()->isTrivial() && !expr.requiresZeroInitialization())
    return;
  ValueId first = decay(target.pointer, target.type);
  QualType element = elementType(target.type);
  emitCountedLoop(radixOf(target.type),
                  [&](ValueId i) { lowerConstruct(expr, cellOf({first, element}, i)); });
}

/// Captures are the fields of the closure object, in order.
void FunctionLowering::lowerLambda(const clang::LambdaExpr &expr, LValue target) {
  SourceNodeScope scope = standsFor(expr);
  auto field = expr.getLambdaClass()->field_begin();
  for (const Expr *init : expr.capture_inits()) {
    const clang::FieldDecl &slot = **field++;
    if (!init) { // the size of a variable-length array
      unsupported(expr.getBeginLoc(), "capture of a variable-length array");
      continue;
    }
    at(init->getExprLoc());
    if (slot.getType()->isReferenceType())
      bindField(slot, *init, target);
    else
      initialize(*init, fieldOf(target.pointer, slot, init->getExprLoc()));
  }
}

} // namespace colonnade::frontend
