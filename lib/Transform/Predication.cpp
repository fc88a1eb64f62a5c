//===- Predication.cpp - Divergent control becomes masks -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Transform/Predication.h"

#include "Transform/ArmCost.h"
#include "Transform/KernelBuilder.h"

#include "IR/Clone.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class Predicator {
public:
  Predicator(const Function &from, const UniformityFacts &facts, Kernel &kernel)
      : from_(from), facts_(facts), to_(kernel), builder_(to_.raw()),
        cloner_(from, builder_), uses_(from.values.size()) {}

  void run();

private:
  using Values = llvm::SmallVector<ValueId, 4>;

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
  void lowerRegion(RegionId region); // all but the terminator

  Op accessOp(const Op &op, bool isStore);
  void makeOperandsSafe(Op &op, ScalarType resultType);
  bool used(ValueId old) const { return uses_[old.index] > 0; }
  bool argVaries(ValueId old, ValueId init) const {
    return facts_.varying[old.index] || (init && to_.varying(init));
  }
  ValueId map(ValueId old) const { return cloner_.map(old); }
  void set(ValueId old, ValueId fresh);
  Values mapAll(llvm::ArrayRef<ValueId> old) const { return cloner_.map(old); }

  const Function &from_;
  const UniformityFacts &facts_;
  KernelBuilder to_;
  Builder &builder_;
  Cloner cloner_; // only its value map and copyShell
  std::vector<unsigned> uses_;
  ValueId mask_; // lanes active here; invalid: all
  CoveredCells covered_;

  friend class MaskScope;
};

