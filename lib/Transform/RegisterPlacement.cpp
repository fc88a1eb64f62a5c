//===- RegisterPlacement.cpp - Which arrays can live in registers -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk over the unrolled programme: constants are evaluated, everything else
// is unknown. Branches with unknown conditions are walked on both sides, loops
// with unknown bounds or tests once, with unknown counters.
//
//===----------------------------------------------------------------------===//

#include "Transform/RegisterPlacement.h"

#include "IR/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

// More than any register file holds: not worth following.
constexpr uint64_t MaxCells = 1 << 20;

class UnrolledWalk {
public:
  /// kept: by operation, the loops that are not unrolled.
  UnrolledWalk(const Function &function, const RegisterLimits &limits,
               const std::vector<bool> &kept)
      : function_(function), limits_(limits), kept_(kept), values_(function.values.size()),
        fixed_(function.arrays.size(), true), accessed_(function.arrays.size(), 0),
        cells_(function.arrays.size()), stored_(function.arrays.size()),
        known_(function.ops.size(), true), seen_(function.ops.size(), false) {
    for (size_t a = 0; a < function.arrays.size(); ++a) {
      std::optional<uint64_t> cells = function.arrays[a].constantCells();
      fixed_[a] = cells && *cells <= MaxCells;
      cells_[a] = cells.value_or(0);
      stored_[a].resize(fixed_[a] ? cells_[a] : 0);
    }
  }

  /// False if the walk exceeds its limits: then nothing is known.
  bool run() { return walk(function_.body) && operations_ <= limits_.operations; }

  bool isFixed(size_t array) const { return fixed_[array] && accessed_[array] > 0; }
  uint64_t cells(size_t array) const { return cells_[array]; }
  const std::vector<uint64_t> &accesses() const { return accessed_; }
  std::vector<CellRange> stored(size_t array) const {
    std::vector<CellRange> ranges;
    for (uint64_t cell = 0; cell < cells_[array]; ++cell)
      if (stored_[array][cell] && cell > 0 && stored_[array][cell - 1])
        ranges.back().last = cell;
      else if (stored_[array][cell])
        ranges.push_back({cell, cell});
    return ranges;
  }
  bool isUnrollable(size_t op) const { return seen_[op] && known_[op]; }

private:
  using Known = std::optional<Scalar>;

  const Known &value(ValueId id) const { return values_[id.index]; }
  void set(ValueId id, Known known) { values_[id.index] = known; }
  void forget(llvm::ArrayRef<ValueId> ids) {
    for (ValueId id : ids)
      set(id, std::nullopt);
  }

  bool walk(RegionId region) {
    for (OpId id : function_.region(region).ops) {
      if (++steps_ > limits_.steps || operations_ > limits_.operations)
        return false;
      if (!visit(id))
        return false;
    }
    return true;
  }

  bool visit(OpId id) {
    const Op &op = function_.op(id);
    switch (op.opcode) {
    case Opcode::Load:
    case Opcode::Store:
      access(op);
      forget(op.results);
      return true;
    case Opcode::If:
      return visitIf(op);
    case Opcode::For:
      return visitFor(id);
    case Opcode::Loop:
      return visitLoop(id);
    case Opcode::Yield:
    case Opcode::Test:
    case Opcode::Return:
      return true;
    default:
      evaluate(op);
      return true;
    }
  }

  void access(const Op &op) {
    ++operations_;
    ++accessed_[op.array.index];
    AccessOperands parts = accessOperands(op);
    int64_t cell = 0;
    bool known = true;
    for (size_t k = 0; k < parts.subscripts.size() && known; ++k) {
      const Known &subscript = value(parts.subscripts[k]);
      const Known radix = k ? value(parts.radices[k - 1]) : makeInt(ScalarType::S64, 0);
      known = subscript && radix && !__builtin_mul_overflow(cell, asInt64(*radix), &cell) &&
              !__builtin_add_overflow(cell, asInt64(*subscript), &cell);
    }
    if (!known || cell < 0 || uint64_t(cell) >= cells_[op.array.index])
      fixed_[op.array.index] = false;
    else if (op.opcode == Opcode::Store && fixed_[op.array.index])
      stored_[op.array.index][cell] = true;
  }

  void evaluate(const Op &op) {
    if (op.results.size() != 1)
      return forget(op.results);
    llvm::SmallVector<Scalar, 3> operands;
    for (ValueId operand : op.operands)
      if (value(operand))
        operands.push_back(*value(operand));
    if (operands.size() == op.operands.size())
      if (Known result = fold(op, function_.value(op.results[0]).type, operands))
        return set(op.results[0], result);
    ++operations_;
    forget(op.results);
  }

  void setResults(llvm::ArrayRef<ValueId> results, llvm::ArrayRef<Known> known) {
    for (size_t i = 0; i < results.size(); ++i)
      set(results[i], known[i]);
  }
  llvm::SmallVector<Known, 4> yielded(RegionId region, unsigned drop = 0) const {
    llvm::SmallVector<Known, 4> known;
    for (ValueId operand : llvm::drop_begin(function_.terminator(region).operands, drop))
      known.push_back(value(operand));
    return known;
  }

