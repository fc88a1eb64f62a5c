//===- CarriedLoops.cpp - Loops, and the variables carried around them ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/CarriedLoops.h"

namespace colonnade::canonical {

void CarriedLoops::loop(LoopPlan &plan, WalkPart walk, const std::optional<LoopBound> &bound) {
  LocId loc = fold_.loc();
  Folder::Position start = fold_.position();
  while (true) {
    fold_.setLoc(loc);
    bool once = plan.once == LoopPlan::Once::Expected;
    if (once ? attemptOnce(walk)
             : (bound ? attemptBounded(plan, walk, *bound) : attemptLoop(plan, walk)))
      return;
    if (once)
      plan.once = LoopPlan::Once::Refuted; // it stays a loop, so the attempts end
    fold_.rollback(start);
  }
}

/// do { … } while (0): the body alone. False: it may run another number of times.
bool CarriedLoops::attemptOnce(WalkPart walk) {
  Slots::Mark mark = slots_.mark();
  size_t conditionMark = fold_.conditionMark();
  if (fold_.known(walk(Part::Test)) == true && fold_.known(walk(Part::Body)) == false) {
    fold_.account().add(Deed::Once);
    return true;
  }
  slots_.undo(mark);
  fold_.forgetSince(conditionMark);
  return false;
}

CarriedLoops::Attempt CarriedLoops::start(LoopPlan &plan) {
  for (auto &[slot, shape] : plan.carried)
    if (slots_[slot].isPointer())
      joins_.enterLoop(shape, slots_[slot].value);
  return {plan, plan.carried, fold_.loc(), slots_.mark(), fold_.conditionMark(), fold_.depth()};
}

llvm::SmallVector<ValueId, 8> CarriedLoops::encode(const Carried &carried) {
  llvm::SmallVector<ValueId, 8> values;
  for (auto &[slot, shape] : carried)
    if (slots_[slot].isPointer())
      joins_.encode(shape, slots_[slot].value, values);
    else
      values.push_back(slots_.scalar(slot, slots_[slot].value));
  return values;
}

void CarriedLoops::decode(const Carried &carried, llvm::ArrayRef<ValueId> from) {
  for (auto &each : carried) {
    auto &[slot, shape] = each;
    size_t count = valueCount(each);
    slots_.write(slot, slots_[slot].isPointer() ? joins_.decode(shape, from.take_front(count))
                                                : AbstractValue{from[0]});
    from = from.drop_front(count);
  }
}

void CarriedLoops::name(const Carried &carried, llvm::ArrayRef<ValueId> values) {
  size_t next = 0;
  for (auto &each : carried)
    for (size_t count = valueCount(each); count; --count)
      fold_.suggestName(values[next++], slots_[each.first].name);
}

/// Adds what the loop wrote in this attempt to the plan. True: it was there.
bool CarriedLoops::grow(Attempt &attempt) {
  bool held = true;
  for (auto &[slot, v] : slots_.writtenSince(attempt.mark)) {
    auto [it, isNew] = attempt.plan.carried.try_emplace(slot);
    held &= !isNew;
    if (slots_[slot].isPointer())
      held &= !joins_.join(it->second, v, attempt.depth);
  }
  return held;
}

/// Walks one region of the loop, from the carried values `args` to its terminator.
ValueId CarriedLoops::walkRegion(Attempt &attempt, RegionId region, llvm::ArrayRef<ValueId> args,
                                 Opcode terminator, llvm::function_ref<ValueId()> body) {
  fold_.enter(region);
  decode(attempt.carried, args);
  ValueId cond = body();
  attempt.held &= grow(attempt);
  ir::Op end;
  end.opcode = terminator;
  end.operands = {cond};
  end.operands.append(encode(attempt.carried));
  fold_.setLoc(attempt.loc);
  fold_.append(std::move(end), {});
  slots_.undo(attempt.mark);
  fold_.forgetSince(attempt.conditionMark);
  fold_.leave();
  return cond;
}

bool CarriedLoops::attemptLoop(LoopPlan &plan, WalkPart walk) {
  Attempt attempt = start(plan);
  ir::Op loop;
  loop.opcode = Opcode::Loop;
  llvm::SmallVector<ScalarType, 8> types;
  for (ValueId init : encode(attempt.carried)) {
    loop.operands.push_back(init);
    types.push_back(fold_.typeOf(init));
  }
  RegionId regions[] = {fold_.createRegion(), fold_.createRegion()};
  loop.regions = {regions[0], regions[1]};
  std::vector<ValueId> args[2];
  for (unsigned part = 0; part < 2; ++part) {
    for (ScalarType type : types)
      args[part].push_back(fold_.addArg(regions[part], type, {}));
    name(attempt.carried, args[part]);
  }
  OpId id = fold_.append(std::move(loop), types);
  fold_.account().add(Deed::Kept, id);
  const std::vector<ValueId> results(fold_.out().op(id).results.begin(),
                                     fold_.out().op(id).results.end());
  name(attempt.carried, results);

  ValueId enters =
      walkRegion(attempt, regions[0], args[0], Opcode::Test, [&] { return walk(Part::Test); });
  ValueId repeats =
      walkRegion(attempt, regions[1], args[1], Opcode::Yield, [&] { return walk(Part::Body); });
  if (!attempt.held)
    return false;
  if (plan.once == LoopPlan::Once::Unknown && fold_.known(enters) == true &&
      fold_.known(repeats) == false) {
    plan.once = LoopPlan::Once::Expected;
    return false;
  }
  decode(attempt.carried, results);
  return true;
}

/// A loop whose iterations the user bounds: For over 0 … bound with a continue flag.
/// The condition is evaluated once more than the body at most, as the sequential
/// loop does; if it still holds then, the bound was false: a failed Check.
bool CarriedLoops::attemptBounded(LoopPlan &plan, WalkPart walk, const LoopBound &stated) {
  Attempt attempt = start(plan);
  ValueId zero = fold_.index(0);
  LoopBound bound = stated;
  bound.iterations =
      fold_.select(fold_.binary(Opcode::Gt, bound.iterations, zero), bound.iterations, zero);
  ir::Op loop;
  loop.opcode = Opcode::For;
  loop.predicate = ir::Predicate::Le;
  loop.hasContinueFlag = true;
  loop.operands = {zero, bound.iterations, fold_.index(1)};
  llvm::SmallVector<ScalarType, 8> types = {ScalarType::S64};
  for (ValueId init : encode(attempt.carried)) {
    loop.operands.push_back(init);
    types.push_back(fold_.typeOf(init));
  }
  RegionId body = fold_.createRegion();
  loop.regions = {body};
  std::vector<ValueId> args;
  for (ScalarType type : types)
    args.push_back(fold_.addArg(body, type, {}));
  llvm::ArrayRef<ValueId> carriedArgs = llvm::ArrayRef<ValueId>(args).drop_front();
  name(attempt.carried, carriedArgs);
  OpId id = fold_.append(std::move(loop), types);
  fold_.account().add(Deed::Kept, id);
  walkRegion(attempt, body, carriedArgs, Opcode::Yield,
             [&] { return walkBoundedIteration(walk, args[0], bound); });
  if (!attempt.held)
    return false;
  const std::vector<ValueId> results(fold_.out().op(id).results.begin() + 1,
                                     fold_.out().op(id).results.end());
  name(attempt.carried, results);
  decode(attempt.carried, results);
  return true;
}

/// Condition, check and body; the continue flag of the iteration.
ValueId CarriedLoops::walkBoundedIteration(WalkPart walk, ValueId iteration,
                                           const LoopBound &bound) {
  LocId loc = fold_.loc();
  ValueId cond = walk(Part::Test);
  fold_.setLoc(loc);
  ValueId last = fold_.binary(Opcode::Eq, iteration, bound.iterations);
  fold_.check(fold_.logicalNot(fold_.binary(Opcode::And, last, cond)),
              "the loop runs more than '" + bound.text + "' iterations" +
                  (bound.larger.empty() ? "" : ": state more, such as " + bound.larger));
  auto stop = [&]() -> AbstractValue { return {fold_.constantBool(false)}; };
  bool runs = false;
  auto runBody = [&]() -> AbstractValue {
    runs = true;
    return {walk(Part::Body)};
  };
  ValueId again =
      branches_.branch(cond, [&] { return branches_.branch(last, stop, runBody); }, stop).scalar;
  if (!runs)
    fold_.account().add(Deed::Skipped);
  return again;
}

} // namespace colonnade::canonical
