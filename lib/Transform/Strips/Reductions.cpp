//===- Reductions.cpp - Carried values whose order is free ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/Reductions.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class ReductionTest {
public:
  ReductionTest(const Function &kernel, ValueId carried) : kernel_(kernel), carried_(carried) {}

  bool run(ValueId yielded, RegionId body) {
    const llvm::ArrayRef<ValueId> args = kernel_.region(body).args;
    return isChain(yielded) && isSeenByChainAlone(body, args.drop_front());
  }

private:
  enum class Kind : uint8_t { Unknown, Binary, Least, Greatest };

  bool isChain(ValueId value);
  bool isChosen(const Op &op, ValueId value);
  bool isLeastOrGreatest(ValueId condition, ValueId ifTrue, ValueId ifFalse);
  bool agrees(Kind kind, Opcode opcode) {
    if (kind_ == Kind::Unknown) {
      kind_ = kind;
      opcode_ = opcode;
    }
    return kind_ == kind && opcode_ == opcode;
  }
  /// results: what stands for the values that it yields.
  bool isSeenByChainAlone(RegionId region, llvm::ArrayRef<ValueId> results) const;

  const Function &kernel_;
  ValueId carried_;
  Kind kind_ = Kind::Unknown;
  Opcode opcode_ = Opcode::Undef;
  std::set<ValueId> chain_; // the carried value, and what it becomes
  std::set<ValueId> others_;
  std::set<OpId> operations_; // that may see those
};

} // namespace

static bool isFree(Opcode opcode) {
  return opcode == Opcode::Add || opcode == Opcode::Mul || opcode == Opcode::And ||
         opcode == Opcode::Or || opcode == Opcode::Xor;
}

/// The value is the carried one, or follows from it by the operation.
bool ReductionTest::isChain(ValueId value) {
  if (value == carried_)
    chain_.insert(value);
  if (chain_.count(value) || others_.count(value))
    return chain_.count(value);
  const Op *op = kernel_.definition(value);
  bool is = false;
  if (op && isFree(op->opcode))
    is = isChain(op->operands[0]) != isChain(op->operands[1]) && agrees(Kind::Binary, op->opcode);
  else if (op && op->opcode == Opcode::Select)
    is = isLeastOrGreatest(op->operands[0], op->operands[1], op->operands[2]);
  else if (op && op->opcode == Opcode::If)
    is = isChosen(*op, value);
  if (is)
    operations_.insert(kernel_.value(value).def);
  (is ? chain_ : others_).insert(value);
  return is;
}

/// Each arm goes on with the value, or the arms are it and what it is compared with.
bool ReductionTest::isChosen(const Op &op, ValueId value) {
  const size_t result = kernel_.value(value).index;
  const auto given = [&](unsigned arm) {
    return kernel_.terminator(op.regions[arm]).operands[result];
  };
  return isLeastOrGreatest(op.operands[0], given(0), given(1)) ||
         (isChain(given(0)) && isChain(given(1)));
}

bool ReductionTest::isLeastOrGreatest(ValueId condition, ValueId ifTrue, ValueId ifFalse) {
  const Op *test = kernel_.definition(condition);
  if (!test || test->operands.size() != 2)
    return false;
  const bool isLess = test->opcode == Opcode::Lt || test->opcode == Opcode::Le,
             isMore = test->opcode == Opcode::Gt || test->opcode == Opcode::Ge;
  const bool isSame = test->operands[0] == ifTrue && test->operands[1] == ifFalse,
             isTurned = test->operands[1] == ifTrue && test->operands[0] == ifFalse;
  if (!(isLess || isMore) || !(isSame || isTurned) || isChain(ifTrue) == isChain(ifFalse) ||
      !agrees(isLess == isSame ? Kind::Least : Kind::Greatest, Opcode::Undef))
    return false;
  operations_.insert(kernel_.value(condition).def);
  return true;
}

/// The value leaves a region only as a value of the chain.
bool ReductionTest::isSeenByChainAlone(RegionId region, llvm::ArrayRef<ValueId> results) const {
  for (OpId id : kernel_.region(region).ops) {
    const Op &op = kernel_.op(id);
    if (op.opcode == Opcode::Yield) {
      for (auto [given, result] : llvm::zip_equal(op.operands, results))
        if (chain_.count(given) && !chain_.count(result))
          return false;
      continue;
    }
    const bool sees =
        llvm::any_of(op.operands, [&](ValueId operand) { return chain_.count(operand) != 0; });
    if ((sees && !operations_.count(id)) || llvm::any_of(op.regions, [&](RegionId inner) {
          return !isSeenByChainAlone(inner, op.results);
        }))
      return false;
  }
  return true;
}

bool colonnade::isReduction(const Function &kernel, OpId loop, size_t carried) {
  const RegionId body = kernel.op(loop).regions[0];
  const ValueId arg = kernel.region(body).args[1 + carried];
  return !isFloat(kernel.value(arg).type) &&
         ReductionTest(kernel, arg).run(kernel.terminator(body).operands[carried], body);
}
