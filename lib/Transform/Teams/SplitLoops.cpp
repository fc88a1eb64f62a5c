//===- SplitLoops.cpp - Loops in parts ------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/SplitLoops.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// Rebuilds a function with one loop in parts.
class LoopSplitter {
public:
  LoopSplitter(const Function &from, OpId loop)
      : from_(from), loop_(loop), builder_(parts_.kernel),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  LoopParts at(ValueId value, MiddlePart middle) {
    at_ = value;
    middle_ = middle;
    return run();
  }
  LoopParts distributed(llvm::ArrayRef<std::vector<OpId>> segments) {
    segments_ = segments;
    return run();
  }

private:
  LoopParts run() {
    cloner_.copyShell();
    cloner_.cloneBody();
    return std::move(parts_);
  }
  bool hook(OpId old);
  void split();
  void middleBranch(ValueId isThere, ValueId at);
  void part(ValueId low, ValueId high);
  void segment(llvm::ArrayRef<OpId> ops);
  void setCounter(RegionId part);
  ValueId counter() const { return body().args[0]; }
  const Op &loop() const { return from_.op(loop_); }
  const Region &body() const { return from_.region(loop().regions[0]); }

  const Function &from_;
  OpId loop_;
  LoopParts parts_;
  Builder builder_;
  Cloner cloner_;
  ValueId at_;
  MiddlePart middle_ = MiddlePart::Branch;
  llvm::ArrayRef<std::vector<OpId>> segments_;
};

} // namespace

/// Of a part, whose counter stands for the loop's.
void LoopSplitter::setCounter(RegionId part) {
  const ValueId own = parts_.kernel.region(part).args[0];
  parts_.kernel.value(own).name = from_.value(counter()).name;
  cloner_.set(counter(), own);
}

bool LoopSplitter::hook(OpId old) {
  if (old != loop_)
    return false;
  if (at_)
    split();
  for (const std::vector<OpId> &ops : segments_)
    segment(ops);
  return true;
}

void LoopSplitter::part(ValueId low, ValueId high) {
  const OpId part =
      builder_.createFor(low, high, cloner_.map(loop().operands[2]), Predicate::Lt, false, {});
  parts_.loops.push_back(part);
  const InsertionScope scope(builder_);
  const RegionId region = parts_.kernel.op(part).regions[0];
  builder_.setRegion(region);
  setCounter(region);
  cloner_.cloneOps(loop().regions[0]);
}

void LoopSplitter::split() {
  const ValueId low = cloner_.map(loop().operands[0]), high = cloner_.map(loop().operands[1]),
                at = cloner_.map(at_);
  const ValueId isBeforeHigh = builder_.binary(Opcode::Lt, at, high);
  part(low, builder_.select(isBeforeHigh, at, high));
  if (middle_ == MiddlePart::Branch)
    middleBranch(builder_.binary(Opcode::And, builder_.binary(Opcode::Le, low, at), isBeforeHigh),
                 at);
  const ValueId one = builder_.constantInt(parts_.kernel.value(at).type, 1);
  const ValueId next = builder_.binary(Opcode::Add, at, one),
                isBefore = builder_.binary(Opcode::Lt, at, low);
  if (middle_ == MiddlePart::Loop) {
    const ValueId first = builder_.select(isBefore, low, at);
    part(first, builder_.select(isBeforeHigh, next, high));
  }
  part(builder_.select(isBefore, low, next), high);
}

void LoopSplitter::middleBranch(ValueId isThere, ValueId at) {
  const OpId branch = builder_.createIf(isThere, {});
  const InsertionScope scope(builder_);
  builder_.setRegion(parts_.kernel.op(branch).regions[0]);
  cloner_.set(counter(), at);
  cloner_.cloneOps(loop().regions[0]);
  builder_.setRegion(parts_.kernel.op(branch).regions[1]);
  builder_.yield({});
}

void LoopSplitter::segment(llvm::ArrayRef<OpId> ops) {
  const OpId part =
      builder_.createFor(cloner_.map(loop().operands[0]), cloner_.map(loop().operands[1]),
                         cloner_.map(loop().operands[2]), loop().predicate, false, {});
  parts_.loops.push_back(part);
  const InsertionScope scope(builder_);
  const RegionId region = parts_.kernel.op(part).regions[0];
  builder_.setRegion(region);
  setCounter(region);
  for (OpId op : ops)
    cloner_.visit(op);
  builder_.yield({});
}

