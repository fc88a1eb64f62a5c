//===- AggregateLowering.cpp - Values of struct and array type ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structs and arrays live in memory: an expression of such a type is written into
// a place given by its user. `initialize` also takes scalars, so that members and
// elements are treated alike.
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

LValue FunctionLowering::makeTemporary(QualType type, llvm::StringRef name) {
  return {builder_.object(memType(type), name), type};
}

LValue FunctionLowering::baseOf(ValueId record, const clang::CXXRecordDecl &derived,
                                unsigned index) {
  QualType base = std::next(derived.bases_begin(), index)->getType();
  if (std::string reason = unsupportedReason(context_.getRecordType(&derived)); !reason.empty())
    return {unsupported(derived.getLocation(), reason, context_.VoidPtrTy), base};
  MemTypeId type = memType(context_.getRecordType(&derived));
  return {builder_.field(record, type, index, base->getAsCXXRecordDecl()->getName()), base};
}

static QualType elementType(QualType array) {
  if (std::optional<StdArray> stdArray = asStdArray(array))
    return stdArray->element;
  return array->getAsArrayTypeUnsafe()->getElementType();
}

LValue FunctionLowering::elementOf(LValue array, uint64_t index) {
  QualType element = elementType(array.type);
  return {
      builder_.index(decay(array.pointer, array.type), builder_.index64(index), memType(element)),
      element};
}

void FunctionLowering::copyObject(LValue target, ValueId source) {
  builder_.copy(target.pointer, source, builder_.index64(1), memType(target.type));
}

/// All scalars zero, pointers null, as for static storage.
void FunctionLowering::zeroFill(LValue target) {
  if (std::optional<ScalarType> scalar = scalarType(target.type))
    return builder_.store(target.pointer,
                          *scalar == ScalarType::Pointer ? builder_.null() : builder_.zero(*scalar),
                          memType(target.type));
  const clang::RecordDecl *record =
      asStdArray(target.type) ? nullptr : target.type->getAsRecordDecl();
  if (!record) { // an array, cell by cell at once
    QualType cell = target.type;
    ValueId pointer = target.pointer, count = builder_.index64(1);
    while (cell->isArrayType() || asStdArray(cell)) {
      ValueId radix = radixOf(cell);
      pointer = builder_.decay(pointer, radix, memType(cell));
      count = builder_.binary(ir::Opcode::Mul, count, radix);
      cell = elementType(cell);
    }
    if (scalarType(cell) && scalarType(cell) != ScalarType::Pointer)
      return builder_.fill(pointer, builder_.zero(ScalarType::U8), count, memType(cell));
    return emitCountedLoop(
        count, [&](ValueId i) { zeroFill({builder_.index(pointer, i, memType(cell)), cell}); });
  }
  if (!unsupportedReason(target.type).empty())
    return;
  const auto *cxx = dyn_cast<clang::CXXRecordDecl>(record);
  for (unsigned i = 0; cxx && i < cxx->getNumBases(); ++i)
    zeroFill(baseOf(target.pointer, *cxx, i));
  for (const clang::FieldDecl *field : record->fields())
    if (!field->isBitField() && unsupportedReason(field->getType()).empty() &&
        !field->getType()->isReferenceType())
      zeroFill(fieldOf(target.pointer, *field, field->getLocation()));
}

/// Any initialiser into a fresh place.
void FunctionLowering::initialize(const Expr &init, LValue target) {
  at(init.getExprLoc());
  if (target.type->isReferenceType()) {
    builder_.store(target.pointer, lowerLValue(init).pointer, memType(target.type));
    return;
  }
  if (isAggregate(target.type))
    return lowerInto(init, target);
  if (std::string reason = unsupportedReason(target.type); !reason.empty())
    return unsupported(init.getExprLoc(), "initialiser of " + reason);
  const Expr *bare = init.IgnoreParens();
  if (const auto *list = dyn_cast<clang::InitListExpr>(bare); list && list->getNumInits() == 0)
    return zeroFill(target);
  storeTo({target.pointer, target.type.getUnqualifiedType()}, lowerScalar(init), init.getExprLoc());
}

