//===- PredicateDivergentLoops.cpp - Loops run while a lane is live ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that lanes leave at different iterations carries the mask of those that are
// live. Invariant: after the loop each value that is read is, in every lane, what
// it was when that lane left; any other value of a lane that has left is arbitrary.
//
//===----------------------------------------------------------------------===//

#include "IR/KernelFacts.h"
#include "Transform/Predication/Predicator.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// What the kernel's loop carries: the mask of live lanes first, each carried
/// value, for one that is uniform inside but read after the loop what it was when
/// each lane left, and for one that is uniform in the body alone what it is there.
class Predicator::CarriedSlots {
public:
  Values inits;
  llvm::SmallVector<bool> varies;

  explicit CarriedSlots(ValueId live) : inits{live}, varies{true} {}

  void add(ValueId init, bool argVaries, bool isRead) {
    values_.push_back({addSlot(init, argVaries), 0, isRead});
    if (isRead && !argVaries)
      values_.back().exitSlot = addSlot(init, true);
  }
  /// Value k is varying before the test, but uniform in the body.
  void addBody(size_t k, ValueId init) { values_[k].bodySlot = addSlot(init, false); }
  /// For the counter, which the loop itself carries: only what lanes left with.
  void addCounter(ValueId init, bool isRead) {
    values_.push_back({0, isRead ? addSlot(init, true) : 0, isRead});
  }

  size_t size() const { return values_.size(); }
  unsigned slot(size_t k) const { return values_[k].slot; }
  unsigned exitSlot(size_t k) const { return values_[k].exitSlot; }
  unsigned bodySlot(size_t k) const { return values_[k].bodySlot ? values_[k].bodySlot : slot(k); }
  unsigned resultSlot(size_t k) const { return exitSlot(k) ? exitSlot(k) : slot(k); }
  /// Lanes that have left keep theirs.
  bool keeps(size_t k) const { return values_[k].isRead && !values_[k].exitSlot; }

private:
  struct Carried {
    unsigned slot;         // position among the kernel loop's carried values
    unsigned exitSlot;     // 0: none
    bool isRead;           // after the loop
    unsigned bodySlot = 0; // 0: none but `slot`
  };
  unsigned addSlot(ValueId init, bool varying) {
    inits.push_back(init);
    varies.push_back(varying);
    return inits.size() - 1;
  }
  llvm::SmallVector<Carried> values_;
};

/// Fills the slots of carried value k for the next iteration; `args`: by slot.
void Predicator::carryOn(const CarriedSlots &slots, size_t k, ValueId value,
                         llvm::ArrayRef<ValueId> args, llvm::MutableArrayRef<ValueId> next) {
  unsigned slot = slots.slot(k), exit = slots.exitSlot(k);
  next[slot] = slots.keeps(k) ? to_.blend(args[0], value, args[slot]) : value;
  if (exit)
    next[exit] = to_.blend(args[0], value, args[exit]);
}

/// Says which arguments of `region` vary, from argument `first` on.
Predicator::Values Predicator::declareSlots(const CarriedSlots &slots, RegionId region,
                                            size_t first) {
  Values args(llvm::ArrayRef<ValueId>(to_.body().region(region).args).drop_front(first));
  for (auto [arg, varies] : llvm::zip(args, slots.varies))
    to_.setVarying(arg, varies);
  to_.body().value(args[0]).name = "live";
  return args;
}

/// A counted loop that lanes leave at different iterations: runs while any is live.
void Predicator::lowerExitingFor(const Op &op) {
  const auto args = from_.region(op.regions[0]).args;
  Values bounds = mapAll(llvm::ArrayRef(op.operands).take_front(3));
  Values old = mapAll(llvm::ArrayRef(op.operands).drop_front(3));
  CarriedSlots slots(activeLanes());
  slots.addCounter(bounds[0], leaving_.isRead(op.results[0]));
  for (size_t k = 1; k < args.size(); ++k)
    slots.add(old[k - 1], argVaries(args[k], old[k - 1]), leaving_.isRead(op.results[k]));
  OpId fresh = builder_.createFor(bounds[0], bounds[1], bounds[2], op.predicate, true, slots.inits);
  to_.body().op(fresh).postTest = op.postTest;
  RegionId body = to_.body().op(fresh).regions[0];
  Values inner = declareSlots(slots, body, 1);
  ValueId counter = to_.body().region(body).args[0];
  set(args[0], counter);
  for (size_t k = 1; k < args.size(); ++k)
    set(args[k], inner[slots.slot(k)]);
  {
    KernelBuilder::Scope scope(to_, body);
    MaskScope mask(*this, inner[0]);
    lowerRegion(op.regions[0]);
    Values yields = mapAll(from_.terminator(op.regions[0]).operands);
    Values next(slots.inits.size() + 1);
    ValueId stays = to_.logicalAnd(inner[0], yields[0]);
    next[0] = to_.anyLane(stays);
    next[1] = stays;
    llvm::MutableArrayRef<ValueId> carried = llvm::MutableArrayRef(next).drop_front();
    if (unsigned exit = slots.exitSlot(0)) {
      ValueId leaving = to_.logicalAnd(inner[0], to_.logicalNot(yields[0]));
      carried[exit] = to_.blend(leaving, counter, inner[exit]);
    }
    for (size_t k = 1; k < args.size(); ++k)
      carryOn(slots, k, yields[k], inner, carried);
    builder_.yield(next);
  }
  auto results = to_.body().op(fresh).results;
  to_.setVarying(results[0], false);
  for (unsigned s = 0; s < slots.inits.size(); ++s)
    to_.setVarying(results[s + 1], slots.varies[s]);
  if (unsigned exit = slots.exitSlot(0)) // lanes that ran to the end have the final counter
    set(op.results[0], to_.blend(results[1], results[0], results[exit + 1]));
  for (size_t k = 1; k < args.size(); ++k)
    set(op.results[k], results[slots.resultSlot(k) + 1]);
}