class MaskScope {
public:
  MaskScope(Predicator &predicator, ValueId mask)
      : predicator_(predicator), before_(predicator.mask_),
        covered_(predicator.covered_.mark()) {
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

/// Values a divergent loop carries: which lanes are live, each carried value,
/// and for a value that is uniform inside but read after the loop, what it was
/// when each lane left.
struct CarriedValue {
  unsigned slot = 0;      // position among the kernel loop's carried values
  unsigned exitSlot = 0;  // 0: none
  bool keep = false;      // lanes that have left keep theirs
};

} // namespace

void Predicator::set(ValueId old, ValueId fresh) {
  cloner_.set(old, fresh);
  std::string &name = to_.body().value(fresh).name;
  if (name.empty() && !to_.body().constant(fresh))
    name = from_.value(old).name;
}

void Predicator::run() {
  for (const Op &op : from_.ops)
    for (ValueId operand : op.operands)
      ++uses_[operand.index];
  cloner_.copyShell();
  to_.syncSizes();
  lowerRegion(from_.body);
  lowerReturn(from_.terminator(from_.body));
  to_.syncSizes();
}

void Predicator::lowerRegion(RegionId region) {
  for (OpId id : llvm::drop_end(from_.region(region).ops))
    lower(from_.op(id));
}

void Predicator::lower(const Op &op) {
  builder_.setLoc(op.loc);
  switch (op.opcode) {
  case Opcode::Load:
    return lowerLoad(op);
  case Opcode::Store:
    return lowerStore(op);
  case Opcode::Check:
    return lowerCheck(op);
  case Opcode::If:
    return to_.varying(map(op.operands[0])) ? lowerDivergentIf(op) : lowerUniformIf(op);
  case Opcode::For:
    return lowerFor(op);
  case Opcode::Loop:
    return lowerLoop(op);
  default:
    return lowerPure(op);
  }
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

void Predicator::lowerPure(const Op &op) {
  if (op.opcode == Opcode::Unsupported) {
    Op copy = op;
    llvm::SmallVector<ScalarType, 1> types;
    for (ValueId result : op.results)
      types.push_back(from_.value(result).type);
    OpId fresh = builder_.append(std::move(copy), types);
    to_.syncSizes();
    for (auto [old, result] : llvm::zip(op.results, to_.body().op(fresh).results))
      set(old, result);
    return;
  }
  ScalarType type = from_.value(op.results[0]).type;
  if (op.opcode == Opcode::Constant)
    return set(op.results[0], to_.constant(op.scalar));
  if (op.opcode == Opcode::Undef) // any defined value will do
    return set(op.results[0], to_.constant({type, 0}));
  Op copy = op;
  copy.operands = mapAll(op.operands);
  if (op.opcode == Opcode::Select)
    return set(op.results[0], to_.blend(copy.operands[0], copy.operands[1], copy.operands[2]));
  makeOperandsSafe(copy, type);
  set(op.results[0], to_.pure(copy, type));
}

/// Lanes that are not active hold anything: keep them from trapping.
void Predicator::makeOperandsSafe(Op &op, ScalarType resultType) {
  if (!mask_ || !to_.anyVarying(op.operands))
    return;
  ValueId first = op.operands[0];
  ScalarType type = to_.body().value(first).type;
  auto safe = [&](unsigned i, uint64_t bits) {
    ValueId &operand = op.operands[i];
    operand = to_.blend(mask_, operand, to_.constant({to_.body().value(operand).type, bits}));
  };
  switch (op.opcode) {
  case Opcode::Div:
  case Opcode::Rem: {
    if (!isInteger(type))
      return;
    const Scalar *divisor = to_.body().constant(op.operands[1]);
    uint64_t minusOne = ~uint64_t(0) >> (64 - bitWidth(type));
    if (!divisor || divisor->bits == 0 || (isSigned(type) && divisor->bits == minusOne))
      safe(1, 1);
    return;
  }
  case Opcode::Shl:
  case Opcode::Shr:
    if (to_.varying(op.operands[1]))
      safe(1, 0);
    return;
  case Opcode::Cast:
    if (isFloat(type) && isInteger(resultType))
      safe(0, 0);
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Memory, facts
//===----------------------------------------------------------------------===//

Op Predicator::accessOp(const Op &op, bool isStore) {
  Op access = op;
  access.operands.clear();
  access.masked = mask_.valid();
  if (mask_)
    access.operands.push_back(mask_);
  access.operands.append(mapAll(op.operands));
  AccessOperands parts = accessOperands(access);
  covered_.add(op.array, parts.subscripts, parts.radices);
  return access;
}

void Predicator::lowerLoad(const Op &op) {
  Op access = accessOp(op, false);
  ValueId result = builder_.result(builder_.append(std::move(access), from_.array(op.array).cell));
  const Array &array = from_.array(op.array);
  bool perLane = array.role == ArrayRole::Local ? facts_.arrayVarying[op.array.index]
                                                : array.role != ArrayRole::Table &&
                                                      array.sharing == Sharing::Instance;
  to_.setVarying(result, perLane && facts_.varying[op.results[0].index]);
  set(op.results[0], result);
}

void Predicator::lowerStore(const Op &op) { builder_.append(accessOp(op, true), {}); }

void Predicator::lowerCheck(const Op &op) {
  Op check = op;
  ValueId condition = map(op.operands[0]);
  if (mask_)
    condition = to_.logicalOr(to_.logicalNot(mask_), condition);
  check.operands = {condition};
  builder_.append(std::move(check), {});
}

void Predicator::lowerReturn(const Op &op) {
  if (!op.operands.empty())
    for (size_t a = 0; a < from_.arrays.size(); ++a)
      if (from_.arrays[a].role == ArrayRole::Return)
        builder_.store(ArrayId(a), map(op.operands[0]),
                       to_.constant({ScalarType::S64, 0}));
  builder_.ret(std::nullopt);
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

void Predicator::lowerUniformIf(const Op &op) {
  llvm::SmallVector<ScalarType> types;
  for (ValueId result : op.results)
    types.push_back(from_.value(result).type);
  OpId fresh = builder_.createIf(map(op.operands[0]), types);
  to_.syncSizes();
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
  ArmCost cost(from_, arm, [&](ValueId old) {
    return cloner_.isMapped(old) ? map(old) : ValueId();
  }, to_, covered_);
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
  OpId guard = builder_.createIf(to_.anyLane(mask), types);
  to_.syncSizes();
  auto regions = to_.body().op(guard).regions;
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
    ValueId result = to_.body().op(guard).results[k];
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
  for (size_t i = 0; i < op.results.size(); ++i)
    set(op.results[i], to_.blend(condition, taken[i], other[i]));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void Predicator::lowerFor(const Op &op) {
  Values bounds = mapAll(llvm::ArrayRef(op.operands).take_front(3));
  if (to_.anyVarying(bounds))
    return lowerVaryingFor(op);
  const auto &args = from_.region(op.regions[0]).args;
  if (op.hasGo && facts_.varying[from_.terminator(op.regions[0]).operands[0].index])
    return lowerExitingFor(op);
  Values inits = mapAll(llvm::ArrayRef(op.operands).drop_front(3));
  OpId fresh = builder_.createFor(bounds[0], bounds[1], bounds[2], op.predicate, op.hasGo, inits);
  to_.syncSizes();
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

/// A counted loop that lanes leave at different rounds: runs while any is live.
void Predicator::lowerExitingFor(const Op &op) {
  const auto args = from_.region(op.regions[0]).args;
  Values bounds = mapAll(llvm::ArrayRef(op.operands).take_front(3));
  Values old = mapAll(llvm::ArrayRef(op.operands).drop_front(3));
  Values inits = {mask_ ? mask_ : to_.truth(true)};
  llvm::SmallVector<bool> varies = {true};
  llvm::SmallVector<CarriedValue> carried(args.size());
  for (size_t k = 0; k < args.size(); ++k) { // k = 0: the counter
    ValueId init = k ? old[k - 1] : bounds[0];
    bool argVarying = k && argVaries(args[k], init);
    if (k) {
      carried[k].slot = inits.size();
      inits.push_back(init);
      varies.push_back(argVarying);
    }
    carried[k].keep = used(op.results[k]);
    if (carried[k].keep && !argVarying) {
      carried[k].exitSlot = inits.size();
      inits.push_back(init);
      varies.push_back(true);
    }
  }
  OpId fresh = builder_.createFor(bounds[0], bounds[1], bounds[2], op.predicate, true, inits);
  to_.syncSizes();
  to_.body().op(fresh).postTest = op.postTest;
  RegionId body = to_.body().op(fresh).regions[0];
  auto inner = [&](unsigned slot) { return to_.body().region(body).args[slot + 1]; };
  for (unsigned s = 0; s < inits.size(); ++s)
    to_.setVarying(inner(s), varies[s]);
  to_.body().value(inner(0)).name = "live";
  set(args[0], to_.body().region(body).args[0]);
  for (size_t k = 1; k < args.size(); ++k)
    set(args[k], inner(carried[k].slot));
  {
    KernelBuilder::Scope scope(to_, body);
    MaskScope mask(*this, inner(0));
    lowerRegion(op.regions[0]);
    Values yields = mapAll(from_.terminator(op.regions[0]).operands);
    Values next(inits.size() + 1);
    ValueId live = inner(0), stays = to_.logicalAnd(live, yields[0]);
    next[0] = to_.anyLane(stays);
    next[1] = stays;
    for (size_t k = 0; k < args.size(); ++k) {
      if (k == 0 && carried[0].exitSlot) {
        ValueId leaving = to_.logicalAnd(live, to_.logicalNot(yields[0]));
        ValueId exit = inner(carried[0].exitSlot);
        next[carried[0].exitSlot + 1] =
            to_.blend(leaving, to_.body().region(body).args[0], exit);
      } else if (k) {
        const CarriedValue &value = carried[k];
        bool blends = value.keep && !value.exitSlot;
        next[value.slot + 1] =
            blends ? to_.blend(live, yields[k], inner(value.slot)) : yields[k];
        if (value.exitSlot)
          next[value.exitSlot + 1] = to_.blend(live, yields[k], inner(value.exitSlot));
      }
    }
    builder_.yield(next);
  }
  auto results = to_.body().op(fresh).results;
  to_.setVarying(results[0], false);
  for (unsigned s = 0; s < inits.size(); ++s)
    to_.setVarying(results[s + 1], varies[s]);
  for (size_t k = 0; k < args.size(); ++k) {
    unsigned slot = carried[k].exitSlot ? carried[k].exitSlot : carried[k].slot;
    if (k)
      set(op.results[k], results[slot + 1]);
    else if (carried[0].keep) // lanes that ran to the end have the final counter
      set(op.results[0], to_.blend(results[1], results[0], results[slot + 1]));
  }
}

void Predicator::lowerLoop(const Op &op) {
  const Op &test = from_.terminator(op.regions[0]), &yield = from_.terminator(op.regions[1]);
  if (facts_.varying[test.operands[0].index] || facts_.varying[yield.operands[0].index])
    return lowerDivergentLoop(op);
  Values inits = mapAll(op.operands);
  OpId fresh = builder_.createLoop(inits);
  to_.syncSizes();
  auto regions = to_.body().op(fresh).regions;
  for (unsigned part = 0; part < 2; ++part) {
    const auto args = from_.region(op.regions[part]).args;
    for (size_t k = 0; k < args.size(); ++k) {
      ValueId arg = to_.body().region(regions[part]).args[k];
      bool varies = argVaries(from_.region(op.regions[0]).args[k], inits[k]) ||
                    facts_.varying[from_.region(op.regions[1]).args[k].index];
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

void Predicator::lowerDivergentLoop(const Op &op) {
  Values old = mapAll(op.operands);
  Values inits = {mask_ ? mask_ : to_.truth(true)};
  llvm::SmallVector<bool> varies = {true};
  llvm::SmallVector<CarriedValue> carried(old.size());
  for (size_t k = 0; k < old.size(); ++k) {
    bool argVarying = argVaries(from_.region(op.regions[0]).args[k], old[k]) ||
                      facts_.varying[from_.region(op.regions[1]).args[k].index];
    carried[k].slot = inits.size();
    inits.push_back(old[k]);
    varies.push_back(argVarying);
    carried[k].keep = used(op.results[k]);
    if (carried[k].keep && !argVarying) {
      carried[k].exitSlot = inits.size();
      inits.push_back(old[k]);
      varies.push_back(true);
    }
  }
  OpId fresh = builder_.createLoop(inits);
  to_.syncSizes();
  auto regions = to_.body().op(fresh).regions;
  for (unsigned part = 0; part < 2; ++part) {
    KernelBuilder::Scope scope(to_, regions[part]);
    auto inner = [&](unsigned slot) { return to_.body().region(regions[part]).args[slot]; };
    for (unsigned s = 0; s < inits.size(); ++s)
      to_.setVarying(inner(s), varies[s]);
    to_.body().value(inner(0)).name = "live";
    for (size_t k = 0; k < old.size(); ++k)
      set(from_.region(op.regions[part]).args[k], inner(carried[k].slot));
    MaskScope mask(*this, inner(0));
    lowerRegion(op.regions[part]);
    Values end = mapAll(from_.terminator(op.regions[part]).operands);
    Values next(inits.size());
    next[0] = to_.logicalAnd(inner(0), end[0]);
    for (size_t k = 0; k < old.size(); ++k) {
      const CarriedValue &value = carried[k];
      bool blends = value.keep && !value.exitSlot;
      next[value.slot] =
          blends ? to_.blend(inner(0), end[k + 1], inner(value.slot)) : end[k + 1];
      if (value.exitSlot)
        next[value.exitSlot] = to_.blend(inner(0), end[k + 1], inner(value.exitSlot));
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
  for (unsigned s = 0; s < inits.size(); ++s)
    to_.setVarying(results[s], varies[s]);
  for (size_t k = 0; k < old.size(); ++k)
    set(op.results[k], results[carried[k].exitSlot ? carried[k].exitSlot : carried[k].slot]);
}

/// A counted loop whose bounds differ between lanes: the counter is a carried
/// value, the test a mask.
void Predicator::lowerVaryingFor(const Op &op) {
  const auto args = from_.region(op.regions[0]).args;
  Values operands = mapAll(op.operands);
  ValueId high = operands[1], step = operands[2];
  Values inits = {mask_ ? mask_ : to_.truth(true), to_.truth(op.postTest), operands[0]};
  for (ValueId init : llvm::drop_begin(operands, 3))
    inits.push_back(init);
  OpId fresh = builder_.createLoop(inits);
  to_.syncSizes();
  auto regions = to_.body().op(fresh).regions;
  for (RegionId region : regions)
    for (unsigned s = 0; s < inits.size(); ++s)
      to_.setVarying(to_.body().region(region).args[s], s != 1);
  static const Opcode tests[] = {Opcode::Lt, Opcode::Le, Opcode::Gt, Opcode::Ge, Opcode::Ne};
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
    ValueId runs = binary(tests[size_t(op.predicate)], next[2], high, ScalarType::Bool);
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
    ValueId stays = op.hasGo ? to_.logicalAnd(inner[0], end[0]) : inner[0];
    Values next = {to_.anyLane(stays), stays, inner[1]};
    ValueId stepped = binary(Opcode::Add, inner[2], step, to_.body().value(inner[2]).type);
    next.push_back(to_.blend(stays, stepped, inner[2]));
    for (size_t k = 1; k < args.size(); ++k)
      next.push_back(to_.blend(inner[0], end[k - 1 + op.hasGo], inner[k + 2]));
    builder_.yield(next);
  }
  auto results = to_.body().op(fresh).results;
  for (unsigned s = 0; s < inits.size(); ++s)
    to_.setVarying(results[s], s != 1);
  for (size_t k = 0; k < args.size(); ++k)
    set(op.results[k], results[k + 2]);
}

void colonnade::predicate(const Function &function, const UniformityFacts &facts,
                          Kernel &kernel) {
  Predicator(function, facts, kernel).run();
}
