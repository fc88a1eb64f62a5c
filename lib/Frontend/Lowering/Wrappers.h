//===- Wrappers.h - Expressions that only wrap another ---------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an expression. Out: the one it stands for, if it does nothing itself. This is
// the one place that knows such nodes: whoever visits expressions asks here first.
//
// Invariant: a wrapper evaluates exactly its operand, once. A use of a shared operand
// (default argument) is a wrapper of its own: the operand is evaluated once for each.
// A default member initialiser is none: its `this` is the object that is initialised.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_WRAPPERS_H
#define COLONNADE_FRONTEND_WRAPPERS_H

#include "Frontend/ClangHeaders.h"

namespace colonnade::frontend {

/// What `expr` stands for whatever is wanted of it, value or place: parentheses, full
/// and constant expressions, default arguments, chosen alternatives, …; else null.
const clang::Expr *wrappedExpr(const clang::Expr &expr);

/// The same where only the value is wanted: temporaries need no object, and neither the
/// reading of a place nor a change of its qualifiers is anything to do; else null.
const clang::Expr *wrappedValue(const clang::Expr &expr);

/// `expr` without what wrappedExpr takes off; but not beyond a constant or an opaque
/// value, as those may be known already.
const clang::Expr &unwrapped(const clang::Expr &expr);

/// What a person wrote there, for a look at its form (is it a name, a product, a list?):
/// without wrappers and without what the language adds by itself, implicit casts, temporaries
/// and copies that need not be made. Its type and value may differ from those of `expr`.
const clang::Expr &spelled(const clang::Expr &expr);

/// The same without the casts that are written, as in `(void)f()`.
const clang::Expr &withoutCasts(const clang::Expr &expr);

/// Whether the value of `expr` depends on where it is used, as that of `__builtin_LINE()` in a
/// default argument does: so it is no constant by itself.
bool dependsOnUse(const clang::Expr &expr);

/// Whether an initialiser only sets to zero, without a call or a value: none is written, or `{}`.
bool isEmptyInit(const clang::Expr &init);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_WRAPPERS_H
