//===- ClosedLoops.cpp - The profile of an instance, loops at once --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClosedLoops.h"

#include "Model/ProfileSummary.h"
#include "Model/Residues.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::Scalar;
using Kind = LinearValue::Kind;

ProfileSummary::ProfileSummary(const ir::Function &certificate,
                               const std::vector<ir::ArrayData> &arrays,
                               llvm::ArrayRef<Scalar> scalars, uint64_t period,
                               const WalkLimits &limits)
    : function_(certificate), scalars_(scalars), arrays_(arrays),
      decides_(certificate.arrays.size()), values_(certificate.values.size()),
      siteOf_(certificate.ops.size()), isOpen_(certificate.ops.size()),
      isKernel_(certificate.stage == ir::Stage::Kernel), left_(limits.operations) {
  profile_.period = period;
  profile_.sites = sitesOf(certificate, period);
  for (uint32_t s = 0; s < profile_.sites.size(); ++s)
    siteOf_[profile_.sites[s].op.index] = s;
  for (auto [parameter, scalar] : llvm::zip(certificate.scalars, scalars))
    value(parameter.value) = LinearValue::of(scalar);
}

bool ProfileSummary::prepareArrays() {
  std::vector<bool> isUsed(values_.size());
  for (const Op &op : function_.ops)
    for (ValueId operand : op.operands)
      isUsed[operand.index] = true;
  for (const Op &op : function_.ops)
    if (op.opcode == Opcode::Load && isUsed[op.results[0].index])
      decides_[op.array.index] = true;
  for (size_t a = 0; a < function_.arrays.size(); ++a) {
    const ir::Array &array = function_.arrays[a];
    auto extents = ir::concreteExtents(function_, array, scalars_);
    if (!extents)
      return llvm::consumeError(extents.takeError()), false;
    int64_t cells = 1;
    for (int64_t extent : *extents)
      if (extent < 0 || __builtin_mul_overflow(cells, extent, &cells))
        return false;
    cells_.push_back(cells);
    if (!arrays_[a].cells.empty() && arrays_[a].cells.size() != static_cast<uint64_t>(cells))
      return false;
    if (!decides_[a])
      continue;
    if (array.isTable())
      arrays_[a].cells = array.contents;
    else if (array.isLocal())
      return false; // its cells would have to be followed
    if (arrays_[a].cells.size() < static_cast<uint64_t>(cells))
      return false;
  }
  return true;
}

std::optional<AccessProfile> ProfileSummary::run() {
  if (!prepareArrays() || region(function_.body) != Outcome::Done)
    return std::nullopt;
  settle();
  return std::move(profile_);
}

void ProfileSummary::settle() {
  if (attempts_ > 0)
    return;
  for (const Record &record : records_)
    addResidues(profile_.sites[record.site].counts, record.cell, record.loops);
  records_.clear();
  for (const Entry &entry : entries_) {
    Executions &sum = executions_[entry.region.index];
    sum.all += entry.times;
    sum.conditional += entry.isConditional ? entry.times : 0;
  }
  entries_.clear();
}

/// The innermost of the loops that it depends on has to be run one by one.
Outcome ProfileSummary::blame(const LinearValue &value) {
  if (value.terms.empty())
    return Outcome::Given;
  blamed_ = value.terms.innermost();
  return Outcome::Open;
}

Outcome ProfileSummary::known(const LinearValue &value, int64_t &number) {
  if (!value.isKnown())
    return blame(value);
  number = ir::asInt64(value.scalar);
  return Outcome::Done;
}

void ProfileSummary::define(llvm::ArrayRef<ValueId> ids, llvm::ArrayRef<LinearValue> values) {
  for (auto [id, value] : llvm::zip(ids, values))
    values_[id.index] = value;
}

/// What the region's terminator passes on, but for its first `from` operands.
ProfileSummary::Values ProfileSummary::passed(RegionId id, size_t from) const {
  Values values;
  for (ValueId operand : llvm::drop_begin(function_.terminator(id).operands, from))
    values.push_back(values_[operand.index]);
  return values;
}

Outcome ProfileSummary::region(RegionId id) {
  if (isKernel_)
    enter(id);
  for (OpId op : function_.region(id).ops)
    if (Outcome outcome = operation(op); outcome != Outcome::Done)
      return outcome;
  return Outcome::Done;
}

