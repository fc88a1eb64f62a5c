//===- ConstantTable.cpp - A constant value as arrays ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/ConstantTable.h"

#include "Frontend/Types/TypeLowering.h"

namespace colonnade::frontend {

using clang::APValue;
using clang::QualType;
using ir::ScalarType;
using llvm::dyn_cast;

namespace {
/// A part of a constant: its name, and the numbers of the bases and fields it is in. Two bases may
/// have one name, and a field that of a base.
struct Part {
  std::string name;
  std::vector<unsigned> numbers;

  Part of(llvm::StringRef inner, unsigned number) const {
    Part part = {name + "." + inner.str(), numbers};
    part.numbers.push_back(number);
    return part;
  }
};

/// Collects the leaves of one constant value.
class TableBuilder {
public:
  /// False if the value holds something that is no plain scalar.
  bool add(const APValue &value, QualType type, const Part &part, std::vector<SizeExpr> extents);
  std::vector<ir::Array> leaves;

private:
  bool addLeaf(const APValue &value, QualType type, const Part &part,
               const std::vector<SizeExpr> &extents);
  bool addArray(const APValue &value, QualType element, uint64_t count, const Part &part,
                std::vector<SizeExpr> extents);
  bool addRecord(const APValue &value, const clang::RecordDecl &record, const Part &part,
                 const std::vector<SizeExpr> &extents);
  std::map<std::vector<unsigned>, size_t> known_; // where the leaf of a part is
};
} // namespace

ir::Array makeTable(std::string name, ScalarType cell, std::vector<SizeExpr> extents) {
  ir::Array array;
  array.name = std::move(name);
  array.cell = cell;
  array.extents = std::move(extents);
  if (array.extents.empty())
    array.extents.push_back(SizeExpr::constant(1));
  array.role = ir::ArrayRole::Table;
  array.sharing = ir::Sharing::Uniform;
  array.isConst = true;
  return array;
}

static std::optional<uint64_t> scalarBits(const APValue &value) {
  if (value.isInt()) // sign-extension beyond the type's width is dropped
    return value.getInt().getBitWidth() <= 64 ? std::optional(value.getInt().getZExtValue())
                                              : std::nullopt;
  if (value.isFloat() && value.getFloat().bitcastToAPInt().getBitWidth() <= 64)
    return value.getFloat().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

bool TableBuilder::addLeaf(const APValue &value, QualType type, const Part &part,
                           const std::vector<SizeExpr> &extents) {
  std::optional<uint64_t> bits = scalarBits(value);
  std::optional<ScalarType> scalar = scalarType(type);
  if (!bits || !scalar || *scalar == ScalarType::Pointer)
    return false;
  auto [it, inserted] = known_.try_emplace(part.numbers, leaves.size());
  if (inserted)
    leaves.push_back(makeTable(part.name, *scalar, extents));
  leaves[it->second].contents.push_back(*bits);
  return true;
}

bool TableBuilder::addArray(const APValue &value, QualType element, uint64_t count,
                            const Part &part, std::vector<SizeExpr> extents) {
  if (!value.isArray() || count == 0 || count > (uint64_t(1) << 24))
    return false;
  extents.push_back(SizeExpr::constant(count));
  for (uint64_t i = 0; i < count; ++i) {
    bool given = i < value.getArrayInitializedElts();
    if (!given && !value.hasArrayFiller())
      return false;
    if (!add(given ? value.getArrayInitializedElt(i) : value.getArrayFiller(), element, part,
             extents))
      return false;
  }
  return true;
}

bool TableBuilder::addRecord(const APValue &value, const clang::RecordDecl &record,
                             const Part &part, const std::vector<SizeExpr> &extents) {
  if (!value.isStruct())
    return false;
  if (const auto *cxx = dyn_cast<clang::CXXRecordDecl>(&record))
    for (unsigned i = 0; i < cxx->getNumBases(); ++i) {
      QualType base = std::next(cxx->bases_begin(), i)->getType();
      if (!add(value.getStructBase(i), base, part.of(base->getAsRecordDecl()->getNameAsString(), i),
               extents))
        return false;
    }
  for (const clang::FieldDecl *field : record.fields()) {
    if (field->isUnnamedBitField()) // padding
      continue;
    if ((field->isBitField() && !hasCell(*field)) ||
        !add(value.getStructField(field->getFieldIndex()), field->getType(),
             part.of(fieldName(*field), fieldIndex(*field)), extents))
      return false;
  }
  return true;
}

bool TableBuilder::add(const APValue &value, QualType type, const Part &part,
                       std::vector<SizeExpr> extents) {
  if (std::optional<StdArray> stdArray = asStdArray(type)) {
    if (!value.isStruct() || value.getStructNumFields() != 1)
      return false;
    return addArray(value.getStructField(0), stdArray->element, stdArray->count, part,
                    std::move(extents));
  }
  const auto *array =
      llvm::dyn_cast_or_null<clang::ConstantArrayType>(type->getAsArrayTypeUnsafe());
  if (array)
    return addArray(value, array->getElementType(), array->getSize().getZExtValue(), part,
                    std::move(extents));
  if (const clang::RecordDecl *record = type->getAsRecordDecl())
    return unsupportedReason(type).empty() &&
           addRecord(value, *record->getDefinition(), part, extents);
  return addLeaf(value, type, part, extents);
}

std::optional<std::vector<ir::Array>> tableLeaves(const APValue &value, QualType type,
                                                  llvm::StringRef name) {
  TableBuilder table;
  std::vector<SizeExpr> outer; // a struct is one element of itself
  if (type->isRecordType() && !asStdArray(type))
    outer.push_back(SizeExpr::constant(1));
  if (!table.add(value, type, {name.str(), {}}, outer))
    return std::nullopt;
  return std::move(table.leaves);
}

} // namespace colonnade::frontend
