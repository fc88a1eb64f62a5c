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
#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "Transform/BlockBuilder.h"
#include "Transform/LoadsFirst.h"
#include "Transform/RowStreamingPlan.h"
#include "Transform/SharedRows.h"
#include "Transform/SplitTriangles.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

// Three warps on an SM do not hide what they wait for.
static constexpr uint64_t LongRowBytes = 64 << 10;

namespace {

class RowStreaming {
public:
  explicit RowStreaming(RowStreamingPlan plan)
      : plan_(std::move(plan)), kernel_(plan_.kernel), builder_(kernel_) {}

  Function run();

private:
  /// A loop's, of its strips.
  struct StripNumber {
    std::optional<uint64_t> known;
    ValueId value = {};
  };
  /// An array's rows while a strip is in them.
  struct Strip {
    const StreamedArray *array;
    ValueId begin;
  };

  using HeldStrips = std::vector<std::pair<const HeldArray *, const HeldStrip *>>;

  void hold();
  void release();
  std::vector<HeldStrips> heldStrips(llvm::function_ref<bool(const HeldArray &)> isCopied) const;
  ValueId beginOf(const HeldArray &held, const HeldStrip &strip);
  void eachCell(const HeldArray &held, const HeldStrip &strip, bool isIn);
  void other(OpId id);
  void flush();
  std::vector<ValueId> neededOf(llvm::ArrayRef<OpId> ops) const;
  ValueId counterBehind(const StreamedLoop &loop);
  void stream(const StreamedLoop &loop);
  ValueId beginOf(const StreamedArray &array, const StripNumber &strip, uint64_t numStrips);
  llvm::SmallVector<ValueId, 4> strip(const StreamedLoop &loop, const StripNumber &number,
                                      llvm::ArrayRef<ValueId> carried);
  void streamUnrolled(const StreamedLoop &loop);
  std::vector<ValueId> iterations(const StreamedLoop &loop, ValueId number,
                                  llvm::ArrayRef<ValueId> carried);
  std::vector<ValueId> iterations(const StreamedLoop &loop, uint64_t number,
                                  llvm::ArrayRef<ValueId> carried);
  void setLoop(OpId loop, std::initializer_list<ValueId> bounds, Predicate predicate,
               llvm::ArrayRef<ValueId> carried);
  std::vector<ValueId> resultsOf(OpId loop) const;
  void toRows(RegionId region, llvm::ArrayRef<Strip> strips);
  void toRow(OpId id, const Strip &strip);
  void replace(ValueId old, ValueId by, const llvm::DenseSet<uint32_t> &own = {});
  ValueId least(ValueId a, ValueId b) {
    return builder_.select(builder_.binary(Opcode::Lt, a, b), a, b);
  }
  ValueId most(ValueId a, ValueId b) {
    return builder_.select(builder_.binary(Opcode::Lt, a, b), b, a);
  }

  RowStreamingPlan plan_;
  Function &kernel_;
  BlockBuilder builder_;
  ValueId lane_, hasInstance_;
  std::vector<OpId> pending_; // operations that only threads with an instance do
};

} // namespace

/// All uses so far.
/// But in operations of `own`.
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
  const OpId branch = builder_.createIf(hasInstance_, types);
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

/// The accesses of a loop, in its regions.
void RowStreaming::toRows(RegionId region, llvm::ArrayRef<Strip> strips) {
  const std::vector<OpId> ops = std::move(kernel_.region(region).ops);
  kernel_.region(region).ops.clear();
  for (OpId id : ops) {
    const llvm::SmallVector<RegionId, 2> inner = kernel_.op(id).regions;
    for (RegionId each : inner)
      toRows(each, strips);
    builder_.setRegion(region);
    const Op &op = kernel_.op(id);
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
      for (const Strip &strip : strips)
        if (strip.array->memory == op.array) {
          toRow(id, strip);
          break;
        }
    kernel_.region(region).ops.push_back(id);
  }
}

void RowStreaming::toRow(OpId id, const Strip &strip) {
  const Op access = kernel_.op(id);
  const ValueId cell = builder_.cellOf(access);
  ValueId inRow = builder_.binary(Opcode::Sub, builder_.cast(cell, ScalarType::S64), strip.begin);
  kernel_.value(inRow).varying = kernel_.varying(cell);
  llvm::SmallVector<ValueId, 4> operands = {lane_, inRow, builder_.number(strip.array->width)};
  if (access.opcode == Opcode::Store)
    operands.push_back(accessOperands(access).stored);
  kernel_.op(id).array = strip.array->rows;
  kernel_.op(id).operands = std::move(operands);
}

