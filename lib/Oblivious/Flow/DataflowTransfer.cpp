//===- DataflowTransfer.cpp - What each operation does to labels ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transfer functions. Where lanes may meet again, they call the one rule for that,
// in Dataflow.cpp.
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Flow/Dataflow.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

namespace {
enum class Use : uint8_t {
  Size,     // 2 * len[0] + 1
  Decision, // len[0] > 1
  Data,     // len[0] & 7: bit operations, divisions, floats
};
} // namespace

/// What an operation makes of sizes.
static Use useOfSizes(const ir::Function &function, const Op &op) {
  auto type = [&](size_t i) { return function.value(op.operands[i]).type; };
  auto isInteger = [&](size_t i) { return ir::isInteger(type(i)); };
  switch (op.opcode) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Neg:
    return isInteger(0) ? Use::Size : Use::Data;
  case Opcode::Cast:
    return isInteger(0) && !ir::isFloat(function.value(op.results[0]).type) ? Use::Size : Use::Data;
  case Opcode::Shl:
    return isInteger(0) && function.constant(op.operands[1]) ? Use::Size : Use::Data;
  case Opcode::Eq:
  case Opcode::Ne:
  case Opcode::Lt:
  case Opcode::Le:
  case Opcode::Gt:
  case Opcode::Ge:
    return ir::isFloat(type(0)) ? Use::Data : Use::Decision;
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Not:
    return type(0) == ir::ScalarType::Bool ? Use::Decision : Use::Data;
  case Opcode::Select:
    return ir::isFloat(type(1)) ? Use::Data : Use::Size;
  default:
    return Use::Data;
  }
}

static bool isSingleCell(const ir::Array &array) {
  return llvm::all_of(array.extents, [](const SizeExpr &e) { return e.isConstant(1); });
}

void Dataflow::visitRegion(RegionId region) {
  for (OpId id : function_.region(region).ops)
    visit(id);
}

void Dataflow::visit(OpId id) {
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::If:
    return visitIf(id);
  case Opcode::For:
    return visitFor(id);
  case Opcode::Loop:
    return visitLoop(id);
  case Opcode::Load:
    return visitLoad(id);
  case Opcode::Store:
    return visitStore(id);
  case Opcode::Undef:
    return define(id, 0, origins_.source(id, StepKind::Undefined, op.loc, Indeterminate));
  case Opcode::Unsupported:
    if (!op.results.empty())
      define(id, 0, origins_.source(id, StepKind::Opaque, op.loc, OpaqueResult));
    return;
  default:
    // Pure scalars: the result depends on the operands and nothing else.
    for (unsigned r = 0; r < op.results.size(); ++r) {
      Label all = joinAll(op.operands);
      Use use = useOfSizes(function_, op);
      define(id, r,
             use == Use::Size       ? all
             : use == Use::Decision ? origins_.asDecision(all)
                                    : origins_.asData(all));
    }
  }
}

Label Dataflow::loadLabel(OpId id) {
  const Op &op = function_.op(id);
  const ir::Array &array = function_.array(op.array);
  Label address = joinAll(op.operands);
  if (array.isLocal()) {
    ArrayState &state = state_[op.array.index];
    if (!state.written) {
      unwritten_[id.index] = true;
      return origins_.join(address,
                           origins_.source(id, StepKind::Undefined, op.loc, Indeterminate));
    }
    unwritten_[id.index] = false;
    return origins_.join(address,
                         origins_.extend(state.label, StepKind::Read, op.array.index, op.loc));
  }
  address = origins_.asData(address);
  if (!needsLanes_[op.array.index])
    return address;
  bool constantAddress =
      llvm::all_of(op.operands, [&](ValueId v) { return function_.constant(v) != nullptr; });
  // An instance scalar is not declarable: it is uniform unless the user says
  // otherwise, so this one was declared to be instance data.
  bool declarable = array.role == ir::ArrayRole::Parameter && !array.writes;
  bool isByte = ir::sizeBytes(array.cell) == 1;
  uint8_t traits = PlainData;
  if (declarable && constantAddress)
    traits = isByte ? DeclarableCell | ByteCell : DeclarableCell;
  else if (declarable && ir::isInteger(array.cell) && !isByte)
    traits = SharableCell;
  return origins_.join(address, origins_.source(id, StepKind::Source, op.loc, traits));
}

