//===- CornerWalk.h - The check of extents at the ends of loops -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the certificate and the properties of its addresses. Out: `bool corners(scalars,
// cells, result)`, the walk with every linear loop (AddressProperties.h) cut to its first and
// last iteration, in arithmetic that notices overflow.
// Invariant: true only if that shows all addresses to be within; else the full walk
// decides, and says which is not.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_CORNERWALK_H
#define COLONNADE_EMIT_API_CORNERWALK_H

#include "Emit/Api/ExtentWalk.h"

namespace colonnade {

class CornerWalk : public ExtentWalk {
public:
  using ExtentWalk::ExtentWalk;
  void print();

protected:
  void check(const ir::Op &op) override;
  void printReturn(const ir::Op &op) override;
  void printAccess(const ir::Op &op) override;
  void countAccesses(uint64_t accesses) override;
  CxxExpr operation(const ir::Op &op) override;
  void printFor(OpId id) override;

private:
  std::string exactCell(const ir::Op &op);
};

} // namespace colonnade

#endif // COLONNADE_EMIT_API_CORNERWALK_H
