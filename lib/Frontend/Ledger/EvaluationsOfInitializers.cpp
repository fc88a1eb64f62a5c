//===- EvaluationsOfInitializers.cpp - Initialisers ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"
#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/ClangTypes.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::QualType;
using llvm::cast;
using llvm::dyn_cast;

/// There is something that could be written.
static bool hasCells(QualType type) {
  if (const auto *array = type->getAsArrayTypeUnsafe()) {
    const auto *constant = dyn_cast<clang::ConstantArrayType>(array);
    return (!constant || !constant->isZeroSize()) && hasCells(array->getElementType());
  }
  const auto *record = type->getAsRecordDecl();
  if (!record)
    return unsupportedReason(type).empty() && !type->isReferenceType();
  if (const auto *cxx = dyn_cast<clang::CXXRecordDecl>(record))
    for (const clang::CXXBaseSpecifier &base : cxx->bases())
      if (hasCells(base.getType()))
        return true;
  return llvm::any_of(record->fields(), [](const clang::FieldDecl *field) {
    return field->isBitField() ? hasCell(*field) : hasCells(field->getType());
  });
}

/// How many operations set an object to zero: one for each field, and for the numbers of an array.
static unsigned zeroWrites(QualType type) {
  if (!hasCells(type))
    return 0;
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return zeroWrites(array->getElementType());
  const auto *record = type->getAsRecordDecl();
  if (!record || record->isUnion() || !unsupportedReason(type).empty())
    return 1;
  unsigned writes = 0;
  if (const auto *cxx = dyn_cast<clang::CXXRecordDecl>(record))
    for (const clang::CXXBaseSpecifier &base : cxx->bases())
      writes += zeroWrites(base.getType());
  for (const clang::FieldDecl *field : record->fields())
    writes += hasCell(*field) ? field->isBitField() ? 1 : zeroWrites(field->getType()) : 0;
  return writes;
}

void EvaluationWalk::zero(const Expr &at, QualType type) {
  const unsigned writes = zeroWrites(type);
  for (unsigned i = 0; i < writes; ++i)
    expect(Kind::Write, &at);
  if (writes == 0 && hasCells(type))
    expectUnless(DiscardRule::ZeroOutside, Kind::Write, &at);
}

void EvaluationWalk::initialize(const Expr &init, QualType type, bool isPart) {
  uint32_t outer = frame_;
  enter(&init);
  SourceNode key = keyOf(nodes_, here(&init));
  const auto &bare = cast<Expr>(*llvm::cast<const clang::Stmt *>(key.node));
  if (type->isReferenceType()) {
    walk(&init);
    if (isPart)
      expect(Kind::Write, &init);
  } else if (isAggregate(type)) {
    walk(&init);
    const auto *binary = dyn_cast<clang::BinaryOperator>(&bare);
    bool isCopied = bare.isGLValue() || llvm::isa<clang::MemberExpr, clang::StringLiteral>(bare) ||
                    (binary && binary->isAssignmentOp());
    if (isCopied)
      expect(Kind::Write, &init);
  } else {
    walk(&init);
    expect(Kind::Write, &init);
  }
  frame_ = outer;
}

void EvaluationWalk::list(const clang::InitListExpr &written) {
  const clang::InitListExpr &list =
      written.isSemanticForm() || !written.getSemanticForm() ? written : *written.getSemanticForm();
  SourceNode inner = keyOf(nodes_, here(&list));
  if (inner.node != ClangNode(&list)) // `{b[0]}`: what stands in it, with its conversions
    return walk(list.getNumInits() == 1 ? list.getInit(0)
                                        : llvm::cast<const clang::Stmt *>(inner.node));
  QualType type = list.getType();
  if (const auto *array = clang_.getAsConstantArrayType(type))
    return arrayList(list, llvm::ArrayRef(list.getInits(), list.getNumInits()),
                     list.getArrayFiller(), array->getSize().getZExtValue(),
                     array->getElementType());
  if (const clang::RecordDecl *record = type->getAsRecordDecl())
    return asStdArray(type) || (record->isUnion() && list.getNumInits() == 0)
               ? zero(list, type)
               : recordList(llvm::ArrayRef(list.getInits(), list.getNumInits()),
                            *record->getDefinition());
  if (list.getNumInits() > 0 || type->isArrayType())
    expect(Kind::Refusal, &list);
}

void EvaluationWalk::parenList(const clang::CXXParenListInitExpr &list) {
  llvm::ArrayRef<Expr *> inits = list.getInitExprs();
  if (const auto *array = clang_.getAsConstantArrayType(list.getType()))
    return arrayList(list, inits, list.getArrayFiller(), array->getSize().getZExtValue(),
                     array->getElementType());
  const clang::RecordDecl *record = list.getType()->getAsRecordDecl();
  record ? recordList(inits, *record->getDefinition()) : void(expect(Kind::Refusal, &list));
}

/// Elements one by one; the rest by the filler, or zero at once.
void EvaluationWalk::arrayList(const Expr &list, llvm::ArrayRef<Expr *> inits, const Expr *filler,
                               uint64_t count, QualType element) {
  while (!inits.empty() && llvm::isa<clang::ImplicitValueInitExpr>(inits.back()))
    inits = inits.drop_back();
  for (const Expr *init : inits)
    initialize(*init, element, /*isPart=*/true);
  if (inits.size() >= count)
    return;
  const auto *empty = llvm::dyn_cast_or_null<clang::InitListExpr>(filler);
  bool isZero = !filler || llvm::isa<clang::ImplicitValueInitExpr>(filler) ||
                (empty && empty->getNumInits() == 0 && element->isScalarType());
  isZero ? zero(list, element) : initialize(*filler, element, /*isPart=*/true);
}

void EvaluationWalk::recordList(llvm::ArrayRef<Expr *> inits, const clang::RecordDecl &record) {
  const auto *cxx = dyn_cast<clang::CXXRecordDecl>(&record);
  size_t next = 0;
  for (size_t i = 0; cxx && i < cxx->getNumBases() && next < inits.size(); ++i)
    initialize(*inits[next++], std::next(cxx->bases_begin(), i)->getType(), /*isPart=*/true);
  for (const clang::FieldDecl *each : record.fields())
    if (!each->isUnnamedBitField() && next < inits.size())
      field(*inits[next++], *each);
  for (; next < inits.size(); ++next) // a union, or what is not understood
    walk(inits[next]);
}

void EvaluationWalk::field(const Expr &init, const clang::FieldDecl &field) {
  bool isOutside = !field.getType()->isReferenceType() && !hasCell(field);
  if (isOutside && isEmptyInit(init))
    return expectUnless(DiscardRule::ZeroOutside, Kind::Write, &init);
  initialize(init, field.getType(), /*isPart=*/true);
}

void EvaluationWalk::captures(const clang::LambdaExpr &expr) {
  auto field = expr.getLambdaClass()->field_begin();
  for (const Expr *init : expr.capture_inits()) {
    const clang::FieldDecl &slot = **field++;
    init ? initialize(*init, slot.getType(), /*isPart=*/true) : void(expect(Kind::Refusal, &expr));
  }
}

void EvaluationWalk::elementLoop(const clang::ArrayInitLoopExpr &expr) {
  walk(expr.getCommonExpr()->getSourceExpr());
  knownOpaque_.insert(expr.getCommonExpr());
  initialize(*expr.getSubExpr(), clang_.getAsArrayType(expr.getType())->getElementType(),
             /*isPart=*/true);
}

} // namespace colonnade::frontend::ledger