void Predicator::lowerDivergentLoop(const Op &op) {
  const auto args = from_.region(op.regions[0]).args, body = from_.region(op.regions[1]).args;
  Values old = mapAll(op.operands);
  CarriedSlots slots(activeLanes());
  for (size_t k = 0; k < old.size(); ++k)
    slots.add(old[k], argVaries(args[k], old[k]) || uniformity_.varying[body[k].index],
              leaving_.isRead(op.results[k]));
  for (size_t k = 0; k < old.size(); ++k)
    if (slots.varies[slots.slot(k)] && !uniformity_.varying[body[k].index])
      slots.addBody(k, to_.constant({from_.value(args[k]).type, 0})); // never read
  OpId fresh = builder_.createLoop(slots.inits);
  auto regions = to_.body().op(fresh).regions;
  for (unsigned part = 0; part < 2; ++part) {
    KernelBuilder::Scope scope(to_, regions[part]);
    Values inner = declareSlots(slots, regions[part], 0);
    for (size_t k = 0; k < old.size(); ++k)
      set(from_.region(op.regions[part]).args[k],
          inner[part == 1 ? slots.bodySlot(k) : slots.slot(k)]);
    MaskScope mask(*this, inner[0]);
    lowerRegion(op.regions[part]);
    Values end = mapAll(from_.terminator(op.regions[part]).operands);
    Values next(slots.inits.size());
    next[0] = to_.logicalAnd(inner[0], end[0]);
    for (size_t k = 0; k < old.size(); ++k) {
      carryOn(slots, k, end[k + 1], inner, next);
      if (const unsigned own = slots.bodySlot(k); own != slots.slot(k))
        next[own] = part == 0 ? end[k + 1] : inner[own];
    }
    ValueId any = to_.anyLane(next[0]);
    if (part == 0) {
      builder_.test(any, next);
    } else {
      next.insert(next.begin(), any);
      builder_.yield(next);
    }
  }
  auto results = to_.body().op(fresh).results;
  for (unsigned s = 0; s < slots.inits.size(); ++s)
    to_.setVarying(results[s], slots.varies[s]);
  for (size_t k = 0; k < old.size(); ++k)
    set(op.results[k], results[slots.resultSlot(k)]);
}

/// A counted loop whose bounds differ between lanes: the counter is a carried
/// value, the test a mask.
void Predicator::lowerVaryingFor(const Op &op) {
  const auto args = from_.region(op.regions[0]).args;
  Values operands = mapAll(op.operands);
  ValueId high = operands[1], step = operands[2];
  Values inits = {activeLanes(), to_.truth(op.postTest), operands[0]};
  for (ValueId init : llvm::drop_begin(operands, 3))
    inits.push_back(init);
  OpId fresh = builder_.createLoop(inits);
  auto regions = to_.body().op(fresh).regions;
  for (RegionId region : regions)
    for (unsigned s = 0; s < inits.size(); ++s)
      to_.setVarying(to_.body().region(region).args[s], s != 1);
  auto binary = [&](Opcode opcode, ValueId a, ValueId b, ScalarType type) {
    Op fresh;
    fresh.opcode = opcode;
    fresh.operands = {a, b};
    return to_.pure(fresh, type);
  };
  {
    KernelBuilder::Scope scope(to_, regions[0]);
    Values next(to_.body().region(regions[0]).args.begin(),
                to_.body().region(regions[0]).args.end());
    ValueId runs = binary(comparisonOf(op.predicate), next[2], high, ScalarType::Bool);
    next[0] = to_.logicalAnd(next[0], to_.logicalOr(next[1], runs));
    next[1] = to_.truth(false);
    builder_.test(to_.anyLane(next[0]), next);
  }
  {
    KernelBuilder::Scope scope(to_, regions[1]);
    Values inner(to_.body().region(regions[1]).args.begin(),
                 to_.body().region(regions[1]).args.end());
    for (size_t k = 0; k < args.size(); ++k)
      set(args[k], inner[k + 2]);
    MaskScope mask(*this, inner[0]);
    lowerRegion(op.regions[0]);
    Values end = mapAll(from_.terminator(op.regions[0]).operands);
    ValueId stays = op.hasContinueFlag ? to_.logicalAnd(inner[0], end[0]) : inner[0];
    Values next = {to_.anyLane(stays), stays, inner[1]};
    ValueId stepped = binary(Opcode::Add, inner[2], step, to_.body().value(inner[2]).type);
    next.push_back(to_.blend(stays, stepped, inner[2]));
    for (size_t k = 1; k < args.size(); ++k)
      next.push_back(to_.blend(inner[0], end[k - 1 + op.hasContinueFlag], inner[k + 2]));
    builder_.yield(next);
  }
  auto results = to_.body().op(fresh).results;
  for (unsigned s = 0; s < inits.size(); ++s)
    to_.setVarying(results[s], s != 1);
  for (size_t k = 0; k < args.size(); ++k)
    set(op.results[k], results[k + 2]);
}
