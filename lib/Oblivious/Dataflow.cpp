//===- Dataflow.cpp - Transfer functions and the re-convergence rule ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Dataflow.h"

#include <algorithm>

namespace colonnade {

using ir::Op;
using ir::Opcode;

static bool isTracked(const ir::Array &array) { return array.role == ir::ArrayRole::Local; }

/// Has a name from the source, not one like "%ret".
static bool isNamed(const ir::Value &value) { return !value.name.empty() && value.name[0] != '%'; }

static bool isSingleCell(const ir::Array &array) {
  return std::all_of(array.extents.begin(), array.extents.end(),
                     [](const SizeExpr &e) { return e.isConstant(1); });
}

Dataflow::Dataflow(const ir::Function &function)
    : function_(function), regionOf_(function.ops.size()), storesIn_(function.regions.size()),
      strict_(function.arrays.size()) {
  collectStores(function.body);
}

void Dataflow::run() {
  // An array that some load reads per lane has one copy per lane; then a masked
  // store leaves the other lanes' copies behind, and a later load that is
  // uniform in the active lanes could not read just any lane. Such arrays are
  // analysed again with masked stores taken as varying at once.
  while (true) {
    runOnce();
    bool changed = false;
    for (size_t a = 0; a < strict_.size(); ++a)
      if (!strict_[a] && needsLanes_[a] && maskedStore_[a] && uniformLoad_[a])
        strict_[a] = changed = true;
    if (!changed)
      return;
  }
}

void Dataflow::runOnce() {
  origins_ = Origins();
  values_.assign(function_.values.size(), {});
  divergence_.assign(function_.ops.size(), {});
  heads_.assign(function_.ops.size(), {});
  state_.assign(function_.arrays.size(), {});
  needsLanes_.assign(function_.arrays.size(), false);
  maskedStore_ = uniformLoad_ = needsLanes_;
  unwritten_.assign(function_.ops.size(), false);
  for (size_t a = 0; a < function_.arrays.size(); ++a)
    if (!isTracked(function_.arrays[a]))
      needsLanes_[a] = function_.arrays[a].role != ir::ArrayRole::Table &&
                       function_.arrays[a].sharing == ir::Sharing::Instance;
  visitRegion(function_.body);
}

void Dataflow::collectStores(RegionId region) {
  std::vector<ArrayId> stores;
  for (OpId id : function_.region(region).ops) {
    const Op &op = function_.op(id);
    regionOf_[id.index] = region;
    if (op.opcode == Opcode::Store && isTracked(function_.array(op.array)))
      stores.push_back(op.array);
    for (RegionId nested : op.regions) {
      collectStores(nested);
      stores.insert(stores.end(), storesIn_[nested.index].begin(), storesIn_[nested.index].end());
    }
  }
  std::sort(stores.begin(), stores.end());
  stores.erase(std::unique(stores.begin(), stores.end()), stores.end());
  storesIn_[region.index] = std::move(stores);
}

//===----------------------------------------------------------------------===//
// Re-convergence
//===----------------------------------------------------------------------===//

/// Lanes that did not execute `region` (or left it earlier) are active again:
/// local arrays written there since the lanes parted differ between lanes now.
/// SSA values of the region are not visible outside; those that leave it do so
/// as results, see afterDivergence.
void Dataflow::reconverge(OpId id, RegionId region, Fact why) {
  for (ArrayId array : storesIn_[region.index]) {
    Fact under = origins_.extend(why, StepKind::StoredUnder, array.index, function_.op(id).loc);
    state_[array.index].fact = origins_.join(state_[array.index].fact, under);
  }
}

/// A value that leaves a divergent construct.
Fact Dataflow::afterDivergence(ValueId result, Fact fact, Fact why, StepKind kind, LocId loc) {
  if (isNamed(function_.value(result)))
    why = origins_.extend(why, kind, result.index, loc);
  return origins_.join(fact, why);
}

/// Where an arm computes what it yields; the If itself if nowhere in the arm.
LocId Dataflow::choiceLoc(OpId id, ValueId a, ValueId b) const {
  for (ValueId v : {a, b}) {
    OpId def = function_.value(v).def;
    if (!def || !function_.op(def).loc)
      continue;
    for (RegionId arm : function_.op(id).regions)
      if (regionOf_[def.index] == arm)
        return function_.op(def).loc;
  }
  return function_.op(id).loc;
}

Fact Dataflow::mask() {
  Fact all;
  for (Fact f : masks_)
    all = origins_.join(all, f);
  return all;
}

//===----------------------------------------------------------------------===//
// Small helpers
//===----------------------------------------------------------------------===//

void Dataflow::define(OpId id, unsigned result, Fact fact) {
  ValueId value = function_.op(id).results[result];
  if (isNamed(function_.value(value)))
    fact = origins_.extend(fact, StepKind::Assigned, value.index, function_.op(id).loc);
  raise(value, fact);
}

/// Joins `fact` into `old`; true if that brought new origins. Facts only grow,
/// so that loops reach a fixpoint; the first path found is kept.
bool Dataflow::raise(Fact &old, Fact fact) {
  Fact joined = origins_.join(old, fact);
  if (origins_.sameOrigins(old, joined))
    return false;
  old = joined;
  return true;
}

bool Dataflow::raise(State &head, const State &state) {
  if (head.size() != state.size()) { // not visited yet
    head = state;
    return true;
  }
  bool changed = false;
  for (size_t a = 0; a < head.size(); ++a) {
    Fact joined = origins_.join(head[a].fact, state[a].fact);
    if (!origins_.sameOrigins(head[a].fact, joined)) {
      head[a].fact = joined;
      changed = true;
    }
    if (state[a].written && !head[a].written)
      head[a].written = changed = true;
  }
  return changed;
}

Dataflow::State Dataflow::joined(const State &a, const State &b) {
  State result = a;
  for (size_t i = 0; i < a.size(); ++i) {
    result[i].fact = origins_.join(a[i].fact, b[i].fact);
    result[i].written = a[i].written || b[i].written;
  }
  return result;
}

Fact Dataflow::joinAll(llvm::ArrayRef<ValueId> values) {
  Fact all;
  for (ValueId v : values)
    all = origins_.join(all, fact(v));
  return all;
}

//===----------------------------------------------------------------------===//
// Transfer functions
//===----------------------------------------------------------------------===//

void Dataflow::visitRegion(RegionId region) {
  for (OpId id : function_.region(region).ops)
    visit(id);
}

void Dataflow::visit(OpId id) {
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::If:
    return visitIf(id);
  case Opcode::For:
    return visitFor(id);
  case Opcode::Loop:
    return visitLoop(id);
  case Opcode::Load:
    return visitLoad(id);
  case Opcode::Store:
    return visitStore(id);
  case Opcode::Undef:
    return define(id, 0, origins_.source(id, StepKind::Undefined, op.loc, Indeterminate));
  case Opcode::Unsupported:
    if (!op.results.empty())
      define(id, 0, origins_.source(id, StepKind::Opaque, op.loc, OpaqueResult));
    return;
  default:
    // Pure scalars: the result depends on the operands and nothing else.
    for (unsigned r = 0; r < op.results.size(); ++r)
      define(id, r, joinAll(op.operands));
  }
}

