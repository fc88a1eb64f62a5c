//===- ConstantContext.h - Initialisers the language evaluates --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a local variable. Out: whether its initialiser runs with the function, or is a constant
// expression that the language evaluates beforehand ([expr.const]), as with `const int k = …`,
// `constexpr` and `const int &r = table[…]`. Such an evaluation may take another way than the code
// does: `std::is_constant_evaluated()` and `if consteval` are true in it. Of any constant
// expression, whether all compilers find the same value.
//
// Invariant: an initialiser that is lowered as code does the same as code.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_CONSTANTCONTEXT_H
#define COLONNADE_FRONTEND_CONSTANTCONTEXT_H

#include "Frontend/ClangHeaders.h"

namespace colonnade::frontend {

/// The number that the language computes for a local variable; null: there is none, or the
/// initialiser runs with the function.
const clang::APValue *constantNumber(const clang::VarDecl &variable);

/// Whether the language evaluates the initialiser of a local variable, and that may differ from
/// running it: something asks which of the two it is. Time: the size of all functions it calls.
bool isOnlyForConstants(const clang::VarDecl &variable);

/// Whether compilers may see different values of a constant expression: of `__builtin_LINE()` in a
/// default argument, of a call in it or in a function that it calls (of a call over several lines
/// they take the first one, or that of the bracket); of `__PRETTY_FUNCTION__`; and of `__TIME__`,
/// `__INCLUDE_LEVEL__` and the like, which each build has its own of.
bool dependsOnCompiler(const clang::Expr &expr, const clang::ASTContext &context);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_CONSTANTCONTEXT_H
