//===- Induction.cpp - Carried sums become functions of the counter -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i = lo; i < hi; i++) *p++ = x;      p is p0 + (i - lo)
//
// A carried integer that grows by the same amount in every iteration is written as
// initial value + iterations * amount, with iterations from a counter that steps by one.
// Addresses become affine in the counter: extents and access counts get closed
// forms. The value equals the sequential one in every iteration that runs; only an
// intermediate product could leave the type's range, so these operations wrap
// and are marked speculative.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Rebuild.h"
#include "Normalize/Simplify.h"

namespace colonnade::canonical {

namespace {

constexpr size_t MaxSteps = 64; // of one value in one iteration

class InductionRewriter : public Rebuilder {
public:
  using Rebuilder::Rebuilder;

private:
  struct Step {
    ValueId amount;
    bool subtract = false;
  };
  using Growth = llvm::SmallVector<Step, 4>; // *p++ four times has four steps
  void startBody(const ir::Op &loop) override;
  void afterLoop(const ir::Op &loop) override;
  bool mayComeAround(const ir::Op &loop) const;
  /// Else iterations modulo 2^width of the counter are enough.
  bool isWiderThanCounter(const ir::Op &loop, size_t i) const {
    return ir::bitWidth(from_.value(loop.results[i]).type) >
           ir::bitWidth(from_.value(loop.results[0]).type);
  }
  std::optional<Growth> growth(const ir::Op &loop, size_t i, size_t outside) const;
  ValueId iterations(const ir::Op &loop, ValueId counter, ScalarType type);
  ValueId at(const ir::Op &loop, size_t i, const Growth &growth, ValueId counter);
};

/// The counter never comes back to a value it had (but see mayComeAround), so that it tells the
/// iteration.
/// Overflow of int and long is undefined; other counters wrap.
static bool tellsIteration(const ir::Op &loop, ScalarType counter, bool down) {
  using ir::Predicate;
  bool strict = loop.predicate == (down ? Predicate::Gt : Predicate::Lt);
  bool weak = loop.predicate == (down ? Predicate::Ge : Predicate::Le);
  if (ir::isSigned(counter))
    return strict || (ir::bitWidth(counter) >= 32 && (weak || loop.predicate == Predicate::Ne));
  return strict || loop.predicate == Predicate::Ne;
}

/// The first iteration of a do-while is not tested. A counter that starts where its type ends
/// begins anew, and one that ends where it started has had all values, not none.
bool InductionRewriter::mayComeAround(const ir::Op &loop) const {
  const ir::Scalar *start = from_.constant(loop.operands[0]);
  const ir::Scalar *limit = from_.constant(loop.operands[1]);
  const ScalarType counter = from_.value(loop.operands[2]).type;
  if (!loop.postTest || (ir::isSigned(counter) && ir::bitWidth(counter) >= 32))
    return false;
  if (!start || loop.predicate == ir::Predicate::Ne)
    return !start || !limit || start->bits == limit->bits;
  const bool up = from_.constant(loop.operands[2])->bits == 1;
  const ir::Scalar next = ir::makeInt(counter, ir::asInt64(*start) + (up ? 1 : -1));
  const bool grows =
      ir::isSigned(counter) ? ir::asInt64(next) > ir::asInt64(*start) : next.bits > start->bits;
  return grows != up;
}

/// `outside`: how many regions are open around the loop. What the loop itself carries, the
/// counter and the sum included, is no amount: it differs from iteration to iteration.
std::optional<InductionRewriter::Growth> InductionRewriter::growth(const ir::Op &loop, size_t i,
                                                                   size_t outside) const {
  const ir::Scalar *step = from_.constant(loop.operands[2]);
  ScalarType counter = from_.value(loop.operands[2]).type;
  bool down = step && step->bits == ir::makeInt(counter, -1).bits;
  bool up = step && step->bits == 1;
  ValueId arg = from_.region(loop.regions[0]).args[i];
  if ((!up && !down) || !tellsIteration(loop, counter, down) ||
      !ir::isInteger(from_.value(arg).type) || (ir::isSigned(counter) && mayComeAround(loop)))
    return std::nullopt;
  auto isAmount = [&](ValueId v) { // it must be there before the loop
    return map_[v.index] && fold_->isVisible(map_[v.index], outside);
  };
  Growth steps;
  ValueId v = from_.terminator(loop.regions[0]).operands[i - 1 + loop.hasContinueFlag];
  while (v != arg) {
    const ir::Op *next = from_.definition(v);
    if (!next || (next->opcode != Opcode::Add && next->opcode != Opcode::Sub) ||
        steps.size() == MaxSteps)
      return std::nullopt;
    ValueId a = next->operands[0], b = next->operands[1];
    if (next->opcode == Opcode::Add && b != arg && !isAmount(b))
      std::swap(a, b);
    if (next->opcode == Opcode::Add && b == arg)
      std::swap(a, b);
    if (!isAmount(b))
      return std::nullopt;
    steps.push_back({b, next->opcode == Opcode::Sub});
    v = a;
  }
  return steps.empty() ? std::nullopt : std::optional(std::move(steps));
}

/// Iterations before the one with this counter, in `type`. Unsigned counters wrap,
/// and so does the difference.
ValueId InductionRewriter::iterations(const ir::Op &loop, ValueId counter, ScalarType type) {
  ValueId lo = map(loop.operands[0]);
  bool down = ir::asInt64(*from_.constant(loop.operands[2])) != 1;
  if (ir::isSigned(fold_->typeOf(counter))) {
    counter = fold_->cast(counter, ScalarType::S64);
    lo = fold_->cast(lo, ScalarType::S64);
  }
  return fold_->cast(down ? fold_->wrapping(Opcode::Sub, lo, counter)
                          : fold_->wrapping(Opcode::Sub, counter, lo),
                     type);
}

ValueId InductionRewriter::at(const ir::Op &loop, size_t i, const Growth &g, ValueId counter) {
  ValueId init = map(loop.operands[i + 2]);
  const bool subtract = g.front().subtract;
  ValueId amount = map(g.front().amount);
  for (const Step &step : llvm::drop_begin(g))
    amount = fold_->wrapping(step.subtract == subtract ? Opcode::Add : Opcode::Sub, amount,
                             map(step.amount));
  ValueId term =
      fold_->wrapping(Opcode::Mul, iterations(loop, counter, fold_->typeOf(init)), amount);
  return fold_->wrapping(subtract ? Opcode::Sub : Opcode::Add, init, term);
}

void InductionRewriter::startBody(const ir::Op &loop) {
  llvm::ArrayRef<ValueId> args = from_.region(loop.regions[0]).args;
  for (size_t i = 1; i < args.size(); ++i)
    if (std::optional<Growth> g = growth(loop, i, fold_->depth() - 1))
      set(args[i], at(loop, i, *g, map(args[0])));
}

/// Without an early exit, the counter's last value says how many iterations ran.
void InductionRewriter::afterLoop(const ir::Op &loop) {
  for (size_t i = 1; i < loop.results.size() && !loop.hasContinueFlag; ++i) {
    std::optional<Growth> g = growth(loop, i, fold_->depth());
    if (g && (!isWiderThanCounter(loop, i) || !mayComeAround(loop)))
      set(loop.results[i], at(loop, i, *g, map(loop.results[0])));
  }
}

} // namespace

ir::Function rewriteInduction(const ir::Function &from, LeftOut &leftOut) {
  return InductionRewriter(from, leftOut).run();
}

} // namespace colonnade::canonical
