//===- Clone.cpp - Rebuilds a function op by op -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Clone.h"

#include <cassert>

namespace colonnade::ir {

void copyHead(const Function &from, Function &to) {
  to.name = from.name;
  to.mangledName = from.mangledName;
  to.loc = from.loc;
  to.stage = from.stage;
  to.rawParams = from.rawParams;
  to.returnType = from.returnType;
  to.returnTypeName = from.returnTypeName;
  to.isDefined = from.isDefined;
  to.arrays = from.arrays;
  to.assumptions = from.assumptions;
  to.launch = from.launch;
  to.notes = from.notes;
}

void Cloner::copyShell() {
  Function &to = builder_.function();
  assert(&to != &from_ && to.regions.empty() && "the target must be empty");
  copyHead(from_, to);
  if (!from_.body)
    return;
  to.body = builder_.createRegion();
  for (ValueId arg : from_.region(from_.body).args)
    copyArg(arg, to.body);
  for (const ScalarParam &scalar : from_.scalars)
    to.scalars.push_back({scalar.name, map(scalar.value), scalar.loc});
  builder_.setRegion(to.body);
}

void Cloner::cloneBody() {
  for (size_t p = 0; p < from_.parts.size(); ++p) {
    Part part = from_.parts[p];
    part.body = builder_.createRegion();
    cloneRegion(from_.parts[p].body, part.body);
    builder_.function().parts.push_back(std::move(part));
  }
  cloneOps(from_.body);
}

// The lists are indexed anew each time: hooks append, and from_ may be the
// function that grows.
void Cloner::cloneOps(RegionId old) {
  for (size_t i = 0; i < from_.region(old).ops.size(); ++i)
    visit(from_.region(old).ops[i]);
}

void Cloner::cloneOpsButTerminator(RegionId old) {
  for (size_t i = 0; i + 1 < from_.region(old).ops.size(); ++i)
    visit(from_.region(old).ops[i]);
}

void Cloner::cloneRegion(RegionId old, RegionId fresh) {
  for (size_t i = 0; i < from_.region(old).args.size(); ++i) {
    copyArg(from_.region(old).args[i], fresh);
  }
  InsertionScope scope(builder_);
  builder_.setRegion(fresh);
  cloneOps(old);
}

void Cloner::copyArg(ValueId old, RegionId fresh) {
  const Value &value = from_.value(old);
  ValueId arg = builder_.addArg(fresh, value.type, value.name);
  builder_.function().value(arg).varying = value.varying;
  set(old, arg);
}

void Cloner::visit(OpId old) {
  if (!hook_ || !hook_(old))
    copy(old);
}

OpId Cloner::copy(OpId old) { return copy(old, map(from_.op(old).operands)); }

OpId Cloner::copy(OpId old, llvm::ArrayRef<ValueId> operands) {
  Op op = from_.op(old);
  llvm::SmallVector<RegionId, 2> oldRegions = op.regions;
  llvm::SmallVector<ValueId, 2> oldResults = op.results;
  op.operands.assign(operands.begin(), operands.end());
  if (op.array)
    op.array = mapArray(op.array);
  for (ArrayId &array : op.arrays)
    array = mapArray(array);
  if (locMap_)
    op.loc = locMap_(op.loc);
  for (RegionId &region : op.regions)
    region = builder_.createRegion();
  llvm::SmallVector<RegionId, 2> freshRegions = op.regions;
  llvm::SmallVector<ScalarType, 4> types;
  for (ValueId result : oldResults)
    types.push_back(from_.value(result).type);

  OpId fresh = builder_.append(std::move(op), types);
  for (size_t i = 0; i < oldResults.size(); ++i) {
    ValueId value = builder_.result(fresh, i);
    builder_.function().value(value).name = from_.value(oldResults[i]).name;
    builder_.function().value(value).varying = from_.varying(oldResults[i]);
    set(oldResults[i], value);
  }
  for (size_t i = 0; i < oldRegions.size(); ++i)
    cloneRegion(oldRegions[i], freshRegions[i]);
  return fresh;
}

ValueId Cloner::map(ValueId old) const {
  assert(isMapped(old) && "operand visited before its definition");
  return values_[old.index];
}

llvm::SmallVector<ValueId, 4> Cloner::map(llvm::ArrayRef<ValueId> old) const {
  llvm::SmallVector<ValueId, 4> fresh;
  for (ValueId value : old)
    fresh.push_back(map(value));
  return fresh;
}

void Cloner::set(ValueId old, ValueId fresh) {
  if (old.index >= values_.size())
    values_.resize(std::max<size_t>(old.index + 1, from_.values.size()));
  values_[old.index] = fresh;
}

void Cloner::setArray(ArrayId old, ArrayId fresh) {
  if (old.index >= arrays_.size())
    arrays_.resize(std::max<size_t>(old.index + 1, from_.arrays.size()));
  arrays_[old.index] = fresh;
}

ArrayId Cloner::mapArray(ArrayId old) const {
  return old.index < arrays_.size() && arrays_[old.index] ? arrays_[old.index] : old;
}

} // namespace colonnade::ir
