//===- FindPasses.cpp - Passes over all cells of an array -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/FindPasses.h"

#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"
#include "IR/ValueNumbering.h"
#include "Transform/Teams/TeamLoops.h"
#include "Transform/Teams/WalkedPass.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr uint64_t MostCells = 1 << 16;
static constexpr size_t MostPasses = 256;
static constexpr unsigned MostLoops = 3; // of a nest

//===----------------------------------------------------------------------===//
// What may consist of passes
//===----------------------------------------------------------------------===//

namespace {

/// An operation of the body in which all accesses are in loops that carry nothing, or in nests of
/// them.
class Candidate {
public:
  Candidate(const Function &kernel, const std::vector<bool> &carriesNothing, OpId operation)
      : kernel_(kernel), isOfPasses_(around(operation, carriesNothing)) {
    llvm::sort(stored_);
    stored_.erase(std::unique(stored_.begin(), stored_.end()), stored_.end());
    isOfPasses_ &= !stored_.empty() && haveSameCells();
  }

  bool isOfPasses() const { return isOfPasses_; }
  /// Loops in it that may be of a nest, by how many loops they are, themselves included.
  unsigned depth(OpId loop) const {
    const auto found = depths_.find(loop.index);
    return found == depths_.end() ? 0 : found->second;
  }
  const std::map<uint32_t, unsigned> &depths() const { return depths_; }
  const std::vector<uint32_t> &stored() const { return stored_; }
  uint64_t cells() const { return *kernel_.arrays[stored_[0]].constantCells(); }

private:
  bool around(OpId id, const std::vector<bool> &carriesNothing) {
    const Op &op = kernel_.op(id);
    if (op.opcode == Opcode::For && carriesNothing[id.index] && within(op.regions[0])) {
      depths_[id.index] = 1;
      return true;
    }
    if (op.opcode == Opcode::Yield || op.opcode == Opcode::Test || isPure(op))
      return true;
    const bool isControl =
        op.opcode == Opcode::For || op.opcode == Opcode::Loop || op.opcode == Opcode::If;
    if (!isControl || !llvm::all_of(op.regions, [&](RegionId region) {
          return llvm::all_of(kernel_.region(region).ops,
                              [&](OpId inner) { return around(inner, carriesNothing); });
        }))
      return false;
    if (op.opcode == Opcode::For && carriesNothing[id.index])
      if (const unsigned inner = depthWithin(op.regions[0]))
        depths_[id.index] = inner + 1;
    return true;
  }

  /// Of the only loop in a region that computes beside it; 0: it is not like that.
  unsigned depthWithin(RegionId region) const {
    unsigned found = 0;
    for (OpId id : llvm::drop_end(kernel_.region(region).ops)) {
      if (isPure(kernel_.op(id)))
        continue;
      if (found || depth(id) == 0)
        return 0;
      found = depth(id);
    }
    return found;
  }

  /// Of an iteration.
  bool within(RegionId region) {
    return llvm::all_of(kernel_.region(region).ops, [&](OpId id) {
      const Op &op = kernel_.op(id);
      if (op.opcode == Opcode::Store)
        stored_.push_back(op.array.index);
      const bool isAccess = op.opcode == Opcode::Load || op.opcode == Opcode::Store;
      if (isAccess)
        return !op.masked && !op.guarded;
      if (op.opcode == Opcode::If)
        return within(op.regions[0]) && within(op.regions[1]);
      return op.opcode == Opcode::Yield || isPure(op);
    });
  }

  bool haveSameCells() const {
    return llvm::all_of(stored_, [&](uint32_t a) {
      const Array &array = kernel_.arrays[a];
      const std::optional<uint64_t> cells = array.constantCells();
      return !array.isSharedInput() && array.isPerInstance() && cells && *cells <= MostCells &&
             llvm::isPowerOf2_64(*cells) && cells == kernel_.arrays[stored_[0]].constantCells();
    });
  }

