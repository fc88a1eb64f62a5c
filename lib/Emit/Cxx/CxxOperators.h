//===- CxxOperators.h - Binary operators in C++ -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an opcode. Out: the operator it is printed as.
// Invariant: it means the same on scalars and, lane by lane, on vectors; shifts and
// truth values apart, which vectors spell in another way.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_CXXOPERATORS_H
#define COLONNADE_EMIT_CXX_CXXOPERATORS_H

#include "Emit/Cxx/CxxText.h"

namespace colonnade {

struct CxxOperator {
  const char *text;
  Precedence precedence;
};

/// Null: no operator.
const CxxOperator *binaryOperator(ir::Opcode opcode);

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_CXXOPERATORS_H
