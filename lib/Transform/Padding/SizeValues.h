//===- SizeValues.h - Sizes and subscripts as operations --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an expression over a function's scalars and counters. Out: operations that compute it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PADDING_SIZEVALUES_H
#define COLONNADE_TRANSFORM_PADDING_SIZEVALUES_H

#include "IR/Clone.h"
#include "Support/Polynomial.h"

namespace colonnade {

/// Of the builder's function, in 64 bits. Its names are those of scalars.
ValueId sizeValue(ir::Builder &builder, const SizeExpr &size);

/// Its names are counters and scalars of `from`, which have been cloned, its coefficients integers.
ValueId polynomialValue(ir::Builder &builder, const ir::Cloner &cloner, const ir::Function &from,
                        const Polynomial &polynomial, ir::ScalarType type);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PADDING_SIZEVALUES_H
