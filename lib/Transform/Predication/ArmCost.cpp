//===- ArmCost.cpp - Whether an arm may run with no lane active -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Transform/Predication/ArmCost.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

// A mispredicted branch costs about 15 to 20 cycles: as many vector operations.
static constexpr unsigned MaxOperations = 16;

namespace {

class Estimate {
public:
  Estimate(const Function &from, llvm::function_ref<ValueId(ValueId)> mapped,
           const KernelBuilder &to, const CellSet &covered)
      : from_(from), mapped_(mapped), to_(to), covered_(covered) {}

  bool cheap(RegionId region) {
    for (OpId id : llvm::drop_end(from_.region(region).ops))
      if (!cheap(from_.op(id)) || operations_ > MaxOperations)
        return false;
    return true;
  }

private:
  /// The kernel value of `old`, if it is computed already.
  ValueId known(ValueId old) {
    if (ValueId value = mapped_(old))
      return value;
    auto found = found_.find(old.index);
    return found == found_.end() ? ValueId() : found->second;
  }

  bool cheap(const Op &op) {
    switch (op.opcode) {
    case Opcode::Constant:
      return remember(op), true;
    case Opcode::Load:
    case Opcode::Store:
      ++operations_;
      return isCovered(op);
    case Opcode::If:
      ++operations_;
      return cheap(op.regions[0]) && cheap(op.regions[1]) && (rememberUniform(op), true);
    case Opcode::For:
    case Opcode::Loop:
    case Opcode::Check:
    case Opcode::Unsupported:
      return false;
    default:
      return cheapPure(op);
    }
  }

  bool isCovered(const Op &op) {
    // One copy for all lanes must not be written where no lane is active.
    const Array &array = from_.array(op.array);
    if (!array.isPassed() || !array.isPerInstance())
      return false;
    AccessOperands access = accessOperands(op);
    llvm::SmallVector<ValueId, 4> subscripts, radices;
    for (ValueId value : access.subscripts)
      subscripts.push_back(known(value));
    for (ValueId value : access.radices)
      radices.push_back(known(value));
    auto valid = [](ValueId value) { return value.valid(); };
    return llvm::all_of(subscripts, valid) && llvm::all_of(radices, valid) &&
           covered_.contains(cellKey(op.array, subscripts, radices, idOf));
  }

  bool remember(const Op &op) {
    Op copy = op;
    for (ValueId &operand : copy.operands) {
      operand = known(operand);
      if (!operand)
        return false;
    }
    ValueId value = to_.find(copy, from_.value(op.results[0]).type);
    if (value)
      found_[op.results[0].index] = value;
    return value.valid();
  }

  bool isUniform(ValueId old) {
    const ValueId value = known(old);
    return value ? !to_.varying(value)
                 : from_.constant(old) != nullptr || uniform_.contains(old.index);
  }
  bool areUniform(llvm::ArrayRef<ValueId> values) {
    return llvm::all_of(values, [this](ValueId value) { return isUniform(value); });
  }
  /// Results of an `if`: of two uniform values, chosen by a uniform condition.
  void rememberUniform(const Op &op) {
    llvm::ArrayRef<ValueId> a = from_.terminator(op.regions[0]).operands,
                            b = from_.terminator(op.regions[1]).operands;
    for (size_t i = 0; i < op.results.size(); ++i)
      if (areUniform({op.operands[0], a[i], b[i]}))
        uniform_.insert(op.results[i].index);
  }

  bool cheapPure(const Op &op) {
    if (remember(op))
      return true; // costs nothing
    ++operations_;
    bool uniform = areUniform(op.operands);
    if (uniform)
      uniform_.insert(op.results[0].index);
    ScalarType type = from_.value(op.operands.empty() ? op.results[0] : op.operands[0]).type;
    switch (op.opcode) {
    case Opcode::Div:
    case Opcode::Rem:
      operations_ += isFloat(type) ? 4 : MaxOperations;
      return isFloat(type);
    case Opcode::Math:
      operations_ += isExact(op.math) ? 2 : MaxOperations;
      return isExact(op.math);
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Neg:
    case Opcode::Shl:
    case Opcode::Shr:
      return !uniform || isFloat(type); // scalar code would be undefined, vectors wrap
    case Opcode::Cast:
      return !uniform || !isFloat(type);
    default:
      return true;
    }
  }

  const Function &from_;
  llvm::function_ref<ValueId(ValueId)> mapped_;
  const KernelBuilder &to_;
  const CellSet &covered_;
  llvm::DenseMap<uint32_t, ValueId> found_;
  llvm::DenseSet<uint32_t> uniform_; // computed in the arm, the same in all lanes
  unsigned operations_ = 0;
};

} // namespace

ArmCost::ArmCost(const Function &from, RegionId arm, llvm::function_ref<ValueId(ValueId)> mapped,
                 const KernelBuilder &to, const CellSet &covered)
    : runAnyway(Estimate(from, mapped, to, covered).cheap(arm)) {}