  bool visitIf(const Op &op) {
    const Known condition = value(op.operands[0]);
    if (condition) {
      RegionId arm = op.regions[condition->bits ? 0 : 1];
      if (!walk(arm))
        return false;
      setResults(op.results, yielded(arm));
      return true;
    }
    ++operations_;
    if (!walk(op.regions[0]) || !walk(op.regions[1]))
      return false;
    forget(op.results);
    return true;
  }

  static bool runs(Predicate predicate, Scalar counter, Scalar high) {
    const Opcode opcodes[] = {Opcode::Lt, Opcode::Le, Opcode::Gt, Opcode::Ge, Opcode::Ne};
    return evaluateBinary(opcodes[size_t(predicate)], counter, high).value.bits != 0;
  }

  bool visitFor(OpId id) {
    const Op &op = function_.op(id);
    const Known low = value(op.operands[0]), high = value(op.operands[1]),
                step = value(op.operands[2]);
    seen_[id.index] = true;
    if (!low || !high || !step || kept_[id.index]) {
      known_[id.index] = false;
      return visitUnknownLoop(op, op.regions[0], {});
    }
    llvm::SmallVector<Known, 4> carried;
    for (ValueId init : llvm::drop_begin(op.operands, 3))
      carried.push_back(value(init));
    const Region &body = function_.region(op.regions[0]);
    Scalar counter = *low;
    bool mayHaveLeft = false;
    for (bool first = op.postTest; first || runs(op.predicate, counter, *high); first = false) {
      set(body.args[0], counter);
      setResults(llvm::ArrayRef(body.args).drop_front(), carried);
      if (++steps_ > limits_.steps || !walk(op.regions[0]))
        return false;
      carried = yielded(op.regions[0], op.hasContinueFlag ? 1 : 0);
      if (op.hasContinueFlag) {
        const Known continues = value(function_.terminator(op.regions[0]).operands[0]);
        if (continues && !continues->bits)
          break;
        mayHaveLeft |= !continues;
        operations_ += !continues;
      }
      counter = evaluateBinary(Opcode::Add, counter, *step).value;
    }
    set(op.results[0], mayHaveLeft ? Known() : Known(counter));
    for (size_t i = 0; i < carried.size(); ++i)
      set(op.results[i + 1], mayHaveLeft ? Known() : carried[i]);
    return true;
  }

  bool visitUnknownLoop(const Op &op, RegionId first, RegionId second) {
    ++operations_;
    for (RegionId region : {first, second})
      if (region.valid()) {
        forget(function_.region(region).args);
        if (!walk(region))
          return false;
      }
    forget(op.results);
    return true;
  }

  // Iterations are known as long as the test is; what is carried through a test or a
  // continue flag that depends on data stays known, the number of iterations does not.
  bool visitLoop(OpId id) {
    const Op &op = function_.op(id);
    seen_[id.index] = true;
    const Region &before = function_.region(op.regions[0]), &body = function_.region(op.regions[1]);
    llvm::SmallVector<Known, 4> carried;
    for (ValueId init : op.operands)
      carried.push_back(value(init));
    for (;;) {
      setResults(before.args, carried);
      if (++steps_ > limits_.steps || !walk(op.regions[0]))
        return false;
      carried = yielded(op.regions[0], 1);
      const Known test = value(function_.terminator(op.regions[0]).operands[0]);
      if (!test || kept_[id.index])
        break;
      if (!test->bits) {
        setResults(op.results, carried);
        return true;
      }
      setResults(body.args, carried);
      if (!walk(op.regions[1]))
        return false;
      carried = yielded(op.regions[1], 1);
      const Known continues = value(function_.terminator(op.regions[1]).operands[0]);
      if (!continues)
        break;
      if (!continues->bits) {
        setResults(op.results, carried);
        return true;
      }
    }
    known_[id.index] = false;
    return visitUnknownLoop(op, op.regions[0], op.regions[1]);
  }

  const Function &function_;
  const RegisterLimits &limits_;
  const std::vector<bool> &kept_;
  std::vector<Known> values_;
  std::vector<bool> fixed_;
  std::vector<uint64_t> accessed_, cells_;
  std::vector<std::vector<bool>> stored_; // per array: its cells that some operation stores to
  std::vector<bool> known_, seen_;
  uint64_t operations_ = 0, steps_ = 0;
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
                   [&](size_t a, size_t b) { return walk.cells(a) < walk.cells(b); });
  uint64_t words = 0;
  for (size_t a : candidates) {
    const Array &array = function.arrays[a];
    const uint64_t needed = walk.cells(a) * (sizeBytes(array.cell) == 8 ? 2 : 1);
    if (words + needed > limits.words)
      break;
    words += needed;
    plan.arrays[a] = true;
    plan.stored[a] = walk.stored(a);
    plan.notes.push_back(array.name + ": " + std::to_string(walk.cells(a)) +
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
