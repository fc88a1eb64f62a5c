//===- Annotations.h - What a declaration says about itself ----*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: declarations, with the attributes of <colonnade/annotate.h>. Out: a parameter's
// type, extents, constness and sharing; whether a function is marked.
//
// Invariant: attributes count on any declaration of a function, not only its definition.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_ANNOTATIONS_H
#define COLONNADE_FRONTEND_ANNOTATIONS_H

#include "Frontend/Types/TypeLowering.h"

namespace colonnade::frontend {

/// Fills in everything but name and location.
void describeParameter(const clang::ParmVarDecl &param, TypeLowering &types, ir::RawParam &raw);

/// True if some declaration of the function carries COLONNADE_BULK.
bool isMarkedBulk(const clang::FunctionDecl &function);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_ANNOTATIONS_H