void FunctionLowering::lowerInto(const Expr &expr, LValue target) {
  at(expr.getExprLoc());
  if (isPlace(expr))
    return copyObject(target, lowerLValue(expr).pointer);
  switch (expr.getStmtClass()) {
  case Stmt::ParenExprClass:
    return lowerInto(*cast<clang::ParenExpr>(expr).getSubExpr(), target);
  case Stmt::ExprWithCleanupsClass:
  case Stmt::ConstantExprClass:
    return lowerInto(*cast<clang::FullExpr>(expr).getSubExpr(), target);
  case Stmt::CXXBindTemporaryExprClass:
    unsupported(expr.getExprLoc(), "non-trivial destructor");
    return lowerInto(*cast<clang::CXXBindTemporaryExpr>(expr).getSubExpr(), target);
  case Stmt::CXXDefaultArgExprClass:
    return lowerInto(*cast<clang::CXXDefaultArgExpr>(expr).getExpr(), target);
  case Stmt::CXXDefaultInitExprClass:
    return lowerInto(*cast<clang::CXXDefaultInitExpr>(expr).getExpr(), target);
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return lowerInto(*cast<clang::SubstNonTypeTemplateParmExpr>(expr).getReplacement(), target);
  case Stmt::GenericSelectionExprClass:
    return lowerInto(*cast<clang::GenericSelectionExpr>(expr).getResultExpr(), target);
  case Stmt::CXXRewrittenBinaryOperatorClass:
    return lowerInto(*cast<clang::CXXRewrittenBinaryOperator>(expr).getSemanticForm(), target);
  case Stmt::CXXStdInitializerListExprClass:
    return unsupported(expr.getExprLoc(), "std::initializer_list (pass an array or a std::array)");
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
    return zeroFill(target);
  case Stmt::InitListExprClass:
    return lowerInitList(cast<clang::InitListExpr>(expr), target);
  case Stmt::CXXParenListInitExprClass: {
    const auto &list = cast<clang::CXXParenListInitExpr>(expr);
    if (target.type->isArrayType()) {
      std::vector<const Expr *> inits(list.getInitExprs().begin(), list.getInitExprs().end());
      return lowerArrayInit(inits, nullptr, target);
    }
    return unsupported(expr.getExprLoc(), "parenthesised aggregate initialisation");
  }
  case Stmt::ArrayInitLoopExprClass:
    return lowerArrayInitLoop(cast<clang::ArrayInitLoopExpr>(expr), target);
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return lowerConstruct(cast<clang::CXXConstructExpr>(expr), target);
  case Stmt::LambdaExprClass:
    return lowerLambda(cast<clang::LambdaExpr>(expr), target);
  case Stmt::StmtExprClass: {
    const auto &block = *cast<clang::StmtExpr>(expr).getSubStmt();
    std::vector<const Stmt *> stmts(block.body_begin(), block.body_end());
    const auto *last = stmts.empty() ? nullptr : dyn_cast<Expr>(stmts.back());
    if (!last || exits_.of(&block).any())
      return unsupported(expr.getExprLoc(), "statement expression of this form");
    stmts.pop_back();
    lowerBlock(stmts);
    return lowerInto(*last, target);
  }
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass:
    lowerCall(cast<clang::CallExpr>(expr), &target);
    return;
  case Stmt::ConditionalOperatorClass: {
    const auto &choice = cast<clang::AbstractConditionalOperator>(expr);
    ValueId condition = lowerCondition(*choice.getCond());
    at(choice.getQuestionLoc());
    return builder_.emitIf(
        condition, [&] { lowerInto(*choice.getTrueExpr(), target); },
        [&] { lowerInto(*choice.getFalseExpr(), target); });
  }
  case Stmt::BinaryOperatorClass: {
    const auto &binary = cast<clang::BinaryOperator>(expr);
    if (binary.getOpcode() == clang::BO_Comma) {
      lowerDiscarded(*binary.getLHS());
      return lowerInto(*binary.getRHS(), target);
    }
    LValue assigned;
    lowerAssignment(binary, &assigned);
    return copyObject(target, assigned.pointer);
  }
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXConstCastExprClass: {
    const auto &conversion = cast<clang::CastExpr>(expr);
    switch (conversion.getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_UserDefinedConversion:
    case clang::CK_ConstructorConversion:
      return lowerInto(*conversion.getSubExpr(), target);
    default:
      return unsupported(expr.getExprLoc(),
                         std::string("conversion '") + conversion.getCastKindName() + "'");
    }
  }
  default:
    return unsupported(expr.getExprLoc(),
                       std::string("expression '") + expr.getStmtClassName() + "'");
  }
}