  const Function &kernel_;
  std::map<uint32_t, unsigned> depths_; // by loop
  std::vector<uint32_t> stored_;        // arrays
  bool isOfPasses_;
};

} // namespace

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {

class PassWalk final : public KnownWalk {
public:
  PassWalk(const Function &kernel, uint64_t maxSteps);

  bool run() { return walk(function_.body); }
  std::vector<PassesOfOperation> found;

private:
  bool visit(OpId id) override;
  bool candidate(OpId id, const Candidate &candidate);
  enum class Found : uint8_t { None, Passes, TooMuch };
  Found passes(OpId id, const Candidate &candidate, unsigned depth);
  bool innermostIteration(OpId loop, uint64_t number);
  bool iteration(OpId loop, uint64_t number) override;
  bool access(OpId id, std::optional<int64_t> cell) override;
  bool uncertainArm(RegionId arm) override;
  bool unknownLoop(OpId id) override;
  void remains(OpId id) override;
  void beginPass(OpId loop);
  bool isFromBefore(ValueId value) const;

  std::map<uint32_t, Candidate> candidates_;         // by operation of the body
  std::map<uint32_t, std::vector<ValueId>> outside_; // by loop: values that it uses
  std::vector<bool> isOfBody_;                       // by operation
  const Candidate *current_ = nullptr;
  unsigned depth_ = 0;     // of the nests that are passes
  std::vector<OpId> nest_; // the loops of the pass that the walk is in
  PassesOfOperation passes_;
  std::vector<WalkedPass> walked_;
  bool isRefused_ = false;
  PassIteration *iteration_ = nullptr;
};

} // namespace

/// Values that are used in a region and come from outside of it.
static void collectOutside(const Function &kernel, RegionId region, std::vector<bool> &isInside,
                           std::vector<ValueId> &outside) {
  for (ValueId arg : kernel.region(region).args)
    isInside[arg.index] = true;
  for (OpId id : kernel.region(region).ops) {
    const Op &op = kernel.op(id);
    for (ValueId operand : op.operands)
      if (!isInside[operand.index] && !llvm::is_contained(outside, operand))
        outside.push_back(operand);
    for (RegionId inner : op.regions)
      collectOutside(kernel, inner, isInside, outside);
    for (ValueId result : op.results)
      isInside[result.index] = true;
  }
}

PassWalk::PassWalk(const Function &kernel, uint64_t maxSteps)
    : KnownWalk(kernel, maxSteps), isOfBody_(kernel.ops.size()) {
  std::vector<bool> carriesNothing(kernel.ops.size());
  for (const TeamLoop &each : teamLoops(kernel).all)
    carriesNothing[each.loop.index] = true;
  for (OpId id : kernel.region(kernel.body).ops) {
    isOfBody_[id.index] = true;
    if (kernel.op(id).regions.empty())
      continue;
    Candidate candidate(kernel, carriesNothing, id);
    if (!candidate.isOfPasses())
      continue;
    for (const auto &[loop, depth] : candidate.depths()) {
      std::vector<bool> isInside(kernel.values.size());
      collectOutside(kernel, kernel.ops[loop].regions[0], isInside, outside_[loop]);
    }
    candidates_.emplace(id.index, std::move(candidate));
  }
}

bool PassWalk::visit(OpId id) {
  const Op &op = function_.op(id);
  if (isOfBody_[id.index] && !op.regions.empty()) {
    const auto found = candidates_.find(id.index);
    if (found != candidates_.end())
      return candidate(id, found->second);
    for (ValueId result : op.results)
      set(result, std::nullopt);
    return true;
  }
  if (iteration_ && op.opcode == Opcode::If) {
    const Known &condition = value(op.operands[0]);
    iteration_->branches.emplace_back(id.index, !condition        ? Decision::Data
                                                : condition->bits ? Decision::Then
                                                                  : Decision::Else);
  }
  return KnownWalk::visit(id);
}

bool PassWalk::candidate(OpId id, const Candidate &candidate) {
  unsigned deepest = 0;
  for (const auto &[loop, depth] : candidate.depths())
    deepest = std::max(deepest, depth);
  for (unsigned depth = std::min(deepest, MostLoops); depth > 0; --depth) {
    const Found found = passes(id, candidate, depth);
    if (found != Found::None)
      return found == Found::Passes;
  }
  for (ValueId result : function_.op(id).results)
    set(result, std::nullopt);
  return true;
}