Fact Dataflow::loadFact(OpId id) {
  const Op &op = function_.op(id);
  const ir::Array &array = function_.array(op.array);
  Fact address = joinAll(op.operands);
  if (isTracked(array)) {
    ArrayState &state = state_[op.array.index];
    if (!state.written) {
      unwritten_[id.index] = true;
      return origins_.join(address,
                           origins_.source(id, StepKind::Undefined, op.loc, Indeterminate));
    }
    unwritten_[id.index] = false;
    return origins_.join(address,
                         origins_.extend(state.fact, StepKind::Read, op.array.index, op.loc));
  }
  if (!needsLanes_[op.array.index])
    return address;
  bool constantAddress =
      llvm::all_of(op.operands, [&](ValueId v) { return function_.constant(v) != nullptr; });
  // An instance scalar is not declarable: it is uniform unless the user says
  // otherwise, so this one was declared to be instance data.
  bool declarable = array.role == ir::ArrayRole::Parameter && !array.writes && constantAddress;
  return origins_.join(address, origins_.source(id, StepKind::Source, op.loc,
                                                declarable ? DeclarableCell : PlainData));
}

void Dataflow::visitLoad(OpId id) {
  const Op &op = function_.op(id);
  Fact fact = loadFact(id);
  if (isTracked(function_.array(op.array))) {
    if (fact.uniform())
      uniformLoad_[op.array.index] = true;
    else
      needsLanes_[op.array.index] = true;
  }
  define(id, 0, fact);
}

