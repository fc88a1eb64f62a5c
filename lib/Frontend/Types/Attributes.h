//===- Attributes.h - Attributes that may change a meaning ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a declaration. Out: the attribute for which it is outside the subset.
//
// Invariant: an attribute that is not in Attributes.def is never ignored.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_ATTRIBUTES_H
#define COLONNADE_FRONTEND_ATTRIBUTES_H

#include "Frontend/ClangHeaders.h"

#include <string>

namespace colonnade::frontend {

/// "attribute 'alias'", of any declaration of the same thing; empty: there is none that matters.
std::string attributeProblem(const clang::Decl &decl);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_ATTRIBUTES_H