/// first + strip * step, but within the row.
ValueId RowStreaming::beginOf(const StreamedArray &array, const StripNumber &strip,
                              uint64_t numStrips) {
  const auto number = [&](int64_t value) { return builder_.constantInt(ScalarType::S64, value); };
  const int64_t last = static_cast<int64_t>(array.cells - array.width),
                end = array.first + array.step * static_cast<int64_t>(numStrips - 1);
  if (strip.known)
    return number(std::clamp<int64_t>(array.first + array.step * static_cast<int64_t>(*strip.known),
                                      0, last));
  ValueId at = builder_.binary(Opcode::Mul, strip.value, number(array.step));
  if (array.first)
    at = builder_.binary(Opcode::Add, at, number(array.first));
  if (std::min(array.first, end) < 0)
    at = most(at, number(0));
  if (std::max(array.first, end) > last)
    at = least(at, number(last));
  return at;
}

static bool beginsAlike(const StreamedArray &a, const StreamedArray &b) {
  return a.first == b.first && a.step == b.step && a.cells - a.width == b.cells - b.width;
}

/// The loop itself, from the strip's first iteration to its last; what it carries then.
std::vector<ValueId> RowStreaming::iterations(const StreamedLoop &loop, ValueId number,
                                              llvm::ArrayRef<ValueId> carried) {
  const Op &op = kernel_.op(loop.loop);
  const ValueId low = op.operands[0], step = op.operands[2];
  const ScalarType type = kernel_.value(low).type;
  const ValueId perStrip = builder_.number(loop.perStrip), all = builder_.number(loop.iterations),
                steps = builder_.binary(Opcode::Mul, number, perStrip),
                begin = loop.before
                            ? builder_.binary(Opcode::Sub, steps, builder_.number(loop.before))
                            : steps,
                next = builder_.binary(Opcode::Add, begin, perStrip), behind = least(next, all),
                first = loop.before ? most(begin, builder_.number(0)) : begin;
  const auto counterAt = [&](ValueId iteration) {
    return builder_.binary(Opcode::Add, low,
                           builder_.binary(Opcode::Mul, builder_.cast(iteration, type), step));
  };
  const ValueId from = counterAt(first), to = counterAt(behind);
  setLoop(loop.loop, {from, to, step}, loop.isAscending ? Predicate::Lt : Predicate::Gt, carried);
  return resultsOf(loop.loop);
}

/// The same of a strip whose number is known.
std::vector<ValueId> RowStreaming::iterations(const StreamedLoop &loop, uint64_t number,
                                              llvm::ArrayRef<ValueId> carried) {
  const Op &op = kernel_.op(loop.loop);
  const ValueId step = op.operands[2];
  const ScalarType type = kernel_.value(step).type;
  const int64_t low = asInt64(*kernel_.constant(op.operands[0])),
                by = asStep(op, *kernel_.constant(step)),
                first = static_cast<int64_t>(number * loop.perStrip) -
                        static_cast<int64_t>(loop.before),
                behind = first + static_cast<int64_t>(loop.perStrip),
                all = static_cast<int64_t>(loop.iterations);
  const ValueId from = builder_.constantInt(type, low + std::max<int64_t>(first, 0) * by),
                to = builder_.constantInt(type, low + std::min(behind, all) * by);
  setLoop(loop.loop, {from, to, step}, by > 0 ? Predicate::Lt : Predicate::Gt, carried);
  return resultsOf(loop.loop);
}

/// At the builder's place.
void RowStreaming::setLoop(OpId loop, std::initializer_list<ValueId> bounds, Predicate predicate,
                           llvm::ArrayRef<ValueId> carried) {
  Op &op = kernel_.op(loop);
  op.operands = bounds;
  op.operands.append(carried.begin(), carried.end());
  op.predicate = predicate;
  op.postTest = false;
  kernel_.region(builder_.insertionRegion()).ops.push_back(loop);
}

/// But the counter's.
std::vector<ValueId> RowStreaming::resultsOf(OpId loop) const {
  const auto &results = kernel_.op(loop).results;
  return {std::next(results.begin()), results.end()};
}

