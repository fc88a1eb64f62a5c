//===- PredicateIfs.cpp - Both arms run, results blend -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A uniform If stays one. Of a divergent one both arms run, each under its mask;
// an arm that is long or risky is jumped over where no lane takes it.
//
//===----------------------------------------------------------------------===//

#include "Transform/Predication/Predicator.h"

using namespace colonnade;
using namespace colonnade::ir;

void Predicator::lowerUniformIf(const Op &op) {
  llvm::SmallVector<ScalarType> types;
  for (ValueId result : op.results)
    types.push_back(from_.value(result).type);
  OpId fresh = builder_.createIf(map(op.operands[0]), types);
  auto regions = to_.body().op(fresh).regions;
  llvm::SmallVector<bool> varies(op.results.size(), false);
  for (unsigned arm = 0; arm < 2; ++arm) {
    KernelBuilder::Scope scope(to_, regions[arm]);
    MaskScope mask(*this, mask_);
    lowerRegion(op.regions[arm]);
    Values yields = mapAll(from_.terminator(op.regions[arm]).operands);
    for (size_t i = 0; i < yields.size(); ++i)
      varies[i] = varies[i] || to_.varying(yields[i]);
    builder_.yield(yields);
  }
  for (size_t i = 0; i < op.results.size(); ++i) {
    ValueId result = to_.body().op(fresh).results[i];
    to_.setVarying(result, varies[i]);
    set(op.results[i], result);
  }
}

/// Lowers one arm under `mask` and returns what it yields, visible outside.
Predicator::Values Predicator::lowerArm(RegionId arm, ValueId mask) {
  ArmCost cost(
      from_, arm, [&](ValueId old) { return cloner_.isMapped(old) ? map(old) : ValueId(); }, to_,
      covered_);
  if (cost.runAnyway) {
    MaskScope scope(*this, mask);
    lowerRegion(arm);
    return mapAll(from_.terminator(arm).operands);
  }
  const auto &yields = from_.terminator(arm).operands;
  llvm::SmallVector<ScalarType> types;
  llvm::SmallVector<unsigned> inner; // yields computed in the arm
  for (unsigned i = 0; i < yields.size(); ++i)
    if (!cloner_.isMapped(yields[i])) {
      inner.push_back(i);
      types.push_back(from_.value(yields[i]).type);
    }
  OpId branch = builder_.createIf(to_.anyLane(mask), types);
  auto regions = to_.body().op(branch).regions;
  Values all;
  {
    KernelBuilder::Scope scope(to_, regions[0]);
    MaskScope masked(*this, mask);
    lowerRegion(arm);
    all = mapAll(yields);
    Values values;
    for (unsigned i : inner)
      values.push_back(all[i]);
    builder_.yield(values);
  }
  {
    KernelBuilder::Scope scope(to_, regions[1]);
    Values values;
    for (ScalarType type : types)
      values.push_back(to_.constant({type, 0}));
    builder_.yield(values);
  }
  for (size_t k = 0; k < inner.size(); ++k) {
    ValueId result = to_.body().op(branch).results[k];
    to_.setVarying(result, to_.varying(all[inner[k]]));
    all[inner[k]] = result;
  }
  return all;
}

void Predicator::lowerDivergentIf(const Op &op) {
  ValueId condition = map(op.operands[0]);
  auto isEmpty = [&](RegionId arm) { return from_.region(arm).ops.size() == 1; };
  auto arm = [&](unsigned i, ValueId lanes) {
    if (isEmpty(op.regions[i]))
      return mapAll(from_.terminator(op.regions[i]).operands);
    return lowerArm(op.regions[i], to_.logicalAnd(mask_, lanes));
  };
  Values taken = arm(0, condition);
  Values other = arm(1, isEmpty(op.regions[1]) ? ValueId() : to_.logicalNot(condition));
  builder_.setLoc(op.loc);
  for (size_t i = 0; i < op.results.size(); ++i) {
    std::optional<unsigned> unread = leaving_.unreadArm(op.results[i]);
    if (unread)
      set(op.results[i], *unread == 0 ? other[i] : taken[i]);
    else
      set(op.results[i], to_.blend(condition, taken[i], other[i]));
  }
}
