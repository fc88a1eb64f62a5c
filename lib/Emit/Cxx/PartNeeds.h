//===- PartNeeds.h - What parts of a kernel need around them ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel. Out: for each of its parts, which kinds of accesses and checks it has.
// Invariant: a part needs all that the parts it calls need.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_PARTNEEDS_H
#define COLONNADE_EMIT_CXX_PARTNEEDS_H

#include "IR/Function.h"

#include <set>

namespace colonnade {

struct PartNeeds {
  bool checks = false;      // has a Check
  bool guarded = false;     // has an access that is checked as it happens
  bool masked = false;      // has an access in some lanes only
  bool usesLayout = false;  // takes an array in the caller's memory
  std::set<ArrayId> tables; // that it reads
};

/// By part.
std::vector<PartNeeds> needsOfParts(const ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_PARTNEEDS_H