/// What the loop carries then.
llvm::SmallVector<ValueId, 4> RowStreaming::strip(const StreamedLoop &loop,
                                                  const StripNumber &number,
                                                  llvm::ArrayRef<ValueId> carried) {
  std::vector<Strip> strips;
  for (const StreamedArray &array : loop.arrays) {
    const auto alike =
        llvm::find_if(strips, [&](const Strip &other) { return beginsAlike(*other.array, array); });
    strips.push_back(
        {&array, alike == strips.end() ? beginOf(array, number, loop.numStrips()) : alike->begin});
  }
  const auto atOf = [](const Strip &strip) {
    return strip.array->width < strip.array->cells ? strip.begin : ValueId();
  };
  for (const Strip &strip : strips)
    if (strip.array->isRead)
      builder_.stage(strip.array->rows, strip.array->memory, atOf(strip));
  builder_.wait();
  builder_.barrier(Sharing::Warp);
  std::vector<ScalarType> types;
  for (ValueId value : carried)
    types.push_back(kernel_.value(value).type);
  const OpId branch = builder_.createIf(hasInstance_, types);
  {
    const InsertionScope scope(builder_);
    builder_.setRegion(kernel_.op(branch).regions[0]);
    const std::vector<ValueId> left = number.known ? iterations(loop, *number.known, carried)
                                                   : iterations(loop, number.value, carried);
    builder_.yield(left);
    toRows(kernel_.op(loop.loop).regions[0], strips);
    builder_.setRegion(kernel_.op(branch).regions[1]);
    builder_.yield(carried);
    for (auto [result, value] : llvm::zip_equal(kernel_.op(branch).results, left))
      kernel_.value(result).varying = kernel_.varying(value);
  }
  builder_.barrier(Sharing::Warp);
  for (const Strip &strip : strips)
    if (strip.array->isWritten)
      builder_.stage(strip.array->memory, strip.array->rows, atOf(strip));
  if (llvm::any_of(strips, [](const Strip &strip) { return strip.array->isWritten; }))
    builder_.barrier(Sharing::Warp);
  return {kernel_.op(branch).results.begin(), kernel_.op(branch).results.end()};
}

/// What a loop's counter is when it has ended.
ValueId RowStreaming::counterBehind(const StreamedLoop &loop) {
  const ValueId low = kernel_.op(loop.loop).operands[0], step = kernel_.op(loop.loop).operands[2],
                number = builder_.constantInt(kernel_.value(low).type,
                                              static_cast<int64_t>(loop.iterations)),
                steps = builder_.binary(Opcode::Mul, number, step);
  return builder_.binary(Opcode::Add, low, steps);
}

void RowStreaming::stream(const StreamedLoop &loop) {
  builder_.barrier(Sharing::Warp);
  const llvm::SmallVector<ValueId, 4> inits(llvm::drop_begin(kernel_.op(loop.loop).operands, 3));
  const ValueId zero = builder_.number(0), end = builder_.number(loop.numStrips()),
                one = builder_.number(1);
  const OpId strips = builder_.createFor(zero, end, one, Predicate::Lt, false, inits);
  const llvm::SmallVector<ValueId, 2> old = kernel_.op(loop.loop).results,
                                      results = kernel_.op(strips).results;
  const RegionId body = kernel_.op(strips).regions[0];
  const llvm::SmallVector<ValueId, 4> args = kernel_.region(body).args;
  for (size_t i = 1; i < old.size(); ++i) {
    replace(old[i], results[i]);
    kernel_.value(args[i]).varying = kernel_.varying(old[i]);
  }
  replace(old[0], counterBehind(loop));
  const InsertionScope scope(builder_);
  builder_.setRegion(body);
  builder_.yield(strip(loop, {std::nullopt, args[0]}, llvm::ArrayRef(args).drop_front()));
}

static bool isUnrolled(const Function &kernel, const Op &loop) {
  return loop.unrolling.kind == Unrolling::Kind::Fully && kernel.constant(loop.operands[0]) &&
         kernel.constant(loop.operands[2]);
}

/// Strip after strip, each with the loop from one constant to another: a compiler leaves arrays in
/// local memory where their subscripts are known when several loops around them are unrolled.
void RowStreaming::streamUnrolled(const StreamedLoop &loop) {
  builder_.barrier(Sharing::Warp);
  const Function before = kernel_;
  Cloner cloner(before, builder_);
  for (size_t v = 0; v < before.values.size(); ++v)
    cloner.set(ValueId(v), ValueId(v));
  const ValueId behind = counterBehind(loop);
  llvm::SmallVector<ValueId, 4> carried(llvm::drop_begin(kernel_.op(loop.loop).operands, 3));
  const uint64_t numStrips = loop.numStrips();
  for (uint64_t number = 0; number < numStrips; ++number) {
    StreamedLoop own = loop;
    if (number > 0) {
      own.loop = cloner.copy(loop.loop);
      kernel_.region(builder_.insertionRegion()).ops.pop_back(); // strip() places it
    }
    carried = strip(own, {number}, carried);
  }
  const auto &old = before.op(loop.loop).results;
  llvm::DenseSet<uint32_t> fresh;
  for (size_t op = before.ops.size(); op < kernel_.ops.size(); ++op)
    fresh.insert(static_cast<uint32_t>(op));
  for (auto [result, value] : llvm::zip_equal(llvm::drop_begin(old), carried))
    replace(result, value, fresh);
  replace(old[0], behind, fresh);
}

