//===- FullyWritten.cpp - Which outputs need no copy-in -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Ranges/FullyWritten.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class WriteCoverage {
public:
  explicit WriteCoverage(const Function &function)
      : function_(function), covered_(function.arrays.size()) {}

  /// For each array, whether a store covers it. One walk for all: an entry may have thousands.
  std::vector<bool> run() && {
    walk(function_.body);
    return std::move(covered_);
  }

private:
  void walk(RegionId region) {
    for (OpId id : function_.region(region).ops) {
      const Op &op = function_.op(id);
      if (op.opcode == Opcode::Store && !covered_[op.array.index] && coveredBy(op))
        covered_[op.array.index] = true;
      if (op.opcode != Opcode::For || !isPlain(op))
        continue;
      loops_.push_back(&op);
      walk(op.regions[0]);
      loops_.pop_back();
    }
  }
  bool isConstant(ValueId value, int64_t wanted) const {
    const Scalar *scalar = function_.constant(value);
    return scalar && scalar->bits == uint64_t(wanted);
  }
  bool isPlain(const Op &loop) const {
    return !loop.hasContinueFlag && !loop.postTest && loop.predicate == Predicate::Lt &&
           isConstant(loop.operands[0], 0) && isConstant(loop.operands[2], 1);
  }
  ValueId withoutCasts(ValueId value) const {
    for (;;) {
      const Op *def = function_.definition(value);
      if (!def || def->opcode != Opcode::Cast ||
          !isInteger(function_.value(def->operands[0]).type) ||
          bitWidth(function_.value(value).type) < bitWidth(function_.value(def->operands[0]).type))
        return value;
      value = def->operands[0];
    }
  }
  bool equals(ValueId value, const SizeExpr &extent) const {
    value = withoutCasts(value);
    const Scalar *constant = function_.constant(value);
    if (constant)
      return extent.isConstant(int64_t(constant->bits));
    return extent.kind() == SizeExpr::Kind::Name &&
           llvm::any_of(function_.scalars, [&](const ScalarParam &scalar) {
             return scalar.value == value && scalar.name == extent.name();
           });
  }
  bool hasDimensionsOf(const AccessOperands &access, const Array &array) const {
    if (access.subscripts.size() != array.extents.size() && !array.extents.empty())
      return false;
    for (size_t k = 0; k < access.radices.size(); ++k)
      if (!equals(access.radices[k], array.extents[k + 1]))
        return false;
    return true;
  }
  bool coveredBy(const Op &store) const {
    const Array &array = function_.array(store.array);
    AccessOperands access = accessOperands(store);
    if (!hasDimensionsOf(access, array))
      return false;
    llvm::SmallVector<const Op *> left(loops_.begin(), loops_.end());
    for (size_t k = 0; k < access.subscripts.size(); ++k) {
      const bool single = array.extents.empty() || array.extents[k].isConstant(1);
      if (single && isConstant(access.subscripts[k], 0))
        continue;
      if (array.extents.empty())
        return false;
      const auto *loop = llvm::find_if(left, [&](const Op *candidate) {
        return function_.region(candidate->regions[0]).args[0] ==
                   withoutCasts(access.subscripts[k]) &&
               equals(candidate->operands[1], array.extents[k]);
      });
      if (loop == left.end())
        return false;
      left.erase(loop);
    }
    return left.empty(); // another loop around it might not run at all
  }

  const Function &function_;
  std::vector<const Op *> loops_;
  std::vector<bool> covered_;
};

} // namespace

std::vector<bool> colonnade::fullyWrittenArrays(const Function &function) {
  return WriteCoverage(function).run();
}
