//===- RowStreaming.cpp - Long rows through shared memory, strip by strip -===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if the thread has an instance { what comes before the loop }
//   for each strip { stage it in; if the thread has an instance { its iterations }; stage it out }
//   if the thread has an instance { what comes behind }
//
// Barriers stand between the copies of a warp and its threads' own accesses. What later operations
// need is a result of each of these: of threads without an instance, zeros.
//
//===----------------------------------------------------------------------===//

#include "Transform/RowStreaming.h"

#include "IR/Clone.h"
#include "Transform/HeldRegisters.h"
#include "Transform/LoadsFirst.h"
#include "Transform/SharedRows.h"
#include "Transform/SplitTriangles.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

// Three warps on an SM do not hide what they wait for.
static constexpr uint64_t LongRowBytes = 64 << 10;

namespace {

/// Copies of loops, as they are now.
class LoopCopies {
public:
  LoopCopies(const Function &kernel, BlockBuilder &builder)
      : before_(kernel), builder_(builder), cloner_(before_, builder) {
    for (size_t v = 0; v < before_.values.size(); ++v)
      cloner_.set(ValueId(v), ValueId(v));
  }
  /// In no region yet.
  OpId copy(OpId loop) {
    const OpId copy = cloner_.copy(loop);
    builder_.function().region(builder_.insertionRegion()).ops.pop_back();
    return copy;
  }

private:
  const Function before_;
  BlockBuilder &builder_;
  Cloner cloner_;
};

class RowStreaming {
public:
  explicit RowStreaming(RowStreamingPlan plan)
      : plan_(std::move(plan)), kernel_(plan_.kernel), builder_(kernel_) {}

  Function run();

private:
  void other(OpId id);
  void flush();
  std::vector<ValueId> neededOf(llvm::ArrayRef<OpId> ops) const;
  ValueId counterBehind(const StreamedLoop &loop);
  void stream(const StreamedLoop &loop);
  OpId loopOver(uint64_t number, const StreamedLoop &loop);
  void streamAhead(const StreamedLoop &loop);
  void streamUnrolled(const StreamedLoop &loop);
  void replace(ValueId old, ValueId by, const llvm::DenseSet<uint32_t> &own = {});

  RowStreamingPlan plan_;
  Function &kernel_;
  BlockBuilder builder_;
  ThreadPlace place_;
  std::optional<StreamedStrips> strips_;
  std::vector<OpId> pending_; // operations that only threads with an instance do
};

} // namespace

/// All uses so far, but in operations of `own`.
void RowStreaming::replace(ValueId old, ValueId by, const llvm::DenseSet<uint32_t> &own) {
  kernel_.value(by).varying = kernel_.value(old).varying;
  for (auto [number, op] : llvm::enumerate(kernel_.ops))
    if (!own.contains(static_cast<uint32_t>(number)))
      std::replace(op.operands.begin(), op.operands.end(), old, by);
}

static void collect(const Function &kernel, llvm::ArrayRef<OpId> ops,
                    llvm::DenseSet<uint32_t> &all) {
  for (OpId id : ops) {
    all.insert(id.index);
    for (RegionId region : kernel.op(id).regions)
      collect(kernel, kernel.region(region).ops, all);
  }
}

/// What operations that are not among these need of them.
std::vector<ValueId> RowStreaming::neededOf(llvm::ArrayRef<OpId> ops) const {
  llvm::DenseSet<uint32_t> own;
  collect(kernel_, ops, own);
  llvm::DenseSet<uint32_t> used;
  for (size_t op = 0; op < kernel_.ops.size(); ++op)
    if (!own.contains(static_cast<uint32_t>(op)))
      for (ValueId operand : kernel_.ops[op].operands)
        used.insert(operand.index);
  std::vector<ValueId> needed;
  for (OpId id : ops)
    for (ValueId result : kernel_.op(id).results)
      if (used.contains(result.index))
        needed.push_back(result);
  return needed;
}

/// What is the same for all threads, and no access, needs no instance.
void RowStreaming::other(OpId id) {
  const Op &op = kernel_.op(id);
  const bool isPure = op.regions.empty() && op.opcode != Opcode::Load &&
                      op.opcode != Opcode::Store && op.opcode != Opcode::Check;
  const bool isUniform =
      llvm::none_of(op.results, [&](ValueId result) { return kernel_.varying(result); });
  const bool waits = llvm::any_of(pending_, [&](OpId before) {
    return llvm::any_of(kernel_.op(before).results,
                        [&](ValueId result) { return llvm::is_contained(op.operands, result); });
  });
  if (isPure && isUniform && !waits)
    kernel_.region(kernel_.body).ops.push_back(id);
  else
    pending_.push_back(id);
}