bool colonnade::isSplittable(const Function &kernel, OpId id, ValueId at) {
  const Op &loop = kernel.op(id);
  const Scalar *const step = kernel.constant(loop.operands[2]);
  const ScalarType type = kernel.value(at).type;
  return loop.predicate == Predicate::Lt && step && asInt64(*step) == 1 &&
         type == kernel.value(loop.operands[0]).type && bitWidth(type) >= 32;
}

LoopParts colonnade::splitLoop(const Function &kernel, OpId loop, ValueId at, MiddlePart middle) {
  return LoopSplitter(kernel, loop).at(at, middle);
}

//===----------------------------------------------------------------------===//
// Distribution
//===----------------------------------------------------------------------===//

bool colonnade::storesToLocal(const Function &kernel, RegionId region) {
  return llvm::any_of(kernel.region(region).ops, [&](OpId id) {
    const Op &op = kernel.op(id);
    return (op.opcode == Opcode::Store && kernel.array(op.array).isLocal()) ||
           llvm::any_of(op.regions, [&](RegionId inner) { return storesToLocal(kernel, inner); });
  });
}

/// The values that an operation and those in its regions use.
static void collectUses(const Function &kernel, OpId id, std::set<uint32_t> &uses) {
  const Op &op = kernel.op(id);
  for (ValueId operand : op.operands)
    uses.insert(operand.index);
  for (RegionId region : op.regions)
    for (OpId inner : kernel.region(region).ops)
      collectUses(kernel, inner, uses);
}

/// Of what is not pure, each loop is a segment, and all between two; by operation of the body.
static std::vector<size_t> segmentOf(const Function &kernel, llvm::ArrayRef<OpId> body,
                                     size_t &numSegments) {
  std::vector<size_t> segment(body.size());
  bool isLoopBefore = true;
  numSegments = 0;
  for (auto [i, id] : llvm::enumerate(body)) {
    const Op &op = kernel.op(id);
    if (isPure(op))
      continue;
    const bool isLoop = op.opcode == Opcode::For;
    numSegments += isLoop || isLoopBefore;
    segment[i] = numSegments - 1;
    isLoopBefore = isLoop;
  }
  return segment;
}

/// In their order; with what is pure and of use.
static std::vector<std::vector<OpId>> segmentsOf(const Function &kernel,
                                                 llvm::ArrayRef<OpId> body) {
  size_t numSegments = 0;
  const std::vector<size_t> number = segmentOf(kernel, body, numSegments);
  std::vector<std::vector<OpId>> segments(numSegments);
  for (size_t s = 0; s < numSegments; ++s) {
    std::set<uint32_t> uses;
    for (size_t i = body.size(); i-- > 0;) {
      const Op &op = kernel.op(body[i]);
      if (isPure(op) ? uses.count(op.results[0].index) == 0 : number[i] != s)
        continue;
      collectUses(kernel, body[i], uses);
      segments[s].push_back(body[i]);
    }
    std::reverse(segments[s].begin(), segments[s].end());
  }
  return segments;
}

/// Whether each segment computes what it uses of the loop's body.
static bool areApart(const Function &kernel, llvm::ArrayRef<OpId> body,
                     llvm::ArrayRef<std::vector<OpId>> segments) {
  for (const std::vector<OpId> &segment : segments) {
    std::set<uint32_t> uses;
    for (OpId id : segment)
      collectUses(kernel, id, uses);
    for (OpId id : body)
      for (ValueId result : kernel.op(id).results)
        if (uses.count(result.index) != 0 && !llvm::is_contained(segment, id))
          return false;
  }
  return true;
}

std::optional<LoopParts> colonnade::distributeLoop(const Function &kernel, OpId loop) {
  const RegionId region = kernel.op(loop).regions[0];
  const llvm::ArrayRef<OpId> body = llvm::ArrayRef(kernel.region(region).ops).drop_back();
  const std::vector<std::vector<OpId>> segments = segmentsOf(kernel, body);
  if (segments.size() < 2 || storesToLocal(kernel, region) || !areApart(kernel, body, segments))
    return std::nullopt;
  return LoopSplitter(kernel, loop).distributed(segments);
}
