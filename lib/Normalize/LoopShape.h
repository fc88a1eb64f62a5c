//===- LoopShape.h - Recognises loops that count ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which Loops count. The test compares `chain(x)` with a value that the loop does not
// change, where x is a carried value and the chain adds constants or widens; every
// iteration that goes on adds the same step to x.
//
//   while (i + 1 < n && a[i] > t) { …; if (hit) break; i += 2; }
//   carried i   chain +1   predicate lt   limit n   step 2   data a[i] > t   continue !hit
//
// In: a Loop of a canonical function. Out: its shape as a For, if it has one.
// Invariant: a For of that shape runs exactly as the Loop, wrap-around included;
// nothing is said about whether it ends.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_LOOPSHAPE_H
#define COLONNADE_NORMALIZE_LOOPSHAPE_H

#include "Normalize/KnownConditions.h"

namespace colonnade::canonical {

struct LoopShape {
  size_t counter = 0;         // index among the carried values
  std::vector<ValueId> chain; // operations from the counter to the tested value, inside out
  ir::ScalarType type = ir::ScalarType::S32; // of the For's counter
  ir::Predicate predicate = ir::Predicate::Lt;
  ValueId limit;                    // unchanged by the loop, perhaps computed in it
  std::optional<int64_t> lastLimit; // beyond it the counter would begin anew before the limit
  struct Step {
    ValueId amount; // invalid: none
    bool subtract = false;
  } before, after; // in the test's region, in the body
  bool postTest = false;
  bool hasContinueFlag = false;
  bool exitIsCounter = true; // after a break, the counter is what it was in that iteration
  OpId data;                 // head: the If that evaluates the data condition
  ValueId dataCond;          // its value where the counter's test holds
  bool dataFirst = false;    // data && counter test, both without accesses
  OpId breakHead;            // for (;;) { if (…) break; …: the If, first in the body
  bool headOnTrue = true;    // which of its arms goes on
  OpId rest;                 // post-test: the If whose one arm leaves the loop
  bool restOnTrue = true;    // which arm goes on
};

/// Finds the shapes of one function's loops.
class LoopMatcher {
public:
  explicit LoopMatcher(const ir::Function &function);
  std::optional<LoopShape> match(OpId loop);
  /// Whether the matched loop computes v whenever it is reached, not only in an iteration or
  /// behind a condition.
  bool isAlwaysComputed(ValueId v) const;
  /// What each arm of an If yields for its result `v`: first where the condition holds.
  std::pair<ValueId, ValueId> yieldedFor(const ir::Op &branch, ValueId v) const;

private:
  struct Comparison {
    ir::Opcode opcode = ir::Opcode::Lt;
    ValueId a, b;
  };
  bool isInside(ValueId v) const;
  bool isInvariant(ValueId v, unsigned depth = 16) const;
  bool isInvariantChoice(const ir::Op &branch, ValueId v, unsigned depth) const;
  bool isPure(RegionId region, OpId except) const;
  std::optional<Comparison> comparison(ValueId cond, bool holds = true) const;
  static ir::Predicate predicateOf(ir::Opcode comparison);
  /// Either side of `found` may be the limit, if the loop leaves it alone, and each carried
  /// value the counter: what `match` says of the first pair that it decides; false if none.
  bool matchAnyCounter(const ir::Op &loop, Comparison found,
                       llvm::function_ref<std::optional<bool>(Comparison, size_t)> match) const;
  /// A counter that each iteration which `repeats` steps in the body, for the forms whose
  /// test stands there.
  bool matchBodyCounter(const ir::Op &loop, Comparison found, const KnownConditions &repeats,
                        const KnownConditions &breaks, LoopShape &shape) const;
  std::optional<LoopShape> matchHead(const ir::Op &loop);
  bool matchHeadTest(const ir::Op &loop, ValueId head, LoopShape &shape) const;
  bool matchCounter(const ir::Op &loop, ValueId head, LoopShape &shape) const;
  std::optional<LoopShape> matchBreakHead(const ir::Op &loop) const;
  bool matchBreakCounter(const ir::Op &loop, Comparison test, LoopShape &shape) const;
  std::optional<LoopShape> matchPostTest(const ir::Op &loop);
  bool matchPostCounter(const ir::Op &loop, Comparison test, const KnownConditions &stays,
                        LoopShape &shape) const;
  /// The chain from `from` to `tested`; empty optional if there is none.
  std::optional<std::vector<ValueId>> chain(ValueId tested, ValueId from) const;
  bool matchStep(ValueId next, ValueId from, LoopShape::Step &step) const;
  bool isDirectStep(ValueId next, ValueId from) const;
  bool chooseType(Comparison test, ValueId counter, bool directStep, LoopShape &shape) const;
  bool followsSteps(const LoopShape &shape) const;
  bool countsWrapping(ValueId counter, LoopShape &shape) const;
  ValueId under(ValueId v, const KnownConditions &known) const;
  ValueId argument(const ir::Op &loop, unsigned part, size_t i) const {
    return f_.region(loop.regions[part]).args[i];
  }
  ValueId given(const ir::Op &loop, unsigned part, size_t i) const {
    return f_.terminator(loop.regions[part]).operands[i + 1];
  }
  ValueId condition(const ir::Op &loop, unsigned part) const {
    return f_.terminator(loop.regions[part]).operands[0];
  }

  const ir::Function &f_;
  std::vector<RegionId> opRegion_; // by operation
  std::vector<uint32_t> depth_;    // by region
  const ir::Op *loop_ = nullptr;   // being matched
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_LOOPSHAPE_H
