//===- KernelSummary.cpp - A summary of a kernel --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ProfileSummary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using Kind = LinearValue::Kind;

/// What callers' arrays of instances hold is data; what tables and given uniform arrays hold is
/// known.
bool ProfileSummary::prepareKernel() {
  for (size_t a = 0; a < function_.arrays.size(); ++a) {
    const ir::Array &array = function_.arrays[a];
    if (contents_.size() <= a)
      contents_.emplace_back(); // a part's own name for an array
    if (array.isTable())
      contents_[a] = array.contents;
    decides_[a] = array.isSharedInput() && !contents_[a].empty();
  }
  markWhatDecides();
  for (size_t o = 0; o < integers_.size(); ++o)
    if (const Op &op = function_.ops[o]; op.results.empty() || !matters_[op.results[0].index])
      integers_[o] = IntegerOperation();
  for (const ir::Region &region : function_.regions)
    llvm::copy_if(region.ops, std::back_inserter(deciding_.emplace_back()),
                  [&](OpId id) { return !isPassedOver(function_.op(id)); });
  return true;
}

/// Nothing is counted by it, and it decides nothing.
bool ProfileSummary::isPassedOver(const Op &op) const {
  switch (op.opcode) {
  case Opcode::Constant: // known from the start
  case Opcode::Yield:
  case Opcode::Test:
  case Opcode::Return:
  case Opcode::Check:
  case Opcode::Barrier:
  case Opcode::Stage:
  case Opcode::Wait:
  case Opcode::Store:
    return true;
  case Opcode::Load:
  case Opcode::Blend:
  case Opcode::MulLowHalves:
  case Opcode::DivConstant:
  case Opcode::RemConstant:
    return !matters_[op.results[0].index];
  default:
    return ir::isScalarOperation(op.opcode) && !matters_[op.results[0].index];
  }
}

/// What a value is computed from; of what loops carry, all that they carry.
llvm::SmallVector<ValueId, 8> ProfileSummary::sourcesOf(ValueId id) const {
  const ir::Value &value = function_.value(id);
  const OpId from = value.def ? value.def : function_.region(value.region).parent;
  llvm::SmallVector<ValueId, 8> sources;
  if (!from) { // of the body, or a part's argument
    for (const Op &op : function_.ops)
      if (op.opcode == Opcode::CallPart)
        sources.append(op.operands.begin(), op.operands.end());
    return sources;
  }
  const Op &op = function_.op(from);
  if (op.opcode == Opcode::Load && !decides_[op.array.index])
    return sources;
  sources.append(op.operands.begin(), op.operands.end());
  if (op.opcode == Opcode::For && value.index == 0) { // its counter
    sources.truncate(3);
    return sources;
  }
  if (op.opcode == Opcode::CallPart) {
    llvm::ArrayRef<ValueId> given = function_.terminator(function_.part(op.part).body).operands;
    sources.append(given.begin(), given.end());
  }
  for (RegionId part : op.regions) {
    llvm::ArrayRef<ValueId> passed = function_.terminator(part).operands;
    sources.append(passed.begin(), passed.end());
  }
  return sources;
}

/// From bounds, steps and conditions back to what they are computed from.
void ProfileSummary::markWhatDecides() {
  matters_.resize(function_.values.size());
  llvm::SmallVector<ValueId, 32> open;
  for (const Op &op : function_.ops) {
    if (op.opcode == Opcode::If)
      open.push_back(op.operands[0]);
    if (op.opcode == Opcode::For)
      open.append(op.operands.begin(), op.operands.begin() + 3);
    if (op.opcode == Opcode::Loop || op.hasContinueFlag)
      for (RegionId part : op.regions)
        open.push_back(function_.terminator(part).operands[0]);
  }
  while (!open.empty()) {
    const ValueId id = open.pop_back_val();
    if (matters_[id.index])
      continue;
    matters_[id.index] = true;
    open.append(sourcesOf(id));
  }
}

