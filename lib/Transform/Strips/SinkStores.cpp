//===- SinkStores.cpp - Stores of branches, behind them -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/SinkStores.h"

#include "IR/Clone.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class StoreSinker {
public:
  StoreSinker(const Function &from, const StripNest &nest)
      : from_(from), nest_(nest), builder_(sunk_.kernel),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  SunkStores run() {
    cloner_.copyShell();
    cloner_.cloneBody();
    return std::move(sunk_);
  }

private:
  struct Branch;

  bool hook(OpId old);
  void sink(OpId branch);
  bool mayStoreAgain(const Branch &branch) const;
  void sinkBoth(const Branch &branch);
  void sinkOne(const Branch &branch);
  void storeBehind(const Branch &branch, Op store);
  ValueId loadBefore(const Op &store);
  ValueId addResult(OpId branch, ScalarType type);
  OpId lastStore(RegionId arm) const;
  bool isInside(ValueId value, RegionId arm) const {
    return llvm::is_contained(kernel().region(arm).ops, kernel().value(value).def);
  }
  bool isSame(ValueId a, ValueId b) const;
  bool isSameCell(const Op &a, const Op &b) const;
  bool isKnownOutside(ValueId value, RegionId arm) const;
  bool isCellKnownOutside(const Op &store, RegionId arm) const;
  ValueId outside(ValueId value, RegionId arm);
  Op cellOutside(OpId store, RegionId arm);
  void give(OpId branch, unsigned arm, ValueId value);
  void drop(RegionId arm, OpId store) { llvm::erase(sunk_.kernel.region(arm).ops, store); }
  const Function &kernel() const { return sunk_.kernel; }

  const Function &from_;
  StripNest nest_;
  SunkStores sunk_;
  Builder builder_;
  Cloner cloner_;
  bool isInNest_ = false;
};

} // namespace

bool StoreSinker::hook(OpId old) {
  const Opcode opcode = from_.op(old).opcode;
  const bool isNest = old == nest_.outer;
  if (opcode == Opcode::For) {
    isInNest_ |= isNest;
    sunk_.loops[old] = cloner_.copy(old);
    isInNest_ &= !isNest;
    return true;
  }
  if (opcode != Opcode::If || !isInNest_)
    return false;
  sink(cloner_.copy(old)); // branches in it are done
  return true;
}

/// Behind which the branch accesses nothing; invalid: there is none.
OpId StoreSinker::lastStore(RegionId arm) const {
  for (OpId id : llvm::reverse(kernel().region(arm).ops)) {
    const Op &op = kernel().op(id);
    if (op.opcode == Opcode::Store)
      return op.masked ? OpId() : id;
    if (!isPure(op) && op.opcode != Opcode::Yield)
      return {};
  }
  return {};
}

bool StoreSinker::isSame(ValueId a, ValueId b) const {
  if (a == b)
    return true;
  const Op *x = kernel().definition(a), *y = kernel().definition(b);
  const ScalarType type = kernel().value(a).type;
  if (!x || !y || !isPure(*x) || !isPure(*y) || type != kernel().value(b).type ||
      x->opcode != y->opcode || x->math != y->math || !(x->scalar == y->scalar) ||
      x->operands.size() != y->operands.size() || x->results.size() != 1)
    return false;
  return llvm::all_of(llvm::zip(x->operands, y->operands), [&](const auto &each) {
    return isSame(std::get<0>(each), std::get<1>(each));
  });
}

bool StoreSinker::isSameCell(const Op &a, const Op &b) const {
  const AccessOperands x = accessOperands(a), y = accessOperands(b);
  const auto areSame = [&](llvm::ArrayRef<ValueId> left, llvm::ArrayRef<ValueId> right) {
    return left.size() == right.size() && llvm::all_of(llvm::zip(left, right), [&](auto each) {
             return isSame(std::get<0>(each), std::get<1>(each));
           });
  };
  return a.array == b.array && areSame(x.subscripts, y.subscripts) && areSame(x.radices, y.radices);
}

/// It can be computed again behind the branch.
bool StoreSinker::isKnownOutside(ValueId value, RegionId arm) const {
  if (!isInside(value, arm))
    return true;
  const Op &def = *kernel().definition(value);
  return isPure(def) && def.opcode != Opcode::Div && def.opcode != Opcode::Rem &&
         llvm::all_of(def.operands, [&](ValueId operand) { return isKnownOutside(operand, arm); });
}

bool StoreSinker::isCellKnownOutside(const Op &store, RegionId arm) const {
  const AccessOperands parts = accessOperands(store);
  const auto isKnown = [&](ValueId value) { return isKnownOutside(value, arm); };
  return llvm::all_of(parts.subscripts, isKnown) && llvm::all_of(parts.radices, isKnown);
}

