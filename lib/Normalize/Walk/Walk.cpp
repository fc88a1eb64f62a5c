//===- Walk.cpp - The operations of a raw function, in turn ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Walk.h"

namespace colonnade::canonical {

Walk::Walk(ir::Module &module, FunctionId entry, const EntryFacts &facts, Decisions &decisions,
           ir::Function &out)
    : module_(module), entry_(entry), decisions_(decisions), out_(out), memory_(module, out),
      fold_(memory_.fold), binding_(memory_, module.function(entry), facts, decisions),
      arithmetic_(
          fold_, memory_.tree, memory_.pointers,
          [this](NodeId top, MemTypeId type) { binding_.adoptType(top, type); },
          [this](NodeId node, MemTypeId type) { narrowCells(node, type); }),
      accesses_(memory_, arithmetic_, decisions), copies_(memory_, arithmetic_, accesses_),
      loops_(fold_, memory_.slots, memory_.joins, memory_.branches) {}

/// What a `void *p` points to are the narrowest cells that it is accessed as.
void Walk::narrowCells(NodeId node, MemTypeId type) {
  if (binding_.isAdopted(node))
    decisions_.addNarrowCells(memory_.tree.node(node).name, type, fold_.loc());
}

llvm::Error Walk::run() {
  const ir::Function &raw = module_.function(entry_);
  Frame frame;
  frame.id = entry_;
  frame.function = &raw;
  frame.values.resize(raw.values.size());
  frame_ = &frame;
  memory_.sizes.setScope(&frame);
  if (llvm::Error error = binding_.bind(frame.values))
    return error;
  walkRegion(raw.body);
  OpId lastId = raw.region(raw.body).ops.back();
  const ir::Op &last = raw.op(lastId);
  fold_.setLoc(last.loc);
  if (!last.operands.empty()) {
    AtSite scope(fold_.account(), {0, lastId.index});
    binding_.storeReturn(value(last.operands[0]));
  }
  ir::Op ret;
  ret.opcode = Opcode::Return;
  fold_.append(std::move(ret), {});
  binding_.assumeDisjoint();
  fold_.finish();
  frame_ = nullptr;
  return binding_.checkFacts(module_);
}

void Walk::walkRegion(RegionId raw) {
  const std::vector<OpId> &ops = frame_->function->region(raw).ops;
  for (size_t i = 0; i + 1 < ops.size(); ++i)
    walkOp(ops[i]);
}

void Walk::walkOp(OpId id) {
  const ir::Op &op = frame_->function->op(id);
  fold_.setLoc(locate(op.loc));
  AtSite scope(fold_.account(), {frame_->path, id.index});
  AbstractValue result;
  if (op.opcode == Opcode::If) {
    memory_.branches.branch(
        scalar(op.operands[0]), [&] { return walkRegion(op.regions[0]), AbstractValue(); },
        [&] { return walkRegion(op.regions[1]), AbstractValue(); });
  } else if (op.opcode == Opcode::Loop) {
    walkLoop(id, op);
  } else if (op.opcode == Opcode::Check) {
    ValueId holds = scalar(op.operands[0]);
    if (fold_.known(holds) == true)
      fold_.account().add(Deed::Holds);
    else
      fold_.check(holds, op.text);
  } else if (op.opcode == Opcode::Unsupported) {
    result = walkUnsupported(op);
  } else {
    result = ir::isScalarOperation(op.opcode) ? walkScalar(op) : walkMemoryOp(id, op);
  }
  if (op.results.empty())
    return;
  const ir::Value &raw = frame_->function->value(op.results[0]);
  if (result.scalar && fold_.isVisible(result.scalar) && op.opcode != Opcode::Constant &&
      op.opcode != Opcode::Call)
    fold_.suggestName(result.scalar, raw.name);
  frame_->values[op.results[0].index] = result;
}

AbstractValue Walk::refuse(std::string what, std::optional<ScalarType> type,
                           ir::UnsupportedKind kind) {
  if (type && *type != ScalarType::Pointer)
    return {fold_.unsupportedValue(std::move(what), *type, kind)};
  fold_.unsupported(std::move(what), kind);
  return type ? memory_.pointers.unknown() : AbstractValue();
}

AbstractValue Walk::walkUnsupported(const ir::Op &op) {
  if (op.index != ir::OutsideSubset) {
    fold_.unsupported(op.text, static_cast<ir::UnsupportedKind>(op.index));
    return {};
  }
  std::optional<ScalarType> type;
  if (!op.results.empty())
    type = frame_->function->value(op.results[0]).type;
  return refuse(op.text, type);
}

/// The variable or field that a pointer was read from, for messages; may be empty.
llvm::StringRef Walk::pointerName(ValueId raw) const {
  const ir::Function &function = *frame_->function;
  const ir::Op *def = function.definition(raw);
  for (; def && (def->opcode == Opcode::PtrIndex || def->opcode == Opcode::PtrField ||
                 def->opcode == Opcode::PtrRecord || def->opcode == Opcode::PtrDecay ||
                 def->opcode == Opcode::Cast);
       def = function.definition(raw))
    raw = def->operands[0];
  return function.value(raw).name;
}

AbstractValue Walk::walkMemoryOp(OpId id, const ir::Op &op) {
  auto operand = [&](size_t i) { return value(op.operands[i]); };
  switch (op.opcode) {
  case Opcode::Object:
    return walkObject(id, op);
  case Opcode::Table:
    return walkTable(op);
  case Opcode::PtrIndex:
    return arithmetic_.index(operand(0), index(op.operands[1]), op.memType);
  case Opcode::PtrField:
    return arithmetic_.field(operand(0), op.index, op.memType);
  case Opcode::PtrRecord:
    return arithmetic_.record(operand(0), op.index, op.memType);
  case Opcode::PtrDecay:
    return arithmetic_.decay(operand(0), index(op.operands[1]), op.memType);
  case Opcode::PtrLoad:
    return accesses_.load(operand(0), op.memType, pointerName(op.operands[0]));
  case Opcode::PtrStore:
    accesses_.store(operand(0), operand(1), op.memType, pointerName(op.operands[0]));
    return {};
  case Opcode::PtrCopy:
    copies_.copy(operand(0), operand(1), index(op.operands[2]), op.memType, ir::CopyKind(op.index));
    return {};
  case Opcode::PtrFill: {
    ValueId byte = fold_.cast(scalar(op.operands[1]), ScalarType::U8);
    copies_.fill(operand(0), byte, index(op.operands[2]), op.memType);
    return {};
  }
  case Opcode::PtrDiff:
    return {arithmetic_.difference(operand(0), operand(1), op.memType)};
  case Opcode::PtrNull:
    return memory_.pointers.null();
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
      return memory_.pointers.unknown();
    return {fold_.undef(type, raw.value(op.results[0]).name)};
  }
  for (ValueId operand : op.operands)
    if (raw.value(operand).type == ScalarType::Pointer)
      return walkOnPointers(op, type);
  if (type == ScalarType::Pointer)
    return refuse("an integer converted to a pointer", type);
  llvm::SmallVector<ValueId, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(scalar(operand));
  return {fold_.scalarOp(op, operands, type)};
}

/// A scalar operation some of whose operands are pointers. `type`: its result's.
AbstractValue Walk::walkOnPointers(const ir::Op &op, ScalarType type) {
  AbstractValue first = value(op.operands[0]);
  if (ir::isComparison(op.opcode))
    return {arithmetic_.compare(op.opcode, first, value(op.operands[1]))};
  if (op.opcode == Opcode::Select)
    return memory_.branches.branch(
        scalar(op.operands[0]), [&] { return value(op.operands[1]); },
        [&] { return value(op.operands[2]); });
  if (type == ScalarType::Bool)
    return {arithmetic_.compare(Opcode::Ne, first, memory_.pointers.null())};
  if (type == ScalarType::Pointer)
    return first;
  return refuse("a pointer converted to an integer", type);
}

ValueId Walk::scalar(ValueId raw) {
  AbstractValue v = value(raw);
  if (!v.scalar)
    return fold_.unsupportedValue("a value that was never computed",
                                  frame_->function->value(raw).type, ir::MalformedIr);
  return fold_.refine(v.scalar);
}

LocId Walk::locate(LocId raw) {
  return frame_->call && raw ? module_.sources.inlined(raw, frame_->call) : raw;
}

} // namespace colonnade::canonical
