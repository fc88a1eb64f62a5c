//===- CopyElision.h - Copies that compilers do not make -------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a construction or a `return`. Out: what is built in its place, where the language allows
// ([class.copy.elision]) and compilers do it at every level of optimisation: then a copy
// constructor that does more than copy, such as one that counts copies, is not called.
//
// Invariant: only what both Clang and GCC leave out; where they differ, the copy is made.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_COPYELISION_H
#define COLONNADE_FRONTEND_COPYELISION_H

#include "Frontend/ClangHeaders.h"

namespace colonnade::frontend {

/// Before C++17: the temporary that is the object itself; null: `expr` calls its constructor.
const clang::Expr *elidedTemporary(const clang::CXXConstructExpr &expr);

/// `return x;` where x is the result itself, as every `return` of the function names it: the copy
/// that is then none; else null.
const clang::CXXConstructExpr *elidedReturn(const clang::ReturnStmt &stmt,
                                            const clang::FunctionDecl &function);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_COPYELISION_H
