//===- Bytecode.cpp - Flattens a function for the interpreter -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Bytecode.h"

#include <algorithm>

namespace colonnade::ir {

Bytecode::Bytecode(const Function &function) : function_(function) {
  bool isKernel = function.stage == Stage::Kernel;
  for (const Value &value : function.values)
    types.push_back(value.type);
  initial.resize(types.size());
  undefined.resize(types.size());
  for (size_t p = 0; p < function.parts.size(); ++p)
    part(p);
  entry = static_cast<uint32_t>(code.size());
  deepest_ = 0;
  region(function.body);
  maxDepth = deepest_;
  add(Code::End, {});
  for (const Op &op : function.ops) {
    if (op.opcode == Opcode::Constant)
      initial[op.results[0].index] = op.scalar.bits;
    else if (op.opcode == Opcode::Undef && !isKernel)
      undefined[op.results[0].index] = 1;
  }
}

Instruction &Bytecode::add(Code kind, OpId op) {
  Instruction &instruction = code.emplace_back();
  instruction.code = kind;
  instruction.op = op;
  instruction.depth = depth_;
  if (op)
    instruction.opcode = function_.op(op).opcode;
  return instruction;
}

void Bytecode::copy(OpId op, llvm::ArrayRef<ValueId> from, llvm::ArrayRef<ValueId> to) {
  uint32_t first = static_cast<uint32_t>(pool.size());
  for (size_t i = 0; i < to.size(); ++i)
    if (from[i] != to[i])
      pool.insert(pool.end(), {from[i].index, to[i].index});
  uint32_t count = static_cast<uint32_t>((pool.size() - first) / 2);
  if (count == 0)
    return;
  Instruction &instruction = add(Code::Copy, op);
  instruction.first = first;
  instruction.count = count;
}

uint32_t Bytecode::jump(Code kind, OpId op, ValueId condition) {
  add(kind, op).a = condition.index;
  return static_cast<uint32_t>(code.size() - 1);
}

void Bytecode::region(RegionId id) {
  llvm::ArrayRef<OpId> ops = function_.region(id).ops;
  for (OpId inner : ops.drop_back())
    op(inner);
}

void Bytecode::simple(OpId id, Code kind) {
  const Op &op = function_.op(id);
  Instruction &instruction = add(kind, id);
  uint32_t *slots[] = {&instruction.a, &instruction.b, &instruction.c};
  for (size_t i = 0; i < std::min<size_t>(3, op.operands.size()); ++i)
    *slots[i] = op.operands[i].index;
  if (!op.results.empty())
    instruction.dst = op.results[0].index;
}

void Bytecode::op(OpId id) {
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::Constant:
  case Opcode::Undef: // preset
    return;
  case Opcode::Neg:
  case Opcode::Not:
    return simple(id, Code::Unary);
  case Opcode::Cast:
    return simple(id, Code::Cast);
  case Opcode::Bitcast:
    return simple(id, Code::Bitcast);
  case Opcode::Math: {
    Instruction &instruction = add(Code::Math, id);
    instruction.math = op.math;
    instruction.dst = op.results[0].index;
    instruction.first = static_cast<uint32_t>(pool.size());
    instruction.count = static_cast<uint32_t>(op.operands.size());
    for (ValueId operand : op.operands)
      pool.push_back(operand.index);
    return;
  }
  case Opcode::Select:
  case Opcode::Blend:
    return simple(id, Code::Select);
  case Opcode::AnyLane:
    return copy(id, op.operands, op.results);
  case Opcode::Load:
  case Opcode::Store:
    return access(id);
  case Opcode::If:
    return ifOp(id);
  case Opcode::For:
    return forOp(id);
  case Opcode::Loop:
    return loopOp(id);
  case Opcode::CallPart:
    return callPart(id);
  case Opcode::Lane:
  case Opcode::Warp:
  case Opcode::Member:
  case Opcode::HasInstance:
    return simple(id, Code::Place);
  case Opcode::Barrier:
    return simple(id, Code::Barrier);
  case Opcode::Stage:
    return simple(id, Code::Stage);
  case Opcode::Wait:
    return simple(id, Code::Wait);
  case Opcode::Check:
    return simple(id, Code::Check);
  case Opcode::Unsupported:
    return simple(id, Code::Unsupported);
  case Opcode::MulLowHalves:
  case Opcode::DivConstant:
  case Opcode::RemConstant:
    return simple(id, Code::Binary);
  default:
    return simple(id, isBinary(op.opcode) ? Code::Binary : Code::Invalid);
  }
}

void Bytecode::access(OpId id) {
  const Op &op = function_.op(id);
  AccessOperands parts = accessOperands(op);
  Instruction &instruction = add(op.opcode == Opcode::Load ? Code::Load : Code::Store, id);
  instruction.masked = op.masked;
  instruction.c = parts.mask.index;
  instruction.a = parts.stored.index;
  if (!op.results.empty())
    instruction.dst = op.results[0].index;
  instruction.first = static_cast<uint32_t>(pool.size());
  instruction.count = static_cast<uint32_t>(parts.subscripts.size());
  for (ValueId subscript : parts.subscripts)
    pool.push_back(subscript.index);
  for (ValueId radix : parts.radices)
    pool.push_back(radix.index);
}