/// The elements given one by one, the rest by the filler.
void FunctionLowering::lowerArrayInit(llvm::ArrayRef<const Expr *> inits, const Expr *filler,
                                      LValue target) {
  uint64_t given = inits.size();
  std::optional<StdArray> stdArray = asStdArray(target.type);
  const auto *arrayType = dyn_cast_or_null<clang::ConstantArrayType>(
      stdArray ? nullptr : target.type->getAsArrayTypeUnsafe());
  if (!stdArray && !arrayType)
    return; // a variable-length array has no initialiser
  uint64_t count = stdArray ? stdArray->count : arrayType->getSize().getZExtValue();
  LocId loc = builder_.loc();
  // Elements that are implicitly zero at the end belong to the rest.
  while (given && llvm::isa<clang::ImplicitValueInitExpr>(inits[given - 1]))
    --given;
  for (uint64_t i = 0; i < given; ++i)
    initialize(*inits[i], elementOf(target, i));
  if (given >= count)
    return;
  builder_.setLoc(loc);
  QualType element = elementType(target.type);
  ValueId rest = elementOf(target, given).pointer;
  ValueId number = builder_.index64(count - given);
  bool isZero = !filler || llvm::isa<clang::ImplicitValueInitExpr>(filler);
  if (const auto *list = dyn_cast_or_null<clang::InitListExpr>(filler))
    isZero = list->getNumInits() == 0 && element->isScalarType();
  std::optional<ScalarType> scalar = scalarType(element);
  if (isZero && scalar && *scalar != ScalarType::Pointer)
    return builder_.fill(rest, builder_.zero(ScalarType::U8), number, memType(element));
  emitCountedLoop(number, [&](ValueId i) {
    LValue place = {builder_.index(rest, i, memType(element)), element};
    isZero ? zeroFill(place) : initialize(*filler, place);
  });
}

void FunctionLowering::lowerInitList(const clang::InitListExpr &syntactic, LValue target) {
  const clang::InitListExpr &list = syntactic.isSemanticForm() || !syntactic.getSemanticForm()
                                        ? syntactic
                                        : *syntactic.getSemanticForm();
  if (list.isTransparent() ||
      (list.getNumInits() == 1 && !target.type->isArrayType() &&
       context_.hasSameUnqualifiedType(list.getInit(0)->getType(), target.type)))
    return lowerInto(*list.getInit(0), target);
  if (target.type->isArrayType()) {
    if (list.isStringLiteralInit())
      return copyObject(target, lowerLValue(*list.getInit(0)).pointer);
    std::vector<const Expr *> inits(list.inits().begin(), list.inits().end());
    return lowerArrayInit(inits, list.getArrayFiller(), target);
  }
  if (asStdArray(target.type)) { // one member: the array itself
    if (list.getNumInits() == 0)
      return zeroFill(target);
    if (const auto *inner = dyn_cast<clang::InitListExpr>(list.getInit(0))) {
      const clang::InitListExpr &elements =
          inner->isSemanticForm() || !inner->getSemanticForm() ? *inner : *inner->getSemanticForm();
      std::vector<const Expr *> inits(elements.inits().begin(), elements.inits().end());
      return lowerArrayInit(inits, elements.getArrayFiller(), target);
    }
    return zeroFill(target);
  }
  const clang::RecordDecl *record = target.type->getAsRecordDecl();
  if (!record || !unsupportedReason(target.type).empty())
    return unsupported(list.getBeginLoc(), "initialiser of " + unsupportedReason(target.type));
  unsigned next = 0;
  const auto *cxx = dyn_cast<clang::CXXRecordDecl>(record->getDefinition());
  for (unsigned i = 0; cxx && i < cxx->getNumBases() && next < list.getNumInits(); ++i)
    initialize(*list.getInit(next++), baseOf(target.pointer, *cxx, i));
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
    if (field->isUnnamedBitField())
      continue;
    if (next >= list.getNumInits())
      break;
    const Expr &init = *list.getInit(next++);
    at(init.getExprLoc());
    if (field->getType()->isReferenceType()) {
      ValueId slot = builder_.field(target.pointer, memType(target.type), fieldIndex(*field),
                                    fieldName(*field));
      builder_.store(slot, lowerLValue(init).pointer, memType(field->getType()));
    } else if (field->isBitField() || !unsupportedReason(field->getType()).empty()) {
      if (!llvm::isa<clang::ImplicitValueInitExpr>(init))
        unsupported(init.getExprLoc(),
                    field->isBitField() ? "bit-field" : unsupportedReason(field->getType()));
    } else {
      initialize(init, fieldOf(target.pointer, *field, init.getExprLoc()));
    }
  }
}

