//===- LoadsFirst.cpp - Loads of several iterations at once ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/LoadsFirst.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "IR/ValueNumbering.h"
#include "Transform/BlockBuilder.h"
#include "Transform/LoopAccesses.h"
#include "Transform/SharedRows.h"
#include "Transform/UnusedValues.h"
#include "Transform/Varying.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

// Loads of a thread that are on their way together, and the fewest iterations of a strip.
static constexpr unsigned LoadsAtOnce = 16, LeastStrip = 4;
// Of loops so long that memory has room for few instances, which do not fill a machine.
static constexpr unsigned LoadsOfFewInstances = 64;
static constexpr int64_t LongLoop = 1 << 14;

namespace {

/// What a loop's iterations load.
struct Strip {
  unsigned length = 0;
  unsigned head = 0;                // iterations before the first strip
  std::vector<OpId> ahead;          // loads
  std::map<uint32_t, OpId> same;    // loads of a cell that is ahead: the one that is
  std::map<uint32_t, OpId> carried; // loads of what a store of the iteration before has stored
};
using Strips = std::map<uint32_t, Strip>; // by loop

} // namespace

//===----------------------------------------------------------------------===//
// Which loads may come first
//===----------------------------------------------------------------------===//

/// Without a loop or a branch in it, so that each iteration makes each access.
static bool isStraight(const Function &kernel, const Op &loop) {
  return loop.opcode == Opcode::For && !loop.hasContinueFlag && !loop.postTest &&
         loop.unrolling.kind != Unrolling::Kind::Fully &&
         llvm::all_of(kernel.region(loop.regions[0]).ops, [&](OpId id) {
           const Op &op = kernel.op(id);
           return op.regions.empty() && !op.guarded && op.opcode != Opcode::Check &&
                  op.opcode != Opcode::CallPart;
         });
}

static bool isOfMemory(const Function &kernel, const Op &op) {
  return kernel.array(op.array).space == Space::Memory;
}

/// Whether its place is computed from the counter and what is outside of the loop.
static bool isPlaced(const Function &kernel, const Op &loop, const Op &op) {
  const Region &body = kernel.region(loop.regions[0]);
  return llvm::all_of(op.operands, [&](ValueId operand) {
    const OpId definition = kernel.value(operand).def;
    if (!llvm::is_contained(body.ops, definition))
      return !llvm::is_contained(llvm::drop_begin(body.args), operand);
    return isPure(kernel.op(definition)) && isPlaced(kernel, loop, kernel.op(definition));
  });
}

namespace {

/// What strips are for.
enum class StripRule {
  Columns, // b[i] += b[i - 1]: loads that would wait for stores, as many as may be on their way
  Units    // rows in shared memory: of each what lies in 16 bytes
};

/// The loads and stores of a loop.
struct LoopCells {
  std::vector<OpId> loads, stores; // in memory
};

} // namespace

static LoopCells cellsOf(const Function &kernel, const Op &loop) {
  LoopCells cells;
  for (OpId id : kernel.region(loop.regions[0]).ops) {
    const Op &op = kernel.op(id);
    if (op.opcode == Opcode::Load && isOfMemory(kernel, op))
      cells.loads.push_back(id);
    else if (op.opcode == Opcode::Store && isOfMemory(kernel, op))
      cells.stores.push_back(id);
  }
  return cells;
}

/// Loads that see no store of the `within` iterations before come first; what the iteration before
/// has stored is carried.
static Strip loadsOf(const Function &kernel, const Op &loop, llvm::ArrayRef<OpId> loads,
                     uint64_t within, LoopAccessWalk &walk) {
  Strip strip;
  for (OpId id : loads) {
    const LoopAccessWalk::Distance &distance = walk.distance(id);
    if (!isPlaced(kernel, loop, kernel.op(id)))
      continue;
    if (distance.least == 1 && distance.isNext && distance.by) {
      strip.carried[id.index] = distance.by;
      continue;
    }
    if (distance.least < within)
      continue;
    const auto same = llvm::find_if(strip.ahead, [&](OpId other) {
      return kernel.op(other).array == kernel.op(id).array &&
             kernel.op(other).operands == kernel.op(id).operands;
    });
    strip.same[id.index] = same == strip.ahead.end() ? id : *same;
    if (same == strip.ahead.end())
      strip.ahead.push_back(id);
  }
  return strip;
}

