//===- SizeExprLowering.h - Extents as expressions over parameters --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a Clang expression or array type of a declaration. Out: a SizeExpr over the names
// of parameters.
//
// Invariant: Unknown for anything whose value a caller could not compute from integer
// parameters and their members alone; nothing is lowered.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_SIZEEXPRLOWERING_H
#define COLONNADE_FRONTEND_SIZEEXPRLOWERING_H

#include "Frontend/ClangHeaders.h"
#include "Support/SizeExpr.h"

namespace colonnade::frontend {

/// A Clang expression over constants and integer parameters (or their members)
/// as a SizeExpr over their names; Unknown if it is anything else.
SizeExpr sizeExprOf(const clang::Expr &expr, const clang::ASTContext &context);

/// Elements of an array type: 4, n, or unknown for T[].
SizeExpr countOf(const clang::ArrayType &type);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_SIZEEXPRLOWERING_H
