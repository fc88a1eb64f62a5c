//===- TableLowering.cpp - Constant tables --------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A const array or struct with a constant value becomes Table arrays: one per
// scalar leaf, in the order of the fields, with consecutive ArrayIds; the Table
// operation names the first. A const scalar is a constant.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"
#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/Attributes.h"
#include "Frontend/Types/ConstantContext.h"
#include "Frontend/Types/ConstantTable.h"

namespace colonnade::frontend {

using clang::APValue;
using clang::QualType;
using clang::VarDecl;
using llvm::dyn_cast;

/// Parts of a const object that the program may write.
static bool hasMutableFields(QualType type) {
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record && record->hasDefinition() && record->hasMutableFields();
}

const APValue *FunctionLowering::constantValue(const VarDecl &variable) const {
  QualType type = variable.getType();
  if (llvm::isa<clang::ParmVarDecl>(variable) || type->isReferenceType() ||
      type.isVolatileQualified() || !type.isConstQualified() || hasMutableFields(type))
    return nullptr;
  const VarDecl *definition = nullptr;
  const VarDecl *known = module_.definitionOf(variable);
  const clang::Expr *init = known ? known->getAnyInitializer(definition) : nullptr;
  if (!init && known && isZeroOfFile(*known))
    return zeroOf(*known);
  if (!init || init->isValueDependent())
    return nullptr;
  auto [constant, isNew] = constants_.insert({definition, nullptr});
  if (isNew && !dependsOnCompiler(*init, context_))
    constant->second = definition->evaluateValue();
  return constant->second;
}

std::vector<const VarDecl *> FunctionLowering::constants() const {
  std::vector<const VarDecl *> variables;
  for (const auto &[variable, value] : constants_)
    if (value)
      variables.push_back(variable);
  return variables;
}

/// C: what `static const T t;` alone stands for.
const APValue *FunctionLowering::zeroOf(const VarDecl &variable) const {
  auto [zero, isNew] = zeros_.try_emplace(&variable);
  if (!isNew)
    return &zero->second;
  const auto *init = new (context_) clang::ImplicitValueInitExpr(variable.getType());
  llvm::SmallVector<clang::PartialDiagnosticAt, 4> notes;
  if (!init->EvaluateAsInitializer(zero->second, context_, &variable, notes,
                                   /*IsConstantInitializer=*/true))
    zero->second = APValue(); // no table
  return &zero->second;
}

bool FunctionLowering::isTable(const VarDecl &variable) {
  return isAggregate(variable.getType()) && attributeProblem(variable).empty() &&
         variable.getType().isDestructedType() == QualType::DK_none && constantValue(variable) &&
         lowerTable(variable);
}

/// The table's address; tables are made once per function.
std::optional<ValueId> FunctionLowering::tableOf(const APValue &value, QualType type,
                                                 llvm::StringRef name, const void *key) {
  auto it = tables_.find(key);
  if (it == tables_.end()) {
    ArrayId first; // invalid: no table, asked once
    auto leaves = tableLeaves(value, type, name);
    if (leaves && !leaves->empty()) {
      first = ArrayId(function_.arrays.size());
      for (ir::Array &leaf : *leaves) {
        leaf.loc = builder_.loc();
        function_.arrays.push_back(std::move(leaf));
      }
    }
    it = tables_.emplace(key, first).first;
  }
  if (!it->second)
    return std::nullopt;
  return builder_.table(it->second, memType(type));
}

std::optional<LValue> FunctionLowering::lowerTable(const VarDecl &variable) {
  const APValue *value = constantValue(variable);
  if (!value)
    return std::nullopt;
  QualType type = module_.definitionOf(variable)->getType();
  if (scalarType(type)) {
    std::optional<ValueId> constant = lowerKnownConstant(*value, type);
    if (!constant)
      return std::nullopt;
    LValue copy = {builder_.constantObject(memType(type), variable.getName()), type};
    SourceNodeScope scope = standsForNothing(); // it was set up before the programme started
    builder_.store(copy.pointer, *constant, memType(type));
    return copy;
  }
  std::optional<ValueId> pointer =
      tableOf(*value, type, variable.getName(), variable.getCanonicalDecl());
  return pointer ? std::optional(LValue{*pointer, type}) : std::nullopt;
}

LValue FunctionLowering::lowerString(const clang::StringLiteral &literal) {
  refuseOfCompiler(literal);
  QualType type = literal.getType();
  auto it = tables_.find(&literal);
  if (it == tables_.end()) {
    const auto *arrayType = context_.getAsConstantArrayType(type);
    uint64_t count = arrayType->getSize().getZExtValue();
    ir::Array array =
        makeTable("string", *scalarType(arrayType->getElementType()), {SizeExpr::constant(count)});
    array.loc = builder_.loc();
    for (uint64_t i = 0; i < count; ++i)
      array.contents.push_back(i < literal.getLength() ? literal.getCodeUnit(i) : 0);
    function_.arrays.push_back(std::move(array));
    it = tables_.emplace(&literal, ArrayId(function_.arrays.size() - 1)).first;
  }
  return {builder_.table(it->second, memType(type)), type};
}

/// A mutable local array with many constant elements is copied from a table.
bool FunctionLowering::copyConstantInit(const VarDecl &variable, LValue target) {
  QualType type = variable.getType();
  const auto *array = context_.getAsConstantArrayType(type);
  const clang::Expr *init = variable.getInit();
  if (!array || !init || init->isValueDependent() || init->HasSideEffects(context_))
    return false;
  const clang::Expr &bare = unwrapped(*init);
  const auto *list = dyn_cast<clang::InitListExpr>(&bare);
  bool worthIt = llvm::isa<clang::StringLiteral>(bare) || (list && list->getNumInits() > 16);
  if (!worthIt)
    return false;
  APValue value;
  llvm::SmallVector<clang::PartialDiagnosticAt, 4> notes;
  if (!init->EvaluateAsInitializer(value, context_, &variable, notes,
                                   /*IsConstantInitializer=*/false))
    return false;
  std::optional<ValueId> table = tableOf(value, type, variable.getName(), &variable);
  if (!table)
    return false;
  SourceNodeScope scope = standsFor(*init);
  copyObject(target, *table);
  return true;
}

/// A call of a consteval function that returns an object.
void FunctionLowering::lowerImmediateInto(const clang::ConstantExpr &expr, LValue target) {
  std::optional<ValueId> table;
  if (expr.hasAPValueResult())
    table = tableOf(expr.getAPValueResult(), expr.getType(), "constant", &expr);
  if (table)
    copyObject(target, *table);
  else
    refuseImmediate(expr, context_.VoidTy);
}

} // namespace colonnade::frontend
