//===- Places.h - Where an operation may stand in debug info ----*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An expression has several places (its beginning, its operator, a member's name), and
// Clang's code generator takes one or the other. An initialiser may stand where the object
// stands that it sets up, or a part of.
//
// In: a lowered function. Out: the places of each of its source nodes.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_REFERENCE_PLACES_H
#define COLONNADE_TEST_TOOLS_REFERENCE_PLACES_H

#include "Frontend/Ledger/Ledger.h"
#include "Reference/Access.h"

#include <set>

namespace colonnade::reference {

class Places {
public:
  explicit Places(frontend::ledger::LoweredFunction &lowered);
  std::set<Place> of(uint32_t node);
  Place at(clang::SourceLocation loc) const;

private:
  void add(std::set<Place> &places, clang::SourceLocation loc) const;
  void addNode(std::set<Place> &places, const clang::Stmt &stmt) const;
  void addWhole(std::set<Place> &places, const clang::Expr *init) const;

  frontend::ledger::LoweredFunction &lowered_;
  /// Of an initialiser: what it is a part of, and the places that declare what it sets up.
  std::multimap<const clang::Expr *, const clang::Expr *> wholes_;
  std::multimap<const clang::Expr *, clang::SourceLocation> declared_;
};

} // namespace colonnade::reference

#endif // COLONNADE_TEST_TOOLS_REFERENCE_PLACES_H
