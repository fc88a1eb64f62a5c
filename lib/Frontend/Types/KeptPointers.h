//===- KeptPointers.h - Pointers to a variable that are left ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a variable that a function returns by value. Out: whether, when it returns, something may
// hold the variable's address: the returned object itself, or one that the caller has.
//
// Invariant: "no" is proved, either because nothing that outlives the call has room for a pointer,
// or because the function does nothing with the variable but read, write and copy its members.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_KEPTPOINTERS_H
#define COLONNADE_FRONTEND_KEPTPOINTERS_H

#include "Frontend/ClangHeaders.h"

namespace colonnade::frontend {

bool mayKeepPointer(const clang::FunctionDecl &function, const clang::VarDecl &variable);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_KEPTPOINTERS_H
