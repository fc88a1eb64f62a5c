//===- ExtentText.h - Extents in generated C++ -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an extent. Out: an expression over checked_extent variables, one per scalar that it
// names. Invariant: overflow and division by zero give -1, never undefined behaviour.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_EXTENTTEXT_H
#define COLONNADE_EMIT_CXX_EXTENTTEXT_H

#include "Emit/Cxx/CxxText.h"

namespace colonnade {

/// "extent_n * extent_n" for n*n.
CxxExpr checkedExtent(const SizeExpr &size);

/// Declares `extent_n` for each scalar that the extents name, read from
/// `scalars[…]`. Extents that are not computable are passed over.
void declareExtentVariables(const ir::Function &function, llvm::ArrayRef<SizeExpr> extents,
                            CxxWriter &out);

/// Whether all names of an extent are scalars of the function.
bool isComputable(const ir::Function &function, const SizeExpr &extent);

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_EXTENTTEXT_H
