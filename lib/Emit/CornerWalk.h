//===- CornerWalk.h - The check of extents at the ends of loops -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the certificate. Out: `bool corners(scalars, cells, result)`, the walk with
// every linear loop (LinearLoops.h) cut to its first and last iteration, in arithmetic
// that notices overflow. True if it shows that all addresses are within; else the
// full walk decides, and says which is not.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CORNERWALK_H
#define COLONNADE_EMIT_CORNERWALK_H

#include "Emit/ExtentWalk.h"

namespace colonnade {

class CornerWalk : public ExtentWalk {
public:
  using ExtentWalk::ExtentWalk;
  void print();

protected:
  void check(const ir::Op &op) override;
  void printReturn(const ir::Op &op) override;
  void printAccess(const ir::Op &op) override;
  CxxExpr operation(const ir::Op &op) override;
  void printFor(const ir::Op &op) override;

private:
  std::string exactCell(const ir::Op &op);
};

} // namespace colonnade

#endif // COLONNADE_EMIT_CORNERWALK_H