void Dataflow::visitStore(OpId id) {
  const Op &op = function_.op(id);
  const ir::Array &array = function_.array(op.array);
  if (!isTracked(array))
    return;
  ir::AccessOperands access = ir::accessOperands(op);
  Fact address = origins_.join(joinAll(access.subscripts), joinAll(access.radices));
  Fact stored = origins_.extend(fact(access.stored), StepKind::Stored, op.array.index, op.loc);
  stored =
      origins_.join(stored, origins_.extend(address, StepKind::StoredAt, op.array.index, op.loc));
  Fact masked = mask();
  if (!masked.uniform())
    maskedStore_[op.array.index] = true;
  bool strict = strict_[op.array.index] && !masked.uniform();
  if (strict)
    stored = origins_.join(stored,
                           origins_.extend(masked, StepKind::StoredUnder, op.array.index, op.loc));
  if (!stored.uniform())
    needsLanes_[op.array.index] = true;

  ArrayState &state = state_[op.array.index];
  state.written = true;
  // Only a store to the one cell of an array replaces all of its contents.
  state.fact = isSingleCell(array) && !strict ? stored : origins_.join(state.fact, stored);
}

void Dataflow::visitIf(OpId id) {
  const Op &op = function_.op(id);
  Fact why = origins_.extend(fact(op.operands[0]), StepKind::Condition, id.index, op.loc);
  bool divergent = !why.uniform();
  divergence_[id.index] = why;
  RegionId thenRegion = op.regions[0], elseRegion = op.regions[1];
  if (divergent) {
    // The arms follow each other: what the first one wrote is varying already
    // where the second one starts.
    masks_.push_back(why);
    visitRegion(thenRegion);
    reconverge(id, thenRegion, why);
    visitRegion(elseRegion);
    reconverge(id, elseRegion, why);
    masks_.pop_back();
  } else {
    State before = state_;
    visitRegion(thenRegion);
    std::swap(before, state_);
    visitRegion(elseRegion);
    state_ = joined(before, state_);
  }
  const Op &thenYield = function_.terminator(thenRegion);
  const Op &elseYield = function_.terminator(elseRegion);
  for (unsigned r = 0; r < op.results.size(); ++r) {
    ValueId a = thenYield.operands[r], b = elseYield.operands[r];
    Fact result = origins_.join(fact(a), fact(b));
    // One id on both sides is visible in both: it comes from outside.
    if (divergent && a != b)
      result = afterDivergence(op.results[r], result, why, StepKind::Chosen, choiceLoc(id, a, b));
    raise(op.results[r], result);
  }
}

/// What a loop stores may have been stored in an earlier round.
void Dataflow::markWritten(RegionId region) {
  for (ArrayId array : storesIn_[region.index])
    state_[array.index].written = true;
}

