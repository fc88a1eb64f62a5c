//===- NestIteration.cpp - An iteration as a function of cells ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is pure, or loaded from what the nest does not store to, is computed where it is first used.
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/NestIteration.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

NestIteration::NestIteration(const Function &from, const NestLines &lines, BlockBuilder &builder,
                             const Cloner &outside, ValueId row, ValueId column)
    : from_(from), lines_(lines), builder_(builder), outside_(outside) {
  collect(from.op(lines.nest.rows).regions[0]);
  const auto counterOf = [&](OpId loop) { return from.region(from.op(loop).regions[0]).args[0]; };
  scope_.values[counterOf(lines.nest.rows).index] = row;
  scope_.values[counterOf(lines.nest.columns).index] = column;
}

void NestIteration::collect(RegionId region) {
  for (OpId id : from_.region(region).ops) {
    for (ValueId result : from_.op(id).results)
      isInside_[result.index] = true;
    for (RegionId inner : from_.op(id).regions)
      collect(inner);
  }
}

llvm::SmallVector<ValueId, 4> NestIteration::get(llvm::ArrayRef<ValueId> values) {
  llvm::SmallVector<ValueId, 4> copies;
  for (ValueId value : values)
    copies.push_back(get(value));
  return copies;
}

ValueId NestIteration::get(ValueId value) {
  if (const auto there = scope_.values.find(value.index); there != scope_.values.end())
    return there->second;
  if (!isInside_.contains(value.index))
    return outside_.map(value);
  const OpId id = from_.value(value).def;
  const auto load = lines_.loads.find(id.index);
  const ValueId copied = load == lines_.loads.end() ? copy(id) : [&] {
    const NestCell cell = load->second;
    const uint32_t array = from_.op(id).array.index;
    ValueId &other = scope_.others[{array, cell.rowIsK * 2U + cell.columnIsK}];
    if (!other)
      other = (*other_)(array, cell);
    return other;
  }();
  scope_.values[value.index] = copied;
  return copied;
}

/// Of an operation with one result and no regions.
ValueId NestIteration::copy(OpId id) {
  Op op = from_.op(id);
  const ValueId result = op.results[0];
  op.operands = get(from_.op(id).operands);
  const ScalarType type = from_.value(result).type;
  const bool pure = isPure(op);
  if (pure)
    if (const ValueId there = available_.find(Expression(op, type)))
      return there;
  const Expression expression(op, type);
  const ValueId fresh = builder_.result(builder_.append(std::move(op), type));
  builder_.function().value(fresh).name = from_.value(result).name;
  builder_.function().value(fresh).varying = from_.varying(result);
  if (pure)
    available_.add(expression, fresh);
  return fresh;
}

ValueId NestIteration::loadOwn(uint32_t array) {
  const AccessOperands store = accessOperands(from_.op(lines_.stores.at(array)));
  const auto subscripts = get(store.subscripts), radices = get(store.radices);
  return builder_.varying(builder_.load(ArrayId(array), subscripts, radices));
}

void NestIteration::storeOwn(uint32_t array, ValueId value) {
  Op store = from_.op(lines_.stores.at(array));
  const AccessOperands parts = accessOperands(store);
  llvm::SmallVector<ValueId, 4> operands = get(parts.subscripts);
  llvm::append_range(operands, get(parts.radices));
  operands.push_back(value);
  store.operands = std::move(operands);
  builder_.append(std::move(store), {});
}

CellValues NestIteration::run(const CellValues &own, Other other) {
  own_ = own;
  other_ = &other;
  region(from_.op(lines_.nest.columns).regions[0]);
  other_ = nullptr;
  return own_;
}

void NestIteration::region(RegionId id) {
  for (OpId each : llvm::ArrayRef(from_.region(id).ops).drop_back()) {
    const Op &op = from_.op(each);
    const InsertionScope scope(builder_);
    builder_.setLoc(op.loc);
    if (op.opcode == Opcode::If)
      branch(op);
    else if (op.opcode == Opcode::Store && own_.count(op.array.index) != 0)
      own_[op.array.index] = get(accessOperands(op).stored);
    else if (const auto load = lines_.loads.find(each.index);
             load != lines_.loads.end() && load->second.isOwn())
      scope_.values[op.results[0].index] = own_.at(op.array.index);
  }
}

/// Each arm's values, and what it leaves in the own cells, are results; of empty arms they are
/// chosen.
void NestIteration::branch(const Op &op) {
  const ValueId condition = get(op.operands[0]);
  const CellValues before = own_;
  llvm::SmallVector<ValueId, 4> results[2];
  CellValues after[2];
  RegionId arms[2];
  for (unsigned a = 0; a < 2; ++a) {
    const InsertionScope scope(builder_);
    const Scope outside = scope_;
    const size_t mark = available_.mark();
    own_ = before;
    arms[a] = builder_.createRegion();
    builder_.setRegion(arms[a]);
    region(op.regions[a]);
    results[a] = get(from_.terminator(op.regions[a]).operands);
    after[a] = own_;
    scope_ = outside;
    available_.forgetSince(mark);
  }
  own_ = before;
  std::vector<uint32_t> changed;
  for (const auto &[array, value] : before)
    if (after[0][array] != value || after[1][array] != value) {
      changed.push_back(array);
      for (unsigned a = 0; a < 2; ++a)
        results[a].push_back(after[a][array]);
    }
  llvm::SmallVector<ValueId, 4> chosen;
  const Function &kernel = builder_.function();
  if (kernel.region(arms[0]).ops.empty() && kernel.region(arms[1]).ops.empty()) {
    for (auto [yes, no] : llvm::zip_equal(results[0], results[1]))
      chosen.push_back(builder_.select(condition, yes, no));
  } else {
    llvm::SmallVector<ScalarType, 4> types;
    for (unsigned a = 0; a < 2; ++a) {
      const InsertionScope scope(builder_);
      builder_.setRegion(arms[a]);
      builder_.yield(results[a]);
    }
    for (ValueId result : results[0])
      types.push_back(kernel.value(result).type);
    Op branch = makeOp(Opcode::If, condition);
    branch.regions = {arms[0], arms[1]};
    const OpId fresh = builder_.append(std::move(branch), types);
    for (unsigned r = 0; r < results[0].size(); ++r)
      chosen.push_back(builder_.result(fresh, r));
  }
  for (auto [result, value] : llvm::zip(op.results, chosen))
    scope_.values[result.index] = value;
  for (auto [array, value] :
       llvm::zip_equal(changed, llvm::ArrayRef(chosen).drop_front(op.results.size())))
    own_[array] = value;
}
