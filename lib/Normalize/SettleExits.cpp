//===- SettleExits.cpp - What a loop leaves where data has not ended it ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i = 0; i < n; i++) if (a[i] == x) return 1;
//   return b[i];
//
// What follows runs only where the function has not returned, so where the loop has ended by its
// counter: there i is n, whatever the data. In an arm of an If whose condition says that a loop
// with a continue flag was not left by it, the loop's results become the values of that end:
// functions of the start, the limit and the step. Results of Ifs that hand on such a flag (the
// cases of a switch, one after the other) are chosen by the conditions on which it does not depend.
// What is computed so runs in this arm only; its intermediate results may leave the type's range,
// so that it is marked speculative.
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopEnd.h"
#include "Normalize/Rebuild.h"
#include "Normalize/Simplify.h"

#include <set>

namespace colonnade::canonical {

namespace {

constexpr size_t MaxFacts = 64;   // learned from one condition
constexpr unsigned MaxDepth = 24; // of an expression that is computed anew
constexpr unsigned MaxChoices = 256;
constexpr size_t MaxFollowers = 64; // operations behind a loop or If

class ExitSettler : public Rebuilder {
public:
  ExitSettler(const ir::Function &from, LeftOut &leftOut) : Rebuilder(from, leftOut) {
    isFlag_.resize(from.values.size());
    places_.resize(from.ops.size());
    isSettled_.resize(from.values.size());
    findFlags(from.body);
  }

private:
  struct Mark {
    size_t facts, replaced;
  };
  struct Replaced {
    ValueId old, before;
    bool wasSettled;
  };
  struct Fact {
    ValueId value;
    bool truth;
    friend bool operator==(const Fact &, const Fact &) = default;
  };

  void findFlags(RegionId region);
  bool endsLoop(const ir::Op &loop, size_t i) const;
  void startArm(ValueId condition, bool truth) override;
  void endArm() override;

  void assume(ValueId condition, bool truth);
  void forgetSince(size_t facts);
  void learn(ValueId condition, bool truth);
  void learnFromArms(ValueId result);
  std::vector<Fact> consequences(const ir::Op &op, ValueId result, bool isThen);
  bool hasEndedByCounter(ValueId flag) const;

  void settleFacts(size_t since);
  void settleLoop(const ir::Op &loop);
  void settleIf(const ir::Op &op);
  void setLastArguments(const ir::Op &loop, const LoopEnd &ended);
  ValueId growthOf(ValueId next, ValueId arg);
  void settleFollowers(const ir::Op &op, size_t since);
  ValueId settled(ValueId v, unsigned depth);
  ValueId settledChoice(const ir::Op &op, ValueId v, unsigned depth);
  ValueId settledCondition(ValueId condition, unsigned depth);
  ValueId recomputed(const ir::Op &op, ValueId v, unsigned depth);
  ValueId repeated(const ir::Op &op, llvm::ArrayRef<ValueId> operands, ScalarType type);
  void replace(ValueId old, ValueId fresh);
  void restore(size_t mark);

