//===- RawBuilder.cpp - Builder for the operations of raw IR --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/RawBuilder.h"

namespace colonnade::frontend {

using ir::Op;
using ir::Opcode;
using ir::ScalarType;

/// An operation on memory of that type.
static Op memoryOp(Opcode opcode, llvm::ArrayRef<ValueId> operands, MemTypeId type) {
  Op op = ir::makeOp(opcode, operands);
  op.memType = type;
  return op;
}

ValueId RawBuilder::object(MemTypeId type, llvm::StringRef name, llvm::ArrayRef<ValueId> sizes) {
  Op op = memoryOp(Opcode::Object, sizes, type);
  op.text = name.str();
  ValueId pointer = result(append(std::move(op), {ScalarType::Pointer}));
  function().value(pointer).name = name.str();
  return pointer;
}

ValueId RawBuilder::ownObject(MemTypeId type, llvm::StringRef name) {
  const ValueId pointer = object(type, name);
  function().op(function().value(pointer).def).isOwn = true;
  return pointer;
}

ValueId RawBuilder::constantObject(MemTypeId type, llvm::StringRef name) {
  const ValueId pointer = object(type, name);
  function().op(function().value(pointer).def).standsForConstant = true;
  return pointer;
}

ValueId RawBuilder::table(ArrayId array, MemTypeId type) {
  Op op = memoryOp(Opcode::Table, {}, type);
  op.array = array;
  return result(append(std::move(op), {ScalarType::Pointer}));
}

ValueId RawBuilder::null() {
  return result(append(makeOp(Opcode::PtrNull, {}), {ScalarType::Pointer}));
}

ValueId RawBuilder::index(ValueId pointer, ValueId count, MemTypeId element) {
  return result(
      append(memoryOp(Opcode::PtrIndex, {pointer, count}, element), {ScalarType::Pointer}));
}

ValueId RawBuilder::field(ValueId pointer, MemTypeId structType, unsigned index,
                          llvm::StringRef name) {
  Op op = memoryOp(Opcode::PtrField, {pointer}, structType);
  op.index = index;
  ValueId member = result(append(std::move(op), {ScalarType::Pointer}));
  function().value(member).name = name.str();
  return member;
}

ValueId RawBuilder::record(ValueId field, MemTypeId structType, unsigned index) {
  Op op = memoryOp(Opcode::PtrRecord, {field}, structType);
  op.index = index;
  return result(append(std::move(op), {ScalarType::Pointer}));
}

ValueId RawBuilder::decay(ValueId pointer, ValueId radix, MemTypeId arrayType) {
  return result(
      append(memoryOp(Opcode::PtrDecay, {pointer, radix}, arrayType), {ScalarType::Pointer}));
}

ValueId RawBuilder::load(ValueId pointer, MemTypeId type, ScalarType scalar, llvm::StringRef name) {
  ValueId value = result(append(memoryOp(Opcode::PtrLoad, {pointer}, type), {scalar}));
  function().value(value).name = name.str();
  return value;
}

void RawBuilder::store(ValueId pointer, ValueId value, MemTypeId type) {
  append(memoryOp(Opcode::PtrStore, {pointer, value}, type), {});
}

void RawBuilder::copy(ValueId to, ValueId from, ValueId count, MemTypeId type, ir::CopyKind kind) {
  Op op = memoryOp(Opcode::PtrCopy, {to, from, count}, type);
  op.index = kind;
  append(std::move(op), {});
}

void RawBuilder::fill(ValueId to, ValueId byte, ValueId count, MemTypeId type) {
  append(memoryOp(Opcode::PtrFill, {to, byte, count}, type), {});
}

ValueId RawBuilder::difference(ValueId p, ValueId q, MemTypeId type) {
  return result(append(memoryOp(Opcode::PtrDiff, {p, q}, type), {ScalarType::S64}));
}

OpId RawBuilder::call(FunctionId callee, llvm::ArrayRef<ValueId> args,
                      std::optional<ScalarType> resultType) {
  Op op = makeOp(Opcode::Call, args);
  op.callee = callee;
  return resultType ? append(std::move(op), {*resultType}) : append(std::move(op), {});
}

void RawBuilder::check(ValueId condition, std::string text) {
  Op op = makeOp(Opcode::Check, {condition});
  op.text = std::move(text);
  append(std::move(op), {});
}

ValueId RawBuilder::bitcast(ValueId value, ScalarType to) {
  return result(append(makeOp(Opcode::Bitcast, {value}), {to}));
}

ValueId RawBuilder::convert(ValueId value, ScalarType to) {
  return to == ScalarType::Bool ? truth(value) : cast(value, to);
}

ValueId RawBuilder::truth(ValueId value) {
  ScalarType type = typeOf(value);
  if (type == ScalarType::Bool)
    return value;
  return binary(Opcode::Ne, value, type == ScalarType::Pointer ? null() : zero(type));
}

void RawBuilder::emitIf(ValueId condition, llvm::function_ref<void()> then,
                        llvm::function_ref<void()> otherwise) {
  OpId op = createIf(condition, {});
  RegionId regions[] = {function().op(op).regions[0], function().op(op).regions[1]};
  for (bool first : {true, false}) {
    ir::InsertionScope scope(*this);
    setRegion(regions[first ? 0 : 1]);
    first ? then() : otherwise();
    yield({});
  }
}

} // namespace colonnade::frontend
