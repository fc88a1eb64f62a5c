//===- TypeLowering.h - Clang types to memory types ------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: Clang types of any of the parsed files. Out: interned MemTypes. A type
// outside the subset becomes an empty struct whose name says what it is; nothing
// can be loaded from it, and whoever touches it reports `unsupportedReason`.
// std::array<T, N> is the array type T[N] itself: no member in between.
// Invariant: one canonical Clang type is one MemType.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_TYPELOWERING_H
#define COLONNADE_FRONTEND_TYPELOWERING_H

#include "Frontend/Types/ClangTypes.h"
#include "IR/Function.h"

namespace colonnade::frontend {

/// Index of a field in its MemType: base classes come first.
unsigned fieldIndex(const clang::FieldDecl &field);
unsigned baseIndex(const clang::CXXRecordDecl &derived, const clang::CXXRecordDecl &base);
std::string fieldName(const clang::FieldDecl &field);

class TypeLowering {
public:
  explicit TypeLowering(ir::Module &module) : module_(module) {}
  MemTypeId lower(clang::QualType type);
  MemTypeId scalar(ir::ScalarType type);
  MemTypeId array(MemTypeId element, SizeExpr count);
  /// What stands for a bit-field of this type (ir::isBitField); BitFieldCell is its cell.
  MemTypeId bitField(clang::QualType type);
  static constexpr unsigned BitFieldCell = 1;

  /// A line for each type, with the offsets and widths of all fields of a record.
  std::string layouts() const;

private:
  MemTypeId add(ir::MemType type);
  MemTypeId intern(const std::string &key, ir::MemType type);
  MemTypeId lowerUncached(clang::QualType canonical);
  MemTypeId lowerPart(clang::QualType type);
  MemTypeId lowerRecord(clang::QualType canonical);
  MemTypeId placeholder(const std::string &reason);

  ir::Module &module_;
  std::map<std::string, MemTypeId> interned_;
  llvm::DenseMap<void *, MemTypeId> cache_;
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_TYPELOWERING_H