void Dataflow::visitLoad(OpId id) {
  const Op &op = function_.op(id);
  Label label = loadLabel(id);
  if (function_.array(op.array).isLocal()) {
    if (label.uniform())
      uniformLoad_[op.array.index] = true;
    else
      needsLanes_[op.array.index] = true;
  }
  define(id, 0, label);
}

void Dataflow::visitStore(OpId id) {
  const Op &op = function_.op(id);
  const ir::Array &array = function_.array(op.array);
  if (!array.isLocal())
    return;
  ir::AccessOperands access = ir::accessOperands(op);
  Label address = origins_.join(joinAll(access.subscripts), joinAll(access.radices));
  Label stored = origins_.extend(label(access.stored), StepKind::Stored, op.array.index, op.loc);
  stored =
      origins_.join(stored, origins_.extend(address, StepKind::StoredAt, op.array.index, op.loc));
  Label masked = mask();
  if (!masked.uniform())
    maskedStore_[op.array.index] = true;
  bool strict = strict_[op.array.index] && !masked.uniform();
  if (strict)
    stored = origins_.join(stored,
                           origins_.extend(masked, StepKind::StoredUnder, op.array.index, op.loc));
  if (!stored.uniform())
    needsLanes_[op.array.index] = true;

  ArrayState &state = state_[op.array.index];
  state.written = true;
  // Only a store to the one cell of an array replaces all of its contents.
  state.label = isSingleCell(array) && !strict ? stored : origins_.join(state.label, stored);
}

void Dataflow::visitIf(OpId id) {
  const Op &op = function_.op(id);
  Label why = origins_.extend(label(op.operands[0]), StepKind::Condition, id.index, op.loc);
  bool divergent = !why.uniform();
  divergence_[id.index] = why;
  RegionId thenRegion = op.regions[0], elseRegion = op.regions[1];
  if (divergent) {
    // The arms follow each other: what the first one wrote is varying already
    // where the second one starts.
    masks_.push_back(why);
    visitRegion(thenRegion);
    reconverge(id, thenRegion, why);
    visitRegion(elseRegion);
    reconverge(id, elseRegion, why);
    masks_.pop_back();
  } else {
    State before = state_;
    visitRegion(thenRegion);
    std::swap(before, state_);
    visitRegion(elseRegion);
    state_ = joined(before, state_);
  }
  const Op &thenYield = function_.terminator(thenRegion);
  const Op &elseYield = function_.terminator(elseRegion);
  for (unsigned r = 0; r < op.results.size(); ++r) {
    ValueId a = thenYield.operands[r], b = elseYield.operands[r];
    Label result = origins_.join(label(a), label(b));
    // One id on both sides is visible in both: it comes from outside.
    if (divergent && a != b)
      result = afterDivergence(op.results[r], result, why, StepKind::Chosen, choiceLoc(id, a, b));
    raise(op.results[r], result);
  }
}

/// What a loop stores may have been stored in an earlier iteration.
void Dataflow::markWritten(RegionId region) {
  for (ArrayId array : storesIn_[region.index])
    state_[array.index].written = true;
}

