//===- TableText.h - The cells of a constant table --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a table. Out: its definition, "static const float weights[] = {…};", in rows.
// Invariant: at least one cell, since C++ has no empty arrays.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_TABLETEXT_H
#define COLONNADE_EMIT_CXX_TABLETEXT_H

#include "Emit/Cxx/CxxText.h"

namespace colonnade {

/// `declarator`: what stands before the brackets, "static const float weights".
void printTable(const std::string &declarator, const ir::Array &table, CxxWriter &out,
                LocId loc = {});

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_TABLETEXT_H
