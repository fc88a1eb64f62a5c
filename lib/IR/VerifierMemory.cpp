//===- VerifierMemory.cpp - Rules for accesses, pointers and calls --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/VerifierRules.h"

namespace colonnade::ir {

Breach Rules::access() {
  bool isStore = op_.opcode == Opcode::Store;
  size_t fixed = (op_.masked ? 1 : 0) + (isStore ? 1 : 0);
  if (op_.operands.size() <= fixed || (op_.operands.size() - fixed) % 2 == 0)
    return "k+1 subscripts need k radices";
  if (op_.results.size() != (isStore ? 0 : 1))
    return "wrong number of results";
  if (!op_.array)
    return "names no array";
  AccessOperands parts = accessOperands(op_);
  for (auto list : {parts.subscripts, parts.radices})
    for (ValueId value : list)
      if (f_.value(value).type != ScalarType::S64)
        return "subscripts and radices must be s64";
  if (op_.masked && f_.value(parts.mask).type != ScalarType::Bool)
    return "the mask must be bool";
  const Array &array = f_.array(op_.array);
  if (isStore && (array.isConst || array.isTable()))
    return "stores to a constant array";
  if (array.space == Space::Shared)
    if (auto wrong = sharedCell(array, parts))
      return wrong;
  ScalarType moved = isStore ? f_.value(parts.stored).type : result();
  return require(moved == array.cell, "the value is not of the cell's type");
}

Breach Rules::pointerOp() {
  bool needsMemType = op_.opcode != Opcode::PtrNull && op_.opcode != Opcode::Call;
  if (needsMemType && !op_.memType)
    return "names no memory type";
  switch (op_.opcode) {
  case Opcode::Call:
    return call();
  case Opcode::Object:
    if (op_.results.size() != 1 || result() != ScalarType::Pointer)
      return "the result must be a pointer";
    for (unsigned i = 0; i < op_.operands.size(); ++i)
      if (operand(i) != ScalarType::S64)
        return "needs sizes of s64";
    return std::nullopt;
  case Opcode::PtrNull:
  case Opcode::Table:
    if (auto wrong = counts(0, 1))
      return wrong;
    if (op_.opcode == Opcode::Table && (!op_.array || !f_.array(op_.array).isTable()))
      return "names no table";
    return require(result() == ScalarType::Pointer, "the result must be a pointer");
  case Opcode::PtrIndex:
  case Opcode::PtrDecay:
    if (auto wrong = counts(2, 1))
      return wrong;
    if (op_.opcode == Opcode::PtrDecay && memType()->kind != MemType::Kind::Array)
      return "the memory type must be an array";
    return require(operand(0) == ScalarType::Pointer && operand(1) == ScalarType::S64 &&
                       result() == ScalarType::Pointer,
                   "needs a pointer and an s64");
  case Opcode::PtrField:
  case Opcode::PtrRecord:
    if (auto wrong = counts(1, 1))
      return wrong;
    if (memType()->kind != MemType::Kind::Struct || op_.index >= memType()->fields.size())
      return "the memory type has no such field";
    return require(operand(0) == ScalarType::Pointer && result() == ScalarType::Pointer,
                   "needs a pointer");
  default:
    return memory();
  }
}

Breach Rules::memory() {
  switch (op_.opcode) {
  case Opcode::PtrLoad:
    if (auto wrong = counts(1, 1))
      return wrong;
    return require(operand(0) == ScalarType::Pointer && memType()->kind == MemType::Kind::Scalar &&
                       memType()->scalar == result(),
                   "needs a pointer to the result's type");
  case Opcode::PtrStore:
    if (auto wrong = counts(2, 0))
      return wrong;
    return require(operand(0) == ScalarType::Pointer && memType()->kind == MemType::Kind::Scalar &&
                       memType()->scalar == operand(1),
                   "needs a pointer to the value's type");
  case Opcode::PtrCopy:
    if (auto wrong = counts(3, 0))
      return wrong;
    return require(operand(0) == ScalarType::Pointer && operand(1) == ScalarType::Pointer &&
                       operand(2) == ScalarType::S64,
                   "needs two pointers and an s64");
  case Opcode::PtrFill:
    if (auto wrong = counts(3, 0))
      return wrong;
    return require(operand(0) == ScalarType::Pointer && operand(1) == ScalarType::U8 &&
                       operand(2) == ScalarType::S64,
                   "needs a pointer, a u8 and an s64");
  default: // PtrDiff
    if (auto wrong = counts(2, 1))
      return wrong;
    return require(operand(0) == ScalarType::Pointer && operand(1) == ScalarType::Pointer &&
                       result() == ScalarType::S64,
                   "needs two pointers and gives an s64");
  }
}

/// In a kernel of lanes scratch memory is accessed like local memory.
Breach Rules::passed(const Array &taken, const Array &given) const {
  const bool isLanes = f_.launch && std::holds_alternative<LaneShape>(*f_.launch);
  const bool sameSpace = taken.space == given.space ||
                         (isLanes && taken.space == Space::Local && given.space == Space::Scratch);
  if (taken.cell != given.cell || taken.sharing != given.sharing || !sameSpace)
    return "array '" + given.name + "' is not as the part's '" + taken.name + "'";
  if (taken.constantCells() && taken.constantCells() != given.constantCells())
    return "array '" + given.name + "' has not as many cells as the part's '" + taken.name + "'";
  return require(!taken.writes || given.writes, "the part writes an array that is only read");
}

Breach Rules::callPart() {
  const Part &part = f_.part(op_.part);
  const Region &body = f_.region(part.body);
  llvm::ArrayRef<ValueId> yielded = f_.terminator(part.body).operands;
  if (auto wrong = match(op_.operands, body.args, "arguments"))
    return wrong;
  if (auto wrong = match(op_.results, yielded, "results"))
    return wrong;
  for (size_t i = 0; i < body.args.size(); ++i)
    if (f_.varying(op_.operands[i]) && !f_.varying(body.args[i]))
      return "argument " + std::to_string(i) + " varies, but not in the part";
  for (size_t i = 0; i < yielded.size(); ++i)
    if (f_.varying(yielded[i]) && !f_.varying(op_.results[i]))
      return "result " + std::to_string(i) + " varies in the part";
  if (op_.arrays.size() != part.arrays.size())
    return "passes " + std::to_string(op_.arrays.size()) + " arrays for " +
           std::to_string(part.arrays.size());
  for (size_t i = 0; i < op_.arrays.size(); ++i)
    if (auto wrong = passed(f_.array(part.arrays[i]), f_.array(op_.arrays[i])))
      return wrong;
  return std::nullopt;
}

Breach Rules::call() {
  if (!op_.callee)
    return "names no callee";
  const Function &callee = module_.function(op_.callee);
  if (auto wrong = counts(callee.rawParams.size(), callee.returnType ? 1 : 0))
    return wrong;
  for (size_t i = 0; i < op_.operands.size(); ++i)
    if (operand(i) != callee.rawParams[i].type)
      return "argument " + std::to_string(i) + " has another type than the parameter";
  return require(!callee.returnType || result() == *callee.returnType,
                 "the result has another type than the callee's");
}

} // namespace colonnade::ir