std::optional<RegionExecutions> ProfileSummary::runKernel() {
  if (!prepareKernel() || region(function_.body) != Outcome::Done)
    return std::nullopt;
  settle();
  if (overflows())
    return std::nullopt;
  return std::move(tally_.executions);
}

void ProfileSummary::enter(RegionId id) {
  const uint64_t times = loops_.product();
  const uint64_t least = times / loops_.most * loops_.least; // where loops around are bounded
  entries_.push_back({id, conditions_ > 0, least});
  if (times > least)
    entries_.push_back({id, true, times - least});
  settle();
}

Outcome ProfileSummary::kernelOperation(const Op &op) {
  switch (op.opcode) {
  case Opcode::Load:
    return kernelAccess(op);
  case Opcode::CallPart:
    return callPart(op);
  case Opcode::Lane:
  case Opcode::Warp:
    defineAsData(op.results);
    return Outcome::Done;
  case Opcode::Member: // the first has as many iterations as any
    value(op.results[0]) = LinearValue::of({ir::ScalarType::S64, 0});
    return Outcome::Done;
  case Opcode::HasInstance: // instances are counted
    value(op.results[0]) = LinearValue::of({ir::ScalarType::Bool, 1});
    return Outcome::Done;
  default:
    if (!isComputation(op.opcode))
      return Outcome::Given;
  }
  value(op.results[0]) = computedByKernel(op);
  return Outcome::Done;
}

/// Data, if an operand is: a branch on it is taken both ways.
LinearValue ProfileSummary::computedByKernel(const Op &op) {
  static const Op Mul = ir::makeOp(Opcode::Mul), Div = ir::makeOp(Opcode::Div),
                  Rem = ir::makeOp(Opcode::Rem), Select = ir::makeOp(Opcode::Select);
  const Op *meant = &op;
  if (op.opcode == Opcode::AnyLane)
    return value(op.operands[0]);
  if (op.opcode == Opcode::Blend)
    meant = &Select;
  else if (op.opcode == Opcode::MulLowHalves)
    meant = &Mul;
  else if (op.opcode == Opcode::DivConstant)
    meant = &Div;
  else if (op.opcode == Opcode::RemConstant)
    meant = &Rem;
  llvm::SmallVector<const LinearValue *, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(&value(operand));
  const ir::ScalarType type = typeOf(op.results[0]);
  LinearValue result = evaluate(*meant, type, operands, loops_, &requests_).value_or(LinearValue());
  return isBounding_ && result.kind == Kind::Other ? bounded(op) : result;
}

/// A load; only what is read from tables and uniform arrays is known.
Outcome ProfileSummary::kernelAccess(const Op &op) {
  LinearValue &result = value(op.results[0]);
  result.kind = Kind::Undefined;
  result.terms.clear();
  if (!decides_[op.array.index])
    return Outcome::Done;
  const ir::AccessOperands operands = ir::accessOperands(op);
  if (std::optional<int64_t> known = knownCellOf(operands)) {
    const llvm::ArrayRef<uint64_t> cells = contents_[op.array.index];
    const auto index = static_cast<uint64_t>(*known);
    if (index < cells.size())
      result.set({function_.value(op.results[0]).type, cells[index]});
    return Outcome::Done;
  }
  if (std::optional<LinearValue> cell = cellOf(op, operands); cell && !cell->isKnown()) {
    const ir::ScalarType type = typeOf(op.results[0]);
    if (isBounding_)
      return result = between(contentsOf(op.array, type), type), Outcome::Done;
    result.kind = Kind::Other;
    result.terms = cell->terms;
  }
  return Outcome::Done;
}

static bool isSame(const LinearValue &a, const LinearValue &b) {
  return a.kind == Kind::Linear && b.kind == Kind::Linear && a.scalar == b.scalar &&
         a.terms == b.terms;
}

