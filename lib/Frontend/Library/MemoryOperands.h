//===- MemoryOperands.h - Bytes in memory as cells -------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the void pointers and the number of bytes that memcpy and its family are given.
// Out: the cells behind a pointer as it was before its conversion to void *, and how
// many of them the bytes are.
//
// Invariant: a number of bytes that is not visibly whole cells is checked when it runs.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LIBRARY_MEMORYOPERANDS_H
#define COLONNADE_FRONTEND_LIBRARY_MEMORYOPERANDS_H

#include "Frontend/Library/LibraryCall.h"

namespace colonnade::frontend::library {

/// The first of the cells that argument `i` points to.
LValue lowerMemoryOperand(const LibraryCall &call, unsigned i);

/// The same place as elements that are no array: rows are where their first element is.
LValue flattened(const LibraryCall &call, LValue cells);

/// `bytes` in units of `size`; invalid if they are visibly a part of one.
ValueId lowerCellCount(const LibraryCall &call, const clang::Expr &bytes, uint64_t size);

/// `bytes` is a constant, and that of whole cells of this type.
bool isWholeCells(const LibraryCall &call, const clang::Expr &bytes, clang::QualType cell);

} // namespace colonnade::frontend::library

#endif // COLONNADE_FRONTEND_LIBRARY_MEMORYOPERANDS_H