static bool isLongEnough(const Strip &strip, int64_t iterations) {
  return iterations >= int64_t(strip.head) + int64_t(2) * strip.length;
}

static std::optional<Strip> stripForColumns(const Function &kernel, const Op &loop,
                                            int64_t iterations, LoopAccessWalk &walk) {
  const LoopCells cells = cellsOf(kernel, loop);
  const unsigned atOnce = iterations < LongLoop ? LoadsAtOnce : LoadsOfFewInstances;
  Strip strip = loadsOf(kernel, loop, cells.loads, atOnce, walk);
  const bool hasWaited = llvm::any_of(strip.same, [&](const auto &load) { // for a store
    return llvm::any_of(cells.stores, [&](OpId store) {
      return kernel.op(store).array == kernel.op(OpId(load.first)).array;
    });
  });
  if (!hasWaited)
    return std::nullopt;
  strip.length = atOnce / static_cast<unsigned>(strip.ahead.size());
  return strip.length >= LeastStrip && isLongEnough(strip, iterations)
             ? std::optional(std::move(strip))
             : std::nullopt;
}

/// As many iterations as a unit of the first array that they go through cell by cell, from where
/// one begins.
static std::optional<Strip> stripOfUnits(const Function &kernel, const Op &loop, int64_t iterations,
                                         LoopAccessWalk &walk) {
  const LoopCells cells = cellsOf(kernel, loop);
  const auto isInOrder = [&](OpId access) {
    const LoopAccessWalk::Order &order = walk.order(access);
    return hasLongRows(kernel.array(kernel.op(access).array)) && order.isKnown &&
           std::abs(order.step) == 1;
  };
  std::vector<OpId> accesses = cells.stores;
  accesses.insert(accesses.end(), cells.loads.begin(), cells.loads.end());
  const auto first = llvm::find_if(accesses, isInOrder);
  if (first == accesses.end())
    return std::nullopt;
  const auto length =
      static_cast<unsigned>(UnitBytes / sizeBytes(kernel.array(kernel.op(*first).array).cell));
  Strip strip = loadsOf(kernel, loop, cells.loads, length, walk);
  strip.length = length;
  const LoopAccessWalk::Order &order = walk.order(*first);
  const int64_t unit = length, before = order.step > 0 ? -order.start : order.start + 1;
  if (order.modulo % unit == 0)
    strip.head = static_cast<unsigned>((before % unit + unit) % unit);
  return isLongEnough(strip, iterations) ? std::optional(std::move(strip)) : std::nullopt;
}

static std::optional<Strip> stripOf(const Function &kernel, const Op &loop, StripRule rule,
                                    LoopAccessWalk &walk) {
  const std::optional<int64_t> iterations = constantIterations(kernel, loop);
  if (!isStraight(kernel, loop) || !iterations)
    return std::nullopt;
  return rule == StripRule::Columns ? stripForColumns(kernel, loop, *iterations, walk)
                                    : stripOfUnits(kernel, loop, *iterations, walk);
}

/// Whether it loads from an array that it stores to: others need no walk.
static bool mayWait(const Function &kernel, const Op &loop) {
  const LoopCells cells = cellsOf(kernel, loop);
  return llvm::any_of(cells.loads, [&](OpId load) {
    return llvm::any_of(
        cells.stores, [&](OpId store) { return kernel.op(store).array == kernel.op(load).array; });
  });
}

static bool mayHaveStrips(const Function &kernel, const Op &loop, StripRule rule) {
  return isStraight(kernel, loop) && constantIterations(kernel, loop) &&
         (rule == StripRule::Units || mayWait(kernel, loop));
}

