//===- CopiedValues.h - Whether a copy moves all of an object --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy is one operation, whose memory type says which values it moves. What the type lacks would
// be lost without a trace, for none of its accesses is made.
//
// In: a type of the language and the memory type of a copy. Out: whether the copy moves every value
// that an object of that type has. Invariant: shares nothing with TypeLowering; a part that has a
// value and stands in no memory type makes it false.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LEDGER_COPIEDVALUES_H
#define COLONNADE_FRONTEND_LEDGER_COPIEDVALUES_H

#include "Frontend/ClangHeaders.h"
#include "IR/Function.h"

#include <map>

namespace colonnade::frontend::ledger {

class CopiedValues {
public:
  explicit CopiedValues(const std::vector<ir::MemType> &memTypes) : memTypes_(memTypes) {}
  bool areAll(clang::QualType type, MemTypeId copied);

private:
  bool areAllOf(clang::QualType type, const ir::MemType &copied);
  bool areAllOf(const clang::RecordDecl &record, const ir::MemType &copied);

  const std::vector<ir::MemType> &memTypes_;
  std::map<std::pair<void *, uint32_t>, bool> known_;
};

} // namespace colonnade::frontend::ledger

#endif // COLONNADE_FRONTEND_LEDGER_COPIEDVALUES_H
