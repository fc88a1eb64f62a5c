//===- PromoteLoops.cpp - Slots carried around loops ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which slots a loop changes, and which places its pointers may have, is known
// only after its body was walked. So a loop is walked with a plan; if the body
// contradicts it, the plan grows and the body is walked again. Plans are kept
// by call path and loop: an outer loop's second iteration finds the inner plans
// complete, so the work is linear in the nesting depth, not exponential.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

using Carried = std::map<SlotId, PointerShape>;

void Walk::walkLoop(OpId id, const ir::Op &op) {
  auto [it, isNew] = plans_.try_emplace({frame_->path, id.index});
  LoopPlan &plan = it->second;
  if (isNew)
    for (RegionId region : op.regions)
      presetCarried(region, plan);
  LocId loc = fold_.loc();
  const SizeExpr *size = boundOf(op);
  ValueId bound = size ? sizeValue(*size) : ValueId();
  if (size && !bound)
    unsupported("the bound '" + size->str() + "' is not made of this function's parameters");
  size_t start = fold_.position();
  while (!plan.runsOnce) {
    fold_.setLoc(loc);
    if (bound ? attemptBounded(op, plan, bound, size->str()) : attemptLoop(op, plan))
      return;
    fold_.rollback(start);
  }
  fold_.setLoc(loc); // do { … } while (0)
  walkRegion(op.regions[0]);
  walkRegion(op.regions[1]);
}

const SizeExpr *Walk::boundOf(const ir::Op &op) {
  const SourceLocation *loc = op.loc ? &module_.sources[op.loc] : nullptr;
  LocId entry = module_.function(entry_).loc;
  if (loc && (!entry || module_.sources[entry].file == loc->file)) {
    auto it = facts_.bounds.find(loc->line);
    if (it != facts_.bounds.end()) {
      usedBounds_.insert(loc->line);
      return &it->second;
    }
  }
  return op.bound.known() ? &op.bound : nullptr;
}

/// Stores that name their variable are in the plan from the start.
void Walk::presetCarried(RegionId raw, LoopPlan &plan) {
  const ir::Function &function = *frame_->function;
  std::vector<RegionId> work = {raw};
  while (!work.empty()) {
    RegionId region = work.back();
    work.pop_back();
    for (OpId id : function.region(region).ops) {
      const ir::Op &op = function.op(id);
      work.insert(work.end(), op.regions.begin(), op.regions.end());
      if (op.opcode == Opcode::PtrStore)
        presetStore(op.operands[0], plan);
    }
  }
}

void Walk::presetStore(ValueId pointer, LoopPlan &plan) {
  const ir::Function &function = *frame_->function;
  llvm::SmallVector<uint32_t, 4> fields;
  const ir::Op *def = function.definition(pointer);
  for (; def && def->opcode == Opcode::PtrField; def = function.definition(pointer)) {
    fields.push_back(def->index);
    pointer = def->operands[0];
  }
  AbstractValue v = value(pointer);
  if (!v.isPointer() || this->pointer(v).places.size() != 1)
    return;
  NodeId node = this->pointer(v).places[0].node;
  if (!node || roots_[nodes_[node.index].root.index].kind != Root::Kind::Local ||
      !roots_[nodes_[node.index].root.index].present)
    return;
  while (!fields.empty()) {
    if (memType(nodes_[node.index].type).kind != ir::MemType::Kind::Struct)
      return;
    node = child(node, fields.pop_back_val());
  }
  const Node &leaf = nodes_[node.index];
  if (leaf.firstSlot && leaf.digits == 1)
    plan.carried[leaf.firstSlot];
}

