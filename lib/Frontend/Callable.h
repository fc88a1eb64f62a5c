//===- Callable.h - Whether other code can call a function -----*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function. Out: why code that includes its source cannot call it by its name with values
// that are known only then. Invariant: what is not found here compiles when it is called so.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_CALLABLE_H
#define COLONNADE_FRONTEND_CALLABLE_H

#include "Frontend/ClangHeaders.h"

namespace colonnade::frontend {

/// "": it can be called.
std::string whyUncallable(const clang::FunctionDecl &function);

/// An instance of a template for a type that no other code can name: a lambda's, or one that is
/// local to a function. Like a lambda, it is checked where it is called.
bool hasNamelessArguments(const clang::FunctionDecl &function);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_CALLABLE_H
