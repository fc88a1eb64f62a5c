//===- KernelBuilder.h - Appends kernel operations, each pure value once -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Builder that knows which values vary, finds a pure operation that is already
// computed in a visible region (value numbering), and folds masks. Value
// numbering is what makes the address in `if (x < d[i]) d[i] = x` the same value
// in the arm as before it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_KERNELBUILDER_H
#define COLONNADE_TRANSFORM_KERNELBUILDER_H

#include "IR/Builder.h"
#include "Transform/Transform.h"

#include <map>
#include <tuple>

namespace colonnade {

class KernelBuilder {
public:
  explicit KernelBuilder(Kernel &kernel) : kernel_(kernel), builder_(kernel.body) {}

  ir::Builder &raw() { return builder_; }
  ir::Function &body() { return kernel_.body; }
  bool varying(ValueId value) const { return kernel_.varying[value.index]; }
  bool anyVarying(llvm::ArrayRef<ValueId> values) const;
  /// New values are uniform until said otherwise.
  void setVarying(ValueId value, bool varying);
  void syncSizes() { kernel_.varying.resize(kernel_.body.values.size(), false); }

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
  using Key = std::tuple<ir::Opcode, ir::MathFn, ir::ScalarType, uint64_t, std::vector<uint32_t>>;
  static Key keyOf(const ir::Op &op, ir::ScalarType type);
  bool isTruth(ValueId value, bool truth) const;

  Kernel &kernel_;
  ir::Builder builder_;
  std::map<Key, ValueId> known_;
  std::vector<std::map<Key, ValueId>::iterator> log_; // in order of insertion
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_KERNELBUILDER_H
