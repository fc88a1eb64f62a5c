//===- Retype.cpp - Lanes of the chosen types -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: an old value is mapped to one of the type chosen for it; as() casts
// it to what a user needs, once per region.
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/Retype.h"

#include "Transform/KernelBuilder.h"
#include "Transform/Lanes/DemandedBits.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class Retyper {
public:
  Retyper(const Function &from, const LaneTypes &types, Function &to)
      : from_(from), types_(types), to_(to), builder_(to), cloner_(from, builder_.raw()) {}

  void run() {
    cloner_.copyShell();
    for (size_t a = 0; a < from_.arrays.size(); ++a)
      to_.arrays[a].cell = types_.ofCells(ArrayId(a));
    rewrite(from_.body, {});
  }

private:
  using Types = llvm::SmallVector<ScalarType, 4>;

  ValueId as(ValueId old, ScalarType type);
  llvm::SmallVector<ValueId, 4> as(llvm::ArrayRef<ValueId> old, llvm::ArrayRef<ScalarType> types);
  ValueId cast(ValueId value, ScalarType type);
  ValueId truncated(ValueId value, ScalarType own);
  Types typesOf(llvm::ArrayRef<ValueId> old) const;
  Types ownTypesOf(llvm::ArrayRef<ValueId> old) const;
  void setResults(const Op &old, OpId fresh);
  void finish(const Op &old, ValueId value);

  void rewrite(RegionId region, llvm::ArrayRef<ScalarType> yields);
  void rewrite(OpId id);
  void structure(const Op &op, llvm::ArrayRef<ValueId> operands);
  void castOperation(const Op &op);
  ValueId computed(const Op &op, llvm::ArrayRef<ValueId> operands, ScalarType type);

  const Function &from_;
  const LaneTypes &types_;
  Function &to_;
  KernelBuilder builder_;
  Cloner cloner_;
};

} // namespace

ValueId Retyper::cast(ValueId value, ScalarType type) {
  if (to_.value(value).type == type)
    return value;
  return builder_.pure(makeOp(Opcode::Cast, value), type);
}

ValueId Retyper::as(ValueId old, ScalarType type) {
  if (const Scalar *constant = from_.constant(old); constant && constant->type != type)
    return builder_.constant(evaluateCast(*constant, type).value);
  return cast(cloner_.map(old), type);
}

llvm::SmallVector<ValueId, 4> Retyper::as(llvm::ArrayRef<ValueId> old,
                                          llvm::ArrayRef<ScalarType> types) {
  llvm::SmallVector<ValueId, 4> fresh;
  for (auto [value, type] : llvm::zip_equal(old, types))
    fresh.push_back(as(value, type));
  return fresh;
}

Retyper::Types Retyper::typesOf(llvm::ArrayRef<ValueId> old) const {
  return Types(llvm::map_range(old, [&](ValueId value) { return types_.of(value); }));
}

Retyper::Types Retyper::ownTypesOf(llvm::ArrayRef<ValueId> old) const {
  return Types(llvm::map_range(old, [&](ValueId value) { return from_.value(value).type; }));
}

/// A wider lane holds an unsigned value of type `own`: cut what overflowed.
ValueId Retyper::truncated(ValueId value, ScalarType own) {
  ScalarType lane = to_.value(value).type;
  if (bitWidth(lane) <= bitWidth(own))
    return value;
  ValueId mask = builder_.constant({lane, ~uint64_t{0} >> (64 - bitWidth(own))});
  return builder_.pure(makeOp(Opcode::And, {value, mask}), lane);
}

void Retyper::setResults(const Op &old, OpId fresh) {
  for (size_t i = 0; i < old.results.size(); ++i) {
    ValueId value = to_.op(fresh).results[i];
    builder_.setVarying(value, from_.varying(old.results[i]));
    cloner_.set(old.results[i], value);
    to_.value(value).name = from_.value(old.results[i]).name;
  }
}

/// The only result of `old` is `value`.
void Retyper::finish(const Op &old, ValueId value) {
  std::string &name = to_.value(value).name;
  if (name.empty())
    name = from_.value(old.results[0]).name;
  cloner_.set(old.results[0], value);
}

ValueId Retyper::computed(const Op &op, llvm::ArrayRef<ValueId> operands, ScalarType type) {
  Op copy = op;
  copy.operands.assign(operands.begin(), operands.end());
  ValueId value = builder_.raw().result(builder_.raw().append(std::move(copy), type));
  builder_.setVarying(value, from_.varying(op.results[0]));
  return value;
}