/// Nests of at most so many loops are passes.
PassWalk::Found PassWalk::passes(OpId id, const Candidate &candidate, unsigned depth) {
  current_ = &candidate;
  depth_ = depth;
  passes_ = {};
  walked_.clear();
  nest_.clear();
  isRefused_ = false;
  const bool goesOn = KnownWalk::visit(id);
  current_ = nullptr;
  if (isRefused_ || (goesOn && walked_.empty()))
    return Found::None;
  if (!goesOn)
    return Found::TooMuch;
  passes_.operation = id;
  passes_.arrays = candidate.stored();
  passes_.numBits = static_cast<unsigned>(llvm::Log2_64(candidate.cells()));
  for (ValueId result : function_.op(id).results)
    if (const Known &known = value(result))
      passes_.results[result.index] = *known;
  if (passes_.results.size() != function_.op(id).results.size())
    return Found::None;
  for (WalkedPass &walked : walked_) {
    if (!conclude(function_, passes_.numBits, walked))
      return Found::None;
    passes_.passes.push_back(std::move(walked.pass));
  }
  found.push_back(std::move(passes_));
  return Found::Passes;
}

bool PassWalk::iteration(OpId loop, uint64_t number) {
  const unsigned depth = current_ ? current_->depth(loop) : 0;
  if (depth == 0 || depth > depth_)
    return KnownWalk::iteration(loop, number);
  if (number == 0 && nest_.empty())
    beginPass(loop);
  if (isRefused_)
    return false;
  nest_.push_back(loop);
  const bool goesOn =
      depth > 1 ? KnownWalk::iteration(loop, number) : innermostIteration(loop, number);
  nest_.pop_back();
  return goesOn;
}

bool PassWalk::innermostIteration(OpId loop, uint64_t number) {
  PassIteration own;
  for (OpId each : nest_) {
    const int64_t counter =
        asInt64(*value(function_.region(function_.op(each).regions[0]).args[0]));
    isRefused_ |= counter < 0;
    own.counters.push_back(static_cast<uint64_t>(counter));
  }
  walked_.back().pass.nest = nest_;
  iteration_ = &own;
  const bool goesOn = !isRefused_ && KnownWalk::iteration(loop, number);
  iteration_ = nullptr;
  if (goesOn && !own.accesses.empty())
    walked_.back().iterations.push_back(std::move(own));
  return goesOn;
}

/// Whether it is there where the operation of the body begins.
bool PassWalk::isFromBefore(ValueId value) const {
  const Value &of = function_.value(value);
  return of.def ? isOfBody_[of.def.index] : of.region == function_.body;
}

void PassWalk::beginPass(OpId loop) {
  WalkedPass walked;
  for (ValueId each : outside_[loop.index])
    if (isFromBefore(each))
      continue;
    else if (const Known &known = value(each))
      walked.pass.known[each.index] = *known;
    else
      isRefused_ = true;
  walked_.push_back(std::move(walked));
  isRefused_ |= walked_.size() > MostPasses;
}

bool PassWalk::access(OpId id, std::optional<int64_t> cell) {
  if (!iteration_ || !llvm::is_contained(current_->stored(), function_.op(id).array.index))
    return true;
  isRefused_ |= !cell || *cell < 0 || static_cast<uint64_t>(*cell) >= current_->cells();
  if (!isRefused_)
    iteration_->accesses.push_back({id.index, static_cast<uint64_t>(*cell), uncertain_ == 0});
  return !isRefused_;
}

bool PassWalk::uncertainArm(RegionId arm) {
  isRefused_ |= current_ && !iteration_;
  return !isRefused_ && walk(arm);
}

bool PassWalk::unknownLoop(OpId id) {
  isRefused_ |= current_ != nullptr;
  return !isRefused_ && KnownWalk::unknownLoop(id);
}

/// Data may end a loop around passes.
void PassWalk::remains(OpId id) {
  isRefused_ |= current_ && !iteration_ && !function_.op(id).regions.empty();
}

std::vector<PassesOfOperation> colonnade::findPasses(const Function &kernel, WalkBudget &budget) {
  PassWalk walk(kernel, budget.left);
  const bool ran = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  return ran ? std::move(walk.found) : std::vector<PassesOfOperation>();
}
