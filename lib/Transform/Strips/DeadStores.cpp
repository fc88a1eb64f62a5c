//===- DeadStores.cpp - Stores that nothing loads -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/DeadStores.h"

#include "IR/KnownWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class LiveWalk final : public KnownWalk {
public:
  LiveWalk(const Function &kernel, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), isLive_(kernel.ops.size()), isOpaque_(kernel.arrays.size()),
        cells_(kernel.arrays.size()), mayStop_(llvm::any_of(kernel.ops, [](const Op &op) {
          return op.opcode == Opcode::Check || op.opcode == Opcode::Unsupported;
        })) {
    for (size_t a = 0; a < cells_.size(); ++a)
      cells_[a].resize(kernel.arrays[a].constantCells().value_or(0));
  }

  bool run() {
    if (!walk(function_.body))
      return false;
    for (size_t a = 0; a < cells_.size(); ++a)
      for (std::vector<OpId> &seen : cells_[a])
        if (function_.arrays[a].isPassed())
          markLive(seen);
    return true;
  }
  bool isDead(OpId store) const {
    const Op &op = function_.op(store);
    return op.opcode == Opcode::Store && !op.guarded && !isOpaque_[op.array.index] &&
           !isLive_[store.index] && (function_.array(op.array).isLocal() || !mayStop_);
  }

private:
  void markLive(std::vector<OpId> &seen) {
    for (OpId store : seen)
      isLive_[store.index] = true;
    seen.clear(); // until the next store they are marked already
  }
  bool access(OpId id, std::optional<int64_t> number) override {
    const Op &op = function_.op(id);
    std::vector<std::vector<OpId>> &cells = cells_[op.array.index];
    if (!number || *number < 0 || static_cast<uint64_t>(*number) >= cells.size() || isInUnknown_) {
      isOpaque_[op.array.index] = true;
      return true;
    }
    std::vector<OpId> &seen = cells[static_cast<size_t>(*number)];
    if (op.opcode == Opcode::Load) {
      markLive(seen);
      return true;
    }
    if (uncertain_ == 0)
      seen.clear();
    if (!llvm::is_contained(seen, id))
      seen.push_back(id);
    return true;
  }
  /// Data may end it after any iteration: those that follow may not store.
  bool iteration(OpId loop, uint64_t number) override {
    const bool mayEnd = function_.op(loop).hasContinueFlag;
    uncertain_ += mayEnd;
    const bool goesOn = KnownWalk::iteration(loop, number);
    uncertain_ -= mayEnd;
    return goesOn;
  }
  bool visit(OpId id) override {
    if (function_.op(id).opcode != Opcode::Loop)
      return KnownWalk::visit(id);
    return unknownLoop(id);
  }
  /// It is walked once, but its iterations load what those before have stored.
  bool unknownLoop(OpId loop) override {
    const bool before = isInUnknown_;
    isInUnknown_ = true;
    const bool goesOn = KnownWalk::unknownLoop(loop);
    isInUnknown_ = before;
    return goesOn;
  }

  std::vector<bool> isLive_, isOpaque_;
  std::vector<std::vector<std::vector<OpId>>> cells_; // the stores that a load may see
  bool isInUnknown_ = false, mayStop_;
};

} // namespace

void colonnade::dropDeadStores(Function &kernel, WalkBudget &budget) {
  LiveWalk walk(kernel, budget.left);
  const bool ran = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  if (!ran)
    return;
  for (Region &region : kernel.regions)
    llvm::erase_if(region.ops, [&](OpId id) { return walk.isDead(id); });
}
