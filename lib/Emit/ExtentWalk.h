//===- ExtentWalk.h - The certificate as a check of extents -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the certificate. Out: `walk_result walk(scalars, cells)`, scalar C++ that
// visits a(i) in order and compares every address with its array's extent.
// Invariant: the walk is defined for all sizes, also where the sequential
// function would not have come by: speculative arithmetic wraps.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_EXTENTWALK_H
#define COLONNADE_EMIT_EXTENTWALK_H

#include "Emit/CxxPrinter.h"
#include "Emit/Interface.h"
#include "Emit/LinearLoops.h"
#include "Emit/Sites.h"

namespace colonnade {

class ExtentWalk : public CxxPrinter {
public:
  ExtentWalk(const ir::Module &module, const ir::Function &certificate, Sites &sites,
             CxxWriter &out);
  /// Whether the ends of some loops decide: see CornerWalk.h.
  bool hasCorners() const;
  void print();

protected:
  CxxExpr load(const ir::Op &op) override;
  void visitLoad(const ir::Op &op) override;
  void store(const ir::Op &op) override;
  void check(const ir::Op &op) override;
  void printReturn(const ir::Op &op) override;
  CxxExpr operation(const ir::Op &op) override;

  void printScalars();
  void printArrays();
  virtual void printAccess(const ir::Op &op);

private:
  std::string cellCount(const ir::Array &array) const;
  bool isPassed(ArrayId array) const;
  std::string within(const ir::Op &op); // text of a test of the address

  Interface interface_;
  Sites &sites_;
  std::vector<bool> read_; // per array: some value read from it is needed

protected:
  LinearLoops loops_;
  std::vector<std::string> counts_; // per array: the variable with its number of cells
};

} // namespace colonnade

#endif // COLONNADE_EMIT_EXTENTWALK_H