void Dataflow::visitFor(OpId id) {
  const Op &op = function_.op(id);
  RegionId body = op.regions[0];
  const std::vector<ValueId> args(function_.region(body).args.begin(),
                                  function_.region(body).args.end());
  llvm::ArrayRef<ValueId> inits = llvm::ArrayRef(op.operands).drop_front(3);
  Fact bounds = joinAll(llvm::ArrayRef(op.operands).take_front(3));
  // Rounds are taken in step by the active lanes: the counter is as uniform as
  // its start and step; a varying bound makes lanes leave early.
  Fact counter = origins_.join(fact(op.operands[0]), fact(op.operands[2]));
  State &head = heads_[id.index];

  bool again = true;
  markWritten(body);
  raise(head, state_);
  raise(args[0], counter);
  for (size_t k = 0; k < inits.size(); ++k)
    raise(args[k + 1], fact(inits[k]));
  while (again) {
    state_ = head;
    masks_.push_back(divergence_[id.index]);
    visitRegion(body);
    masks_.pop_back();
    llvm::ArrayRef<ValueId> yields = function_.terminator(body).operands;
    Fact exit = bounds;
    if (op.hasGo) {
      exit = origins_.join(exit, fact(yields[0]));
      yields = yields.drop_front();
    }
    exit = origins_.extend(exit, StepKind::Exit, id.index, op.loc);
    again = raise(divergence_[id.index], exit);
    again = raise(head, state_) || again;
    for (size_t k = 0; k < inits.size(); ++k)
      again = raise(args[k + 1], fact(yields[k])) || again;
  }
  state_ = head; // holds the state before the first and after every round

  Fact why = divergence_[id.index];
  bool divergent = !why.uniform();
  if (divergent)
    reconverge(id, body, why);
  llvm::ArrayRef<ValueId> yields = function_.terminator(body).operands;
  if (op.hasGo)
    yields = yields.drop_front();
  for (unsigned r = 0; r < op.results.size(); ++r) {
    bool invariant = r > 0 && (yields[r - 1] == args[r] || yields[r - 1] == inits[r - 1]);
    Fact result = r == 0 ? bounds : fact(args[r]);
    if (divergent && !invariant)
      result = afterDivergence(op.results[r], result, why, StepKind::LeftOver, op.loc);
    raise(op.results[r], result);
  }
}

void Dataflow::visitLoop(OpId id) {
  const Op &op = function_.op(id);
  RegionId before = op.regions[0], body = op.regions[1];
  const auto args = function_.region(before).args;
  const auto bodyArgs = function_.region(body).args;
  State &head = heads_[id.index];

  markWritten(before);
  markWritten(body);
  raise(head, state_);
  for (size_t k = 0; k < args.size(); ++k)
    raise(args[k], fact(op.operands[k]));
  State tested;
  for (bool again = true; again;) {
    state_ = head;
    masks_.push_back(divergence_[id.index]);
    visitRegion(before);
    const Op &test = function_.terminator(before);
    for (size_t k = 0; k < bodyArgs.size(); ++k)
      raise(bodyArgs[k], fact(test.operands[k + 1]));
    tested = state_;
    visitRegion(body);
    masks_.pop_back();
    const Op &yield = function_.terminator(body);
    Fact exit = origins_.join(fact(test.operands[0]), fact(yield.operands[0]));
    exit = origins_.extend(exit, StepKind::Exit, id.index, op.loc);
    again = raise(divergence_[id.index], exit);
    again = raise(head, state_) || again;
    for (size_t k = 0; k < args.size(); ++k)
      again = raise(args[k], fact(yield.operands[k + 1])) || again;
  }
  state_ = joined(tested, state_);

  Fact why = divergence_[id.index];
  bool divergent = !why.uniform();
  if (divergent) {
    reconverge(id, before, why);
    reconverge(id, body, why);
  }
  const Op &test = function_.terminator(before), &yield = function_.terminator(body);
  for (unsigned r = 0; r < op.results.size(); ++r) {
    ValueId forwarded = test.operands[r + 1], next = yield.operands[r + 1];
    bool invariant = forwarded == args[r] && next == bodyArgs[r];
    Fact result = origins_.join(fact(forwarded), fact(next));
    if (divergent && !invariant)
      result = afterDivergence(op.results[r], result, why, StepKind::LeftOver, op.loc);
    raise(op.results[r], result);
  }
}

} // namespace colonnade