void Bytecode::part(size_t index) {
  const RegionId body = function_.parts[index].body;
  deepest_ = 0;
  const uint32_t entry = static_cast<uint32_t>(code.size());
  region(body);
  add(Code::ReturnPart, function_.region(body).ops.back());
  parts_.push_back({entry, deepest_});
}

/// A part is in no call of itself, so that its values and arrays are those of one call.
void Bytecode::callPart(OpId id) {
  const Op &op = function_.op(id);
  const Part &part = function_.part(op.part);
  const PartCode &callee = parts_[op.part.index];
  copy(id, op.operands, function_.region(part.body).args);
  Instruction &call = add(Code::CallPart, id);
  call.target = callee.entry;
  call.first = static_cast<uint32_t>(pool.size());
  call.count = static_cast<uint32_t>(op.arrays.size());
  for (size_t i = 0; i < op.arrays.size(); ++i)
    pool.insert(pool.end(), {part.arrays[i].index, op.arrays[i].index});
  deepest_ = std::max(deepest_, depth_ + callee.depth);
  copy(id, function_.terminator(part.body).operands, op.results);
}

void Bytecode::ifOp(OpId id) {
  const Op &op = function_.op(id);
  uint32_t toElse = jump(Code::JumpUnless, id, op.operands[0]);
  region(op.regions[0]);
  copy(id, function_.terminator(op.regions[0]).operands, op.results);
  uint32_t toEnd = jump(Code::Jump, id);
  patch(toElse);
  region(op.regions[1]);
  copy(id, function_.terminator(op.regions[1]).operands, op.results);
  patch(toEnd);
}

void Bytecode::forOp(OpId id) {
  const Op &op = function_.op(id);
  llvm::ArrayRef<ValueId> operands = op.operands;
  llvm::ArrayRef<ValueId> args = function_.region(op.regions[0]).args;
  llvm::ArrayRef<ValueId> yielded = function_.terminator(op.regions[0]).operands;
  llvm::SmallVector<ValueId, 8> inits = {operands[0]};
  inits.append(operands.begin() + 3, operands.end());

  copy(id, inits, args);
  add(Code::ClearIteration, id);
  uint32_t skipTest = op.postTest ? jump(Code::Jump, id) : 0;
  uint32_t head = static_cast<uint32_t>(code.size());
  uint32_t toExit = jump(Code::ForTest, id, args[0]);
  code[toExit].b = operands[1].index;
  if (op.postTest)
    patch(skipTest);
  ++depth_;
  deepest_ = std::max(deepest_, depth_);
  region(op.regions[0]);
  --depth_;
  uint32_t toBreak = op.hasContinueFlag ? jump(Code::JumpUnless, id, yielded[0]) : 0;
  copy(id, yielded.drop_front(op.hasContinueFlag), args.drop_front());
  Instruction &step = add(Code::ForStep, id);
  step.a = args[0].index;
  step.b = operands[2].index;
  add(Code::NextIteration, id);
  add(Code::Jump, id).target = head;
  if (op.hasContinueFlag) {
    patch(toBreak); // the counter is not stepped, the rest is as yielded
    llvm::SmallVector<ValueId, 8> last = {args[0]};
    last.append(yielded.begin() + 1, yielded.end());
    copy(id, last, op.results);
    uint32_t toEnd = jump(Code::Jump, id);
    patch(toExit);
    copy(id, args, op.results);
    patch(toEnd);
    return;
  }
  patch(toExit);
  copy(id, args, op.results);
}

void Bytecode::loopOp(OpId id) {
  const Op &op = function_.op(id);
  llvm::ArrayRef<ValueId> before = function_.region(op.regions[0]).args;
  llvm::ArrayRef<ValueId> test = function_.terminator(op.regions[0]).operands;
  llvm::ArrayRef<ValueId> yielded = function_.terminator(op.regions[1]).operands;

  copy(id, op.operands, before);
  add(Code::ClearIteration, id);
  uint32_t head = static_cast<uint32_t>(code.size());
  ++depth_;
  deepest_ = std::max(deepest_, depth_);
  region(op.regions[0]);
  uint32_t toExit = jump(Code::JumpUnless, id, test[0]);
  copy(id, test.drop_front(), function_.region(op.regions[1]).args);
  region(op.regions[1]);
  --depth_;
  uint32_t toBreak = jump(Code::JumpUnless, id, yielded[0]);
  copy(id, yielded.drop_front(), before);
  add(Code::NextIteration, id);
  add(Code::Jump, id).target = head;
  patch(toExit);
  copy(id, test.drop_front(), op.results);
  uint32_t toEnd = jump(Code::Jump, id);
  patch(toBreak);
  copy(id, yielded.drop_front(), op.results);
  patch(toEnd);
}

} // namespace colonnade::ir