void RowStreaming::flush() {
  if (pending_.empty())
    return;
  const std::vector<ValueId> needed = neededOf(pending_);
  llvm::DenseSet<uint32_t> own;
  collect(kernel_, pending_, own);
  std::vector<ScalarType> types;
  for (ValueId value : needed)
    types.push_back(kernel_.value(value).type);
  const OpId branch = builder_.createIf(place_.hasInstance, types);
  for (auto [i, value] : llvm::enumerate(needed))
    replace(value, kernel_.op(branch).results[i], own);
  const InsertionScope scope(builder_);
  const RegionId with = kernel_.op(branch).regions[0], without = kernel_.op(branch).regions[1];
  kernel_.region(with).ops = std::move(pending_);
  pending_.clear();
  builder_.setRegion(with);
  builder_.yield(needed);
  builder_.setRegion(without);
  std::vector<ValueId> zeros;
  for (ScalarType type : types)
    zeros.push_back(builder_.constant({type, 0}));
  builder_.yield(zeros);
}

/// What a loop's counter is when it has ended.
ValueId RowStreaming::counterBehind(const StreamedLoop &loop) {
  const ValueId low = kernel_.op(loop.loop).operands[0], step = kernel_.op(loop.loop).operands[2],
                number = builder_.constantInt(kernel_.value(low).type,
                                              static_cast<int64_t>(loop.iterations)),
                steps = builder_.binary(Opcode::Mul, number, step);
  return builder_.binary(Opcode::Add, low, steps);
}

/// A loop over so many strips, or pairs of them, in place of the loop, whose results are replaced.
OpId RowStreaming::loopOver(uint64_t number, const StreamedLoop &loop) {
  const llvm::SmallVector<ValueId, 4> inits(llvm::drop_begin(kernel_.op(loop.loop).operands, 3));
  const ValueId zero = builder_.number(0), end = builder_.number(number), one = builder_.number(1);
  const OpId strips = builder_.createFor(zero, end, one, Predicate::Lt, false, inits);
  const llvm::SmallVector<ValueId, 2> old = kernel_.op(loop.loop).results,
                                      results = kernel_.op(strips).results;
  const llvm::SmallVector<ValueId, 4> args = kernel_.region(kernel_.op(strips).regions[0]).args;
  for (size_t i = 1; i < old.size(); ++i) {
    replace(old[i], results[i]);
    kernel_.value(args[i]).varying = kernel_.varying(old[i]);
  }
  replace(old[0], counterBehind(loop));
  return strips;
}

void RowStreaming::stream(const StreamedLoop &loop) {
  builder_.barrier(Sharing::Warp);
  const OpId over = loopOver(loop.numStrips(), loop);
  const RegionId body = kernel_.op(over).regions[0];
  const llvm::SmallVector<ValueId, 4> args = kernel_.region(body).args;
  const InsertionScope scope(builder_);
  builder_.setRegion(body);
  const StripNumber number{std::nullopt, args[0]};
  const std::vector<Strip> strips = strips_->of(loop, number, false);
  strips_->stageIn(strips);
  builder_.wait();
  builder_.yield(strips_->run(loop, number, strips, llvm::ArrayRef(args).drop_front()));
}

/// Strips in pairs, each of them on its way while the one before it is worked on.
void RowStreaming::streamAhead(const StreamedLoop &loop) {
  builder_.barrier(Sharing::Warp);
  strips_->stageIn(strips_->of(loop, {0}, false));
  LoopCopies copies(kernel_, builder_);
  const uint64_t pairs = loop.numStrips() / 2;
  const OpId over = loopOver(pairs, loop);
  const RegionId body = kernel_.op(over).regions[0];
  const llvm::SmallVector<ValueId, 4> args = kernel_.region(body).args;
  const InsertionScope scope(builder_);
  builder_.setRegion(body);
  const ValueId first = builder_.binary(Opcode::Mul, args[0], builder_.number(2)),
                second = builder_.binary(Opcode::Add, first, builder_.number(1)),
                third = builder_.binary(Opcode::Add, first, builder_.number(2)),
                hasThird = builder_.binary(Opcode::Lt, args[0], builder_.number(pairs - 1));
  const std::vector<Strip> strips = strips_->of(loop, {std::nullopt, first}, false),
                           next = strips_->of(loop, {std::nullopt, second}, true);
  strips_->stageIn(next);
  builder_.wait(loop.numRead());
  StreamedLoop copy = loop;
  copy.loop = copies.copy(loop.loop);
  const llvm::SmallVector<ValueId, 4> carried =
      strips_->run(copy, {std::nullopt, first}, strips, llvm::ArrayRef(args).drop_front());
  const OpId branch = builder_.createIf(hasThird, {});
  {
    const InsertionScope inBranch(builder_);
    builder_.setRegion(kernel_.op(branch).regions[0]);
    strips_->stageIn(strips_->of(loop, {std::nullopt, third}, false));
    builder_.wait(loop.numRead());
    builder_.yield({});
    builder_.setRegion(kernel_.op(branch).regions[1]);
    builder_.wait();
    builder_.yield({});
  }
  builder_.yield(strips_->run(loop, {std::nullopt, second}, next, carried));
}

