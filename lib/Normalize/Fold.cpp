//===- Fold.cpp - Region tracking, constants and known conditions ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Fold.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>

namespace colonnade::canonical {

Folder::Folder(ir::Function &out) : out_(out), builder_(out), conditions_(out) { enter(out.body); }

ValueId Folder::pooled(ir::Op op, ScalarType type) {
  const ir::Expression expression(op, type);
  if (ValueId known = pooled_.find(expression))
    return known;
  ir::InsertionScope scope(builder_);
  builder_.setRegion(out_.body);
  OpId id = builder_.append(std::move(op), type);
  out_.region(out_.body).ops.pop_back();
  opRegion_[id.index] = out_.body;
  pool_.push_back(id);
  ValueId result = builder_.result(id);
  pooled_.add(expression, result);
  return result;
}

ValueId Folder::constant(Scalar scalar) {
  ir::Op op = ir::makeOp(Opcode::Constant);
  op.scalar = scalar;
  return pooled(std::move(op), scalar.type);
}

ValueId Folder::constantInt(ScalarType type, int64_t value) {
  return constant(ir::makeInt(type, value));
}

ValueId Folder::undef(ScalarType type, llvm::StringRef name) {
  ValueId v = builder_.result(append(ir::makeOp(Opcode::Undef), type));
  suggestName(v, name);
  return v;
}

std::optional<int64_t> Folder::intConstant(ValueId v) const {
  const Scalar *scalar = v ? out_.constant(v) : nullptr;
  if (!scalar || ir::isFloat(scalar->type) || scalar->type == ScalarType::Pointer)
    return std::nullopt;
  return ir::asInt64(*scalar);
}

OpId Folder::append(ir::Op op, llvm::ArrayRef<ScalarType> results) {
  OpId id = builder_.append(std::move(op), results);
  opRegion_[id.index] = region();
  return id;
}

static ir::Op accessOp(Opcode opcode, ArrayId array, const Subscripts &at) {
  ir::Op op = ir::makeOp(opcode, at.subscripts);
  op.array = array;
  op.operands.append(at.radices.begin(), at.radices.end());
  return op;
}

ValueId Folder::load(ArrayId array, const Subscripts &at) {
  OpId id = append(accessOp(Opcode::Load, array, at), out_.array(array).cell);
  account_.add(Deed::Read, id);
  return builder_.result(id);
}

void Folder::store(ArrayId array, ValueId v, const Subscripts &at) {
  ir::Op op = accessOp(Opcode::Store, array, at);
  op.operands.push_back(v);
  account_.add(Deed::Write, append(std::move(op), {}));
}

void Folder::check(ValueId holds, std::string otherwise) {
  ir::Op op = ir::makeOp(Opcode::Check, holds);
  op.text = std::move(otherwise);
  account_.add(Deed::Checked, append(std::move(op), {}));
}

static ir::Op unsupportedOp(std::string what, ir::UnsupportedKind kind) {
  ir::Op op = ir::makeOp(Opcode::Unsupported);
  op.text = std::move(what);
  op.index = kind;
  return op;
}

void Folder::unsupported(std::string what, ir::UnsupportedKind kind) {
  account_.add(Deed::Refused, append(unsupportedOp(std::move(what), kind), {}));
}

ValueId Folder::unsupportedValue(std::string what, ScalarType type, ir::UnsupportedKind kind) {
  OpId id = append(unsupportedOp(std::move(what), kind), type);
  account_.add(Deed::Refused, id);
  return builder_.result(id);
}

void Folder::addAssumption(std::string text) {
  if (!llvm::is_contained(out_.assumptions, text))
    out_.assumptions.push_back(std::move(text));
}

void Folder::yield(llvm::ArrayRef<ValueId> values) {
  opRegion_[builder_.yield(values).index] = region();
}

void Folder::remove(OpId op) {
  std::vector<OpId> &here = out_.region(region()).ops;
  here.erase(std::find(here.rbegin(), here.rend(), op).base() - 1);
}

void Folder::rollback(Position position) {
  std::vector<OpId> &here = out_.region(region()).ops;
  for (size_t i = position.ops; i < here.size(); ++i)
    opRegion_[here[i].index] = RegionId(); // its values are visible nowhere
  here.resize(position.ops);
  account_.forgetSince(position.notes);
}

ValueId Folder::addResult(OpId op, ScalarType type, llvm::StringRef name) {
  ValueId id(out_.values.size());
  ir::Value &value = out_.values.emplace_back();
  value.type = type;
  value.def = op;
  value.index = static_cast<uint32_t>(out_.op(op).results.size());
  value.name = name.str();
  out_.op(op).results.push_back(id);
  return id;
}

void Folder::suggestName(ValueId v, llvm::StringRef name) {
  if (v && out_.value(v).name.empty() && !out_.constant(v))
    out_.value(v).name = name.str();
}

void Folder::enter(RegionId region) {
  if (activePosition_.size() <= region.index)
    activePosition_.resize(region.index + 1, UINT32_MAX);
  activePosition_[region.index] = static_cast<uint32_t>(active_.size());
  active_.push_back(region);
  builder_.setRegion(region);
}

void Folder::leave() {
  active_.pop_back();
  assert(!active_.empty() && "left the body");
  builder_.setRegion(active_.back());
}

bool Folder::isVisible(ValueId v, size_t depth) const {
  const ir::Value &value = out_.value(v);
  RegionId home = value.def ? opRegion_.lookup(value.def.index) : value.region;
  uint32_t position =
      home.index < activePosition_.size() ? activePosition_[home.index] : UINT32_MAX;
  return position < depth && position < active_.size() && active_[position] == home;
}

ValueId Folder::refine(ValueId v) const {
  for (ValueId given = conditions_.given(v); given && isVisible(given);
       given = conditions_.given(v))
    v = given;
  return v;
}

const ir::Op *Folder::definition(ValueId v, Opcode opcode) const {
  const ir::Op *op = out_.definition(v);
  return op && op->opcode == opcode ? op : nullptr;
}

void Folder::finish() {
  std::vector<OpId> &ops = out_.region(out_.body).ops;
  ops.insert(ops.begin(), pool_.begin(), pool_.end());
  pool_.clear();
}

} // namespace colonnade::canonical
