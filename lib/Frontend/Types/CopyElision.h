//===- CopyElision.h - Copies that compilers do not make -------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a construction, an argument, a base, a function or a `return`. Out: what is built in its
// place, where the language allows ([class.copy.elision]) and compilers do it at every level of
// optimisation. Then a copy constructor that does more than copy, such as one that counts copies,
// is not called, and pointers to the one object are pointers to the other.
//
// Invariant: only what both Clang and GCC leave out; where they may differ, it makes no difference
// whether the copy is made, or the function is refused.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_COPYELISION_H
#define COLONNADE_FRONTEND_COPYELISION_H

#include "Frontend/ClangHeaders.h"

namespace colonnade::frontend {

/// Before C++17: the temporary that is the object itself; null: `expr` calls its constructor.
const clang::Expr *elidedTemporary(const clang::CXXConstructExpr &expr);

/// The variable that is the function's result itself, as every `return` names it; null: none is.
const clang::VarDecl *resultVariable(const clang::FunctionDecl &function);

/// `return x;` where x is the result itself: the copy that is then none; else null.
const clang::CXXConstructExpr *elidedReturn(const clang::ReturnStmt &stmt,
                                            const clang::FunctionDecl &function);

/// Whether a compiler may build an argument in the parameter, or copy its bytes to there
/// ([class.temporary]/3: of a class that has only plain copies), and that can be told apart: the
/// object knows where it was built.
bool isUndecidedArgument(const clang::Expr &argument, clang::QualType parameter);

/// Whether a compiler may take x in `return x;` for the result, or copy it, and that can be told
/// apart: by a copy constructor, or by a pointer to x that is left.
bool isUndecidedCopy(const clang::ReturnStmt &stmt, const clang::FunctionDecl &function);

/// Whether `init`, in `function`, copies a temporary into a base, which GCC leaves out and Clang
/// does not, and that can be told apart.
bool isUndecidedBase(const clang::Expr &init, const clang::FunctionDecl &function);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_COPYELISION_H
