//===- ResultsAtEnd.cpp - An array that is kept until the end -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/ResultsAtEnd.h"

#include "IR/KnownWalk.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// The cells of each store.
class StoredCells final : public KnownWalk {
public:
  StoredCells(const Function &kernel, ArrayId array, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), array_(array) {}

  bool run() { return walk(function_.body); }
  std::map<uint32_t, std::vector<bool>> cells; // by operation

private:
  bool unknownLoop(OpId) override { return false; }
  bool access(OpId id, std::optional<int64_t> cell) override {
    const Op &op = function_.op(id);
    if (op.array != array_ || op.opcode != Opcode::Store)
      return true;
    std::vector<bool> &own = cells[id.index];
    own.resize(function_.array(array_).constantCells().value_or(0));
    if (!cell || *cell < 0 || static_cast<uint64_t>(*cell) >= own.size() || uncertain_ > 0 ||
        own[static_cast<size_t>(*cell)])
      return false;
    own[static_cast<size_t>(*cell)] = true;
    return true;
  }

  ArrayId array_;
};

/// Whether loops around a store, and its cell, follow from counters.
class CountedStores {
public:
  explicit CountedStores(const Function &kernel) : kernel_(kernel) {}

  bool isCounted(OpId store) const {
    for (ValueId subscript : accessOperands(kernel_.op(store)).subscripts)
      if (!isCounted(subscript))
        return false;
    for (RegionId at = regionOf(store); kernel_.region(at).parent;
         at = regionOf(kernel_.region(at).parent)) {
      const Op &around = kernel_.op(kernel_.region(at).parent);
      if (around.opcode != Opcode::For || around.hasContinueFlag || around.postTest ||
          !llvm::all_of(llvm::ArrayRef(around.operands).take_front(3),
                        [&](ValueId bound) { return isCounted(bound); }))
        return false;
    }
    return true;
  }
  RegionId regionOf(OpId id) const {
    for (size_t r = 0; r < kernel_.regions.size(); ++r)
      if (llvm::is_contained(kernel_.regions[r].ops, id))
        return RegionId(r);
    return {};
  }

private:
  bool isCounted(ValueId value) const {
    const Op *const op = kernel_.definition(value);
    if (!op) { // a counter, or a scalar
      const RegionId region = kernel_.value(value).region;
      return !kernel_.region(region).parent || kernel_.region(region).args[0] == value;
    }
    return isPure(*op) &&
           llvm::all_of(op->operands, [&](ValueId operand) { return isCounted(operand); });
  }

  const Function &kernel_;
};

} // namespace

std::optional<std::vector<OpId>> colonnade::storesOnce(const Function &kernel, ArrayId array,
                                                       WalkBudget &budget) {
  StoredCells walk(kernel, array, budget.left);
  const bool isKnown = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  if (!isKnown)
    return std::nullopt;
  const CountedStores counted(kernel);
  std::vector<bool> taken(kernel.array(array).constantCells().value_or(0));
  std::vector<OpId> stores;
  for (const auto &[op, cells] : walk.cells) {
    if (!counted.isCounted(OpId(op)))
      return std::nullopt;
    for (size_t c = 0; c < cells.size(); ++c) {
      if (cells[c] && taken[c])
        return std::nullopt;
      taken[c] = taken[c] || cells[c];
    }
    stores.push_back(OpId(op));
  }
  return stores;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {

class CopyEmitter {
public:
  CopyEmitter(const Function &from, Cloner &cloner, BlockBuilder &builder, OpId store,
              ArrayId array, ArrayId own)
      : from_(from), cloner_(cloner), builder_(builder), store_(store), array_(array), own_(own) {}

  /// Of an operation of the body, if the store is in it.
  void copies(OpId id) {
    if (id == store_)
      copy();
    else if (hasStore(id))
      loop(id);
  }

private:
  void region(RegionId id);
  bool hasStore(OpId id) const {
    return id == store_ || llvm::any_of(from_.op(id).regions, [&](RegionId region) {
             return llvm::any_of(from_.region(region).ops, [&](OpId op) { return hasStore(op); });
           });
  }
  void loop(OpId id);
  void copy();

  const Function &from_;
  Cloner &cloner_;
  BlockBuilder &builder_;
  OpId store_;
  ArrayId array_, own_;
};

} // namespace

/// What is pure, and its operands with it, as far as it is there without loads.
void CopyEmitter::region(RegionId id) {
  for (OpId op : from_.region(id).ops) {
    const bool isReady = llvm::all_of(from_.op(op).operands,
                                      [&](ValueId operand) { return cloner_.isMapped(operand); });
    if (op == store_)
      copy();
    else if (hasStore(op))
      loop(op);
    else if (isPure(from_.op(op)) && isReady)
      cloner_.visit(op);
  }
}

void CopyEmitter::loop(OpId id) {
  const Op &old = from_.op(id);
  const OpId fresh = builder_.createFor(cloner_.map(old.operands[0]), cloner_.map(old.operands[1]),
                                        cloner_.map(old.operands[2]), old.predicate, false, {});
  Function &kernel = builder_.function();
  kernel.op(fresh).loc = old.loc;
  const RegionId body = kernel.op(fresh).regions[0];
  const ValueId counter = kernel.region(body).args[0], was = from_.region(old.regions[0]).args[0];
  kernel.value(counter).name = from_.value(was).name;
  cloner_.set(was, counter);
  const InsertionScope scope(builder_);
  builder_.setRegion(body);
  region(old.regions[0]);
  builder_.yield({});
}

void CopyEmitter::copy() {
  const Op &store = from_.op(store_);
  const AccessOperands parts = accessOperands(store);
  const llvm::SmallVector<ValueId, 4> subscripts = cloner_.map(parts.subscripts),
                                      radices = cloner_.map(parts.radices);
  const ValueId kept = builder_.varying(builder_.load(own_, subscripts, radices));
  const OpId copied = builder_.store(array_, kept, subscripts, radices);
  builder_.function().op(copied).accessId = store.accessId;
  builder_.function().op(copied).loc = store.loc;
}

void colonnade::emitCopies(const Function &from, Cloner &cloner, BlockBuilder &builder,
                           llvm::ArrayRef<OpId> stores, ArrayId array, ArrayId own) {
  for (OpId store : stores)
    for (OpId op : from.region(from.body).ops)
      CopyEmitter(from, cloner, builder, store, array, own).copies(op);
}
