//===- UnrolledWalk.cpp - A kernel's accesses where loops are unrolled ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/UnrolledWalk.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

static constexpr uint64_t MaxOperations = 65'536; // of a root

bool UnrolledWalk::run(const Root &root, unsigned iterations, bool followsLoops) {
  sums_.clear();
  roots_.clear();
  guards_ = {{{}, 0}};
  followsLoops_ = followsLoops;
  hasFollowedLoops_ = false;
  left_ = MaxOperations;
  if (root.loop)
    iterate(kernel_.op(root.loop), root.region, iterations);
  else
    region(root.region);
  return left_ > 0;
}

/// From wherever it has come to.
void UnrolledWalk::iterate(const Op &loop, RegionId body, unsigned iterations) {
  llvm::ArrayRef<ValueId> args = kernel_.region(body).args;
  if (loop.opcode != Opcode::For || iterations == 1)
    return region(body);
  ValueSum counter = sums_.fresh();
  const uint64_t step = sums_.of(loop.operands[2]).constant;
  for (unsigned i = 0; i < iterations; ++i, counter.constant += step) {
    sums_.set(args[0], counter);
    region(body);
    pass(llvm::ArrayRef(kernel_.terminator(body).operands).drop_front(loop.hasContinueFlag),
         args.drop_front());
  }
}

void UnrolledWalk::region(RegionId id) {
  for (OpId op : kernel_.region(id).ops)
    if (left_ > 0 && --left_ > 0)
      operation(op);
}

void UnrolledWalk::operation(OpId id) {
  const Op &op = kernel_.op(id);
  if (op.opcode == Opcode::Load || op.opcode == Opcode::Store) {
    std::vector<ValueSum> subscripts;
    for (ValueId part : ir::accessOperands(op).subscripts)
      subscripts.push_back(sums_.of(part));
    access(id, subscripts, guards_.at(conditions_));
  } else if (op.opcode == Opcode::Barrier || op.opcode == Opcode::Stage) {
    forget();
  } else if (!op.regions.empty() || op.opcode == Opcode::CallPart) {
    if (followed(op))
      return;
    endStretch(id);
  }
  for (ValueId result : op.results)
    sums_.set(result, op.results.size() == 1 ? sums_.computed(op) : sums_.fresh());
}

/// Its regions are roots.
void UnrolledWalk::endStretch(OpId id) {
  const Op &op = kernel_.op(id);
  forget();
  for (RegionId part : op.regions)
    roots_.push_back({part, op.opcode == Opcode::For ? id : OpId()});
}

bool UnrolledWalk::followed(const Op &op) {
  if (op.opcode == Opcode::If)
    return branch(op), true;
  return op.opcode == Opcode::For && followedLoop(op);
}

/// Every iteration, if how many there are is known.
bool UnrolledWalk::followedLoop(const Op &loop) {
  if (!followsLoops_ || loop.unrolling.kind != ir::Unrolling::Kind::Fully || loop.hasContinueFlag ||
      loop.postTest)
    return false;
  const ValueSum low = sums_.of(loop.operands[0]), high = sums_.of(loop.operands[1]),
                 step = sums_.of(loop.operands[2]);
  if (!low.isKnown() || !high.isKnown() || !step.isKnown())
    return false;
  hasFollowedLoops_ = true;
  const RegionId body = loop.regions[0];
  llvm::ArrayRef<ValueId> args = kernel_.region(body).args;
  const ir::ScalarType type = kernel_.value(args[0]).type;
  const auto scalar = [&](const ValueSum &sum) {
    return ir::makeInt(type, static_cast<int64_t>(sum.constant));
  };
  const Opcode comparison = ir::comparisonOf(loop.predicate);
  const auto by = static_cast<uint64_t>(ir::asStep(loop, scalar(step)));
  ValueSum counter = low;
  pass(llvm::ArrayRef(loop.operands).drop_front(3), args.drop_front());
  for (; left_ > 0 && ir::evaluateBinary(comparison, scalar(counter), scalar(high)).value.bits;
       counter.constant += by) {
    sums_.set(args[0], counter);
    region(body);
    pass(kernel_.terminator(body).operands, args.drop_front());
  }
  sums_.set(loop.results[0], counter);
  pass(args.drop_front(), llvm::ArrayRef(loop.results).drop_front());
  return true;
}

/// Its way is known, or all that is done is done where a team's members take the first one; or
/// data decides.
void UnrolledWalk::branch(const Op &branch) {
  const ValueSum condition = sums_.of(branch.operands[0]);
  const auto isEmpty = [&](RegionId arm) { return kernel_.region(arm).ops.size() == 1; };
  if (condition.isKnown()) {
    const RegionId arm = branch.regions[condition.constant == 0];
    region(arm);
    return pass(kernel_.terminator(arm).operands, branch.results);
  }
  if (sums_.isOfMember(condition) && isEmpty(branch.regions[1])) {
    conditions_.push_back(condition);
    guards_.try_emplace(conditions_, static_cast<unsigned>(guards_.size()));
    region(branch.regions[0]);
    conditions_.pop_back();
  } else {
    bothArms(branch);
  }
  for (ValueId result : branch.results)
    sums_.set(result, sums_.fresh());
}

void UnrolledWalk::bothArms(const Op &branch) {
  fork(Fork::Begin);
  region(branch.regions[0]);
  fork(Fork::Other);
  region(branch.regions[1]);
  fork(Fork::End);
}

bool UnrolledWalk::isTaken(int64_t member) const {
  return llvm::all_of(conditions_, [&](const ValueSum &condition) {
    return sums_.ofMember(condition, member) != 0;
  });
}

/// All at once: some may be passed to each other.
void UnrolledWalk::pass(llvm::ArrayRef<ValueId> from, llvm::ArrayRef<ValueId> to) {
  std::vector<ValueSum> values;
  for (ValueId id : from)
    values.push_back(sums_.of(id));
  for (auto [id, value] : llvm::zip_equal(to, values))
    sums_.set(id, std::move(value));
}

} // namespace colonnade::model