ValueId StoreSinker::outside(ValueId value, RegionId arm) {
  if (!isInside(value, arm))
    return value;
  Op op = *kernel().definition(value);
  for (ValueId &operand : op.operands)
    operand = outside(operand, arm);
  const Value old = kernel().value(value);
  const ValueId result = builder_.result(builder_.append(std::move(op), {old.type}));
  sunk_.kernel.value(result).varying = old.varying;
  return result;
}

/// The store, with its cell from outside the branch; the stored value is the last operand.
Op StoreSinker::cellOutside(OpId store, RegionId arm) {
  Op op = kernel().op(store);
  for (ValueId &operand : llvm::MutableArrayRef(op.operands).drop_back())
    operand = outside(operand, arm);
  return op;
}

void StoreSinker::give(OpId branch, unsigned arm, ValueId value) {
  const RegionId region = kernel().op(branch).regions[arm];
  sunk_.kernel.op(kernel().region(region).ops.back()).operands.push_back(value);
}

/// The arms and their last stores; the first of the two that has one is where the cell is from.
struct StoreSinker::Branch {
  OpId op;
  RegionId arms[2];
  OpId stores[2];
  unsigned from = 0;

  unsigned other() const { return 1 - from; }
};

ValueId StoreSinker::loadBefore(const Op &store) {
  Op load = store;
  load.opcode = Opcode::Load;
  load.operands.pop_back();
  const ScalarType type = kernel().array(store.array).cell;
  const ValueId loaded = builder_.result(builder_.append(std::move(load), {type}));
  sunk_.kernel.value(loaded).varying = true;
  return loaded;
}

ValueId StoreSinker::addResult(OpId branch, ScalarType type) {
  Value result;
  result.type = type;
  result.varying = true;
  result.def = branch;
  result.index = static_cast<uint32_t>(kernel().op(branch).results.size());
  sunk_.kernel.values.push_back(result);
  const ValueId id(kernel().values.size() - 1);
  sunk_.kernel.op(branch).results.push_back(id);
  return id;
}

void StoreSinker::sink(OpId id) {
  Branch branch = {id, {kernel().op(id).regions[0], kernel().op(id).regions[1]}, {}};
  for (unsigned arm = 0; arm < 2; ++arm)
    branch.stores[arm] = lastStore(branch.arms[arm]);
  branch.from = branch.stores[0] ? 0 : 1;
  const OpId stored = branch.stores[branch.from], other = branch.stores[branch.other()];
  if (!stored || !isCellKnownOutside(kernel().op(stored), branch.arms[branch.from]))
    return;
  if (other && isSameCell(kernel().op(stored), kernel().op(other)))
    return sinkBoth(branch);
  const bool isAlone = kernel().region(branch.arms[branch.other()]).ops.size() == 1;
  if (isAlone && mayStoreAgain(branch))
    sinkOne(branch);
}

/// What is in the cell, which is the instance's own. Where sizes decide about the branch, there may
/// be no such cell.
bool StoreSinker::mayStoreAgain(const Branch &branch) const {
  const Array &array = kernel().array(kernel().op(branch.stores[branch.from]).array);
  return kernel().varying(kernel().op(branch.op).operands[0]) && array.isPerInstance() &&
         (array.isLocal() || array.reads);
}

void StoreSinker::sinkBoth(const Branch &branch) {
  Op store = cellOutside(branch.stores[branch.from], branch.arms[branch.from]);
  store.guarded |= kernel().op(branch.stores[branch.other()]).guarded;
  for (unsigned arm = 0; arm < 2; ++arm) {
    give(branch.op, arm, accessOperands(kernel().op(branch.stores[arm])).stored);
    drop(branch.arms[arm], branch.stores[arm]);
  }
  storeBehind(branch, std::move(store));
}

/// Else the cell is stored to as it was.
void StoreSinker::sinkOne(const Branch &branch) {
  const OpId stored = branch.stores[branch.from];
  sunk_.kernel.region(builder_.insertionRegion()).ops.pop_back();
  Op store = cellOutside(stored, branch.arms[branch.from]);
  const ValueId before = loadBefore(store);
  sunk_.kernel.region(builder_.insertionRegion()).ops.push_back(branch.op);
  give(branch.op, branch.from, accessOperands(kernel().op(stored)).stored);
  give(branch.op, branch.other(), before);
  drop(branch.arms[branch.from], stored);
  storeBehind(branch, std::move(store));
}

void StoreSinker::storeBehind(const Branch &branch, Op store) {
  store.operands.back() = addResult(branch.op, kernel().array(store.array).cell);
  builder_.append(std::move(store), {});
}

SunkStores colonnade::sinkStores(const Function &kernel, const StripNest &nest) {
  return StoreSinker(kernel, nest).run();
}
