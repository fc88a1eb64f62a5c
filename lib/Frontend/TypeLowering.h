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
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_TYPELOWERING_H
#define COLONNADE_FRONTEND_TYPELOWERING_H

#include "Frontend/ClangHeaders.h"
#include "IR/Function.h"

namespace colonnade::frontend {

/// Element type and size if `type` is std::array<T, N>.
struct StdArray {
  clang::QualType element;
  uint64_t count;
};
std::optional<StdArray> asStdArray(clang::QualType type);
/// Of an array or a std::array.
clang::QualType elementType(clang::QualType array);

/// The scalar a value of this type is, if it is one; references are pointers.
std::optional<ir::ScalarType> scalarType(clang::QualType type);

/// Empty if the type is inside the subset, else what it is: "long double".
std::string unsupportedReason(clang::QualType type);

/// True for struct-like values, which live in memory: records and arrays.
bool isAggregate(clang::QualType type);

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

private:
  MemTypeId add(ir::MemType type);
  MemTypeId intern(const std::string &key, ir::MemType type);
  MemTypeId lowerUncached(clang::QualType canonical);
  MemTypeId lowerRecord(clang::QualType canonical);
  MemTypeId placeholder(const std::string &reason);

  ir::Module &module_;
  std::map<std::string, MemTypeId> interned_;
  llvm::DenseMap<void *, MemTypeId> cache_;
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_TYPELOWERING_H
