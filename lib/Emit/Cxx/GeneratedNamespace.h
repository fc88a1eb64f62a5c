//===- GeneratedNamespace.h - Where a function's generated code lives -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function's identifier. Out: the namespace of its generated code: it is in
// colonnade::runtime::f_bulk, and users call it colonnade::bulk::f, an alias.
// Invariant: in there, an unqualified name is the code's own, the runtime's or the C
// library's, whatever the function is called (`status`, `run`, `memcpy`): nothing named
// after it is in sight but f_bulk.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_GENERATEDNAMESPACE_H
#define COLONNADE_EMIT_CXX_GENERATEDNAMESPACE_H

#include "Emit/Cxx/CxxText.h"

namespace colonnade {

/// What users write after colonnade::bulk:: for the function whose files are
/// named `identifier`: the same, unless that is a reserved word ("class_2").
std::string generatedNamespace(const std::string &identifier); // in colonnade::runtime
std::string apiName(const std::string &identifier);

void openGenerated(const std::string &identifier, CxxWriter &out);
/// `withAlias`: also names the API, in the header.
void closeGenerated(const std::string &identifier, CxxWriter &out, bool withAlias = false);

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_GENERATEDNAMESPACE_H
