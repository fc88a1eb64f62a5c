//===- Builder.cpp - Appends operations to a region ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Builder.h"

#include <cassert>

namespace colonnade::ir {

RegionId Builder::createRegion(OpId parent) {
  RegionId id(function_.regions.size());
  function_.regions.emplace_back().parent = parent;
  return id;
}

ValueId Builder::addArg(RegionId region, ScalarType type, std::string name) {
  ValueId id(function_.values.size());
  Value &value = function_.values.emplace_back();
  value.type = type;
  value.region = region;
  value.index = static_cast<uint32_t>(function_.region(region).args.size());
  value.name = std::move(name);
  function_.region(region).args.push_back(id);
  return id;
}

OpId Builder::append(Op op, llvm::ArrayRef<ScalarType> types) {
  // `types` may be a value's type inside function_.values, which grows here.
  const llvm::SmallVector<ScalarType, 4> resultTypes(types.begin(), types.end());
  assert(region_.valid() && "no insertion region");
  OpId id(function_.ops.size());
  if (!op.loc)
    op.loc = loc_;
  if (!op.provenance)
    op.provenance = provenance_;
  op.results.clear();
  for (size_t i = 0; i < resultTypes.size(); ++i) {
    op.results.push_back(ValueId(function_.values.size()));
    Value &value = function_.values.emplace_back();
    value.type = resultTypes[i];
    value.def = id;
    value.index = static_cast<uint32_t>(i);
  }
  for (RegionId region : op.regions)
    function_.region(region).parent = id;
  function_.ops.push_back(std::move(op));
  function_.region(region_).ops.push_back(id);
  return id;
}

ValueId Builder::constant(Scalar scalar) {
  Op op = makeOp(Opcode::Constant);
  op.scalar = scalar;
  return result(append(std::move(op), scalar.type));
}

ValueId Builder::constantInt(ScalarType type, int64_t value) {
  assert((isInteger(type) || type == ScalarType::Bool) && "not an integer type");
  uint64_t mask = ~uint64_t(0) >> (64 - bitWidth(type));
  return constant({type, static_cast<uint64_t>(value) & mask});
}

ValueId Builder::undef(ScalarType type) { return result(append(makeOp(Opcode::Undef), type)); }

ValueId Builder::unary(Opcode opcode, ValueId a) {
  return result(append(makeOp(opcode, a), function_.value(a).type));
}

ValueId Builder::binary(Opcode opcode, ValueId a, ValueId b) {
  ScalarType type = isComparison(opcode) ? ScalarType::Bool : function_.value(a).type;
  return result(append(makeOp(opcode, {a, b}), type));
}

ValueId Builder::cast(ValueId a, ScalarType to) {
  if (function_.value(a).type == to)
    return a;
  return result(append(makeOp(Opcode::Cast, a), to));
}

ValueId Builder::math(MathFn fn, llvm::ArrayRef<ValueId> args) {
  assert(args.size() == arity(fn) && "wrong number of arguments");
  Op op = makeOp(Opcode::Math, args);
  op.math = fn;
  return result(append(std::move(op), function_.value(args[0]).type));
}

ValueId Builder::select(ValueId c, ValueId a, ValueId b) {
  return result(append(makeOp(Opcode::Select, {c, a, b}), function_.value(a).type));
}

static Op makeAccess(Opcode opcode, ArrayId array, llvm::ArrayRef<ValueId> subscripts,
                     llvm::ArrayRef<ValueId> radices) {
  assert(subscripts.size() == radices.size() + 1 && "k+1 subscripts need k radices");
  Op op = makeOp(opcode, subscripts);
  op.array = array;
  op.operands.append(radices.begin(), radices.end());
  return op;
}

ValueId Builder::load(ArrayId array, llvm::ArrayRef<ValueId> subscripts,
                      llvm::ArrayRef<ValueId> radices) {
  ScalarType cell = function_.array(array).cell;
  return result(append(makeAccess(Opcode::Load, array, subscripts, radices), cell));
}

OpId Builder::store(ArrayId array, ValueId value, llvm::ArrayRef<ValueId> subscripts,
                    llvm::ArrayRef<ValueId> radices) {
  Op op = makeAccess(Opcode::Store, array, subscripts, radices);
  op.operands.push_back(value);
  return append(std::move(op), {});
}

OpId Builder::createIf(ValueId cond, llvm::ArrayRef<ScalarType> resultTypes) {
  Op op = makeOp(Opcode::If, cond);
  op.regions = {createRegion(), createRegion()};
  return append(std::move(op), resultTypes);
}

OpId Builder::createFor(ValueId lo, ValueId hi, ValueId step, Predicate predicate,
                        bool hasContinueFlag, llvm::ArrayRef<ValueId> inits) {
  Op op = makeOp(Opcode::For, {lo, hi, step});
  op.predicate = predicate;
  op.hasContinueFlag = hasContinueFlag;
  op.operands.append(inits.begin(), inits.end());
  RegionId body = createRegion();
  op.regions = {body};
  llvm::SmallVector<ScalarType, 8> types = {function_.value(lo).type};
  for (ValueId init : inits)
    types.push_back(function_.value(init).type);
  for (ScalarType type : types)
    addArg(body, type);
  return append(std::move(op), types);
}

OpId Builder::createLoop(llvm::ArrayRef<ValueId> inits) {
  Op op = makeOp(Opcode::Loop, inits);
  op.regions = {createRegion(), createRegion()};
  llvm::SmallVector<ScalarType, 8> types;
  for (ValueId init : inits)
    types.push_back(function_.value(init).type);
  for (RegionId region : op.regions)
    for (ScalarType type : types)
      addArg(region, type);
  return append(std::move(op), types);
}

OpId Builder::yield(llvm::ArrayRef<ValueId> values) {
  return append(makeOp(Opcode::Yield, values), {});
}

OpId Builder::test(ValueId cond, llvm::ArrayRef<ValueId> forwarded) {
  Op op = makeOp(Opcode::Test, cond);
  op.operands.append(forwarded.begin(), forwarded.end());
  return append(std::move(op), {});
}

OpId Builder::ret(std::optional<ValueId> value) {
  return append(makeOp(Opcode::Return, value ? llvm::ArrayRef(*value) : llvm::ArrayRef<ValueId>()),
                {});
}

OpId Builder::unsupported(std::string what, std::optional<ScalarType> resultType,
                          UnsupportedKind kind) {
  Op op = makeOp(Opcode::Unsupported);
  op.index = kind;
  op.text = std::move(what);
  if (resultType)
    return append(std::move(op), *resultType);
  return append(std::move(op), {});
}

} // namespace colonnade::ir