/// Element-wise copy of an array member, as a defaulted copy constructor does.
void FunctionLowering::lowerArrayInitLoop(const clang::ArrayInitLoopExpr &expr, LValue target) {
  const clang::OpaqueValueExpr *common = expr.getCommonExpr();
  opaqueObjects_[common] = lowerLValue(*common->getSourceExpr());
  ValueId first = decay(target.pointer, target.type);
  QualType element = elementType(target.type);
  emitCountedLoop(radixOf(target.type), [&](ValueId i) {
    std::optional<ValueId> outer = arrayInitIndex_;
    arrayInitIndex_ = i;
    initialize(*expr.getSubExpr(), {builder_.index(first, i, memType(element)), element});
    arrayInitIndex_ = outer;
  });
}

void FunctionLowering::lowerConstruct(const clang::CXXConstructExpr &expr, LValue target) {
  const clang::CXXConstructorDecl &constructor = *expr.getConstructor();
  if (target.type->isArrayType()) { // each element by the same constructor
    if (constructor.isTrivial() && !expr.requiresZeroInitialization())
      return;
    ValueId first = decay(target.pointer, target.type);
    QualType element = elementType(target.type);
    return emitCountedLoop(radixOf(target.type), [&](ValueId i) {
      lowerConstruct(expr, {builder_.index(first, i, memType(element)), element});
    });
  }
  if (std::string reason = unsupportedReason(target.type); !reason.empty())
    return unsupported(expr.getExprLoc(), reason);
  if (expr.requiresZeroInitialization())
    zeroFill(target);
  // std::array has no constructors of its own.
  bool copies = constructor.isCopyOrMoveConstructor() && expr.getNumArgs() >= 1;
  if (copies && (constructor.isTrivial() || asStdArray(target.type))) {
    const Expr &source = *expr.getArg(0);
    LValue from = lowerLValue(source);
    at(expr.getExprLoc());
    return copyObject(target, from.pointer);
  }
  if (asStdArray(target.type) || (constructor.isTrivial() && constructor.isDefaultConstructor()))
    return;
  std::vector<ValueId> args = {target.pointer};
  std::vector<const Expr *> exprs(expr.getArgs(), expr.getArgs() + expr.getNumArgs());
  lowerArguments(constructor, exprs, args);
  emitCall(constructor, std::move(args), context_.VoidTy, expr.getExprLoc(), nullptr);
}

/// Captures are the fields of the closure object, in order.
void FunctionLowering::lowerLambda(const clang::LambdaExpr &expr, LValue target) {
  auto field = expr.getLambdaClass()->field_begin();
  for (const Expr *init : expr.capture_inits()) {
    const clang::FieldDecl &slot = **field++;
    at(init->getExprLoc());
    if (slot.getType()->isReferenceType()) {
      ValueId place =
          builder_.field(target.pointer, memType(target.type), fieldIndex(slot), fieldName(slot));
      builder_.store(place, lowerLValue(*init).pointer, memType(slot.getType()));
    } else {
      initialize(*init, fieldOf(target.pointer, slot, init->getExprLoc()));
    }
  }
}

} // namespace colonnade::frontend
