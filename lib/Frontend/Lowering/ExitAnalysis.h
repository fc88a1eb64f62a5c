//===- ExitAnalysis.h - Which exits a statement may take -------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a statement. Out: which of break, continue and return may leave it. A region of
// the IR has one exit, so what follows such a statement is guarded by flags.
//
// Invariant: an exit that may be taken is said; one that ends at a loop or switch inside
// the statement does not leave it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_EXITANALYSIS_H
#define COLONNADE_FRONTEND_EXITANALYSIS_H

#include "Frontend/ClangHeaders.h"

namespace colonnade::frontend {

struct ExitSet {
  bool breaks = false;
  bool continues = false;
  bool returns = false;
  bool always = false; // control never reaches the statement's end
  bool labels = false; // a goto may reach a place in it

  bool any() const { return breaks || continues || returns; }
  /// One after the other.
  void append(const ExitSet &next);
};

class ExitAnalysis {
public:
  ExitSet of(const clang::Stmt *stmt);

private:
  ExitSet compute(const clang::Stmt &stmt);
  llvm::DenseMap<const clang::Stmt *, ExitSet> known_;
};

/// Whether control may come to the end of the body without a `return`, as Clang's graph of the
/// function says.
bool mayReachEnd(const clang::FunctionDecl &function);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_EXITANALYSIS_H