void Retyper::rewrite(RegionId region, llvm::ArrayRef<ScalarType> yields) {
  const std::vector<OpId> &ops = from_.region(region).ops;
  for (OpId id : llvm::drop_end(ops))
    rewrite(id);
  if (!ops.empty())
    cloner_.copy(ops.back(), as(from_.op(ops.back()).operands, yields));
}

/// If, For, Loop: `operands` are mapped; carried values have their lanes' types.
void Retyper::structure(const Op &op, llvm::ArrayRef<ValueId> operands) {
  Op copy = op;
  copy.operands.assign(operands.begin(), operands.end());
  for (RegionId &region : copy.regions)
    region = builder_.raw().createRegion();
  llvm::SmallVector<RegionId, 2> fresh = copy.regions;
  OpId id = builder_.raw().append(std::move(copy), typesOf(op.results));
  setResults(op, id);
  for (auto [old, region] : llvm::zip(op.regions, fresh)) {
    for (ValueId arg : from_.region(old).args) {
      ValueId value = builder_.raw().addArg(region, types_.of(arg), from_.value(arg).name);
      builder_.setVarying(value, from_.varying(arg));
      cloner_.set(arg, value);
    }
    Types yields;
    if (op.opcode == Opcode::Loop || op.hasContinueFlag)
      yields.push_back(ScalarType::Bool);
    Types carried = typesOf(op.opcode == Opcode::For ? llvm::ArrayRef(op.results).drop_front()
                                                     : llvm::ArrayRef(op.results));
    yields.append(carried.begin(), carried.end());
    KernelBuilder::Scope scope(builder_, region);
    rewrite(old, yields);
  }
}

void Retyper::castOperation(const Op &op) {
  ScalarType from = from_.value(op.operands[0]).type, own = from_.value(op.results[0]).type;
  ScalarType lane = types_.of(op.results[0]);
  if (!isInteger(own) || isFloat(from))
    return finish(op, computed(op, as(op.operands, from), lane));
  ValueId value = as(op.operands[0], from == ScalarType::Bool ? from : types_.of(op.operands[0]));
  value = cast(value, lane);
  bool keeps = from == ScalarType::Bool || fitsIn(types_.ranges().of(op.operands[0]), from, own);
  finish(op, keeps ? value : truncated(value, own));
}

void Retyper::rewrite(OpId id) {
  const Op &op = from_.op(id);
  auto operands = llvm::ArrayRef(op.operands);
  Types own = ownTypesOf(operands);
  switch (op.opcode) {
  case Opcode::If:
    return structure(op, as(operands, own));
  case Opcode::For: {
    Types types(own.begin(), own.begin() + 3);
    types.append(typesOf(llvm::ArrayRef(op.results).drop_front()));
    return structure(op, as(operands, types));
  }
  case Opcode::Loop:
    return structure(op, as(operands, typesOf(op.results)));
  case Opcode::Store:
    own.back() = types_.ofCells(op.array);
    break;
  case Opcode::Load:
    return finish(op, computed(op, as(operands, own), types_.of(op.results[0])));
  case Opcode::Cast:
    return castOperation(op);
  case Opcode::Select:
  case Opcode::Blend: {
    ScalarType lane = types_.of(op.results[0]);
    return finish(op, computed(op, as(operands, {ScalarType::Bool, lane, lane}), lane));
  }
  default:
    break;
  }
  if (op.results.size() == 1 && needsWholeOperands(from_, op)) {
    ScalarType type = types_.computing(op), result = from_.value(op.results[0]).type;
    Types types(operands.size(), type);
    if (op.opcode == Opcode::Shr)
      types[1] = own[1];
    ValueId value = computed(op, as(operands, types), isInteger(result) ? type : result);
    return finish(op, isInteger(result) ? cast(value, types_.of(op.results[0])) : value);
  }
  if (worksOnLowBits(op) && isInteger(from_.value(op.results[0]).type)) {
    ScalarType lane = types_.of(op.results[0]);
    Types types(operands.size(), lane);
    if (op.opcode == Opcode::Shl)
      types[1] = own[1];
    ValueId value = computed(op, as(operands, types), lane);
    return finish(op, staysWithin(op) ? value : truncated(value, from_.value(op.results[0]).type));
  }
  OpId fresh = cloner_.copy(id, as(operands, own));
  setResults(op, fresh);
}

Function colonnade::retype(const Function &kernel, const LaneTypes &types) {
  Function result;
  Retyper(kernel, types, result).run();
  return result;
}