/// At the loop's entry: fixes the digits of carried pointers to what they are.
void Walk::enterCarried(LoopPlan &plan) {
  for (auto &[slot, shape] : plan.carried) {
    if (slots_[slot.index].type != ScalarType::Pointer)
      continue;
    for (PointerShape::Candidate &candidate : shape.candidates)
      for (size_t i = 0; i < candidate.fixed.size(); ++i)
        if (!candidate.carried[i] && !fold_.constantOf(candidate.fixed[i].subscript))
          candidate.fixed[i].subscript = {};
    joinShape(shape, slots_[slot.index].value, fold_.depth());
    for (PointerShape::Candidate &candidate : shape.candidates)
      for (size_t i = 0; i < candidate.fixed.size(); ++i)
        if (!candidate.fixed[i].subscript)
          candidate.carried[i] = true;
  }
}

llvm::SmallVector<ValueId, 8> Walk::encodeCarried(const Carried &carried) {
  llvm::SmallVector<ValueId, 8> values;
  for (auto &[slot, shape] : carried)
    if (slots_[slot.index].type == ScalarType::Pointer)
      encode(shape, slots_[slot.index].value, values);
    else
      values.push_back(slotScalar(slot, slots_[slot.index].value));
  return values;
}

void Walk::decodeCarried(const Carried &carried, llvm::ArrayRef<ValueId> from) {
  for (auto &[slot, shape] : carried) {
    bool isPointer = slots_[slot.index].type == ScalarType::Pointer;
    size_t count = isPointer ? valueCount(shape) : 1;
    writeSlot(slot, isPointer ? decode(shape, from.take_front(count)) : AbstractValue{from[0]});
    from = from.drop_front(count);
  }
}

void Walk::nameCarried(const Carried &carried, llvm::ArrayRef<ValueId> values) {
  size_t next = 0;
  for (auto &[slot, shape] : carried) {
    size_t count = slots_[slot.index].type == ScalarType::Pointer ? valueCount(shape) : 1;
    for (; count; --count)
      fold_.suggestName(values[next++], slots_[slot.index].name);
  }
}

/// Compares what the loop did since `mark` with the plan. True: the plan held.
bool Walk::growCarried(LoopPlan &plan, size_t mark, uint64_t serial, size_t depth) {
  bool held = true;
  for (auto &[slot, v] : changesSince(mark, serial)) {
    auto [it, isNew] = plan.carried.try_emplace(slot);
    held &= !isNew;
    if (slots_[slot.index].type == ScalarType::Pointer)
      held &= !joinShape(it->second, v, depth);
  }
  return held;
}

bool Walk::attemptLoop(const ir::Op &op, LoopPlan &plan) {
  enterCarried(plan);
  const Carried carried = plan.carried; // what this attempt is built on
  llvm::SmallVector<ValueId, 8> inits = encodeCarried(carried);
  llvm::SmallVector<ScalarType, 8> types;
  for (ValueId init : inits)
    types.push_back(fold_.typeOf(init));
  ir::Op loop;
  loop.opcode = Opcode::Loop;
  loop.operands.assign(inits.begin(), inits.end());
  RegionId regions[] = {fold_.createRegion(), fold_.createRegion()};
  loop.regions = {regions[0], regions[1]};
  for (RegionId region : regions) {
    for (ScalarType type : types)
      fold_.addArg(region, type, {});
    nameCarried(carried, out_.region(region).args);
  }
  LocId loc = fold_.loc();
  size_t mark = slotLog_.size(), facts = fold_.factMark(), depth = fold_.depth();
  uint64_t serial = serial_;
  OpId id = fold_.append(std::move(loop), types);
  nameCarried(carried, out_.op(id).results);

  bool held = true;
  ValueId conditions[2];
  for (unsigned part = 0; part < 2; ++part) {
    fold_.enter(regions[part]);
    std::vector<ValueId> args(out_.region(regions[part]).args.begin(),
                              out_.region(regions[part]).args.end());
    decodeCarried(carried, args);
    walkRegion(op.regions[part]);
    conditions[part] = scalar(rawTerminator(op.regions[part]).operands[0]);
    held &= growCarried(plan, mark, serial, depth);
    llvm::SmallVector<ValueId, 9> given = {conditions[part]};
    given.append(encodeCarried(carried));
    fold_.setLoc(loc);
    ir::Op end;
    end.opcode = part == 0 ? Opcode::Test : Opcode::Yield;
    end.operands.assign(given.begin(), given.end());
    fold_.append(std::move(end), {});
    undoSlots(mark);
    fold_.forgetSince(facts);
    fold_.leave();
  }
  if (held && fold_.known(conditions[0]) == true && fold_.known(conditions[1]) == false) {
    plan.runsOnce = true;
    return false;
  }
  if (held) {
    std::vector<ValueId> results(out_.op(id).results.begin(), out_.op(id).results.end());
    decodeCarried(carried, results);
  }
  return held;
}