void Dataflow::visitFor(OpId id) {
  const Op &op = function_.op(id);
  RegionId body = op.regions[0];
  const std::vector<ValueId> args(function_.region(body).args.begin(),
                                  function_.region(body).args.end());
  llvm::ArrayRef<ValueId> inits = llvm::ArrayRef(op.operands).drop_front(3);
  Label bounds = joinAll(llvm::ArrayRef(op.operands).take_front(3));
  // Iterations are taken in step by the active lanes: the counter is as uniform as
  // its start and step; a varying bound makes lanes leave early.
  Label counter = origins_.join(label(op.operands[0]), label(op.operands[2]));
  State &head = heads_[id.index];

  bool again = true;
  markWritten(body);
  raise(head, state_);
  raise(args[0], counter);
  for (size_t k = 0; k < inits.size(); ++k)
    raise(args[k + 1], label(inits[k]));
  while (again) {
    state_ = head;
    masks_.push_back(divergence_[id.index]);
    visitRegion(body);
    masks_.pop_back();
    llvm::ArrayRef<ValueId> yields = function_.terminator(body).operands;
    Label exit = bounds;
    if (op.hasContinueFlag) {
      exit = origins_.join(exit, label(yields[0]));
      yields = yields.drop_front();
    }
    exit = origins_.extend(exit, StepKind::Exit, id.index, op.loc);
    again = raise(divergence_[id.index], exit);
    again = raise(head, state_) || again;
    for (size_t k = 0; k < inits.size(); ++k)
      again = raise(args[k + 1], label(yields[k])) || again;
  }
  state_ = head; // holds the state before the first and after every iteration

  Label why = divergence_[id.index];
  bool divergent = !why.uniform();
  if (divergent)
    reconverge(id, body, why);
  llvm::ArrayRef<ValueId> yields = function_.terminator(body).operands;
  if (op.hasContinueFlag)
    yields = yields.drop_front();
  for (unsigned r = 0; r < op.results.size(); ++r) {
    bool invariant = r > 0 && (yields[r - 1] == args[r] || yields[r - 1] == inits[r - 1]);
    Label result = r == 0 ? bounds : label(args[r]);
    if (divergent && !invariant)
      result = afterDivergence(op.results[r], result, why, StepKind::LeftOver, op.loc);
    raise(op.results[r], result);
  }
}

void Dataflow::visitLoop(OpId id) {
  const Op &op = function_.op(id);
  RegionId before = op.regions[0], body = op.regions[1];
  const auto args = function_.region(before).args;
  const auto bodyArgs = function_.region(body).args;
  State &head = heads_[id.index];

  markWritten(before);
  markWritten(body);
  raise(head, state_);
  for (size_t k = 0; k < args.size(); ++k)
    raise(args[k], label(op.operands[k]));
  State tested;
  for (bool again = true; again;) {
    state_ = head;
    masks_.push_back(divergence_[id.index]);
    visitRegion(before);
    const Op &test = function_.terminator(before);
    for (size_t k = 0; k < bodyArgs.size(); ++k)
      raise(bodyArgs[k], label(test.operands[k + 1]));
    tested = state_;
    visitRegion(body);
    masks_.pop_back();
    const Op &yield = function_.terminator(body);
    Label exit = origins_.join(label(test.operands[0]), label(yield.operands[0]));
    exit = origins_.extend(exit, StepKind::Exit, id.index, op.loc);
    again = raise(divergence_[id.index], exit);
    again = raise(head, state_) || again;
    for (size_t k = 0; k < args.size(); ++k)
      again = raise(args[k], label(yield.operands[k + 1])) || again;
  }
  state_ = joined(tested, state_);

  Label why = divergence_[id.index];
  bool divergent = !why.uniform();
  if (divergent) {
    reconverge(id, before, why);
    reconverge(id, body, why);
  }
  const Op &test = function_.terminator(before), &yield = function_.terminator(body);
  for (unsigned r = 0; r < op.results.size(); ++r) {
    ValueId forwarded = test.operands[r + 1], next = yield.operands[r + 1];
    bool invariant = forwarded == args[r] && next == bodyArgs[r];
    Label result = origins_.join(label(forwarded), label(next));
    if (divergent && !invariant)
      result = afterDivergence(op.results[r], result, why, StepKind::LeftOver, op.loc);
    raise(op.results[r], result);
  }
}

} // namespace colonnade
