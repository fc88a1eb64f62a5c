//===- ExtentWalk.h - The certificate as a check of extents -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the certificate and the properties of its addresses. Out: `walk_result walk(scalars, cells)`,
// scalar C++ that visits a(i) in order and compares every address with its array's extent.
// Accesses that are within their arrays at all sizes (AddressProperties::within) are only
// counted, at the beginning of their region.
// Invariant: the walk is defined for all sizes, also where the sequential
// function would not have come by: speculative arithmetic wraps.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_EXTENTWALK_H
#define COLONNADE_EMIT_API_EXTENTWALK_H

#include "Emit/Cxx/CxxPrinter.h"
#include "Emit/Cxx/Interface.h"
#include "Emit/Cxx/Sites.h"
#include "Oblivious/Oblivious.h"

namespace colonnade {

class ExtentWalk : public CxxPrinter {
public:
  ExtentWalk(const ir::Module &module, const Verdict &verdict, Sites &sites, CxxWriter &out);
  /// Whether the ends of some loops decide: see CornerWalk.h.
  bool hasCorners() const;
  void print();

protected:
  CxxExpr load(const ir::Op &op) override;
  void visitLoad(OpId id) override;
  void store(OpId id) override;
  void check(const ir::Op &op) override;
  void beginRegion(RegionId region) override;
  void printReturn(const ir::Op &op) override;

  uint32_t site(const ir::Op &op, llvm::StringRef what);
  void printArrays();
  virtual void printAccess(const ir::Op &op);
  virtual void countAccesses(uint64_t accesses);

private:
  std::string cellCount(ArrayId array) const;
  void printContents(ArrayId array);
  std::string within(const ir::Op &op); // text of a test of the address

  Sites &sites_;

protected:
  Interface interface_;
  const AddressProperties &addresses_;
  std::vector<std::string> counts_; // per array: the variable with its number of cells
};

} // namespace colonnade

#endif // COLONNADE_EMIT_API_EXTENTWALK_H
