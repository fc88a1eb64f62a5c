//===- Operations.cpp - What the raw IR has for each part of the source ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/Operations.h"

#include "Frontend/Types/ClangTypes.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using ir::Opcode;
using llvm::cast;
using llvm::dyn_cast;

/// A list that is no more than its only element.
static const Expr *onlyElement(const clang::InitListExpr &list) {
  if (!list.isSemanticForm() && list.getSemanticForm())
    return list.getSemanticForm();
  if (list.getNumInits() != 1)
    return nullptr;
  const Expr *element = list.getInit(0);
  bool isSame = list.getType()->isScalarType() || list.isTransparent() ||
                list.isStringLiteralInit() ||
                list.getType().getCanonicalType().getUnqualifiedType() ==
                    element->getType().getCanonicalType().getUnqualifiedType();
  // std::array holds an array, which stands for it.
  bool isArrayMember = asStdArray(list.getType()) && element->getType()->isArrayType();
  return isSame || isArrayMember ? element : nullptr;
}

static bool changesNoValue(const clang::CastExpr &conversion) {
  switch (conversion.getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_UserDefinedConversion:
  case clang::CK_ConstructorConversion:
    return true;
  default:
    return false;
  }
}

/// What `expr` only wraps; null: it is more than that.
static const Expr *inside(const Expr &expr) {
  if (const auto *list = dyn_cast<clang::InitListExpr>(&expr))
    return onlyElement(*list);
  if (const auto *conversion = dyn_cast<clang::CastExpr>(&expr))
    return changesNoValue(*conversion) ? conversion->getSubExpr() : nullptr;
  if (const auto *unary = dyn_cast<clang::UnaryOperator>(&expr))
    return unary->getOpcode() == clang::UO_Extension ? unary->getSubExpr() : nullptr;
  if (const auto *full = dyn_cast<clang::FullExpr>(&expr))
    return full->getSubExpr();
  switch (expr.getStmtClass()) {
  case clang::Stmt::ParenExprClass:
    return cast<clang::ParenExpr>(expr).getSubExpr();
  case clang::Stmt::MaterializeTemporaryExprClass:
    return cast<clang::MaterializeTemporaryExpr>(expr).getSubExpr();
  case clang::Stmt::CXXBindTemporaryExprClass:
    return cast<clang::CXXBindTemporaryExpr>(expr).getSubExpr();
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
    return cast<clang::SubstNonTypeTemplateParmExpr>(expr).getReplacement();
  case clang::Stmt::GenericSelectionExprClass:
    return cast<clang::GenericSelectionExpr>(expr).getResultExpr();
  case clang::Stmt::ChooseExprClass:
    return cast<clang::ChooseExpr>(expr).getChosenSubExpr();
  case clang::Stmt::CXXRewrittenBinaryOperatorClass:
    return cast<clang::CXXRewrittenBinaryOperator>(expr).getSemanticForm();
  default:
    return nullptr;
  }
}

SourceNode keyOf(SourceNodes &nodes, SourceNode at) {
  const auto *stmt = llvm::dyn_cast_if_present<const clang::Stmt *>(at.node);
  const Expr *expr = llvm::dyn_cast_or_null<Expr>(stmt);
  while (expr) {
    at.node = expr;
    const Expr *shared = sharedPart(*expr);
    if (shared)
      at.context = nodes.enter(at.context, *expr);
    expr = shared ? shared : inside(*expr);
  }
  return at;
}

bool isOwnObject(const ir::Function &function, ValueId pointer) {
  const ir::Op *object = function.definition(pointer);
  return object && object->isOwn;
}

void OperationIndex::count(const ir::Function &function, const ir::Op &op,
                           Operations &operations) const {
  switch (op.opcode) {
  case Opcode::PtrLoad:
    operations.reads += !isOwnObject(function, op.operands[0]);
    break;
  case Opcode::PtrStore:
    operations.writes += !isOwnObject(function, op.operands[0]);
    break;
  case Opcode::PtrFill:
    ++operations.writes;
    break;
  case Opcode::PtrCopy: {
    const ir::Op *source = function.definition(op.operands[1]);
    operations.tableCopies += source && source->opcode == Opcode::Table;
    operations.copies.push_back(op.memType);
    ++operations.reads;
    ++operations.writes;
    break;
  }
  case Opcode::Call:
    operations.callees.push_back(op.callee);
    break;
  case Opcode::If:
  case Opcode::Loop:
  case Opcode::Select:
    ++operations.conditions;
    break;
  case Opcode::Eq:
  case Opcode::Ge:
    ++operations.comparisons;
    ++operations.others;
    break;
  case Opcode::Unsupported:
    ++operations.refusals;
    break;
  case Opcode::Object:
    ++operations.objects;
    break;
  case Opcode::Constant:
  case Opcode::Yield:
  case Opcode::Test:
  case Opcode::Return:
    break;
  default:
    ++operations.others;
  }
}

OperationIndex::OperationIndex(const ir::Function &function, SourceNodes &nodes) {
  std::vector<RegionId> open = {function.body};
  llvm::DenseMap<uint32_t, std::pair<uint32_t, void *>> keys;
  while (!open.empty()) {
    RegionId region = open.back();
    open.pop_back();
    for (OpId id : function.region(region).ops) {
      const ir::Op &op = function.op(id);
      open.insert(open.end(), op.regions.begin(), op.regions.end());
      if (op.provenance == 0)
        continue;
      auto [it, isNew] = keys.try_emplace(op.provenance);
      if (isNew) {
        SourceNode key = keyOf(nodes, nodes[op.provenance]);
        it->second = {key.context, key.node.getOpaqueValue()};
      }
      count(function, op, operations_[it->second]);
    }
  }
}

const Operations &OperationIndex::at(const SourceNode &key) const {
  static const Operations none;
  auto it = operations_.find({key.context, key.node.getOpaqueValue()});
  return it == operations_.end() ? none : it->second;
}

} // namespace colonnade::frontend::ledger