  struct OpPlace {
    RegionId region;
    size_t position = 0;
  };
  std::vector<OpPlace> places_; // by operation
  std::vector<bool> isFlag_;    // by value: says whether a loop was left, or hands that on
  KnownConditions known_{from_};
  std::vector<Replaced> replaced_;
  std::vector<Mark> arms_;
  std::vector<bool> isSettled_; // by value: it has been replaced
  unsigned choices_ = 0;        // made in this arm
  /// By value, as long as nothing else is known or replaced: a chain whose links use the one before
  /// twice would be computed twice as often with each.
  llvm::DenseMap<uint32_t, ValueId> computed_, conditions_;
};

/// A result that is known where the loop has ended by its counter.
bool ExitSettler::endsLoop(const ir::Op &loop, size_t i) const {
  if (loop.opcode != Opcode::For || !loop.hasContinueFlag || loop.postTest || i == 0 ||
      from_.value(loop.results[i]).type != ScalarType::Bool)
    return false;
  const ir::Op &end = from_.terminator(loop.regions[0]);
  for (bool truth : {false, true}) {
    KnownConditions last(from_);
    last.assume(end.operands[i], truth);
    if (last.known(end.operands[0]) == true)
      return true;
  }
  return false;
}

void ExitSettler::findFlags(RegionId region) {
  for (auto [position, id] : llvm::enumerate(from_.region(region).ops)) {
    const ir::Op &op = from_.op(id);
    places_[id.index] = {region, position};
    for (RegionId inner : op.regions)
      findFlags(inner);
    for (size_t i = 0; i < op.results.size(); ++i) {
      if (from_.value(op.results[i]).type != ScalarType::Bool)
        continue;
      bool isFlag = endsLoop(op, i);
      if (op.opcode == Opcode::Not || op.opcode == Opcode::And || op.opcode == Opcode::Or)
        for (ValueId operand : op.operands)
          isFlag |= isFlag_[operand.index];
      if (op.opcode == Opcode::If)
        for (RegionId arm : op.regions)
          isFlag |= isFlag_[from_.terminator(arm).operands[i].index];
      isFlag_[op.results[i].index] = isFlag;
    }
  }
}

void ExitSettler::startArm(ValueId condition, bool truth) {
  arms_.push_back({known_.mark(), replaced_.size()});
  if (!isFlag_[condition.index])
    return;
  choices_ = 0;
  learn(condition, truth);
  settleFacts(arms_.back().facts);
}

void ExitSettler::endArm() {
  forgetSince(arms_.back().facts);
  restore(arms_.back().replaced);
  arms_.pop_back();
}

/// What has been computed anew rests on what is known and replaced.
void ExitSettler::assume(ValueId condition, bool truth) {
  known_.assume(condition, truth);
  computed_.clear(), conditions_.clear();
}
void ExitSettler::forgetSince(size_t facts) {
  known_.forgetSince(facts);
  computed_.clear(), conditions_.clear();
}

void ExitSettler::replace(ValueId old, ValueId fresh) {
  computed_.clear(), conditions_.clear();
  replaced_.push_back({old, map_[old.index], isSettled_[old.index]});
  map_[old.index] = fresh;
  isSettled_[old.index] = true;
}

void ExitSettler::restore(size_t mark) {
  computed_.clear(), conditions_.clear();
  for (; replaced_.size() > mark; replaced_.pop_back()) {
    const Replaced &last = replaced_.back();
    map_[last.old.index] = last.before;
    isSettled_[last.old.index] = last.wasSettled;
  }
}

/// Also what follows whichever arm of an If was taken.
void ExitSettler::learn(ValueId condition, bool truth) {
  size_t next = known_.mark();
  assume(condition, truth);
  for (const size_t end = next + MaxFacts; next < std::min(known_.mark(), end); ++next)
    learnFromArms(known_.at(next));
}

void ExitSettler::learnFromArms(ValueId result) {
  const ir::Op *op = from_.definition(result);
  if (!op || op->opcode != Opcode::If || known_.known(op->operands[0]))
    return;
  const std::vector<Fact> a = consequences(*op, result, true), b = consequences(*op, result, false);
  for (const Fact &fact : a)
    if (llvm::is_contained(b, fact))
      assume(fact.value, fact.truth);
}

std::vector<ExitSettler::Fact> ExitSettler::consequences(const ir::Op &op, ValueId result,
                                                         bool isThen) {
  const bool truth = *known_.known(result);
  const size_t mark = known_.mark();
  assume(op.operands[0], isThen);
  assume(from_.terminator(op.regions[isThen ? 0 : 1]).operands[from_.value(result).index], truth);
  std::vector<Fact> facts;
  for (size_t i = mark; i < known_.mark(); ++i)
    facts.push_back({known_.at(i), *known_.known(known_.at(i))});
  forgetSince(mark);
  return facts;
}

/// In the last iteration, if there was one, the loop would have gone on.
bool ExitSettler::hasEndedByCounter(ValueId flag) const {
  const ir::Op &loop = *from_.definition(flag);
  const ir::Op &end = from_.terminator(loop.regions[0]);
  KnownConditions last(from_);
  last.assume(end.operands[from_.value(flag).index], *known_.known(flag));
  return last.known(end.operands[0]) == true;
}

/// In the order of the source: a later If hands on what an earlier loop leaves.
void ExitSettler::settleFacts(size_t since) {
  std::set<uint32_t> ops;
  for (size_t i = since; i < known_.mark(); ++i) {
    const ValueId v = known_.at(i);
    const ir::Op *op = from_.definition(v);
    if (!op || !isFlag_[v.index])
      continue;
    if (op->opcode == Opcode::If ||
        (op->opcode == Opcode::For && endsLoop(*op, from_.value(v).index) && hasEndedByCounter(v)))
      ops.insert(from_.value(v).def.index);
  }
  for (uint32_t index : ops) {
    const ir::Op &op = from_.op(OpId(index));
    const size_t since = replaced_.size();
    op.opcode == Opcode::If ? settleIf(op) : settleLoop(op);
    if (replaced_.size() > since)
      settleFollowers(op, since);
  }
}

void ExitSettler::settleIf(const ir::Op &op) {
  for (ValueId result : op.results)
    if (ir::isInteger(from_.value(result).type) && !isFlag_[result.index] && map_[result.index] &&
        fold_->isVisible(map_[result.index]))
      if (ValueId v = settledChoice(op, result, MaxDepth))
        replace(result, v);
}

/// The body's last run, if there was one, had the counter before its last step, and went on.
void ExitSettler::settleLoop(const ir::Op &loop) {
  const ir::Scalar *step = from_.constant(loop.operands[2]);
  if (!step || !map_[loop.results[0].index] || !fold_->isVisible(map_[loop.results[0].index]))
    return;
  const LoopEnd ended(*fold_, loop.predicate, map(loop.operands[0]), map(loop.operands[1]), *step);
  if (!ended.counter())
    return;
  const ir::Op &end = from_.terminator(loop.regions[0]);
  const size_t facts = known_.mark(), body = replaced_.size();
  assume(end.operands[0], true);
  setLastArguments(loop, ended);
  std::vector<ValueId> last(loop.results.size());
  for (size_t i = 1; i < loop.results.size(); ++i)
    if (ir::isInteger(from_.value(loop.results[i]).type))
      last[i] = settled(end.operands[i], MaxDepth);
  forgetSince(facts);
  restore(body);
  for (size_t i = 1; i < loop.results.size(); ++i)
    if (last[i])
      replace(loop.results[i], fold_->select(ended.runs(), last[i], map(loop.operands[i + 2])));
  replace(loop.results[0], ended.counter());
}

/// The counter and what grows by the same amount in each iteration, as the last one finds them.
void ExitSettler::setLastArguments(const ir::Op &loop, const LoopEnd &ended) {
  const ir::Op &end = from_.terminator(loop.regions[0]);
  llvm::ArrayRef<ValueId> args = from_.region(loop.regions[0]).args;
  const ValueId before = fold_->wrapping(Opcode::Sub, ended.counter(), map(loop.operands[2]));
  std::vector<ValueId> last(args.size());
  for (size_t i = 1; i < args.size() && ended.iterations(); ++i) {
    const ScalarType type = from_.value(args[i]).type;
    const ValueId amount = ir::isInteger(type) ? growthOf(end.operands[i], args[i]) : ValueId();
    if (!amount)
      continue;
    const ValueId one = fold_->constant({ScalarType::U64, 1});
    const ValueId steps = fold_->cast(fold_->wrapping(Opcode::Sub, ended.iterations(), one), type);
    last[i] = fold_->wrapping(Opcode::Add, map(loop.operands[i + 2]),
                              fold_->wrapping(Opcode::Mul, steps, amount));
  }
  replace(args[0], before);
  for (size_t i = 1; i < args.size(); ++i)
    if (last[i])
      replace(args[i], last[i]);
}

/// What is added to `arg` to give `next`, if that is there before the loop; else an invalid id.
ValueId ExitSettler::growthOf(ValueId next, ValueId arg) {
  ValueId sum = fold_->constantInt(from_.value(arg).type, 0);
  for (unsigned steps = 0; next != arg; ++steps) {
    const ir::Op *op = from_.definition(next);
    if (!op || (op->opcode != Opcode::Add && op->opcode != Opcode::Sub) || steps == MaxDepth)
      return {};
    ValueId rest = op->operands[0], amount = op->operands[1];
    const auto isThere = [&](ValueId v) {
      return map_[v.index] && fold_->isVisible(map_[v.index]);
    };
    if (op->opcode == Opcode::Add && !isThere(amount))
      std::swap(rest, amount);
    if (!isThere(amount))
      return {};
    sum = fold_->wrapping(op->opcode, sum, map_[amount.index]);
    next = rest;
  }
  return sum;
}

/// Scalars of the same region that were computed from what is settled now.
void ExitSettler::settleFollowers(const ir::Op &op, size_t since) {
  const auto [region, position] = places_[from_.value(op.results[0]).def.index];
  llvm::ArrayRef<OpId> ops = from_.region(region).ops;
  for (OpId id : ops.drop_front(position + 1).take_front(MaxFollowers)) {
    const ir::Op &next = from_.op(id);
    if (!isScalarOp(next) || !map_[next.results[0].index])
      continue;
    const bool depends = llvm::any_of(next.operands, [&](ValueId operand) {
      return llvm::any_of(llvm::drop_begin(replaced_, since),
                          [&](const Replaced &done) { return done.old == operand; });
    });
    if (depends && ir::isInteger(from_.value(next.results[0]).type) &&
        fold_->isVisible(map_[next.results[0].index]))
      if (ValueId v = recomputed(next, next.results[0], MaxDepth))
        replace(next.results[0], v);
  }
}

/// `v` as it is in this arm; an invalid id: it cannot be told here.
ValueId ExitSettler::settled(ValueId v, unsigned depth) {
  if (const ir::Scalar *constant = from_.constant(v))
    return fold_->constant(*constant);
  if (from_.value(v).type == ScalarType::Bool)
    if (std::optional<bool> truth = known_.known(v))
      return fold_->constantBool(*truth);
  if (depth == 0)
    return {};
  const ir::Op *op = from_.definition(v);
  if (op && op->opcode == Opcode::If && !isSettled_[v.index])
    if (ValueId chosen = settledChoice(*op, v, depth))
      return chosen;
  if (map_[v.index] && fold_->isVisible(map_[v.index]))
    return fold_->refine(map_[v.index]);
  return op ? recomputed(*op, v, depth) : ValueId();
}

/// A result of an If: what its arm gave, or one of two by a condition that is told here.
ValueId ExitSettler::settledChoice(const ir::Op &op, ValueId v, unsigned depth) {
  if (++choices_ > MaxChoices) // each may double what is computed
    return {};
  auto given = [&](unsigned side) {
    const size_t mark = known_.mark();
    learn(op.operands[0], side == 0);
    const ValueId value =
        settled(from_.terminator(op.regions[side]).operands[from_.value(v).index], depth - 1);
    forgetSince(mark);
    return value;
  };
  if (std::optional<bool> truth = known_.known(op.operands[0]))
    return given(*truth ? 0 : 1);
  const bool handsOnFlag = llvm::any_of(op.results, [&](ValueId result) {
    return isFlag_[result.index] && known_.known(result).has_value();
  });
  const ValueId condition = handsOnFlag ? settledCondition(op.operands[0], depth) : ValueId();
  if (!condition)
    return {};
  auto givenWhere = [&](unsigned side) { // where the flag has the known value there, too
    const size_t mark = known_.mark();
    assume(op.operands[0], side == 0);
    for (ValueId result : op.results)
      if (std::optional<bool> truth = known_.known(result); truth && isFlag_[result.index])
        learn(from_.terminator(op.regions[side]).operands[from_.value(result).index], *truth);
    const ValueId value = given(side);
    forgetSince(mark);
    return value;
  };
  const ValueId a = givenWhere(0), b = givenWhere(1);
  return a && b ? fold_->select(condition, a, b) : ValueId();
}

/// Without the parts that are known here.
ValueId ExitSettler::settledCondition(ValueId condition, unsigned depth) {
  if (std::optional<bool> truth = known_.known(condition))
    return fold_->constantBool(*truth);
  const ir::Op *op = from_.definition(condition);
  const bool isLogical =
      op && (op->opcode == Opcode::And || op->opcode == Opcode::Or || op->opcode == Opcode::Not);
  if (!isLogical || depth == 0)
    return map_[condition.index] && fold_->isVisible(map_[condition.index]) ? map_[condition.index]
                                                                            : ValueId();
  if (const ValueId known = conditions_.lookup(condition.index))
    return known;
  llvm::SmallVector<ValueId, 2> operands;
  for (ValueId operand : op->operands) {
    operands.push_back(settledCondition(operand, depth - 1));
    if (!operands.back())
      return {};
  }
  return conditions_[condition.index] = fold_->scalarOp(*op, operands, ScalarType::Bool);
}

/// Once more, here: what has neither an access nor undefined behaviour.
ValueId ExitSettler::recomputed(const ir::Op &op, ValueId v, unsigned depth) {
  if (!isRepeatable(op))
    return {};
  if (const ValueId known = computed_.lookup(v.index))
    return known;
  llvm::SmallVector<ValueId, 2> operands;
  for (ValueId operand : op.operands) {
    operands.push_back(settled(operand, depth - 1));
    if (!operands.back())
      return {};
  }
  return computed_[v.index] = repeated(op, operands, from_.value(v).type);
}

/// Nobody has written it here, so that it must be defined where the values are others.
ValueId ExitSettler::repeated(const ir::Op &op, llvm::ArrayRef<ValueId> operands, ScalarType type) {
  if (op.opcode == Opcode::Add || op.opcode == Opcode::Sub || op.opcode == Opcode::Mul)
    return fold_->wrapping(op.opcode, operands[0], operands[1]);
  if (op.opcode == Opcode::Neg && ir::isSigned(type))
    return fold_->wrapping(Opcode::Sub, fold_->constantInt(type, 0), operands[0]);
  if (op.opcode != Opcode::Shl || !ir::isSigned(type))
    return fold_->scalarOp(op, operands, type);
  ir::Op copy = op;
  copy.results.clear();
  copy.operands.assign(operands.begin(), operands.end());
  copy.speculative = true;
  return out_.op(fold_->append(std::move(copy), type)).results[0];
}

} // namespace

ir::Function settleExits(const ir::Function &from, LeftOut &leftOut) {
  return ExitSettler(from, leftOut).run();
}

} // namespace colonnade::canonical
