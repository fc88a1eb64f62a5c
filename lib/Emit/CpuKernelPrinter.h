//===- CpuKernelPrinter.h - The body of a CPU kernel -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Varying values are `vec<T>`, varying truth values `mask`, uniform values plain
// scalars; control is uniform. Accesses go through the accessors of
// runtime/include/colonnade/bulk/cpu_lanes.hpp.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CPUKERNELPRINTER_H
#define COLONNADE_EMIT_CPUKERNELPRINTER_H

#include "Emit/CxxPrinter.h"
#include "Emit/Interface.h"
#include "Emit/Sites.h"
#include "Transform/Transform.h"
#include "Transform/ValueRange.h"

namespace colonnade {

class CpuKernelPrinter : public CxxPrinter {
public:
  /// guardAll: unmasked addresses were not checked before the launch either.
  CpuKernelPrinter(const ir::Module &module, const Kernel &kernel, bool guardAll, Sites &sites,
                   CxxWriter &out);

  /// The kernel function and the Entry whose run() unpacks a lane_group.
  void print();
  /// uint64_t scratch_bytes(scalars, lanes): what local arrays need beyond the stack.
  void printScratchBytes();

protected:
  std::string type(ValueId value) const override;
  std::string definitionType(ValueId value) const override;
  CxxExpr convertTo(ValueId target, ValueId value) override;
  CxxExpr load(const ir::Op &op) override;
  void store(const ir::Op &op) override;
  void check(const ir::Op &op) override;
  CxxExpr operation(const ir::Op &op) override;

private:
  bool varying(ValueId value) const { return kernel_.varying[value.index]; }
  CxxExpr vector(ValueId value); // as vec<T> or mask whatever it is
  CxxExpr vectorOperation(const ir::Op &op);
  CxxExpr vectorBinary(const ir::Op &op);
  CxxExpr vectorCast(const ir::Op &op);
  bool fitsLowHalf(ValueId value) const; // an unsigned 64-bit value below 2^32
  CxxExpr choose(const ir::Op &op);
  uint32_t accessSite(const ir::Op &op);
  std::string accessMask(const ir::Op &op);
  void printSignature();
  void printEntry();
  void printAccessors();
  void printLocal(ArrayId array);
  bool isPerLane(const ir::Array &array) const;
  bool onStack(const ir::Array &array) const;
  std::string laneType(ir::ScalarType type) const;
  std::string cellCount(const ir::Array &array);
  std::string guardedType(llvm::StringRef base) const;

  const Kernel &kernel_;
  ValueRanges ranges_;
  bool guardAll_;
  Interface interface_;
  Sites &sites_;
  std::vector<std::string> cellsNames_; // raw pointers behind the accessors
};

} // namespace colonnade

#endif // COLONNADE_EMIT_CPUKERNELPRINTER_H
