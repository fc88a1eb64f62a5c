//===- SizeExprLowering.h - Extents as expressions over parameters --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