static Strips stripsOf(const Function &kernel, StripRule rule, WalkBudget &budget) {
  if (llvm::none_of(kernel.ops, [&](const Op &op) { return mayHaveStrips(kernel, op, rule); }))
    return {};
  LoopAccessWalk walk(kernel, budget.left);
  const bool isKnown = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  Strips strips;
  if (isKnown)
    for (auto [o, op] : llvm::enumerate(kernel.ops))
      if (op.opcode == Opcode::For)
        if (std::optional<Strip> strip = stripOf(kernel, op, rule, walk))
          strips[static_cast<uint32_t>(o)] = std::move(*strip);
  return strips;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {

class StripBuilder {
public:
  StripBuilder(const Function &from, const Strips &strips)
      : from_(from), strips_(strips), builder_(kernel_),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  Function run() {
    cloner_.copyShell();
    cloner_.cloneBody();
    return std::move(kernel_);
  }

private:
  using Values = llvm::SmallVector<ValueId, 4>;
  bool hook(OpId old);
  void makeRegisters();
  Values carriedFirst();
  void inStrips();
  Values strip(ValueId first, unsigned length, llvm::ArrayRef<ValueId> carried);
  void setCounter(ValueId first, ValueId u);
  ValueId loadAgain(OpId load);
  const Op &loop() const { return from_.op(loop_); }
  const Region &body() const { return from_.region(loop().regions[0]); }

  const Function &from_;
  const Strips &strips_;
  Function kernel_;
  BlockBuilder builder_;
  Cloner cloner_;
  OpId loop_; // in strips
  const Strip *strip_ = nullptr;
  std::map<uint32_t, ArrayId> ahead_;  // by load
  std::map<uint32_t, ValueId> values_; // by load, of what is ahead or carried, in this iteration
};

} // namespace

bool StripBuilder::hook(OpId old) {
  if (strip_) {
    const auto value = values_.find(old.index);
    if (value == values_.end())
      return false;
    cloner_.set(from_.op(old).results[0], value->second);
    return true;
  }
  const auto found = strips_.find(old.index);
  if (found == strips_.end())
    return false;
  loop_ = old;
  strip_ = &found->second;
  inStrips();
  strip_ = nullptr;
  return true;
}

/// A number of counters behind the first one.
void StripBuilder::setCounter(ValueId first, ValueId u) {
  const ValueId old = body().args[0];
  const ScalarType type = from_.value(old).type;
  const ValueId behind =
      builder_.binary(Opcode::Mul, builder_.cast(u, type), cloner_.map(loop().operands[2]));
  const ValueId counter = builder_.binary(Opcode::Add, first, behind);
  kernel_.value(counter).name = from_.value(old).name;
  cloner_.set(old, counter);
}

/// What a load's place is computed from, where the counter is set; and the load.
ValueId StripBuilder::loadAgain(OpId load) {
  llvm::SmallVector<OpId, 8> needed = {load};
  for (size_t n = 0; n < needed.size(); ++n)
    for (ValueId operand : from_.op(needed[n]).operands) {
      const OpId definition = from_.value(operand).def;
      if (llvm::is_contained(body().ops, definition) && !llvm::is_contained(needed, definition))
        needed.push_back(definition);
    }
  for (OpId id : body().ops)
    if (llvm::is_contained(needed, id))
      cloner_.visit(id);
  return cloner_.map(from_.op(load).results[0]);
}

void StripBuilder::makeRegisters() {
  for (OpId load : strip_->ahead) {
    Array array;
    array.name = from_.array(from_.op(load).array).name + "_ahead";
    array.cell = from_.array(from_.op(load).array).cell;
    array.extents = {SizeExpr::constant(strip_->length)};
    array.space = Space::Registers;
    array.reads = array.writes = true;
    kernel_.arrays.push_back(std::move(array));
    ahead_[load.index] = ArrayId(kernel_.arrays.size() - 1);
  }
}

/// The values that go from iteration to iteration: what the loop carries, and what is loaded of the
/// one before.
StripBuilder::Values StripBuilder::carriedFirst() {
  Values carried;
  for (ValueId init : llvm::drop_begin(loop().operands, 3))
    carried.push_back(cloner_.map(init));
  cloner_.set(body().args[0], cloner_.map(loop().operands[0]));
  for (const auto &[load, store] : strip_->carried)
    carried.push_back(loadAgain(OpId(load)));
  return carried;
}

void StripBuilder::inStrips() {
  makeRegisters();
  values_.clear();
  const int64_t all = *constantIterations(from_, loop()), length = strip_->length,
                low = asInt64(*from_.constant(loop().operands[0])),
                step = asStep(loop(), *from_.constant(loop().operands[2]));
  const ScalarType type = from_.value(body().args[0]).type;
  const auto number = [&](int64_t value) { return builder_.constantInt(type, value); };
  const int64_t head = strip_->head, full = head + (all - head) / length * length,
                begin = low + head * step, behind = low + full * step;
  Values carried = carriedFirst();
  if (head)
    carried = strip(number(low), strip_->head, carried);
  const ValueId first = number(begin), end = number(behind), by = number(length * step);
  const OpId strips =
      builder_.createFor(first, end, by, step > 0 ? Predicate::Lt : Predicate::Gt, false, carried);
  kernel_.op(strips).loc = loop().loc;
  {
    const InsertionScope scope(builder_);
    const RegionId region = kernel_.op(strips).regions[0];
    builder_.setRegion(region);
    const Values args(kernel_.region(region).args);
    kernel_.value(args[0]).name = "first";
    builder_.yield(strip(args[0], length, llvm::ArrayRef(args).drop_front()));
  }
  carried.assign(std::next(kernel_.op(strips).results.begin()), kernel_.op(strips).results.end());
  if (all > full)
    carried = strip(number(behind), static_cast<unsigned>(all - full), carried);
  cloner_.set(loop().results[0], number(low + all * step));
  for (auto [result, value] : llvm::zip(llvm::drop_begin(loop().results), carried))
    cloner_.set(result, value);
}

/// All that is ahead, and then so many iterations.
StripBuilder::Values StripBuilder::strip(ValueId first, unsigned length,
                                         llvm::ArrayRef<ValueId> carried) {
  if (!strip_->ahead.empty())
    builder_.forCells(length, [&](ValueId u) {
      setCounter(first, u);
      for (OpId load : strip_->ahead)
        builder_.store(ahead_[load.index], loadAgain(load), {u});
    });
  const ValueId low = builder_.number(0), high = builder_.number(length), step = builder_.number(1);
  const OpId iterations = builder_.createFor(low, high, step, Predicate::Lt, false, carried);
  kernel_.op(iterations).unrolling.kind = Unrolling::Kind::Fully;
  const InsertionScope scope(builder_);
  const RegionId region = kernel_.op(iterations).regions[0];
  builder_.setRegion(region);
  const Values args(kernel_.region(region).args);
  setCounter(first, args[0]);
  size_t next = 1;
  for (ValueId arg : llvm::drop_begin(body().args)) {
    cloner_.set(arg, args[next]);
    kernel_.value(args[next]).varying = from_.value(arg).varying;
    ++next;
  }
  for (const auto &[load, store] : strip_->carried)
    values_[load] = builder_.varying(args[next++]);
  for (OpId load : strip_->ahead)
    values_[load.index] = builder_.varying(builder_.load(ahead_[load.index], {args[0]}));
  for (const auto &[load, other] : strip_->same)
    values_[load] = values_.at(other.index);
  for (OpId id : llvm::ArrayRef(body().ops).drop_back())
    cloner_.visit(id);
  Values yielded = cloner_.map(from_.terminator(loop().regions[0]).operands);
  for (const auto &[load, store] : strip_->carried)
    yielded.push_back(cloner_.map(accessOperands(from_.op(store)).stored));
  values_.clear();
  builder_.yield(yielded);
  const auto &results = kernel_.op(iterations).results;
  return Values(std::next(results.begin()), results.end());
}

/// What each loop that is in strips has.
static std::vector<Strip> putInStrips(Function &kernel, StripRule rule, WalkBudget &budget) {
  const Strips strips = kernel.parts.empty() ? stripsOf(kernel, rule, budget) : Strips();
  if (strips.empty())
    return {};
  std::vector<std::string> notes = kernel.notes;
  kernel = StripBuilder(kernel, strips).run();
  dropUnusedValues(kernel);
  spreadVarying(kernel);
  kernel.notes = std::move(notes);
  const auto all = llvm::make_second_range(strips);
  return {all.begin(), all.end()};
}

void colonnade::loadFirst(Function &kernel, WalkBudget &budget) {
  for (const Strip &strip : putInStrips(kernel, StripRule::Columns, budget))
    kernel.notes.push_back("a loop in strips: what " + std::to_string(strip.length) +
                           " iterations load comes first");
}

void colonnade::loadUnits(Function &kernel, WalkBudget &budget) {
  putInStrips(kernel, StripRule::Units, budget);
}
