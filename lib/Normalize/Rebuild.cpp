//===- Rebuild.cpp - Base of passes that rebuild a function ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Rebuild.h"

#include "IR/Clone.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace colonnade::canonical {

static ir::Function shellOf(const ir::Function &from) {
  ir::Function out;
  ir::copyHead(from, out);
  out.scalars = from.scalars;
  out.body = RegionId(0);
  out.regions.emplace_back();
  return out;
}

Rebuilder::Rebuilder(const ir::Function &from, LeftOut &leftOut)
    : from_(from), leftOut_(leftOut), out_(shellOf(from)) {
  fold_ = std::make_unique<Folder>(out_);
  map_.resize(from.values.size());
  for (ValueId arg : from.region(from.body).args)
    map_[arg.index] = fold_->addArg(out_.body, from.value(arg).type, from.value(arg).name);
  for (ir::ScalarParam &scalar : out_.scalars)
    scalar.value = map_[scalar.value.index];
}

ir::Function Rebuilder::run() {
  visitRegion(from_.body);
  const ir::Op &last = from_.terminator(from_.body);
  fold_->setLoc(last.loc);
  copyPlain(last);
  fold_->finish();
  return std::move(out_);
}

void Rebuilder::visitRegion(RegionId old) {
  const std::vector<OpId> &ops = from_.region(old).ops;
  for (size_t i = 0; i + 1 < ops.size(); ++i)
    visit(ops[i]);
}

bool Rebuilder::isScalarOp(const ir::Op &op) { return ir::isScalarOperation(op.opcode); }

bool Rebuilder::isRepeatable(const ir::Op &op) const {
  if (!isScalarOp(op) || ir::isFloat(from_.value(op.results[0]).type))
    return false;
  switch (op.opcode) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Neg:
  case Opcode::Not:
    return true;
  case Opcode::Shl:
  case Opcode::Shr:
    return from_.constant(op.operands[1]);
  case Opcode::Cast:
    return ir::isInteger(from_.value(op.results[0]).type) &&
           ir::isInteger(from_.value(op.operands[0]).type);
  default:
    return false;
  }
}

void Rebuilder::visit(OpId id) {
  const ir::Op &op = from_.op(id);
  fold_->setLoc(op.loc);
  if (isScalarOp(op))
    return visitScalar(op);
  switch (op.opcode) {
  case Opcode::If:
    return visitIf(op);
  case Opcode::For:
    return visitFor(op);
  case Opcode::Loop:
    return visitLoop(op);
  default:
    return copyPlain(op);
  }
}

void Rebuilder::set(ValueId old, ValueId fresh) {
  map_[old.index] = fresh;
  if (!from_.value(old).name.empty())
    fold_->suggestName(fresh, from_.value(old).name);
}

void Rebuilder::visitScalar(const ir::Op &op) {
  ValueId old = op.results[0];
  if (!isNeeded(old))
    return;
  if (op.opcode == Opcode::Constant)
    return set(old, fold_->constant(op.scalar));
  if (op.opcode == Opcode::Undef)
    return set(old, fold_->undef(from_.value(old).type, from_.value(old).name));
  if (op.speculative)
    return copyPlain(op);
  llvm::SmallVector<ValueId, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(fold_->refine(map(operand)));
  set(old, fold_->scalarOp(op, operands, from_.value(old).type));
}

void Rebuilder::copyPlain(const ir::Op &op) {
  ir::Op copy = op;
  copy.results.clear();
  for (ValueId &operand : copy.operands)
    operand = fold_->refine(map(operand));
  if (op.opcode == Opcode::Check && fold_->known(copy.operands[0]) == true) {
    leftOut_.checks.insert(op.provenance);
    return;
  }
  llvm::SmallVector<ScalarType, 2> types;
  for (ValueId result : op.results)
    types.push_back(from_.value(result).type);
  OpId id = fold_->append(std::move(copy), types);
  for (size_t i = 0; i < op.results.size(); ++i)
    set(op.results[i], out_.op(id).results[i]);
}

void Rebuilder::visitIf(const ir::Op &op) {
  visitChoice({op, op.operands[0], [&](unsigned side) { visitRegion(op.regions[side]); },
               [&](unsigned side, size_t result) {
                 return from_.terminator(op.regions[side]).operands[result];
               }});
}