/// A loop whose iterations the user bounds: For over 0 … bound with a continue flag. The
/// condition is evaluated once more than the body at most, as the sequential
/// loop does; if it still holds then, the bound was false: a failed Check.
bool Walk::attemptBounded(const ir::Op &op, LoopPlan &plan, ValueId bound, llvm::StringRef text) {
  enterCarried(plan);
  const Carried carried = plan.carried;
  bound = fold_.select(fold_.binary(Opcode::Gt, bound, zero64()), bound, zero64());
  ir::Op loop;
  loop.opcode = Opcode::For;
  loop.predicate = ir::Predicate::Le;
  loop.hasContinueFlag = true;
  loop.operands = {zero64(), bound, fold_.constantInt(ScalarType::S64, 1)};
  llvm::SmallVector<ScalarType, 8> types = {ScalarType::S64};
  for (ValueId init : encodeCarried(carried)) {
    loop.operands.push_back(init);
    types.push_back(fold_.typeOf(init));
  }
  RegionId body = fold_.createRegion();
  loop.regions = {body};
  for (ScalarType type : types)
    fold_.addArg(body, type, {});
  std::vector<ValueId> args(out_.region(body).args.begin(), out_.region(body).args.end());
  ValueId iteration = args[0];
  args.erase(args.begin());
  nameCarried(carried, args);
  LocId loc = fold_.loc();
  size_t mark = slotLog_.size(), facts = fold_.factMark(), depth = fold_.depth();
  uint64_t serial = serial_;
  OpId id = fold_.append(std::move(loop), types);

  fold_.enter(body);
  decodeCarried(carried, args);
  ValueId go = walkBoundedIteration(op, iteration, bound, text);
  bool held = growCarried(plan, mark, serial, depth);
  llvm::SmallVector<ValueId, 9> next = {go};
  next.append(encodeCarried(carried));
  fold_.setLoc(loc);
  fold_.yield(next);
  undoSlots(mark);
  fold_.forgetSince(facts);
  fold_.leave();
  if (!held)
    return false;
  std::vector<ValueId> results(out_.op(id).results.begin(), out_.op(id).results.end());
  llvm::ArrayRef<ValueId> given = results;
  nameCarried(carried, given.drop_front());
  decodeCarried(carried, given.drop_front());
  return true;
}

/// Condition, check and body; the continue flag of the iteration.
ValueId Walk::walkBoundedIteration(const ir::Op &op, ValueId iteration, ValueId bound,
                                   llvm::StringRef text) {
  LocId loc = fold_.loc();
  walkRegion(op.regions[0]);
  ValueId cond = scalar(rawTerminator(op.regions[0]).operands[0]);
  fold_.setLoc(loc);
  ValueId last = fold_.binary(Opcode::Eq, iteration, bound);
  ir::Op check;
  check.opcode = Opcode::Check;
  check.operands = {fold_.logicalNot(fold_.binary(Opcode::And, last, cond))};
  check.text = "the loop runs more than '" + text.str() + "' iterations";
  fold_.append(std::move(check), {});
  auto stop = [&]() -> AbstractValue { return {fold_.constantBool(false)}; };
  auto runBody = [&]() -> AbstractValue {
    walkRegion(op.regions[1]);
    return {scalar(rawTerminator(op.regions[1]).operands[0])};
  };
  return branch(cond, [&] { return branch(last, stop, runBody); }, stop).scalar;
}

} // namespace colonnade::canonical
