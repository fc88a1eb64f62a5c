//===- Walk.cpp - The operations of a raw function, in turn ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

Walk::Walk(ir::Module &module, FunctionId entry, const EntryFacts &facts, Decisions &decisions,
           ir::Function &out)
    : module_(module), entry_(entry), facts_(facts), decisions_(decisions), out_(out), fold_(out) {}

llvm::Error Walk::run() {
  const ir::Function &raw = module_.function(entry_);
  Frame frame;
  frame.id = entry_;
  frame.function = &raw;
  frame.values.resize(raw.values.size());
  frame_ = &frame;
  if (llvm::Error error = bindParameters())
    return error;
  walkRegion(raw.body);
  const ir::Op &last = rawTerminator(raw.body);
  fold_.setLoc(last.loc);
  if (!last.operands.empty())
    storeReturn(value(last.operands[0]));
  ir::Op ret;
  ret.opcode = Opcode::Return;
  fold_.append(std::move(ret), {});
  assumeDisjoint();
  fold_.finish();
  frame_ = nullptr;
  return checkFacts();
}

void Walk::walkRegion(RegionId raw) {
  const std::vector<OpId> &ops = frame_->function->region(raw).ops;
  for (size_t i = 0; i + 1 < ops.size(); ++i)
    walkOp(ops[i]);
}

void Walk::walkOp(OpId id) {
  const ir::Op &op = frame_->function->op(id);
  fold_.setLoc(locate(op.loc));
  AbstractValue result;
  switch (op.opcode) {
  case Opcode::If:
    branch(
        scalar(op.operands[0]), [&] { return walkRegion(op.regions[0]), AbstractValue(); },
        [&] { return walkRegion(op.regions[1]), AbstractValue(); });
    return;
  case Opcode::Loop:
    walkLoop(id, op);
    return;
  case Opcode::Check: {
    ir::Op check;
    check.opcode = Opcode::Check;
    check.operands = {scalar(op.operands[0])};
    check.text = op.text;
    if (fold_.known(check.operands[0]) != true)
      fold_.append(std::move(check), {});
    return;
  }
  case Opcode::Unsupported:
    if (op.results.empty())
      unsupported(op.text);
    else if (frame_->function->value(op.results[0]).type == ScalarType::Pointer)
      unsupported(op.text), result = unknownPointer();
    else
      result.scalar = unsupportedValue(op.text, frame_->function->value(op.results[0]).type);
    break;
  case Opcode::Object:
  case Opcode::Table:
  case Opcode::PtrIndex:
  case Opcode::PtrField:
  case Opcode::PtrDecay:
  case Opcode::PtrLoad:
  case Opcode::PtrStore:
  case Opcode::PtrCopy:
  case Opcode::PtrFill:
  case Opcode::PtrDiff:
  case Opcode::PtrNull:
  case Opcode::Call:
    result = walkPointerOp(id, op);
    break;
  default:
    result = walkScalar(op);
    break;
  }
  if (op.results.empty())
    return;
  const ir::Value &raw = frame_->function->value(op.results[0]);
  if (result.scalar && fold_.isVisible(result.scalar) && op.opcode != Opcode::Constant &&
      op.opcode != Opcode::Call)
    fold_.suggestName(result.scalar, raw.name);
  frame_->values[op.results[0].index] = result;
}

AbstractValue Walk::walkPointerOp(OpId id, const ir::Op &op) {
  switch (op.opcode) {
  case Opcode::Object:
    return walkObject(id, op);
  case Opcode::Table:
    return walkTable(op);
  case Opcode::PtrIndex:
    return pointerIndex(op);
  case Opcode::PtrField:
    return pointerField(op);
  case Opcode::PtrDecay:
    return pointerDecay(op);
  case Opcode::PtrLoad:
    return load(value(op.operands[0]), op.memType);
  case Opcode::PtrStore:
    store(value(op.operands[0]), value(op.operands[1]), op.memType);
    return {};
  case Opcode::PtrCopy:
    return walkCopy(op), AbstractValue();
  case Opcode::PtrFill:
    return walkFill(op), AbstractValue();
  case Opcode::PtrDiff:
    return {pointerDifference(op)};
  case Opcode::PtrNull:
    return placeValue({}, {});
  default:
    return walkCall(id, op);
  }
}

AbstractValue Walk::walkScalar(const ir::Op &op) {
  const ir::Function &raw = *frame_->function;
  ScalarType type = raw.value(op.results[0]).type;
  if (op.opcode == Opcode::Constant)
    return {fold_.constant(op.scalar)};
  if (op.opcode == Opcode::Undef) {
    if (type == ScalarType::Pointer)
      return unknownPointer();
    return {fold_.undef(type, raw.value(op.results[0]).name)};
  }
  bool ofPointers = false;
  for (ValueId operand : op.operands)
    ofPointers |= raw.value(operand).type == ScalarType::Pointer;
  if (op.opcode >= Opcode::Eq && op.opcode <= Opcode::Ge && ofPointers)
    return {compare(op.opcode, value(op.operands[0]), value(op.operands[1]))};
  if (op.opcode == Opcode::Select && ofPointers)
    return branch(
        scalar(op.operands[0]), [&] { return value(op.operands[1]); },
        [&] { return value(op.operands[2]); });
  if (ofPointers && type == ScalarType::Bool)
    return {compare(Opcode::Ne, value(op.operands[0]), placeValue({}, {}))};
  if (ofPointers && type == ScalarType::Pointer)
    return value(op.operands[0]);
  if (ofPointers)
    return {unsupportedValue("a pointer converted to an integer", type)};
  if (type == ScalarType::Pointer) {
    unsupported("an integer converted to a pointer");
    return unknownPointer();
  }
  llvm::SmallVector<ValueId, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(scalar(operand));
  return {fold_.scalarOp(op, operands, type)};
}

ValueId Walk::asScalar(AbstractValue v) {
  assert(!v.isPointer() && v.isSet() && "a scalar that was never computed");
  return fold_.refine(v.scalar);
}

LocId Walk::locate(LocId raw) {
  return frame_->call && raw ? module_.sources.inlined(raw, frame_->call) : raw;
}

void Walk::unsupported(std::string what) {
  ir::Op op;
  op.opcode = Opcode::Unsupported;
  op.text = std::move(what);
  fold_.append(std::move(op), {});
}

ValueId Walk::unsupportedValue(std::string what, ScalarType type) {
  ir::Op op;
  op.opcode = Opcode::Unsupported;
  op.text = std::move(what);
  OpId id = fold_.append(std::move(op), type);
  return out_.op(id).results[0];
}

void Walk::assumption(std::string text) {
  if (assumed_.insert(text).second)
    out_.assumptions.push_back(std::move(text));
}

} // namespace colonnade::canonical