void Rebuilder::visitChoice(const Choice &choice) {
  ValueId cond = fold_->refine(map(choice.condition));
  llvm::SmallVector<ValueId, 4> needed;
  for (ValueId result : choice.op.results)
    if (isNeeded(result) && resolve(result) == result)
      needed.push_back(result);
  auto given = [&](unsigned side, ValueId result) {
    return fold_->refine(map(choice.given(side, from_.value(result).index)));
  };
  if (std::optional<bool> truth = fold_->known(cond)) {
    const unsigned side = *truth ? 0 : 1;
    leftOut_.arms.insert({choice.op.provenance, 1 - side});
    choice.visit(side);
    for (ValueId result : needed)
      set(result, given(side, result));
    return;
  }
  ir::Op copy;
  copy.opcode = Opcode::If;
  copy.choosesAddress = choice.op.choosesAddress;
  copy.provenance = choice.op.provenance;
  copy.operands = {cond};
  RegionId arms[] = {fold_->createRegion(), fold_->createRegion()};
  copy.regions = {arms[0], arms[1]};
  fold_->setLoc(choice.op.loc);
  OpId id = fold_->append(std::move(copy), {});
  llvm::SmallVector<ValueId, 4> values[2];
  for (unsigned side = 0; side < 2; ++side) {
    size_t known = fold_->conditionMark();
    fold_->enter(arms[side]);
    fold_->assume(cond, side == 0);
    startArm(choice.condition, side == 0);
    choice.visit(side);
    for (ValueId result : needed)
      values[side].push_back(given(side, result));
    endArm();
    fold_->forgetSince(known);
    fold_->leave();
  }
  fold_->setLoc(choice.op.loc);
  finishIf(id, needed, values);
}

/// Results and yields of an If whose arms are there. `given`: what each arm gives.
void Rebuilder::finishIf(OpId id, llvm::ArrayRef<ValueId> needed,
                         llvm::ArrayRef<llvm::SmallVector<ValueId, 4>> given) {
  const ValueId cond = out_.op(id).operands[0];
  const RegionId arms[] = {out_.op(id).regions[0], out_.op(id).regions[1]};
  llvm::SmallVector<ValueId, 4> yields[2];
  for (size_t i = 0; i < needed.size(); ++i) {
    ValueId a = given[0][i], b = given[1][i];
    std::optional<int64_t> ca = fold_->intConstant(a), cb = fold_->intConstant(b);
    if (a == b && fold_->isVisible(a)) {
      set(needed[i], a);
    } else if (fold_->typeOf(a) == ScalarType::Bool && ca && cb) {
      set(needed[i], *ca ? cond : fold_->logicalNot(cond));
    } else {
      yields[0].push_back(a);
      yields[1].push_back(b);
      set(needed[i], fold_->addResult(id, fold_->typeOf(a), from_.value(needed[i]).name));
    }
  }
  for (unsigned side = 0; side < 2; ++side) {
    fold_->enter(arms[side]);
    fold_->yield(yields[side]);
    fold_->leave();
  }
  if (!out_.op(id).choosesAddress && yields[0].empty() && out_.region(arms[0]).ops.size() == 1 &&
      out_.region(arms[1]).ops.size() == 1)
    fold_->remove(id);
}

void Rebuilder::visitFor(const ir::Op &op) {
  ir::Op copy = op;
  copy.results.clear();
  RegionId oldBody = op.regions[0], body = fold_->createRegion();
  copy.regions = {body};
  copy.operands = {map(op.operands[0]), map(op.operands[1]), map(op.operands[2])};
  llvm::ArrayRef<ValueId> oldArgs = from_.region(oldBody).args;
  llvm::SmallVector<ScalarType, 4> types;
  llvm::SmallVector<size_t, 4> kept; // results, the counter's first
  for (size_t i = 0; i < oldArgs.size(); ++i) {
    if (i != 0 && (resolve(op.results[i]) != op.results[i] || !isNeeded(op.results[i])))
      continue;
    kept.push_back(i);
    types.push_back(from_.value(oldArgs[i]).type);
    if (i != 0)
      copy.operands.push_back(map(op.operands[i + 2]));
    set(oldArgs[i], fold_->addArg(body, types.back(), from_.value(oldArgs[i]).name));
  }
  llvm::SmallVector<size_t, 2> twins;
  for (size_t i : kept)
    if (i != 0 && hasExitTwin(op, i)) {
      twins.push_back(i);
      types.push_back(from_.value(oldArgs[i]).type);
      copy.operands.push_back(map(op.operands[i + 2]));
      fold_->addArg(body, types.back(), from_.value(oldArgs[i]).name);
    }
  const ir::Op &oldYield = from_.terminator(oldBody);
  OpId id = fold_->append(std::move(copy), types);
  fold_->enter(body);
  startBody(op);
  visitRegion(oldBody);
  llvm::SmallVector<ValueId, 4> next;
  if (op.hasContinueFlag) {
    ValueId continues = fold_->refine(map(oldYield.operands[0]));
    if (fold_->known(continues) == true)
      out_.op(id).hasContinueFlag = false;
    else
      next.push_back(continues);
  }
  for (size_t i : kept)
    if (i != 0)
      next.push_back(nextValue(op, i, oldYield.operands[i - 1 + op.hasContinueFlag]));
  for (size_t i : twins)
    next.push_back(map(oldYield.operands[i - 1 + op.hasContinueFlag]));
  fold_->setLoc(op.loc);
  fold_->yield(next);
  fold_->leave();
  kept.append(twins); // a twin's result is the one to use
  for (size_t i = 0; i < kept.size(); ++i)
    set(op.results[kept[i]], out_.op(id).results[i]);
  afterLoop(op);
}

