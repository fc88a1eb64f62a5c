//===- KeptPointers.h - Pointers to an object that are left -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an object that a compiler may leave where it was built or may copy: a variable that a
// function returns by value, or the value of an expression. Out: whether something may hold its
// address afterwards: the object itself, or one that outlives it.
//
// Invariant: "no" is proved, either because nothing that is left has room for a pointer, or because
// nothing is done with the object, by its constructor neither, but to read, write and copy its
// members.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_KEPTPOINTERS_H
#define COLONNADE_FRONTEND_KEPTPOINTERS_H

#include "Frontend/ClangHeaders.h"

namespace colonnade::frontend {

/// Whether something that outlives a call of `function` has room for a pointer to a result.
bool isRoomFor(clang::QualType result, const clang::FunctionDecl &function);

/// When `function` returns `variable`.
bool mayKeepPointer(const clang::FunctionDecl &function, const clang::VarDecl &variable);

/// When `function` returns the value of `expr`.
bool mayKeepPointer(const clang::FunctionDecl &function, const clang::Expr &expr);

/// Whether the object that `expr`, a value of class type, makes can tell its own address: a
/// constructor or a default member initialiser takes it.
bool mayKnowAddress(const clang::Expr &expr);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_KEPTPOINTERS_H
