//===- PredicateLoops.cpp - Loops that all lanes leave together ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps a loop whose bounds and exits are uniform as it is; hands the others to
// PredicateDivergentLoops.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Predication/Predicator.h"

using namespace colonnade;
using namespace colonnade::ir;

void Predicator::lowerFor(const Op &op) {
  Values bounds = mapAll(llvm::ArrayRef(op.operands).take_front(3));
  if (to_.anyVarying(bounds))
    return lowerVaryingFor(op);
  const auto &args = from_.region(op.regions[0]).args;
  if (op.hasContinueFlag && uniformity_.varying[from_.terminator(op.regions[0]).operands[0].index])
    return lowerExitingFor(op);
  Values inits = mapAll(llvm::ArrayRef(op.operands).drop_front(3));
  OpId fresh =
      builder_.createFor(bounds[0], bounds[1], bounds[2], op.predicate, op.hasContinueFlag, inits);
  to_.body().op(fresh).postTest = op.postTest;
  RegionId body = to_.body().op(fresh).regions[0];
  set(args[0], to_.body().region(body).args[0]);
  for (size_t k = 0; k < inits.size(); ++k) {
    ValueId arg = to_.body().region(body).args[k + 1];
    to_.setVarying(arg, argVaries(args[k + 1], inits[k]));
    set(args[k + 1], arg);
  }
  {
    KernelBuilder::Scope scope(to_, body);
    MaskScope mask(*this, mask_);
    lowerRegion(op.regions[0]);
    builder_.yield(mapAll(from_.terminator(op.regions[0]).operands));
  }
  for (size_t k = 0; k < op.results.size(); ++k) {
    ValueId result = to_.body().op(fresh).results[k];
    to_.setVarying(result, to_.varying(to_.body().region(body).args[k]));
    set(op.results[k], result);
  }
}

void Predicator::lowerLoop(const Op &op) {
  const Op &test = from_.terminator(op.regions[0]), &yield = from_.terminator(op.regions[1]);
  if (uniformity_.varying[test.operands[0].index] || uniformity_.varying[yield.operands[0].index])
    return lowerDivergentLoop(op);
  const auto args = from_.region(op.regions[0]).args, inner = from_.region(op.regions[1]).args;
  const auto isUniform = [&](ValueId old) { return !uniformity_.varying[old.index]; };
  // A slot is varying or uniform everywhere. What is varying before the test, which passes on
  // another value, has a second one for where it is uniform.
  Values inits = mapAll(op.operands);
  llvm::SmallVector<bool> varies;
  for (size_t k = 0; k < args.size(); ++k)
    varies.push_back(argVaries(args[k], inits[k]) || !isUniform(inner[k]));
  llvm::SmallVector<unsigned> second(args.size(), 0); // 0: none
  for (size_t k = 0; k < args.size(); ++k)
    if (varies[k] && (isUniform(inner[k]) || isUniform(op.results[k]))) {
      second[k] = inits.size();
      inits.push_back(to_.constant({from_.value(args[k]).type, 0})); // never read
      varies.push_back(false);
    }
  const auto slotOf = [&](ValueId old, size_t k) {
    return second[k] && isUniform(old) ? second[k] : static_cast<unsigned>(k);
  };
  OpId fresh = builder_.createLoop(inits);
  auto regions = to_.body().op(fresh).regions;
  const auto declared = [&](unsigned part) -> Values {
    Values slots(llvm::ArrayRef<ValueId>(to_.body().region(regions[part]).args));
    for (auto [slot, differs] : llvm::zip(slots, varies))
      to_.setVarying(slot, differs);
    return slots;
  };
  {
    KernelBuilder::Scope scope(to_, regions[0]);
    MaskScope mask(*this, mask_);
    for (auto [arg, slot] : llvm::zip(args, declared(0)))
      set(arg, slot);
    lowerRegion(op.regions[0]);
    Values passed = mapAll(test.operands);
    for (size_t k = 0; k < args.size(); ++k)
      if (second[k])
        passed.push_back(passed[k + 1]);
    builder_.test(passed[0], llvm::ArrayRef(passed).drop_front());
  }
  {
    KernelBuilder::Scope scope(to_, regions[1]);
    MaskScope mask(*this, mask_);
    const Values slots = declared(1);
    for (size_t k = 0; k < args.size(); ++k)
      set(inner[k], slots[slotOf(inner[k], k)]);
    lowerRegion(op.regions[1]);
    Values next = mapAll(yield.operands);
    for (size_t k = 0; k < args.size(); ++k)
      if (second[k])
        next.push_back(isUniform(op.results[k]) ? next[k + 1] : slots[second[k]]);
    builder_.yield(next);
  }
  for (auto [result, differs] : llvm::zip(to_.body().op(fresh).results, varies))
    to_.setVarying(result, differs);
  for (size_t k = 0; k < args.size(); ++k)
    set(op.results[k], to_.body().op(fresh).results[slotOf(op.results[k], k)]);
}
