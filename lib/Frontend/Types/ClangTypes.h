//===- ClangTypes.h - What a Clang type is to us ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a Clang type, sugar and qualifiers included. Out: whether it is a scalar, a struct or
// array in memory, or outside the subset.
//
// Invariant: a type without an unsupportedReason, void apart, is either a scalar or an
// aggregate.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_CLANGTYPES_H
#define COLONNADE_FRONTEND_CLANGTYPES_H

#include "Frontend/ClangHeaders.h"
#include "IR/Type.h"

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

/// What it is called, and what to write instead.
inline constexpr const char *FunctionPointer =
    "function pointer (call the function by its name, or pass a lambda)";
/// Empty if the type is inside the subset, else what it is: "long double".
std::string unsupportedReason(clang::QualType type);
/// Whether g++ lays out the class, or one within it, in another way than Clang.
bool isLaidOutDifferently(clang::QualType type);
/// Objects of size 0 (C's `struct {}`, `int z[0]`): one address may be that of several.
bool hasNoSize(clang::QualType type);

/// Of a type with a destructor that does something: what it is, and what to write instead.
std::string destructorProblem(clang::QualType type);
/// A class of the library with such a destructor: std::vector, std::unique_ptr.
bool ownsMemory(clang::QualType type);

/// The same for a bit-field with a name.
std::string bitFieldProblem(const clang::FieldDecl &field);

/// A field that cells stand for: neither a reference, nor outside the subset, nor padding.
bool hasCell(const clang::FieldDecl &field);

/// C: a const variable of one file that is defined without an initialiser. Its value is zero, for
/// nothing can replace or write it.
bool isZeroOfFile(const clang::VarDecl &variable);

/// True for struct-like values, which live in memory: records and arrays.
bool isAggregate(clang::QualType type);
/// The number that a union is, if all of its members are numbers of its width: each of them is a
/// view of the same bits. An integer if one is, so that no bits are taken for a NaN.
std::optional<clang::QualType> cellOfUnion(clang::QualType type);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_CLANGTYPES_H
