//===- StreamWalk.cpp - Which cells the iterations of the body's loops access -===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/StreamWalk.h"

#include "IR/Evaluate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr uint64_t MaxSteps = 1 << 24;

StreamWalk::StreamWalk(const Function &kernel) : KnownWalk(kernel, MaxSteps) {
  for (OpId id : kernel.region(kernel.body).ops)
    if (kernel.op(id).opcode == Opcode::For && !kernel.op(id).hasContinueFlag)
      iterations_[id.index] = {};
}

std::vector<OpId> StreamWalk::loops() const {
  std::vector<OpId> result;
  for (OpId id : function_.region(function_.body).ops)
    if (auto at = iterations_.find(id.index); at != iterations_.end() && at->second.number > 0)
      result.push_back(id);
  return result;
}

const LoopAccesses *StreamWalk::accesses(OpId loop, ArrayId array) const {
  const auto at = accesses_.find({loop.index, array.index});
  return at == accesses_.end() ? nullptr : &at->second;
}

bool StreamWalk::visit(OpId id) {
  const Op &op = function_.op(id);
  const bool isUnrolled = op.opcode == Opcode::For && op.unrolling.kind == Unrolling::Kind::Fully &&
                          llvm::is_contained(function_.region(function_.body).ops, id);
  const uint64_t before = steps();
  const bool goesOn = KnownWalk::visit(id);
  unrolledSteps_ += isUnrolled ? steps() - before : 0;
  return goesOn;
}

bool StreamWalk::iteration(OpId loop, uint64_t number) {
  const auto at = iterations_.find(loop.index);
  if (at == iterations_.end())
    return KnownWalk::iteration(loop, number);
  current_ = loop;
  now_ = number;
  at->second.number = number + 1;
  const int64_t counter = asInt64(*value(function_.region(function_.op(loop).regions[0]).args[0]));
  at->second.isAscending = counter >= at->second.last;
  at->second.last = counter;
  const bool goesOn = KnownWalk::iteration(loop, number);
  current_ = OpId();
  return goesOn;
}

bool StreamWalk::unknownLoop(OpId loop) {
  iterations_.erase(loop.index);
  ++numUncertain_;
  const bool goesOn = KnownWalk::unknownLoop(loop);
  --numUncertain_;
  return goesOn;
}

bool StreamWalk::uncertainArm(RegionId arm) {
  ++numUncertain_;
  const bool goesOn = KnownWalk::uncertainArm(arm);
  --numUncertain_;
  return goesOn;
}

bool StreamWalk::access(OpId id, std::optional<int64_t> cell) {
  const Op &op = function_.op(id);
  const std::optional<uint64_t> cells = function_.array(op.array).constantCells();
  if (!current_ || !function_.array(op.array).isPassed() || !cells)
    return true;
  LoopAccesses &all = accesses_[{current_.index, op.array.index}];
  if (!cell || *cell < 0 || uint64_t(*cell) >= *cells) {
    all.isKnown = false;
    return true;
  }
  all.windows.resize(std::max<size_t>(all.windows.size(), now_ + 1));
  all.windows[now_].add(*cell);
  ++all.number;
  all.isLoaded |= op.opcode == Opcode::Load;
  all.isStored |= op.opcode == Opcode::Store;
  all.storedSurely.resize(*cells);
  if (op.opcode == Opcode::Store && numUncertain_ == 0)
    all.storedSurely[size_t(*cell)] = true;
  return true;
}

/// With this slope.
static WindowMove moveBy(int64_t slope, const std::vector<Window> &windows) {
  WindowMove move{slope, INT64_MAX, INT64_MIN};
  for (auto [t, window] : llvm::enumerate(windows))
    if (!window.isEmpty()) {
      const int64_t at = slope * static_cast<int64_t>(t);
      move.low = std::min(move.low, window.first - at);
      move.high = std::max(move.high, window.last - at);
    }
  return move;
}

/// Rows of a triangle have a side that moves by whole rows: where both are as near to the windows,
/// the rounder slope.
std::optional<WindowMove> colonnade::moveOf(const LoopAccesses &accesses) {
  const std::vector<Window> &windows = accesses.windows;
  const size_t first = llvm::find_if(windows, [](const Window &each) { return !each.isEmpty(); }) -
                       windows.begin(),
               last = windows.size() - 1; // it is there, as it was the last to be added
  if (first >= last)
    return std::nullopt;
  const auto slopeOf = [&](int64_t Window::*side) {
    return std::llround(double(windows[last].*side - windows[first].*side) / double(last - first));
  };
  const WindowMove byFirst = moveBy(slopeOf(&Window::first), windows),
                   byLast = moveBy(slopeOf(&Window::last), windows);
  const int64_t ofFirst = byFirst.high - byFirst.low, ofLast = byLast.high - byLast.low;
  if (ofFirst != ofLast)
    return ofFirst < ofLast ? byFirst : byLast;
  const auto roundness = [](int64_t slope) { return llvm::countr_zero(uint64_t(slope)); };
  return roundness(byFirst.slope) > roundness(byLast.slope) ? byFirst : byLast;
}
