//===- ValueNumbering.cpp - Which values are known to be equal ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/ValueNumbering.h"

#include "llvm/ADT/Hashing.h"

namespace colonnade::ir {

Expression::Expression(const Op &op, ScalarType type) : opcode(op.opcode), type(type) {
  if (opcode == Opcode::Math)
    math = op.math;
  if (opcode == Opcode::Constant)
    bits = op.scalar.bits;
  for (ValueId operand : op.operands)
    operands.push_back(operand.index);
}

size_t ExpressionHash::operator()(const Expression &e) const {
  return llvm::hash_combine(e.opcode, e.math, e.type, e.bits,
                            llvm::hash_combine_range(e.operands.begin(), e.operands.end()));
}

bool isPure(const Op &op) {
  switch (op.opcode) {
  case Opcode::Undef:
    return false;
  case Opcode::Lane:
  case Opcode::Warp:
  case Opcode::Member:
  case Opcode::HasInstance:
  case Opcode::AnyLane:
  case Opcode::Blend:
  case Opcode::MulLowHalves:
  case Opcode::DivConstant:
  case Opcode::RemConstant:
    return true;
  default:
    return isScalarOperation(op.opcode);
  }
}

ValueId AvailableValues::find(const Expression &expression) const {
  auto found = values_.find(expression);
  return found == values_.end() ? ValueId() : found->second;
}

void AvailableValues::add(const Expression &expression, ValueId value) {
  if (values_.try_emplace(expression, value).second)
    log_.push_back(expression);
}

void AvailableValues::replace(const Expression &expression, ValueId value) {
  values_.insert_or_assign(expression, value);
}

void AvailableValues::forgetSince(size_t mark) {
  for (; log_.size() > mark; log_.pop_back())
    values_.erase(log_.back());
}

namespace {

/// Numbers values in the order of the text, where operands come before their users.
class Numbering {
public:
  Numbering(const Function &function, std::vector<uint32_t> &numbers)
      : function_(function), numbers_(numbers) {}

  void visit(RegionId region) {
    for (OpId id : function_.region(region).ops) {
      const Op &op = function_.op(id);
      if (isPure(op))
        number(op);
      for (RegionId nested : op.regions)
        visit(nested);
    }
  }

private:
  void number(const Op &op) {
    Expression expression(op, function_.value(op.results[0]).type);
    for (uint32_t &operand : expression.operands)
      operand = numbers_[operand];
    uint32_t own = op.results[0].index;
    numbers_[own] = known_.try_emplace(std::move(expression), own).first->second;
  }

  const Function &function_;
  std::vector<uint32_t> &numbers_;
  std::unordered_map<Expression, uint32_t, ExpressionHash> known_; // the first value of each
};

} // namespace

ValueNumbers::ValueNumbers(const Function &function) : ValueNumbers(function, function.body) {}

ValueNumbers::ValueNumbers(const Function &function, RegionId root) {
  for (uint32_t v = 0; v < function.values.size(); ++v)
    numbers_.push_back(v);
  Numbering(function, numbers_).visit(root);
}

CellKey cellKey(ArrayId array, llvm::ArrayRef<ValueId> subscripts, llvm::ArrayRef<ValueId> radices,
                llvm::function_ref<uint32_t(ValueId)> number) {
  CellKey key = {array.index};
  for (ValueId value : subscripts)
    key.push_back(number(value));
  for (ValueId value : radices)
    key.push_back(number(value));
  return key;
}

bool CellSet::add(CellKey cell) {
  auto [place, isNew] = cells_.insert(std::move(cell));
  if (isNew)
    log_.push_back(place);
  return isNew;
}

std::vector<CellKey> CellSet::forgetSince(size_t mark) {
  std::vector<CellKey> taken;
  for (; log_.size() > mark; log_.pop_back())
    taken.push_back(std::move(cells_.extract(log_.back()).value()));
  return taken;
}

} // namespace colonnade::ir
