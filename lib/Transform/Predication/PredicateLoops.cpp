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
  Values inits = mapAll(op.operands);
  OpId fresh = builder_.createLoop(inits);
  auto regions = to_.body().op(fresh).regions;
  for (unsigned part = 0; part < 2; ++part) {
    const auto args = from_.region(op.regions[part]).args;
    for (size_t k = 0; k < args.size(); ++k) {
      ValueId arg = to_.body().region(regions[part]).args[k];
      bool varies = argVaries(from_.region(op.regions[0]).args[k], inits[k]) ||
                    uniformity_.varying[from_.region(op.regions[1]).args[k].index];
      to_.setVarying(arg, varies);
      to_.setVarying(to_.body().op(fresh).results[k], varies);
      set(args[k], arg);
    }
  }
  for (unsigned part = 0; part < 2; ++part) {
    KernelBuilder::Scope scope(to_, regions[part]);
    MaskScope mask(*this, mask_);
    lowerRegion(op.regions[part]);
    const Op &end = from_.terminator(op.regions[part]);
    Values operands = mapAll(end.operands);
    if (part == 0)
      builder_.test(operands[0], llvm::ArrayRef(operands).drop_front());
    else
      builder_.yield(operands);
  }
  for (size_t k = 0; k < op.results.size(); ++k)
    set(op.results[k], to_.body().op(fresh).results[k]);
}
