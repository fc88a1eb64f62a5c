//===- Predicator.h - The walk that turns divergent control to masks -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk behind predicate(): its input, output and invariant are those of Predication.h.
//
//   Predication.cpp             the walk, scalars, memory
//   PredicateIfs.cpp            both arms, each under its mask
//   PredicateLoops.cpp          loops that all lanes leave together
//   PredicateDivergentLoops.cpp loops that run while a lane is live
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PREDICATION_PREDICATOR_H
#define COLONNADE_TRANSFORM_PREDICATION_PREDICATOR_H

#include "Transform/KernelBuilder.h"
#include "Transform/Predication/ArmCost.h"
#include "Transform/Predication/LeavingArms.h"

#include "IR/Clone.h"
#include "Oblivious/Oblivious.h"

namespace colonnade {

class Predicator {
public:
  Predicator(const ir::Function &from, const Uniformity &uniformity, ir::Function &kernel)
      : from_(from), uniformity_(uniformity), to_(kernel), builder_(to_.raw()),
        cloner_(from, builder_), leaving_(from) {}

  void run();

private:
  using Op = ir::Op;
  using Values = llvm::SmallVector<ValueId, 4>;
  class CarriedSlots;

  // One function per kind of operation; `op` is of the canonical function.
  void lower(const Op &op);
  void lowerPure(const Op &op);
  void lowerLoad(const Op &op);
  void lowerStore(const Op &op);
  void lowerCheck(const Op &op);
  void lowerReturn(const Op &op);
  void lowerUniformIf(const Op &op);
  void lowerDivergentIf(const Op &op);
  Values lowerArm(RegionId arm, ValueId mask);
  void lowerFor(const Op &op);
  void lowerExitingFor(const Op &op);
  void lowerVaryingFor(const Op &op);
  void lowerLoop(const Op &op);
  void lowerDivergentLoop(const Op &op);
  void carryOn(const CarriedSlots &slots, size_t k, ValueId value, llvm::ArrayRef<ValueId> args,
               llvm::MutableArrayRef<ValueId> next);
  Values declareSlots(const CarriedSlots &slots, RegionId region, size_t first);
  void lowerRegion(RegionId region); // all but the terminator

  Op accessOp(const Op &op);
  void makeOperandsSafe(Op &op, ir::ScalarType resultType);
  ValueId activeLanes() { return mask_ ? mask_ : to_.truth(true); }
  bool argVaries(ValueId old, ValueId init) const {
    return uniformity_.varying[old.index] || (init && to_.varying(init));
  }
  ValueId map(ValueId old) const { return cloner_.map(old); }
  void set(ValueId old, ValueId fresh);
  Values mapAll(llvm::ArrayRef<ValueId> old) const { return cloner_.map(old); }

  const ir::Function &from_;
  const Uniformity &uniformity_;
  KernelBuilder to_;
  ir::Builder &builder_;
  ir::Cloner cloner_; // only its value map and copyShell
  LeavingArms leaving_;
  ValueId mask_;        // lanes active here; invalid: all
  ir::CellSet covered_; // accessed before this point by at least the active lanes

  friend class MaskScope;
};

/// Operations appended while it lives run under `mask`.
class MaskScope {
public:
  MaskScope(Predicator &predicator, ValueId mask)
      : predicator_(predicator), before_(predicator.mask_), covered_(predicator.covered_.mark()) {
    predicator.mask_ = mask;
  }
  ~MaskScope() {
    predicator_.mask_ = before_;
    predicator_.covered_.forgetSince(covered_);
  }

private:
  Predicator &predicator_;
  ValueId before_;
  size_t covered_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PREDICATION_PREDICATOR_H