static bool isUnrolled(const Function &kernel, const Op &loop) {
  return loop.unrolling.kind == Unrolling::Kind::Fully && kernel.constant(loop.operands[0]) &&
         kernel.constant(loop.operands[2]);
}

/// Strip after strip, each with the loop from one constant to another: a compiler leaves arrays in
/// local memory where their subscripts are known when several loops around them are unrolled.
void RowStreaming::streamUnrolled(const StreamedLoop &loop) {
  builder_.barrier(Sharing::Warp);
  const size_t numOps = kernel_.ops.size();
  const llvm::SmallVector<ValueId, 2> old = kernel_.op(loop.loop).results;
  LoopCopies copies(kernel_, builder_);
  const ValueId behind = counterBehind(loop);
  llvm::SmallVector<ValueId, 4> carried(llvm::drop_begin(kernel_.op(loop.loop).operands, 3));
  const uint64_t numStrips = loop.numStrips();
  std::vector<Strip> next;
  for (uint64_t number = 0; number < numStrips; ++number) {
    const bool isOther = loop.isAhead && number % 2;
    const std::vector<Strip> strips =
        number > 0 && loop.isAhead ? next : strips_->of(loop, {number}, isOther);
    if (number == 0 || !loop.isAhead)
      strips_->stageIn(strips);
    const bool hasNext = loop.isAhead && number + 1 < numStrips;
    if (hasNext) {
      next = strips_->of(loop, {number + 1}, !isOther);
      strips_->stageIn(next);
    }
    builder_.wait(hasNext ? loop.numRead() : 0);
    StreamedLoop own = loop;
    if (number > 0)
      own.loop = copies.copy(loop.loop);
    carried = strips_->run(own, {number}, strips, carried);
  }
  llvm::DenseSet<uint32_t> fresh;
  for (size_t op = numOps; op < kernel_.ops.size(); ++op)
    fresh.insert(static_cast<uint32_t>(op));
  for (auto [result, value] : llvm::zip_equal(llvm::drop_begin(old), carried))
    replace(result, value, fresh);
  replace(old[0], behind, fresh);
}

Function RowStreaming::run() {
  const std::vector<OpId> ops = std::move(kernel_.region(kernel_.body).ops);
  kernel_.region(kernel_.body).ops.clear();
  builder_.setRegion(kernel_.body);
  place_.lane = builder_.place(Opcode::Lane, ScalarType::S64);
  place_.hasInstance = builder_.place(Opcode::HasInstance, ScalarType::Bool);
  strips_.emplace(builder_, place_);
  HeldRegisters held(builder_, place_, plan_.held);
  held.load();
  for (OpId id : llvm::drop_end(ops)) {
    const auto loop =
        llvm::find_if(plan_.loops, [&](const StreamedLoop &each) { return each.loop == id; });
    if (loop == plan_.loops.end()) {
      other(id);
      continue;
    }
    flush();
    if (isUnrolled(kernel_, kernel_.op(id)))
      streamUnrolled(*loop);
    else if (loop->isAhead)
      streamAhead(*loop);
    else
      stream(*loop);
  }
  flush();
  builder_.setRegion(kernel_.body);
  held.store();
  kernel_.region(kernel_.body).ops.push_back(ops.back());
  return std::move(kernel_);
}

bool colonnade::areLongForStaging(const Function &kernel) {
  uint64_t bytes = 0;
  for (const Array &array : kernel.arrays)
    if (hasLongRows(array) && array.space == Space::Memory)
      bytes += bytesOfRows(array.cell, *array.constantCells());
  return bytes > LongRowBytes;
}

/// Blocks of a warp, so that few instances are on all multiprocessors; as many at once as shared
/// memory has room for, if a thread has enough registers then.
static bool shapeForStrips(Function &kernel) {
  static constexpr uint64_t SharedBytesOfSm = 228 << 10, OfBlock = 1 << 10, MostBlocks = 16;
  if (!shapeForRows(kernel, 1))
    return false;
  ThreadShape &shape = std::get<ThreadShape>(*kernel.launch);
  shape.perBlock = LanesPerWarp;
  const uint64_t byMemory = SharedBytesOfSm / (kernel.sharedBytes() + OfBlock);
  shape.resident = static_cast<unsigned>(std::clamp<uint64_t>(byMemory, 1, MostBlocks));
  return true;
}

StagedRows colonnade::streamRows(Function kernel) {
  WalkBudget budget;
  splitTriangles(kernel);
  loadUnits(kernel, budget);
  RowStreamingPlan plan = planRowStreaming(kernel, budget);
  if (plan.isEmpty())
    return {std::nullopt, std::move(plan.reason)};
  if (!shapeForStrips(plan.kernel))
    return {std::nullopt, "strips of all arrays take more shared memory than there is"};
  return {RowStreaming(std::move(plan)).run(), ""};
}
