//===- ExitAnalysis.h - Which exits a statement may take -------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every region of the IR has one exit. Before lowering a statement, this says
// which of break, continue and return may leave it, so that what follows can be
// guarded. Exits inside a loop or switch that end there are not counted outside.
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

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_EXITANALYSIS_H