Outcome ProfileSummary::operation(OpId id) {
  const Op &op = function_.op(id);
  if (left_-- == 0)
    return left_ = 0, Outcome::Given;
  switch (op.opcode) {
  case Opcode::If:
    return branch(op);
  case Opcode::For:
    return counted(id);
  case Opcode::Loop:
    return uncounted(op);
  case Opcode::Yield:
  case Opcode::Test:
  case Opcode::Return:
    return Outcome::Done;
  default:
    return isKernel_ ? kernelOperation(op) : certificateOperation(id);
  }
}

Outcome ProfileSummary::certificateOperation(OpId id) {
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    return access(id);
  case Opcode::Check: {
    int64_t holds = 0;
    const Outcome outcome = known(value(op.operands[0]), holds);
    return outcome == Outcome::Done && !holds ? Outcome::Given : outcome;
  }
  default:
    return ir::isScalarOperation(op.opcode) ? plain(op) : Outcome::Given;
  }
}

Outcome ProfileSummary::plain(const Op &op) {
  llvm::SmallVector<const LinearValue *, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(&values_[operand.index]);
  const ValueId result = op.results[0];
  std::optional<LinearValue> computed =
      evaluate(op, function_.value(result).type, operands, loops_, &strides_);
  if (!computed)
    return Outcome::Given;
  value(result) = std::move(*computed);
  return Outcome::Done;
}

/// ((s0*r1 + s1)*r2 + s2)…; nullopt where it is undefined.
std::optional<LinearValue> ProfileSummary::cellOf(const Op &op, ir::AccessOperands operands) {
  static const Op Mul = ir::makeOp(Opcode::Mul), Add = ir::makeOp(Opcode::Add);
  constexpr ir::ScalarType S64 = ir::ScalarType::S64;
  std::optional<LinearValue> cell = value(operands.subscripts[0]);
  for (size_t k = 0; cell && k < operands.radices.size(); ++k) {
    cell = evaluate(Mul, S64, {&*cell, &value(operands.radices[k])}, loops_);
    if (cell)
      cell = evaluate(Add, S64, {&*cell, &value(operands.subscripts[k + 1])}, loops_);
  }
  return cell && cell->kind != Kind::Undefined ? cell : std::nullopt;
}

Outcome ProfileSummary::access(OpId id) {
  const Op &op = function_.op(id);
  const ir::AccessOperands operands = ir::accessOperands(op);
  std::optional<LinearValue> cell = cellOf(op, operands);
  if (!cell || operands.mask)
    return Outcome::Given;
  if (cell->kind != Kind::Linear)
    return blame(*cell);
  auto values = range(*cell, loops_);
  const bool isWithin = values && values->first >= 0 && values->second < cells_[op.array.index];
  if (!isWithin && (!values || !op.speculative || decides_[op.array.index]))
    return Outcome::Given;
  records_.push_back({siteOf_[id.index], *cell, loops_});
  if (loops_.empty())
    settle();
  return transfer(op, *cell, operands);
}

/// Cells that nothing depends on are not followed.
Outcome ProfileSummary::transfer(const Op &op, const LinearValue &cell,
                                 ir::AccessOperands operands) {
  if (op.opcode == Opcode::Store)
    return decides_[op.array.index] ? Outcome::Given : Outcome::Done;
  LinearValue &result = value(op.results[0]);
  result = LinearValue();
  if (!decides_[op.array.index])
    return Outcome::Done;
  if (cell.isKnown()) {
    const uint64_t bits =
        arrays_[op.array.index].cells[static_cast<size_t>(ir::asInt64(cell.scalar))];
    result = LinearValue::of({function_.value(op.results[0]).type, bits});
    return Outcome::Done;
  }
  result.kind = Kind::Other;
  result.terms = cell.terms;
  return Outcome::Done;
}

std::optional<AccessProfile> summarize(const ir::Function &certificate,
                                       const std::vector<ir::ArrayData> &arrays,
                                       llvm::ArrayRef<Scalar> scalars, uint64_t period,
                                       const WalkLimits &limits) {
  return ProfileSummary(certificate, arrays, scalars, period, limits).run();
}

llvm::Expected<AccessProfile> profileOf(const ir::Module &module, const ir::Function &certificate,
                                        std::vector<ir::ArrayData> &arrays,
                                        llvm::ArrayRef<Scalar> scalars, uint64_t period,
                                        const WalkLimits &limits) {
  WalkLimits fewer = limits;
  fewer.operations /= 10; // each takes longer than one of the walk's
  std::optional<AccessProfile> profile = summarize(certificate, arrays, scalars, period, fewer);
  if (profile && profile->total() > limits.kept)
    return std::move(*profile);
  return walk(module, certificate, arrays, scalars, period, limits);
}

} // namespace colonnade::model
