//===- CounterBits.cpp - What a loop carries, from its counter ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/CounterBits.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"
#include "IR/ValueNumbering.h"
#include "Transform/Teams/MapBits.h"
#include "Transform/UnusedValues.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr uint64_t MostSteps = 1 << 22;

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {

/// Values in a For, by its counter.
class CounterWalk final : public KnownWalk {
public:
  CounterWalk(const Function &kernel, uint64_t maxSteps);

  bool run() { return hasCandidates_ && walk(function_.body); }
  const std::vector<OpId> &loops() const { return loopOf_; }
  /// By value: nullopt where they do not follow from the counter.
  std::map<uint32_t, BitMap> maps() const;

private:
  struct Values {
    std::map<uint64_t, uint64_t> byCounter;
    bool areKnown = true;
  };
  bool visit(OpId id) override;
  bool access(OpId, std::optional<int64_t>) override { return true; }
  bool iteration(OpId loop, uint64_t number) override;
  void note(ValueId value, OpId loop);

  std::vector<OpId> loopOf_; // by operation: the For in whose body it is
  std::map<uint32_t, Values> values_;
  bool hasCandidates_ = false;
};

} // namespace

static bool areIntegers(const Function &kernel, llvm::ArrayRef<ValueId> values) {
  return llvm::all_of(values, [&](ValueId value) {
    return ir::isInteger(kernel.value(value).type) && !kernel.varying(value);
  });
}

static bool isPlainFor(const Op &op) {
  return op.opcode == Opcode::For && !op.hasContinueFlag && !op.postTest;
}

/// A loop that carries integers only, the same in all instances.
static bool mayBeOfCounter(const Function &kernel, const Op &op) {
  return (op.opcode == Opcode::For || op.opcode == Opcode::Loop) && !op.results.empty() &&
         areIntegers(kernel, op.results);
}

CounterWalk::CounterWalk(const Function &kernel, uint64_t maxSteps)
    : KnownWalk(kernel, maxSteps), loopOf_(kernel.ops.size()) {
  for (size_t o = 0; o < kernel.ops.size(); ++o) {
    const Op &op = kernel.ops[o];
    if (!isPlainFor(op))
      continue;
    hasCandidates_ |= op.results.size() > 1 && areIntegers(kernel, op.results);
    for (OpId inner : kernel.region(op.regions[0]).ops) {
      if (!mayBeOfCounter(kernel, kernel.op(inner)))
        continue;
      loopOf_[inner.index] = OpId(o);
      hasCandidates_ = true;
    }
  }
}

void CounterWalk::note(ValueId id, OpId loop) {
  Values &values = values_[id.index];
  const Known &known = value(id),
              &counter = value(function_.region(function_.op(loop).regions[0]).args[0]);
  values.areKnown =
      values.areKnown && known && counter && asInt64(*known) >= 0 && asInt64(*counter) >= 0 &&
      values.byCounter.emplace(counter->bits, known->bits).first->second == known->bits;
}

bool CounterWalk::visit(OpId id) {
  if (!KnownWalk::visit(id))
    return false;
  if (loopOf_[id.index])
    for (ValueId result : function_.op(id).results)
      note(result, loopOf_[id.index]);
  return true;
}

bool CounterWalk::iteration(OpId loop, uint64_t number) {
  const Op &op = function_.op(loop);
  if (isPlainFor(op) && areIntegers(function_, op.results))
    for (ValueId carried : llvm::ArrayRef(function_.region(op.regions[0]).args).drop_front())
      note(carried, loop);
  return KnownWalk::iteration(loop, number);
}

