//===- KernelBuilder.h - Appends kernel operations, each pure value once -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel to append to. Out: operations that know whether they vary; a pure
// operation that is already computed in a visible region is not repeated, masks are
// folded. So the address in `if (x < d[i]) d[i] = x` is the same value in the arm as
// before it.
// Invariant: an operation varies if one of its operands does, AnyLane apart.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_KERNELBUILDER_H
#define COLONNADE_TRANSFORM_KERNELBUILDER_H

#include "IR/Builder.h"
#include "IR/ValueNumbering.h"

namespace colonnade {

class KernelBuilder {
public:
  explicit KernelBuilder(ir::Function &kernel) : kernel_(kernel), builder_(kernel) {}

  ir::Builder &raw() { return builder_; }
  ir::Function &body() { return kernel_; }
  bool varying(ValueId value) const { return kernel_.varying(value); }
  bool anyVarying(llvm::ArrayRef<ValueId> values) const { return kernel_.anyVarying(values); }
  /// New values are uniform until said otherwise.
  void setVarying(ValueId value, bool varying) { kernel_.value(value).varying = varying; }

  /// A pure operation: the value computed before, or a new one that varies as
  /// its operands do.
  ValueId pure(const ir::Op &op, ir::ScalarType type);
  /// The value if it is computed already and visible.
  ValueId find(const ir::Op &op, ir::ScalarType type) const;
  ValueId constant(ir::Scalar scalar);
  ValueId truth(bool value) { return constant({ir::ScalarType::Bool, value}); }
  ValueId logicalAnd(ValueId a, ValueId b); // an invalid id is "all lanes"
  ValueId logicalOr(ValueId a, ValueId b);
  ValueId logicalNot(ValueId a);
  ValueId blend(ValueId mask, ValueId a, ValueId b); // invalid mask: a
  ValueId anyLane(ValueId mask);

  /// Enters a region that the caller created; values found in it are forgotten
  /// when the scope ends.
  class Scope {
  public:
    Scope(KernelBuilder &builder, RegionId region);
    ~Scope();

  private:
    KernelBuilder &builder_;
    ir::InsertionScope insertion_;
    size_t mark_;
  };

private:
  bool isTruth(ValueId value, bool truth) const;

  ir::Function &kernel_;
  ir::Builder builder_;
  ir::AvailableValues available_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_KERNELBUILDER_H