/// Some lanes may go one way and some the other.
Outcome ProfileSummary::bothArms(const Op &op) {
  const llvm::SaveAndRestore conditions(conditions_, conditions_ + 1);
  for (RegionId arm : op.regions)
    if (Outcome outcome = region(arm); outcome != Outcome::Done)
      return outcome;
  for (auto [id, first, second] :
       llvm::zip(op.results, function_.terminator(op.regions[0]).operands,
                 function_.terminator(op.regions[1]).operands)) {
    if (!matters_[id.index])
      continue;
    for (ValueId arm : {first, second}) // with other symbols, they may be the same
      if (!symbolsOf(value(arm).terms, loops_).empty() && !isSame(value(first), value(second)))
        return blame(value(arm));
    value(id) = isSame(value(first), value(second)) ? value(first) : LinearValue();
  }
  return Outcome::Done;
}

Outcome ProfileSummary::callPart(const Op &op) {
  const RegionId body = function_.part(op.part).body;
  Values arguments;
  for (ValueId operand : op.operands)
    arguments.push_back(value(operand));
  define(function_.region(body).args, arguments);
  if (Outcome outcome = region(body); outcome != Outcome::Done)
    return outcome;
  define(op.results, passed(body, 0));
  return Outcome::Done;
}

/// Whether no bound and no branch depends on what a kernel's loop carries, but its counter: that
/// differs between lanes, or decides nothing.
bool ProfileSummary::carriesNothingKnown(const Op &op) const {
  return isKernel_ &&
         llvm::all_of(llvm::drop_begin(function_.region(op.regions[0]).args),
                      [&](ValueId id) { return function_.varying(id) || !matters_[id.index]; });
}

/// Whether a counted loop carries nothing that is known, and does not end by what is, either.
bool ProfileSummary::carriesData(const Op &op) const {
  return carriesNothingKnown(op) &&
         (!op.hasContinueFlag ||
          function_.varying(function_.terminator(op.regions[0]).operands[0]));
}

void ProfileSummary::defineAsData(llvm::ArrayRef<ValueId> ids) {
  for (ValueId id : ids)
    value(id) = LinearValue();
}

std::optional<RegionExecutions> executionBoundsOf(const ir::Function &kernel,
                                                  const std::vector<ir::ArrayData> &arrays,
                                                  llvm::ArrayRef<ir::Scalar> scalars,
                                                  const WalkLimits &limits) {
  WalkLimits tried = limits;
  tried.iterations.reset();
  for (;; tried.walked /= FewerWalked) {
    ProfileSummary summary(kernel, arrays, scalars, 1, tried);
    summary.allowBounds();
    std::optional<RegionExecutions> executions = summary.runKernel();
    if (executions || summary.overflows() || tried.walked == 0)
      return executions;
  }
}

std::string ProfileSummary::wayOut() const {
  for (const Op &op : function_.ops) {
    if (op.opcode != Opcode::Load || !matters_[op.results[0].index])
      continue;
    const ir::Array &array = function_.array(op.array);
    if (array.isSharedInput() && contents_[op.array.index].empty())
      return "Give '" + array.name + "' by -i";
  }
  return "Compute the end of a loop before it";
}

llvm::Expected<RegionExecutions> executionsOf(const ir::Function &kernel,
                                              const std::vector<ir::ArrayData> &arrays,
                                              llvm::ArrayRef<ir::Scalar> scalars,
                                              const WalkLimits &limits) {
  // Its residues are not asked for.
  ProfileSummary summary(kernel, arrays, scalars, 1, limitsOfWalk(limits));
  std::optional<RegionExecutions> executions = summary.runKernel();
  if (!executions && summary.wasTooLong())
    executions = executionBoundsOf(kernel, arrays, scalars, limits);
  if (executions)
    return std::move(*executions);
  if (summary.overflows())
    return tooMany("operations");
  return llvm::createStringError(
      "the operations of '" + kernel.name +
      "' cannot be counted at these sizes: loops that cannot be closed take too long, or a bound "
      "is not known. " +
      summary.wayOut());
}

} // namespace colonnade::model
