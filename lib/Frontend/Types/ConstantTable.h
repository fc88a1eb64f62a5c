//===- ConstantTable.h - A constant value as arrays ------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the value that Clang computed for a constant of array or struct type. Out: one
// Table array for each scalar leaf of the type, in the order of the fields.
//
// Invariant: a leaf has one cell for each element of all arrays around it; elements
// that the initialiser does not give have their value too.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_CONSTANTTABLE_H
#define COLONNADE_FRONTEND_CONSTANTTABLE_H

#include "Frontend/ClangHeaders.h"
#include "IR/Function.h"

namespace colonnade::frontend {

/// None if the value holds something that is no plain scalar, e.g. a pointer.
std::optional<std::vector<ir::Array>> tableLeaves(const clang::APValue &value, clang::QualType type,
                                                  llvm::StringRef name);

/// A table of scalars in one array.
ir::Array makeTable(std::string name, ir::ScalarType cell, std::vector<SizeExpr> extents);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_CONSTANTTABLE_H
