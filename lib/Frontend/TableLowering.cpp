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

#include "Frontend/FunctionLowering.h"

namespace colonnade::frontend {

using clang::APValue;
using clang::QualType;
using clang::VarDecl;
using ir::ScalarType;
using llvm::dyn_cast;

namespace {
/// Collects the leaves of one constant value.
class TableBuilder {
public:
  /// False if the value holds something that is no plain scalar.
  bool add(const APValue &value, QualType type, const std::string &name,
           std::vector<SizeExpr> extents);
  std::vector<ir::Array> leaves;

private:
  bool addLeaf(const APValue &value, QualType type, const std::string &name,
               const std::vector<SizeExpr> &extents);
  bool addArray(const APValue &value, QualType element, uint64_t count, const std::string &name,
                std::vector<SizeExpr> extents);
  bool addRecord(const APValue &value, const clang::RecordDecl &record, const std::string &name,
                 const std::vector<SizeExpr> &extents);
  std::map<std::string, size_t> byName_;
};
} // namespace

static std::optional<uint64_t> scalarBits(const APValue &value) {
  if (value.isInt()) // sign-extension beyond the type's width is dropped
    return value.getInt().getBitWidth() <= 64 ? std::optional(value.getInt().getZExtValue())
                                              : std::nullopt;
  if (value.isFloat() && value.getFloat().bitcastToAPInt().getBitWidth() <= 64)
    return value.getFloat().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

bool TableBuilder::addLeaf(const APValue &value, QualType type, const std::string &name,
                           const std::vector<SizeExpr> &extents) {
  std::optional<uint64_t> bits = scalarBits(value);
  std::optional<ScalarType> scalar = scalarType(type);
  if (!bits || !scalar || *scalar == ScalarType::Pointer)
    return false;
  auto [it, inserted] = byName_.try_emplace(name, leaves.size());
  if (inserted) {
    ir::Array array;
    array.name = name;
    array.cell = *scalar;
    array.extents = extents;
    if (array.extents.empty())
      array.extents.push_back(SizeExpr::constant(1));
    array.role = ir::ArrayRole::Table;
    array.sharing = ir::Sharing::Uniform;
    array.isConst = true;
    leaves.push_back(std::move(array));
  }
  leaves[it->second].contents.push_back(*bits);
  return true;
}

bool TableBuilder::addArray(const APValue &value, QualType element, uint64_t count,
                            const std::string &name, std::vector<SizeExpr> extents) {
  if (!value.isArray() || count == 0 || count > (uint64_t(1) << 24))
    return false;
  extents.push_back(SizeExpr::constant(count));
  for (uint64_t i = 0; i < count; ++i) {
    bool given = i < value.getArrayInitializedElts();
    if (!given && !value.hasArrayFiller())
      return false;
    if (!add(given ? value.getArrayInitializedElt(i) : value.getArrayFiller(), element, name,
             extents))
      return false;
  }
  return true;
}

bool TableBuilder::addRecord(const APValue &value, const clang::RecordDecl &record,
                             const std::string &name, const std::vector<SizeExpr> &extents) {
  if (!value.isStruct())
    return false;
  if (const auto *cxx = dyn_cast<clang::CXXRecordDecl>(&record))
    for (unsigned i = 0; i < cxx->getNumBases(); ++i) {
      QualType base = std::next(cxx->bases_begin(), i)->getType();
      if (!add(value.getStructBase(i), base,
               name + "." + base->getAsRecordDecl()->getNameAsString(), extents))
        return false;
    }
  for (const clang::FieldDecl *field : record.fields())
    if (field->isBitField() || !add(value.getStructField(field->getFieldIndex()), field->getType(),
                                    name + "." + fieldName(*field), extents))
      return false;
  return true;
}

bool TableBuilder::add(const APValue &value, QualType type, const std::string &name,
                       std::vector<SizeExpr> extents) {
  if (std::optional<StdArray> stdArray = asStdArray(type)) {
    if (!value.isStruct() || value.getStructNumFields() != 1)
      return false;
    return addArray(value.getStructField(0), stdArray->element, stdArray->count, name,
                    std::move(extents));
  }
  const auto *array =
      llvm::dyn_cast_or_null<clang::ConstantArrayType>(type->getAsArrayTypeUnsafe());
  if (array)
    return addArray(value, array->getElementType(), array->getSize().getZExtValue(), name,
                    std::move(extents));
  if (const clang::RecordDecl *record = type->getAsRecordDecl())
    return unsupportedReason(type).empty() &&
           addRecord(value, *record->getDefinition(), name, extents);
  return addLeaf(value, type, name, extents);
}

const APValue *FunctionLowering::constantValue(const VarDecl &variable) const {
  QualType type = variable.getType();
  if (llvm::isa<clang::ParmVarDecl>(variable) || type->isReferenceType() ||
      type.isVolatileQualified() || !type.isConstQualified())
    return nullptr;
  const VarDecl *definition = nullptr;
  const clang::Expr *init = module_.definitionOf(variable)->getAnyInitializer(definition);
  if (!init || init->isValueDependent())
    return nullptr;
  return definition->evaluateValue();
}

bool FunctionLowering::isTable(const VarDecl &variable) {
  return isAggregate(variable.getType()) && constantValue(variable) && lowerTable(variable);
}

/// The table's address; tables are made once per function.
std::optional<ValueId> FunctionLowering::tableOf(const APValue &value, QualType type,
                                                 llvm::StringRef name, const void *key) {
  auto it = tables_.find(key);
  if (it == tables_.end()) {
    TableBuilder table;
    ArrayId first;
    std::vector<SizeExpr> outer; // a struct is one element of itself
    if (type->isRecordType() && !asStdArray(type))
      outer.push_back(SizeExpr::constant(1));
    if (table.add(value, type, name.str(), outer)) {
      first = ArrayId(function_.arrays.size());
      for (ir::Array &leaf : table.leaves) {
        leaf.loc = builder_.loc();
        function_.arrays.push_back(std::move(leaf));
      }
      if (table.leaves.empty())
        first = ArrayId();
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
    LValue copy = makeTemporary(type, variable.getName());
    builder_.store(copy.pointer, *constant, memType(type));
    return copy;
  }
  std::optional<ValueId> pointer =
      tableOf(*value, type, variable.getName(), variable.getCanonicalDecl());
  return pointer ? std::optional(LValue{*pointer, type}) : std::nullopt;
}

LValue FunctionLowering::lowerString(const clang::StringLiteral &literal) {
  QualType type = literal.getType();
  auto it = tables_.find(&literal);
  if (it == tables_.end()) {
    ir::Array array;
    array.name = "string";
    const auto *arrayType = context_.getAsConstantArrayType(type);
    uint64_t count = arrayType->getSize().getZExtValue();
    array.cell = *scalarType(arrayType->getElementType());
    array.extents.push_back(SizeExpr::constant(count));
    array.role = ir::ArrayRole::Table;
    array.sharing = ir::Sharing::Uniform;
    array.isConst = true;
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
  if (!array || !init || init->isValueDependent())
    return false;
  const auto *list = dyn_cast<clang::InitListExpr>(init->IgnoreParens());
  const clang::Expr *bare = init->IgnoreParens();
  bool worthIt = llvm::isa<clang::StringLiteral>(bare) || (list && list->getNumInits() > 16);
  if (!worthIt)
    return false;
  APValue value;
  llvm::SmallVector<clang::PartialDiagnosticAt, 4> notes;
  if (!init->EvaluateAsInitializer(value, context_, &variable, notes, true))
    return false;
  std::optional<ValueId> table = tableOf(value, type, variable.getName(), &variable);
  if (!table)
    return false;
  copyObject(target, *table);
  return true;
}

} // namespace colonnade::frontend