std::map<uint32_t, BitMap> CounterWalk::maps() const {
  std::map<uint32_t, BitMap> maps;
  for (const auto &[id, values] : values_)
    if (values.areKnown)
      if (std::optional<BitMap> map = bitMapOf(values.byCounter))
        maps[id] = std::move(*map);
  return maps;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {

class CarryNothing {
public:
  CarryNothing(const Function &from, const std::vector<OpId> &loopOf,
               std::map<uint32_t, BitMap> maps)
      : from_(from), loopOf_(loopOf), maps_(std::move(maps)), isUsed_(from.values.size()),
        builder_(to_), cloner_(from, builder_, [this](OpId old) { return hook(old); }) {
    for (const Op &op : from.ops)
      for (ValueId operand : op.operands)
        isUsed_[operand.index] = true;
  }

  std::optional<Function> run() {
    cloner_.copyShell();
    cloner_.cloneBody();
    if (!isChanged_)
      return std::nullopt;
    dropUnusedLoops(to_);
    return std::move(to_);
  }

private:
  bool hook(OpId old);
  bool loop(OpId old);
  bool areOfCounter(llvm::ArrayRef<ValueId> values) const {
    return llvm::all_of(
        values, [&](ValueId value) { return maps_.count(value.index) || !isUsed_[value.index]; });
  }
  void compute(llvm::ArrayRef<ValueId> values, ValueId counter);

  const Function &from_;
  const std::vector<OpId> &loopOf_; // by operation
  std::map<uint32_t, BitMap> maps_; // by value
  std::vector<bool> isUsed_;        // by value
  Function to_;
  Builder builder_;
  Cloner cloner_;
  bool isChanged_ = false;
};

} // namespace

void CarryNothing::compute(llvm::ArrayRef<ValueId> values, ValueId counter) {
  for (ValueId value : values) {
    if (!isUsed_[value.index])
      continue;
    const BitMap &map = maps_[value.index];
    const ScalarType type = from_.value(value).type;
    ValueId computed = mapBits(builder_, builder_.cast(counter, ScalarType::S64), map.images);
    if (map.first != 0)
      computed =
          builder_.binary(Opcode::Xor, computed,
                          builder_.constantInt(ScalarType::S64, static_cast<int64_t>(map.first)));
    computed = builder_.cast(computed, type);
    to_.value(computed).name = from_.value(value).name;
    cloner_.set(value, computed);
  }
  isChanged_ = true;
}

bool CarryNothing::hook(OpId old) {
  const Op &op = from_.op(old);
  const OpId around = loopOf_[old.index];
  if (around && areOfCounter(op.results) && onlyComputes(from_, op)) {
    compute(op.results, cloner_.map(from_.region(from_.op(around).regions[0]).args[0]));
    return true;
  }
  return isPlainFor(op) && loop(old);
}

/// Without what it carries, if that is of its counter.
bool CarryNothing::loop(OpId old) {
  const Op &op = from_.op(old);
  const Region &body = from_.region(op.regions[0]);
  const llvm::ArrayRef<ValueId> carried = llvm::ArrayRef(body.args).drop_front();
  if (carried.empty() || !areOfCounter(carried) ||
      llvm::any_of(llvm::drop_begin(op.results), [&](ValueId r) { return isUsed_[r.index]; }))
    return false;
  const auto bounds = cloner_.map(llvm::ArrayRef(op.operands).take_front(3));
  const OpId fresh = builder_.createFor(bounds[0], bounds[1], bounds[2], op.predicate, false, {});
  to_.op(fresh).loc = op.loc;
  cloner_.set(op.results[0], to_.op(fresh).results[0]);
  const RegionId region = to_.op(fresh).regions[0];
  const ValueId counter = to_.region(region).args[0];
  to_.value(counter).name = from_.value(body.args[0]).name;
  cloner_.set(body.args[0], counter);
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  compute(carried, counter);
  cloner_.cloneOpsButTerminator(op.regions[0]);
  builder_.yield({});
  return true;
}

std::optional<Function> colonnade::carryNothing(const Function &kernel, WalkBudget &budget) {
  CounterWalk walk(kernel, std::min(MostSteps, budget.left));
  const bool ran = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  return ran ? CarryNothing(kernel, walk.loops(), walk.maps()).run() : std::nullopt;
}