/// What is in registers is there from the beginning to the end.
void RowStreaming::hold() {
  for (Op &op : kernel_.ops)
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
      for (const HeldArray &held : plan_.held)
        if (op.array == held.memory) {
          op.array = held.registers;
          break;
        }
  const auto copied = [](const HeldArray &held) { return held.isRead; };
  for (const HeldStrips &batch : heldStrips(copied)) {
    for (const auto &[held, strip] : batch)
      builder_.stage(strip->rows, held->memory, beginOf(*held, *strip));
    builder_.wait();
    builder_.barrier(Sharing::Warp);
    builder_.onlyIf(hasInstance_, [&] {
      for (const auto &[held, strip] : batch)
        eachCell(*held, *strip, true);
    });
    builder_.barrier(Sharing::Warp);
  }
  builder_.onlyIf(hasInstance_, [&] {
    for (const HeldArray &held : plan_.held)
      if (held.isRead && held.strips.empty())
        builder_.copyCells(held.registers, held.memory, held.cells);
  });
}

/// To memory, at the end.
void RowStreaming::release() {
  builder_.onlyIf(hasInstance_, [&] {
    for (const HeldArray &held : plan_.held)
      if (held.isWritten && held.strips.empty())
        builder_.copyCells(held.memory, held.registers, held.cells);
  });
  const auto copied = [](const HeldArray &held) { return held.isWritten; };
  for (const HeldStrips &batch : heldStrips(copied)) {
    builder_.barrier(Sharing::Warp);
    builder_.onlyIf(hasInstance_, [&] {
      for (const auto &[held, strip] : batch)
        eachCell(*held, *strip, false);
    });
    builder_.barrier(Sharing::Warp);
    for (const auto &[held, strip] : batch)
      builder_.stage(held->memory, strip->rows, beginOf(*held, *strip));
  }
}

/// The first strips of arrays, the second ones, and so on.
std::vector<RowStreaming::HeldStrips>
RowStreaming::heldStrips(llvm::function_ref<bool(const HeldArray &)> isCopied) const {
  std::vector<HeldStrips> batches;
  for (const HeldArray &held : plan_.held)
    for (auto [s, strip] : llvm::enumerate(held.strips))
      if (isCopied(held)) {
        batches.resize(std::max(batches.size(), s + 1));
        batches[s].push_back({&held, &strip});
      }
  return batches;
}

/// Invalid if the strip is all of the row.
ValueId RowStreaming::beginOf(const HeldArray &held, const HeldStrip &strip) {
  return strip.width < held.cells ? builder_.number(strip.first) : ValueId();
}

/// Between a strip in shared memory and the thread's registers.
void RowStreaming::eachCell(const HeldArray &held, const HeldStrip &strip, bool isIn) {
  const ValueId width = builder_.number(strip.width), base = builder_.number(strip.first);
  builder_.forCells(strip.width, [&](ValueId cell) {
    const ValueId inRegisters = builder_.binary(Opcode::Add, base, cell), inRow[] = {lane_, cell};
    if (isIn)
      builder_.store(held.registers, builder_.varying(builder_.load(strip.rows, inRow, {width})),
                     {inRegisters});
    else
      builder_.store(strip.rows, builder_.varying(builder_.load(held.registers, {inRegisters})),
                     inRow, {width});
  });
}

Function RowStreaming::run() {
  const std::vector<OpId> ops = std::move(kernel_.region(kernel_.body).ops);
  kernel_.region(kernel_.body).ops.clear();
  builder_.setRegion(kernel_.body);
  lane_ = builder_.place(Opcode::Lane, ScalarType::S64);
  hasInstance_ = builder_.place(Opcode::HasInstance, ScalarType::Bool);
  hold();
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
    else
      stream(*loop);
  }
  flush();
  builder_.setRegion(kernel_.body);
  release();
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
