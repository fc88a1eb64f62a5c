//===- Branches.cpp - Ifs, and what variables are after them --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Branches.h"

namespace colonnade::canonical {

AbstractValue Branches::branch(ValueId cond, Body then, Body otherwise, BranchOn on) {
  cond = fold_.refine(cond);
  if (std::optional<bool> truth = fold_.known(cond)) {
    fold_.account().add(*truth ? Deed::Taken : Deed::NotTaken);
    return *truth ? then() : otherwise();
  }
  ir::Op op = ir::makeOp(Opcode::If, cond);
  op.choosesAddress = on == BranchOn::Address;
  RegionId regions[] = {fold_.createRegion(), fold_.createRegion()};
  op.regions = {regions[0], regions[1]};
  LocId loc = fold_.loc();
  If made;
  made.op = fold_.append(std::move(op), {});
  fold_.account().add(Deed::Kept, made.op);
  made.cond = cond;
  made.arms[0] = walkArm(regions[0], cond, true, then);
  fold_.setLoc(loc);
  made.arms[1] = walkArm(regions[1], cond, false, otherwise);
  fold_.setLoc(loc);
  std::vector<Join> joins = joinsOf(made);
  encode(made, joins);
  return finish(made, joins);
}

Branches::Arm Branches::walkArm(RegionId region, ValueId cond, bool truth, Body body) {
  Arm arm;
  arm.region = region;
  Slots::Mark mark = slots_.mark();
  size_t known = fold_.conditionMark();
  fold_.enter(region);
  fold_.assume(cond, truth);
  arm.result = body();
  arm.written = slots_.writtenSince(mark);
  slots_.undo(mark);
  fold_.forgetSince(known);
  fold_.leave();
  return arm;
}

/// What needs a value of the If. A slot with the same scalar on both sides is
/// written at once.
std::vector<Branches::Join> Branches::joinsOf(const If &branch) {
  Slots::Values written = branch.arms[0].written;
  written.insert(branch.arms[1].written.begin(), branch.arms[1].written.end());
  std::vector<Join> joins;
  for (auto &[id, ignored] : written) {
    const Slot &slot = slots_[id];
    Join join = {id, slot.type, slot.name, {slot.value, slot.value}, {}, {}};
    for (unsigned side = 0; side < 2; ++side)
      if (auto it = branch.arms[side].written.find(id); it != branch.arms[side].written.end())
        join.sides[side] = it->second;
    if (join.sides[0] == join.sides[1] &&
        (!join.sides[0].scalar || fold_.isVisible(join.sides[0].scalar)) &&
        !join.sides[0].isPointer())
      slots_.write(id, join.sides[0]);
    else
      joins.push_back(std::move(join));
  }
  AbstractValue then = branch.arms[0].result, otherwise = branch.arms[1].result;
  if (then.isSet()) {
    ScalarType type = then.isPointer() ? ScalarType::Pointer : fold_.typeOf(then.scalar);
    joins.push_back({{}, type, {}, {then, otherwise}, {}, {}});
  }
  return joins;
}

void Branches::encode(const If &branch, std::vector<Join> &joins) {
  size_t depth = fold_.depth();
  for (Join &join : joins)
    if (join.type == ScalarType::Pointer)
      for (AbstractValue side : join.sides)
        joins_.join(join.shape, side, depth);
  for (unsigned side = 0; side < 2; ++side) {
    fold_.enter(branch.arms[side].region);
    for (Join &join : joins)
      if (join.type == ScalarType::Pointer)
        joins_.encode(join.shape, join.sides[side], join.encoded[side]);
      else
        join.encoded[side] = {join.slot ? slots_.scalar(join.slot, join.sides[side])
                                        : join.sides[side].scalar};
    fold_.leave();
  }
}

/// Gives the If its results, the slots their values after it, and ends the arms.
AbstractValue Branches::finish(const If &branch, std::vector<Join> &joins) {
  llvm::SmallVector<ValueId, 8> yields[2];
  auto joinValues = [&](ValueId a, ValueId b, llvm::StringRef name) {
    if (a == b && fold_.isVisible(a))
      return a;
    if (fold_.typeOf(a) == ScalarType::Bool) {
      std::optional<int64_t> ca = fold_.intConstant(a), cb = fold_.intConstant(b);
      if (ca && cb)
        return *ca ? branch.cond : fold_.logicalNot(branch.cond);
    }
    yields[0].push_back(a);
    yields[1].push_back(b);
    return fold_.addResult(branch.op, fold_.typeOf(a), name);
  };
  AbstractValue result;
  for (Join &join : joins) {
    llvm::SmallVector<ValueId, 2> values;
    for (size_t i = 0; i < join.encoded[0].size(); ++i)
      values.push_back(joinValues(join.encoded[0][i], join.encoded[1][i], join.name));
    AbstractValue joined = join.type == ScalarType::Pointer ? joins_.decode(join.shape, values)
                                                            : AbstractValue{values[0]};
    join.slot ? slots_.write(join.slot, joined) : void(result = joined);
  }
  for (unsigned side = 0; side < 2; ++side) {
    fold_.enter(branch.arms[side].region);
    fold_.yield(yields[side]);
    fold_.leave();
  }
  auto isEmpty = [&](const Arm &arm) { return fold_.out().region(arm.region).ops.size() == 1; };
  bool isAddress = fold_.out().op(branch.op).choosesAddress; // whatever is found there
  if (!isAddress && yields[0].empty() && isEmpty(branch.arms[0]) && isEmpty(branch.arms[1]))
    fold_.remove(branch.op);
  return result;
}

} // namespace colonnade::canonical
