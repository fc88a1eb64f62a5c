//===- RegisterPlacement.cpp - Which arrays can live in registers -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk over the unrolled programme counts what remains of it.
//
//===----------------------------------------------------------------------===//

#include "Transform/RegisterPlacement.h"

#include "IR/KnownWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

// More than any register file holds: not worth following.
constexpr uint64_t MaxCells = 1 << 20;
// As of arrays that are copied as a whole (SharedRows.cpp).
constexpr uint64_t SparseAccesses = 4;

class UnrolledWalk final : public KnownWalk {
public:
  /// kept: by operation, the loops that are not unrolled.
  UnrolledWalk(const Function &function, const RegisterLimits &limits,
               const std::vector<bool> &kept)
      : KnownWalk(function, limits.steps), limits_(limits), kept_(kept),
        fixed_(function.arrays.size(), true), accessed_(function.arrays.size(), 0),
        cells_(function.arrays.size()), stored_(function.arrays.size()),
        touched_(function.arrays.size()), known_(function.ops.size(), true),
        seen_(function.ops.size(), false) {
    for (size_t a = 0; a < function.arrays.size(); ++a) {
      std::optional<uint64_t> cells = function.arrays[a].constantCells();
      fixed_[a] = cells && *cells <= MaxCells;
      cells_[a] = cells.value_or(0);
      stored_[a].resize(fixed_[a] ? cells_[a] : 0);
      touched_[a].resize(stored_[a].size());
    }
  }

  /// False if the walk exceeds its limits: then nothing is known.
  bool run() { return walk(function_.body) && operations_ <= limits_.operations; }

  bool isFixed(size_t array) const { return fixed_[array] && accessed_[array] > 0; }
  uint64_t cells(size_t array) const { return cells_[array]; }
  const std::vector<uint64_t> &accesses() const { return accessed_; }
  std::vector<CellRange> stored(size_t array) const { return rangesOf(stored_[array]); }
  /// Registers. Cells that are not accessed need none. But where few of many are, or none of them
  /// again, other places do as well.
  uint64_t needed(size_t array) const {
    const bool areMany = touched(array) >= cells_[array] / SparseAccesses;
    return areMany && accessed_[array] > touched(array) ? touched(array) : cells_[array];
  }
  uint64_t touched(size_t array) const {
    return static_cast<uint64_t>(llvm::count(touched_[array], true));
  }
  bool isUnrollable(size_t op) const { return seen_[op] && known_[op]; }

private:
  bool visit(OpId id) override {
    const Opcode opcode = function_.op(id).opcode;
    if (opcode == Opcode::For || opcode == Opcode::Loop)
      seen_[id.index] = true;
    return operations_ <= limits_.operations && KnownWalk::visit(id);
  }

  bool access(OpId id, std::optional<int64_t> cell) override {
    const Op &op = function_.op(id);
    ++operations_;
    ++accessed_[op.array.index];
    if (!cell || *cell < 0 || uint64_t(*cell) >= cells_[op.array.index])
      fixed_[op.array.index] = false;
    else if (fixed_[op.array.index])
      touch(op, *cell);
    return true;
  }

  void touch(const Op &op, int64_t cell) {
    touched_[op.array.index][cell] = true;
    if (op.opcode == Opcode::Store)
      stored_[op.array.index][cell] = true;
  }

  void remains(OpId) override { ++operations_; }
  /// Or it is decided already that some of its iterations are unrolled at a time.
  bool isKept(OpId loop) const override {
    return kept_[loop.index] || function_.op(loop).unrolling.kind == Unrolling::Kind::Times;
  }

  bool unknownLoop(OpId id) override {
    known_[id.index] = false;
    return KnownWalk::unknownLoop(id);
  }

  const RegisterLimits &limits_;
  const std::vector<bool> &kept_;
  std::vector<bool> fixed_;
  std::vector<uint64_t> accessed_, cells_;
  std::vector<std::vector<bool>> stored_;  // per array: its cells that some operation stores to
  std::vector<std::vector<bool>> touched_; // likewise, or that one loads
  std::vector<bool> known_, seen_;
  uint64_t operations_ = 0;
};

} // namespace

/// By loop, how many loops are around it; nullopt: it has none in it, or is no loop.
static std::vector<std::optional<unsigned>> outerLoops(const Function &function) {
  std::vector<std::optional<unsigned>> depths(function.ops.size());
  const std::function<bool(RegionId, unsigned)> visit = [&](RegionId region, unsigned depth) {
    bool hasLoop = false;
    for (OpId id : function.region(region).ops) {
      const Op &op = function.op(id);
      const bool isLoop = op.opcode == Opcode::For || op.opcode == Opcode::Loop;
      bool isAround = false;
      for (RegionId inner : op.regions)
        isAround |= visit(inner, depth + isLoop);
      if (isLoop && isAround)
        depths[id.index] = depth;
      hasLoop |= isLoop || isAround;
    }
    return hasLoop;
  };
  visit(function.body, 0);
  return depths;
}

/// Takes what fits of the arrays whose every subscript is known.
static void take(const Function &function, const RegisterLimits &limits, const UnrolledWalk &walk,
                 RegisterPlan &plan) {
  std::vector<size_t> candidates;
  for (size_t a = 0; a < function.arrays.size(); ++a) {
    const Array &array = function.arrays[a];
    if (array.isPerInstance() && walk.isFixed(a))
      candidates.push_back(a);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](size_t a, size_t b) { return walk.needed(a) < walk.needed(b); });
  uint64_t words = 0;
  for (size_t a : candidates) {
    const Array &array = function.arrays[a];
    const uint64_t needed = walk.needed(a) * (sizeBytes(array.cell) == 8 ? 2 : 1);
    const bool isOne = words == 0 && walk.needed(a) < walk.cells(a);
    if (words + needed > (isOne ? limits.wordsOfOne : limits.words))
      break;
    words += needed;
    plan.arrays[a] = true;
    plan.stored[a] = walk.stored(a);
    const std::string touched =
        walk.touched(a) < walk.cells(a) ? std::to_string(walk.touched(a)) + " of " : "";
    plan.notes.push_back(array.name + ": " + touched + std::to_string(walk.cells(a)) +
                         " cells in registers, every subscript is known after unrolling");
  }
  if (words > 0)
    for (size_t op = 0; op < function.ops.size(); ++op)
      plan.unroll[op] = walk.isUnrollable(op);
}

RegisterPlan colonnade::planRegisters(const Function &function, const RegisterLimits &limits) {
  RegisterPlan plan;
  plan.arrays.assign(function.arrays.size(), false);
  plan.accesses.assign(function.arrays.size(), 0);
  plan.stored.resize(function.arrays.size());
  plan.unroll.assign(function.ops.size(), false);
  const std::vector<std::optional<unsigned>> outer = outerLoops(function);
  for (unsigned numKept = 0;; ++numKept) {
    std::vector<bool> kept(function.ops.size());
    for (size_t op = 0; op < kept.size(); ++op)
      kept[op] = outer[op] && *outer[op] < numKept;
    UnrolledWalk walk(function, limits, kept);
    const bool isWithinLimits = walk.run();
    for (auto [most, counted] : llvm::zip(plan.accesses, walk.accesses()))
      most = std::max(most, counted);
    if (isWithinLimits) {
      take(function, limits, walk, plan);
      return plan;
    }
    if (llvm::none_of(outer, [&](std::optional<unsigned> depth) { return depth >= numKept; }))
      return plan;
  }
}
