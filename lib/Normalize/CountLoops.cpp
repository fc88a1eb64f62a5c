//===- CountLoops.cpp - Loops that count become For -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the For of a LoopShape. Its counter is the tested value, chain(x); the
// body starts by computing x back from it. A data condition in the test becomes
// an If around the body and part of the continue flag: it is evaluated at the start of
// each iteration, where the sequential loop evaluates it. Accesses keep their order;
// values after the loop, the counter's included, are exact.
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopShape.h"
#include "Normalize/Rebuild.h"
#include "Normalize/Simplify.h"

namespace colonnade::canonical {

namespace {

class LoopCounter : public Rebuilder {
public:
  LoopCounter(const ir::Function &from, LeftOut &leftOut)
      : Rebuilder(from, leftOut), matcher_(from) {}

private:
  void visit(OpId id) override {
    const ir::Op &op = from_.op(id);
    if (op.opcode == Opcode::Loop)
      if (std::optional<LoopShape> shape = matcher_.match(id))
        return build(op, *shape);
    Rebuilder::visit(id);
  }

  void build(const ir::Op &loop, const LoopShape &shape);
  ValueId invariant(ValueId old);
  void keepDefined(Opcode opcode, llvm::MutableArrayRef<ValueId> operands);
  ValueId step(const LoopShape &shape);
  void checkLimit(const LoopShape &shape, ValueId limit);
  ValueId applyChain(const LoopShape &shape, ValueId x);
  ValueId invertChain(const LoopShape &shape, ValueId tested, ScalarType type);
  ValueId stepped(ValueId x, const LoopShape::Step &step);
  void visitTest(const ir::Op &loop, const LoopShape &shape);
  void visitTakenArm(OpId id, bool onTrue);
  void visitBody(const ir::Op &loop, const LoopShape &shape, llvm::ArrayRef<size_t> carried,
                 llvm::SmallVectorImpl<ValueId> &next);
  void visitGuardedBody(const ir::Op &loop, const LoopShape &shape, llvm::ArrayRef<size_t> carried,
                        llvm::SmallVectorImpl<ValueId> &next);
  void setResults(const ir::Op &loop, const LoopShape &shape, OpId built,
                  llvm::ArrayRef<size_t> carried);
  ValueId end(const ir::Op &loop, unsigned part, size_t i) const {
    return from_.terminator(loop.regions[part]).operands[i];
  }