bool Rebuilder::isFalse(RegionId part) const {
  const ir::Scalar *continues = from_.constant(resolve(from_.terminator(part).operands[0]));
  return continues && continues->bits == 0;
}

void Rebuilder::setArguments(RegionId part, llvm::ArrayRef<ValueId> values) {
  for (auto [arg, value] : llvm::zip(from_.region(part).args, values))
    if (isNeeded(arg) && resolve(arg) == arg)
      set(arg, map(value));
}

/// A loop that runs at most one iteration: its test, then an If with its body.
void Rebuilder::visitOnce(const ir::Op &loop) {
  RegionId test = loop.regions[0], body = loop.regions[1];
  llvm::ArrayRef<ValueId> tested = from_.terminator(test).operands;
  leftOut_.once.insert(loop.provenance);
  setArguments(test, loop.operands);
  visitRegion(test);
  auto visitBody = [&](unsigned side) {
    if (side != 0)
      return;
    setArguments(body, tested.drop_front());
    visitRegion(body);
  };
  visitChoice({loop, tested[0], visitBody, [&](unsigned side, size_t result) {
                 return from_.terminator(side == 0 ? body : test).operands[result + 1];
               }});
}

void Rebuilder::visitLoop(const ir::Op &op) {
  if (isFalse(op.regions[0]) || isFalse(op.regions[1]))
    return visitOnce(op);
  ir::Op copy = op;
  copy.results.clear();
  copy.operands.clear();
  RegionId regions[] = {fold_->createRegion(), fold_->createRegion()};
  copy.regions = {regions[0], regions[1]};
  llvm::SmallVector<ScalarType, 4> types;
  llvm::SmallVector<size_t, 4> kept;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    ValueId arg = from_.region(op.regions[0]).args[i];
    if (resolve(op.results[i]) != op.results[i] || !isNeeded(op.results[i]))
      continue;
    kept.push_back(i);
    types.push_back(from_.value(arg).type);
    copy.operands.push_back(map(op.operands[i]));
    for (unsigned part = 0; part < 2; ++part) {
      ValueId old = from_.region(op.regions[part]).args[i];
      set(old, fold_->addArg(regions[part], types.back(), from_.value(old).name));
    }
  }
  llvm::SmallVector<size_t, 2> twins;
  for (size_t i : kept)
    if (hasExitTwin(op, i)) {
      twins.push_back(i);
      types.push_back(from_.value(op.results[i]).type);
      copy.operands.push_back(map(op.operands[i]));
      for (RegionId region : regions)
        fold_->addArg(region, types.back(), from_.value(op.results[i]).name);
    }
  OpId id = fold_->append(std::move(copy), types);
  for (unsigned part = 0; part < 2; ++part) {
    fold_->enter(regions[part]);
    visitRegion(op.regions[part]);
    const ir::Op &oldEnd = from_.terminator(op.regions[part]);
    ir::Op end;
    end.opcode = oldEnd.opcode;
    end.operands = {map(oldEnd.operands[0])};
    // What is handed on unchanged is yielded as the argument itself, even where a
    // known condition gives another value for it: later passes look for that.
    for (size_t i : kept) {
      ValueId given = oldEnd.operands[i + 1];
      bool handedOn = given == from_.region(op.regions[part]).args[i];
      end.operands.push_back(handedOn    ? map_[given.index]
                             : part == 1 ? nextValue(op, i, given)
                                         : map(given));
    }
    for (size_t k = 0; k < twins.size(); ++k)
      end.operands.push_back(part == 0 ? out_.region(regions[0]).args[kept.size() + k]
                                       : map(oldEnd.operands[twins[k] + 1]));
    fold_->setLoc(oldEnd.loc);
    fold_->append(std::move(end), {});
    fold_->leave();
  }
  kept.append(twins);
  for (size_t i = 0; i < kept.size(); ++i)
    set(op.results[kept[i]], out_.op(id).results[i]);
}

} // namespace colonnade::canonical
