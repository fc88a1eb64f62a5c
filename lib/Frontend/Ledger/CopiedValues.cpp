//===- CopiedValues.cpp - Whether a copy moves all of an object ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/CopiedValues.h"

#include "Frontend/Types/ClangTypes.h"

namespace colonnade::frontend::ledger {

using clang::QualType;
using ir::MemType;

/// Members that are numbers as wide as the union share all of their bits, so one has the others.
static bool isOneNumber(const clang::RecordDecl &record) {
  const clang::ASTContext &context = record.getASTContext();
  return llvm::all_of(record.fields(), [&](const clang::FieldDecl *field) {
    return field->getType()->isArithmeticType() && !field->isBitField() &&
           context.getTypeSize(field->getType()) ==
               context.getTypeSize(context.getRecordType(&record));
  });
}

bool CopiedValues::areAll(QualType type, MemTypeId copied) {
  QualType canonical = type.getCanonicalType().getUnqualifiedType();
  const auto key = std::pair(canonical.getAsOpaquePtr(), copied.index);
  if (auto known = known_.find(key); known != known_.end())
    return known->second;
  return known_[key] = copied && areAllOf(canonical, memTypes_[copied.index]);
}

bool CopiedValues::areAllOf(QualType type, const MemType &copied) {
  if (ir::isOutsideSubset(copied)) // refused, or the value of a variable that nobody can read
    return true;
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return copied.kind == MemType::Kind::Array && areAll(array->getElementType(), copied.element);
  const clang::RecordDecl *record = type->getAsRecordDecl();
  if (!record)
    return copied.kind == MemType::Kind::Scalar;
  if (copied.kind == MemType::Kind::Array) { // std::array is the array in it
    const auto first = record->field_begin();
    return first != record->field_end() && std::next(first) == record->field_end() &&
           areAllOf(first->getType().getCanonicalType(), copied);
  }
  if (record->isUnion())
    return copied.kind == MemType::Kind::Scalar && isOneNumber(*record->getDefinition());
  return copied.kind == MemType::Kind::Struct && areAllOf(*record->getDefinition(), copied);
}

/// Bases, then fields. A vtable and members that share their bytes are no fields.
bool CopiedValues::areAllOf(const clang::RecordDecl &record, const MemType &copied) {
  const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(&record);
  if (cxx && cxx->isDynamicClass())
    return false;
  size_t next = 0;
  auto has = [&](QualType type) {
    return next < copied.fields.size() &&
           (hasNoSize(type) || areAll(type, copied.fields[next].type));
  };
  for (size_t i = 0; cxx && i < cxx->getNumBases(); ++i, ++next)
    if (!has(std::next(cxx->bases_begin(), i)->getType()))
      return false;
  for (const clang::FieldDecl *field : record.fields()) {
    const bool isCell = field->isBitField() && next < copied.fields.size() &&
                        ir::isBitField(memTypes_[copied.fields[next].type.index]);
    if (!field->isUnnamedBitField() && !isCell && !has(field->getType()))
      return false;
    ++next;
  }
  return true;
}

} // namespace colonnade::frontend::ledger
