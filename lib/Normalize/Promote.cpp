//===- Promote.cpp - Variables become SSA values: slots and joins ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot is a scalar or pointer variable (or field, or element at a constant
// subscript) and its value where the walk stands. After an If, slots that an
// arm changed become results of the If, only those and only where they differ.
// A slot that was never written reads as Undef with the variable's name and
// location; the front end's own temporaries (names with '%') as zero, because
// they are only read where they were written.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

ValueId Walk::slotScalar(SlotId id, AbstractValue v) {
  if (v.isSet())
    return v.scalar;
  const Slot &slot = slots_[id.index];
  if (llvm::StringRef(slot.name).starts_with("%"))
    return fold_.constant({slot.type, 0});
  LocId here = fold_.loc();
  fold_.setLoc(slot.loc);
  ValueId undef = fold_.undef(slot.type, slot.name);
  fold_.setLoc(here);
  return undef;
}

AbstractValue Walk::readSlot(SlotId id) {
  Slot &slot = slots_[id.index];
  if (slot.type == ScalarType::Pointer)
    return slot.value.isSet() ? slot.value : unknownPointer();
  return {fold_.refine(slotScalar(id, slot.value))};
}

void Walk::writeSlot(SlotId id, AbstractValue v) {
  Slot &slot = slots_[id.index];
  slotLog_.push_back({id, slot.value});
  slot.value = v;
}

void Walk::undoSlots(size_t mark) {
  while (slotLog_.size() > mark) {
    slots_[slotLog_.back().first.index].value = slotLog_.back().second;
    slotLog_.pop_back();
  }
}

/// Slots of variables that existed at `serial`, written since, with their values.
std::map<SlotId, AbstractValue> Walk::changesSince(size_t mark, uint64_t serial) {
  std::map<SlotId, AbstractValue> changes;
  for (size_t i = mark; i < slotLog_.size(); ++i) {
    SlotId slot = slotLog_[i].first;
    if (roots_[slots_[slot.index].root.index].serial <= serial)
      changes[slot] = slots_[slot.index].value;
  }
  return changes;
}

Walk::Arm Walk::walkArm(RegionId region, ValueId cond, bool truth, ArmBody body) {
  Arm arm;
  arm.region = region;
  size_t mark = slotLog_.size(), facts = fold_.factMark();
  uint64_t serial = serial_;
  fold_.enter(region);
  fold_.assume(cond, truth);
  arm.result = body();
  arm.changes = changesSince(mark, serial);
  undoSlots(mark);
  fold_.forgetSince(facts);
  fold_.leave();
  return arm;
}

/// The walk's only way to make an If. The arms' results are joined too.
AbstractValue Walk::branch(ValueId cond, ArmBody then, ArmBody otherwise, BranchOn on) {
  cond = fold_.refine(cond);
  if (std::optional<bool> truth = fold_.known(cond))
    return *truth ? then() : otherwise();
  ir::Op op;
  op.opcode = Opcode::If;
  op.operands = {cond};
  op.choosesAddress = on == BranchOn::Address;
  RegionId regions[] = {fold_.createRegion(), fold_.createRegion()};
  op.regions = {regions[0], regions[1]};
  LocId loc = fold_.loc();
  uint64_t serial = serial_;
  OpId id = fold_.append(std::move(op), {});
  Arm arms[2] = {walkArm(regions[0], cond, true, then), {}};
  fold_.setLoc(loc);
  arms[1] = walkArm(regions[1], cond, false, otherwise);
  fold_.setLoc(loc);
  return join(id, cond, arms, serial);
}

AbstractValue Walk::join(OpId op, ValueId cond, Arm arms[2], uint64_t serial) {
  std::map<SlotId, AbstractValue> changed = arms[0].changes;
  changed.insert(arms[1].changes.begin(), arms[1].changes.end());
  std::vector<Join> joins;
  for (auto &[slot, ignored] : changed) {
    const Slot &s = slots_[slot.index];
    Join join = {slot, s.type, s.name, {s.value, s.value}, {}, {}};
    for (unsigned side = 0; side < 2; ++side)
      if (auto it = arms[side].changes.find(slot); it != arms[side].changes.end())
        join.sides[side] = it->second;
    if (join.sides[0] == join.sides[1] &&
        (!join.sides[0].scalar || fold_.isVisible(join.sides[0].scalar)) &&
        !join.sides[0].isPointer())
      writeSlot(slot, join.sides[0]);
    else
      joins.push_back(std::move(join));
  }
  bool hasResult = arms[0].result.isSet();
  if (hasResult) {
    Join join = {{}, ScalarType::Pointer, {}, {arms[0].result, arms[1].result}, {}, {}};
    if (!arms[0].result.isPointer())
      join.type = fold_.typeOf(arms[0].result.scalar);
    joins.push_back(std::move(join));
  }
  finishJoins(op, cond, arms, joins);
  AbstractValue result;
  for (Join &join : joins)
    join.slot ? writeSlot(join.slot, join.sides[0]) : void(result = join.sides[0]);
  return result;
}

/// Leaves the joined value of each join in its sides[0].
void Walk::finishJoins(OpId op, ValueId cond, Arm arms[2], std::vector<Join> &joins) {
  size_t depth = fold_.depth();
  for (Join &join : joins)
    if (join.type == ScalarType::Pointer)
      for (AbstractValue side : join.sides)
        joinShape(join.shape, side, depth);
  for (unsigned side = 0; side < 2; ++side) {
    fold_.enter(arms[side].region);
    for (Join &join : joins)
      if (join.type == ScalarType::Pointer)
        encode(join.shape, join.sides[side], join.encoded[side]);
      else
        join.encoded[side] = {join.slot ? slotScalar(join.slot, join.sides[side])
                                        : join.sides[side].scalar};
    fold_.leave();
  }
  llvm::SmallVector<ValueId, 8> yields[2];
  auto joinValues = [&](ValueId a, ValueId b, llvm::StringRef name) {
    if (a == b && fold_.isVisible(a))
      return a;
    if (fold_.typeOf(a) == ScalarType::Bool) {
      std::optional<int64_t> ca = fold_.intConstant(a), cb = fold_.intConstant(b);
      if (ca && cb)
        return *ca ? cond : fold_.logicalNot(cond);
    }
    yields[0].push_back(a);
    yields[1].push_back(b);
    return fold_.addResult(op, fold_.typeOf(a), name);
  };
  for (Join &join : joins) {
    llvm::SmallVector<ValueId, 2> values;
    for (size_t i = 0; i < join.encoded[0].size(); ++i)
      values.push_back(joinValues(join.encoded[0][i], join.encoded[1][i], join.name));
    join.sides[0] =
        join.type == ScalarType::Pointer ? decode(join.shape, values) : AbstractValue{values[0]};
  }
  for (unsigned side = 0; side < 2; ++side) {
    fold_.enter(arms[side].region);
    fold_.yield(yields[side]);
    fold_.leave();
  }
  auto isEmpty = [&](RegionId region) { return out_.region(region).ops.size() == 1; };
  if (yields[0].empty() && isEmpty(arms[0].region) && isEmpty(arms[1].region))
    fold_.remove(op);
}

} // namespace colonnade::canonical