  LoopMatcher matcher_;
};

/// Of an operation that the sequential loop may not come to (`d != 0 && i < n / d`): a harmless
/// operand where it would be undefined. Its result is then not used.
void LoopCounter::keepDefined(Opcode opcode, llvm::MutableArrayRef<ValueId> operands) {
  if (operands.size() != 2 || !ir::isInteger(fold_->typeOf(operands[0])))
    return;
  ValueId &b = operands[1];
  ScalarType type = fold_->typeOf(b);
  auto insteadOf = [&](ValueId value, int64_t bad, ValueId harmless, ValueId otherwise) {
    ValueId isBad = fold_->binary(Opcode::Eq, value, fold_->constantInt(fold_->typeOf(value), bad));
    return fold_->select(isBad, harmless, otherwise);
  };
  if (opcode == Opcode::Shl || opcode == Opcode::Shr) {
    int64_t most = ir::bitWidth(fold_->typeOf(operands[0])) - 1;
    b = fold_->binary(Opcode::And, b, fold_->constantInt(type, most));
  } else if (opcode == Opcode::Div || opcode == Opcode::Rem) {
    ValueId one = fold_->constantInt(type, 1), divisor = insteadOf(b, 0, one, b);
    if (ir::isSigned(type)) { // the least value by -1
      int64_t least = -(int64_t(1) << (ir::bitWidth(type) - 2)) * 2;
      divisor = insteadOf(operands[0], least, insteadOf(b, -1, one, divisor), divisor);
    }
    b = divisor;
  }
}

/// A value that the loop does not change, computed before it.
ValueId LoopCounter::invariant(ValueId old) {
  if (map(old) && fold_->isVisible(map(old)))
    return map(old);
  const ir::Op &op = *from_.definition(old);
  if (op.opcode == Opcode::Constant)
    return fold_->constant(op.scalar);
  if (op.opcode == Opcode::If) {
    const auto [taken, other] = matcher_.yieldedFor(op, old);
    const ValueId condition = invariant(op.operands[0]), first = invariant(taken);
    return fold_->select(condition, first, invariant(other));
  }
  llvm::SmallVector<ValueId, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(invariant(operand));
  if (!matcher_.isAlwaysComputed(old))
    keepDefined(op.opcode, operands);
  return fold_->scalarOp(op, operands, from_.value(old).type);
}

ValueId LoopCounter::step(const LoopShape &shape) {
  ValueId sum = fold_->constantInt(shape.type, 0);
  for (const LoopShape::Step *part : {&shape.before, &shape.after})
    if (part->amount) {
      ValueId amount = fold_->cast(invariant(part->amount), shape.type);
      // The step wraps like the counter: fold it even where C would not.
      auto a = fold_->intConstant(sum), b = fold_->intConstant(amount);
      if (a && b)
        sum = fold_->constantInt(shape.type,
                                 int64_t(uint64_t(*a) + (part->subtract ? -1 : 1) * uint64_t(*b)));
      else
        sum = fold_->binary(part->subtract ? Opcode::Sub : Opcode::Add, sum, amount);
    }
  return sum;
}

ValueId LoopCounter::applyChain(const LoopShape &shape, ValueId x) {
  for (ValueId link : shape.chain) {
    const ir::Op &op = *from_.definition(link);
    if (op.opcode == Opcode::Cast)
      x = fold_->cast(x, from_.value(link).type);
    else
      x = fold_->binary(op.opcode, x, invariant(op.operands[1]));
  }
  return x;
}

ValueId LoopCounter::invertChain(const LoopShape &shape, ValueId tested, ScalarType type) {
  if (!shape.chain.empty())
    tested = fold_->cast(tested, from_.value(shape.chain.back()).type);
  for (size_t i = shape.chain.size(); i-- > 0;) {
    const ir::Op &op = *from_.definition(shape.chain[i]);
    if (op.opcode == Opcode::Cast)
      tested = fold_->cast(tested, from_.value(op.operands[0]).type);
    else
      tested = fold_->binary(op.opcode == Opcode::Add ? Opcode::Sub : Opcode::Add, tested,
                             invariant(op.operands[1]));
  }
  return fold_->cast(tested, type);
}

ValueId LoopCounter::stepped(ValueId x, const LoopShape::Step &step) {
  if (!step.amount)
    return x;
  ValueId amount = fold_->cast(invariant(step.amount), fold_->typeOf(x));
  return fold_->binary(step.subtract ? Opcode::Sub : Opcode::Add, x, amount);
}

/// The test's region where the counter's test holds: its other operations, then
/// those of the data condition.
void LoopCounter::visitTest(const ir::Op &loop, const LoopShape &shape) {
  llvm::ArrayRef<OpId> ops = from_.region(loop.regions[0]).ops;
  for (OpId id : ops.drop_back()) {
    if (id != shape.data) {
      visit(id);
      continue;
    }
    if (shape.dataFirst)
      visit(id);
    else
      visitTakenArm(id, true);
  }
  for (size_t i = 0; i < loop.operands.size(); ++i)
    map_[from_.region(loop.regions[1]).args[i].index] = map(end(loop, 0, i + 1));
}

/// An If whose condition is decided here.
void LoopCounter::visitTakenArm(OpId id, bool onTrue) {
  const ir::Op &op = from_.op(id);
  RegionId arm = op.regions[onTrue ? 0 : 1];
  leftOut_.arms.insert({op.provenance, onTrue ? 1 : 0});
  visitRegion(arm);
  for (size_t i = 0; i < op.results.size(); ++i)
    set(op.results[i], map(from_.terminator(arm).operands[i]));
}

void LoopCounter::visitBody(const ir::Op &loop, const LoopShape &shape,
                            llvm::ArrayRef<size_t> carried, llvm::SmallVectorImpl<ValueId> &next) {
  for (OpId id : llvm::ArrayRef<OpId>(from_.region(loop.regions[1]).ops).drop_back())
    if (id == shape.breakHead)
      visitTakenArm(id, shape.headOnTrue);
    else
      visit(id);
  if (shape.hasContinueFlag)
    next.push_back(map(end(loop, 1, 0)));
  for (size_t i : carried)
    next.push_back(map(end(loop, 1, i + 1)));
}

/// if (data) { body; yield continue, next… } else { yield false, carried… }
void LoopCounter::visitGuardedBody(const ir::Op &loop, const LoopShape &shape,
                                   llvm::ArrayRef<size_t> carried,
                                   llvm::SmallVectorImpl<ValueId> &next) {
  ValueId cond = map(shape.dataCond);
  ir::Op guard;
  guard.opcode = Opcode::If;
  guard.operands = {cond};
  RegionId arms[] = {fold_->createRegion(), fold_->createRegion()};
  guard.regions = {arms[0], arms[1]};
  OpId id = fold_->append(std::move(guard), {});
  llvm::SmallVector<ValueId, 8> stays, leaves = {fold_->constantBool(false)};
  for (size_t i : carried)
    leaves.push_back(map(end(loop, 0, i + 1)));
  size_t known = fold_->conditionMark();
  fold_->enter(arms[0]);
  fold_->assume(cond, true);
  visitBody(loop, shape, carried, stays);
  fold_->setLoc(loop.loc);
  fold_->yield(stays);
  fold_->leave();
  fold_->forgetSince(known);
  fold_->enter(arms[1]);
  fold_->yield(leaves);
  fold_->leave();
  for (size_t i = 0; i < stays.size(); ++i)
    next.push_back(fold_->addResult(id, fold_->typeOf(stays[i]),
                                    i == 0 ? "" : from_.value(loop.results[carried[i - 1]]).name));
}

/// The For is the sequential loop only where no step begins anew before the limit.
void LoopCounter::checkLimit(const LoopShape &shape, ValueId limit) {
  const bool up = shape.predicate == ir::Predicate::Lt || shape.predicate == ir::Predicate::Le;
  ValueId last = fold_->constantInt(shape.type, *shape.lastLimit);
  ValueId holds = fold_->binary(up ? Opcode::Le : Opcode::Ge, limit, last);
  if (fold_->known(holds) != true)
    fold_->check(holds, "the loop ends before its counter leaves its type");
}

void LoopCounter::build(const ir::Op &loop, const LoopShape &shape) {
  ScalarType own = from_.value(loop.results[shape.counter]).type;
  bool carryCounter = shape.hasContinueFlag && !shape.exitIsCounter;
  llvm::SmallVector<size_t, 8> carried;
  for (size_t i = 0; i < loop.operands.size(); ++i)
    if (i != shape.counter || carryCounter)
      carried.push_back(i);
  fold_->setLoc(loop.loc);
  ValueId init = map(loop.operands[shape.counter]);
  ir::Op built;
  built.opcode = Opcode::For;
  built.provenance = loop.provenance;
  built.predicate = shape.predicate;
  built.hasContinueFlag = shape.hasContinueFlag;
  built.postTest = shape.postTest;
  // The For of a do-while is tested after its step too, so it starts like any other.
  built.operands = {fold_->cast(applyChain(shape, init), shape.type),
                    fold_->cast(invariant(shape.limit), shape.type), step(shape)};
  if (shape.lastLimit)
    checkLimit(shape, built.operands[1]);
  RegionId body = fold_->createRegion();
  built.regions = {body};
  std::string name = from_.value(loop.results[shape.counter]).name;
  llvm::SmallVector<ScalarType, 8> types = {shape.type};
  ValueId counter = fold_->addArg(body, shape.type, name);
  for (size_t i : carried) {
    built.operands.push_back(map(loop.operands[i]));
    types.push_back(from_.value(loop.results[i]).type);
    set(from_.region(loop.regions[0]).args[i],
        fold_->addArg(body, types.back(), from_.value(loop.results[i]).name));
  }
  OpId id = fold_->append(std::move(built), types);

  fold_->enter(body);
  map_[from_.region(loop.regions[0]).args[shape.counter].index] = invertChain(shape, counter, own);
  visitTest(loop, shape);
  llvm::SmallVector<ValueId, 8> next;
  if (shape.data)
    visitGuardedBody(loop, shape, carried, next);
  else
    visitBody(loop, shape, carried, next);
  fold_->setLoc(loop.loc);
  if (shape.rest) { // leaves early where the If's other arm is taken
    ValueId cond = map(from_.op(shape.rest).operands[0]);
    next[0] = shape.restOnTrue ? cond : fold_->logicalNot(cond);
  }
  fold_->yield(next);
  fold_->leave();
  setResults(loop, shape, id, carried);
}

void LoopCounter::setResults(const ir::Op &loop, const LoopShape &shape, OpId built,
                             llvm::ArrayRef<size_t> carried) {
  std::vector<ValueId> results(out_.op(built).results.begin(), out_.op(built).results.end());
  llvm::ArrayRef<ValueId> args = from_.region(loop.regions[0]).args;
  ScalarType own = from_.value(loop.results[shape.counter]).type;
  ValueId x = invertChain(shape, results[0], own);
  if (shape.hasContinueFlag || shape.postTest || shape.breakHead) {
    set(loop.results[shape.counter], stepped(x, shape.before));
    for (size_t i = 0; i < carried.size(); ++i)
      set(loop.results[carried[i]], results[i + 1]);
    return;
  }
  // The test runs once more after the last iteration; it has no accesses.
  map_[args[shape.counter].index] = x;
  for (size_t i = 0; i < carried.size(); ++i)
    map_[args[carried[i]].index] = results[i + 1];
  visitRegion(loop.regions[0]);
  for (size_t i = 0; i < loop.operands.size(); ++i)
    set(loop.results[i], map(end(loop, 0, i + 1)));
}

} // namespace

ir::Function countLoops(const ir::Function &from, LeftOut &leftOut) {
  return LoopCounter(from, leftOut).run();
}

} // namespace colonnade::canonical
