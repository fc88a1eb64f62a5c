//===- ClosedLoops.cpp - The profile of an instance, loops at once --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClosedLoops.h"

#include "Model/ProfileSummary.h"
#include "Model/Residues.h"
#include "Model/Stages.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::Scalar;
using Kind = LinearValue::Kind;

ProfileSummary::ProfileSummary(const ir::Function &certificate,
                               const std::vector<ir::ArrayData> &arrays,
                               llvm::ArrayRef<Scalar> scalars, uint64_t period,
                               const WalkLimits &limits)
    : function_(certificate), scalars_(scalars), decides_(certificate.arrays.size()),
      values_(certificate.values.size()), siteNumbers_(certificate, sitesOf(certificate, 1)),
      openFrom_(certificate.ops.size(), NeverOpen),
      isKernel_(certificate.stage == ir::Stage::Kernel), fewestByDigits_(limits.boxes),
      worthwhile_(limits.remembered), left_(limits.operations),
      iterationsLeft_(limits.iterations.value_or(UINT64_MAX)),
      maxWalked_(static_cast<int64_t>(limits.walked)),
      boundedParts_(static_cast<int64_t>(limits.parts)) {
  for (const ir::ArrayData &array : arrays)
    contents_.push_back(array.cells);
  profile_.period = period;
  profile_.sites = sitesOf(certificate, period);
  tally_.rowOf.assign(profile_.sites.size(), UINT32_MAX);
  lastRecord_.resize(profile_.sites.size());
  operationsIn_.resize(certificate.ops.size());
  tally_.executions.resize(isKernel_ ? certificate.regions.size() : 0);
  memories_.resize(certificate.ops.size());
  summed_.resize(certificate.ops.size());
  boxesDeclined_.resize(certificate.ops.size());
  for (const Op &op : certificate.ops) {
    integers_.emplace_back(certificate, op);
    tested_.push_back(testedLoop(certificate, op));
    if (op.opcode == Opcode::Constant) // known once and for all
      value(op.results[0]).set(op.scalar);
  }
  isOnce_.resize(values_.size());
  const ir::Region &once = certificate.region(certificate.body);
  for (ValueId arg : once.args)
    isOnce_[arg.index] = true;
  for (OpId op : once.ops)
    for (ValueId result : certificate.op(op).results)
      isOnce_[result.index] = true;
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
    if (!contents_[a].empty() && contents_[a].size() != static_cast<uint64_t>(cells))
      return false;
    if (!decides_[a])
      continue;
    if (array.isTable())
      contents_[a] = array.contents;
    else if (array.isLocal())
      return false; // its cells would have to be followed
    if (contents_[a].size() < static_cast<uint64_t>(cells))
      return false;
  }
  return true;
}

std::optional<AccessProfile> ProfileSummary::run() {
  if (!prepareArrays() || region(function_.body) != Outcome::Done)
    return std::nullopt;
  settle();
  if (overflows())
    return std::nullopt;
  for (Tally::Row &row : tally_.rows)
    profile_.sites[row.site].counts = std::move(row.counts);
  addBounds();
  return std::move(profile_);
}

void ProfileSummary::settle() {
  if (!isDirect())
    return;
  for (const Record &record : records_)
    settle(record);
  records_.clear();
  for (const Entry &entry : entries_) {
    tally_.add(entry.times);
    Executions &sum = tally_.executions[entry.region.index];
    sum.all += entry.times;
    sum.conditional += entry.isConditional ? entry.times : 0;
  }
  entries_.clear();
}

/// The innermost of the loops that it depends on has to be run one by one; symbols are known first.
Outcome ProfileSummary::blame(const LinearValue &value) {
  if (value.terms.empty())
    return Outcome::Given;
  const LoopTerms symbols = symbolsOf(value.terms, loops_);
  blamed_ = symbols.empty() ? value.terms.innermost() : symbols.innermost();
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

/// All at once: some may be passed to each other.
void ProfileSummary::pass(llvm::ArrayRef<ValueId> from, llvm::ArrayRef<ValueId> to) {
  if (from.size() == 1) {
    value(to[0]) = value(from[0]);
    return;
  }
  Values values;
  for (ValueId id : from)
    values.push_back(value(id));
  define(to, values);
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
  for (OpId op : isKernel_ ? deciding_[id.index] : function_.region(id).ops)
    if (Outcome outcome = operation(op); outcome != Outcome::Done)
      return outcome;
  return Outcome::Done;
}

Outcome ProfileSummary::operation(OpId id) {
  if (left_-- == 0)
    return left_ = 0, Outcome::Given;
  if (plainOfKnown(id))
    return Outcome::Done;
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::If:
    return branch(op);
  case Opcode::For:
  case Opcode::Loop:
    return remembered(id);
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
    if (isBounding_ && !value(op.operands[0]).isKnown())
      return Outcome::Done; // bounds are of runs that are defined
    const Outcome outcome = known(value(op.operands[0]), holds);
    return outcome == Outcome::Done && !holds ? Outcome::Given : outcome;
  }
  default:
    return ir::isScalarOperation(op.opcode) ? plain(op) : Outcome::Given;
  }
}

/// Of known integers, or a constant: whether it was that.
bool ProfileSummary::plainOfKnown(OpId id) {
  const IntegerOperation &operation = integers_[id.index];
  if (!operation.isSome())
    return function_.op(id).opcode == Opcode::Constant;
  const LinearValue &a = value(operation.a), &b = value(operation.b);
  if (!a.isKnown() || !b.isKnown())
    return false;
  const std::optional<Scalar> result = operation.of(a.scalar, b.scalar);
  if (result)
    value(function_.op(id).results[0]).set(*result);
  return result.has_value();
}

std::optional<LinearValue> ProfileSummary::evaluated(const Op &op, ir::ScalarType type,
                                                     llvm::ArrayRef<const LinearValue *> operands) {
  const LoopRequests::Sizes before = requests_.sizes();
  std::optional<LinearValue> result = evaluate(op, type, operands, loops_, &requests_);
  if (!result || result->kind != Kind::Other)
    return result;
  result->scalar.type = type;
  std::optional<unsigned> asked;
  if (requests_.blocks.size() > before.blocks)
    asked = requests_.blocks.back().loop;
  else if (requests_.lowest.size() > before.lowest)
    asked = requests_.lowest.back().loop;
  return withSource(op, std::move(*result), operands, asked);
}

Outcome ProfileSummary::plain(const Op &op) {
  llvm::SmallVector<const LinearValue *, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(&values_[operand.index]);
  const ValueId result = op.results[0];
  std::optional<LinearValue> computed = evaluated(op, function_.value(result).type, operands);
  if (!computed)
    return Outcome::Given;
  if (isBounding_ && computed->kind == Kind::Other)
    computed = bounded(op);
  value(result) = std::move(*computed);
  return Outcome::Done;
}

/// ((s0*r1 + s1)*r2 + s2)…; nullopt where it is undefined.
std::optional<LinearValue> ProfileSummary::cellOf(const Op &op,
                                                  const ir::AccessOperands &operands) {
  static const Op Mul = ir::makeOp(Opcode::Mul), Add = ir::makeOp(Opcode::Add);
  constexpr ir::ScalarType S64 = ir::ScalarType::S64;
  std::optional<LinearValue> cell = value(operands.subscripts[0]);
  for (size_t k = 0; cell && k < operands.radices.size(); ++k) {
    cell = evaluated(Mul, S64, {&*cell, &value(operands.radices[k])});
    if (cell)
      cell = evaluated(Add, S64, {&*cell, &value(operands.subscripts[k + 1])});
  }
  return cell && cell->kind != Kind::Undefined ? cell : std::nullopt;
}

/// nullopt: it is not known, or undefined.
std::optional<int64_t> ProfileSummary::knownCellOf(const ir::AccessOperands &operands) {
  auto number = [&](ValueId id) { return static_cast<int64_t>(value(id).scalar.bits); }; // S64
  auto isKnown = [&](ValueId id) { return value(id).isKnown(); };
  if (operands.radices.empty()) // as most have
    return isKnown(operands.subscripts[0]) ? std::optional(number(operands.subscripts[0]))
                                           : std::nullopt;
  if (!llvm::all_of(operands.subscripts, isKnown) || !llvm::all_of(operands.radices, isKnown))
    return std::nullopt;
  int64_t cell = number(operands.subscripts[0]);
  for (size_t k = 0; k < operands.radices.size(); ++k)
    if (__builtin_mul_overflow(cell, number(operands.radices[k]), &cell) ||
        __builtin_add_overflow(cell, number(operands.subscripts[k + 1]), &cell))
      return std::nullopt;
  return cell;
}

Outcome ProfileSummary::access(OpId id) {
  const Op &op = function_.op(id);
  const ir::AccessOperands operands = ir::accessOperands(op);
  if (operands.mask)
    return Outcome::Given;
  if (isDirect())
    if (std::optional<int64_t> cell = knownCellOf(operands))
      return knownAccess(id, siteOf(id), operands, *cell);
  std::optional<LinearValue> cell = cellOf(op, operands);
  if (!cell)
    return Outcome::Given;
  if (cell->kind != Kind::Linear && !isBounding_) {
    const std::optional<Outcome> outcome = enumeratedAccess(id, siteOf(id), *cell);
    if (outcome != Outcome::Done)
      return outcome ? *outcome : blame(*cell);
    settle();
    return transfer(op, *cell, operands);
  }
  const bool has = isBounding_ || isWithin(*cell, 0, cells_[op.array.index] - 1, loops_);
  const auto cells = has ? std::nullopt : range(*cell, loops_);
  if (!has && (!cells || !op.speculative || decides_[op.array.index]))
    return cells ? isOutside(id, cells->first < 0 ? cells->first : cells->second) : Outcome::Given;
  record({siteOf(id), *cell, loops_, conditions_ > 0});
  settle();
  return transfer(op, *cell, operands);
}

/// Without a division, where there are many accesses: a period is a power of two nearly always.
size_t ProfileSummary::residueOf(int64_t cell) const {
  if (llvm::isPowerOf2_64(profile_.period))
    return static_cast<uint64_t>(cell) & (profile_.period - 1);
  return static_cast<size_t>(floorRemainder(cell, static_cast<int64_t>(profile_.period)));
}

/// What the walk would find sooner or later: of accesses at once perhaps at another cell.
Outcome ProfileSummary::isOutside(OpId id, int64_t cell) {
  const Op &op = function_.op(id);
  const int64_t cells = cells_[op.array.index];
  if (!op.speculative && (cell < 0 || cell >= cells))
    outside_ = {id, cell, cells};
  return Outcome::Given;
}

/// One access, at once.
Outcome ProfileSummary::knownAccess(OpId id, uint32_t site, const ir::AccessOperands &operands,
                                    int64_t cell) {
  const Op &op = function_.op(id);
  const bool decides = decides_[op.array.index];
  const bool isWithin = cell >= 0 && cell < cells_[op.array.index];
  if (!isWithin && (!op.speculative || decides))
    return isOutside(id, cell);
  tally_.add(1);
  ++tally_.countsOf(site, {}, profile_.period)[residueOf(cell)];
  if (op.opcode == Opcode::Store)
    return decides ? Outcome::Given : Outcome::Done;
  LinearValue &result = value(op.results[0]);
  if (decides)
    result.set({function_.value(op.results[0]).type,
                contents_[op.array.index][static_cast<size_t>(cell)]});
  else
    result.kind = Kind::Undefined;
  return Outcome::Done;
}

/// Cells that nothing depends on are not followed.
Outcome ProfileSummary::transfer(const Op &op, const LinearValue &cell,
                                 const ir::AccessOperands &operands) {
  if (op.opcode == Opcode::Store)
    return decides_[op.array.index] ? Outcome::Given : Outcome::Done;
  LinearValue &result = value(op.results[0]);
  result = LinearValue();
  if (!decides_[op.array.index])
    return Outcome::Done;
  if (cell.isKnown()) {
    const uint64_t bits = contents_[op.array.index][static_cast<size_t>(ir::asInt64(cell.scalar))];
    result = LinearValue::of({function_.value(op.results[0]).type, bits});
    return Outcome::Done;
  }
  if (isBounding_) {
    const ir::ScalarType type = typeOf(op.results[0]);
    result = between(contentsOf(op.array, type), type);
    return Outcome::Done;
  }
  result = loadedFrom(op, cell);
  return Outcome::Done;
}

llvm::Error tooMany(const char *what) {
  return llvm::createStringError(std::string("one instance makes 2^64 ") + what +
                                 " or more at these sizes");
}

std::optional<AccessProfile> summarize(const ir::Function &certificate,
                                       const std::vector<ir::ArrayData> &arrays,
                                       llvm::ArrayRef<Scalar> scalars, uint64_t period,
                                       const WalkLimits &limits) {
  return ProfileSummary(certificate, arrays, scalars, period, limits).run();
}

std::optional<AccessProfile> boundsOf(const ir::Function &certificate,
                                      const std::vector<ir::ArrayData> &arrays,
                                      llvm::ArrayRef<Scalar> scalars, uint64_t period,
                                      const WalkLimits &limits) {
  WalkLimits tried = limits;
  tried.iterations.reset();
  for (;; tried.walked /= FewerWalked) {
    ProfileSummary summary(certificate, arrays, scalars, period, tried);
    summary.allowBounds();
    std::optional<AccessProfile> profile = summary.run();
    if (profile || summary.overflows() || tried.walked == 0)
      return profile;
  }
}

WalkLimits limitsOfWalk(const WalkLimits &limits) {
  constexpr uint64_t Each = 40; // operations
  WalkLimits longer = limits;
  if (limits.iterations)
    longer.operations =
        std::max(longer.operations, llvm::SaturatingMultiply(*limits.iterations, Each));
  return longer;
}

static constexpr uint64_t MaxForOrder = 20'000'000; // operations: about two seconds

llvm::Expected<AccessProfile> profileOf(const ir::Module &module, const ir::Function &certificate,
                                        const std::vector<ir::ArrayData> &arrays,
                                        llvm::ArrayRef<Scalar> scalars, uint64_t period,
                                        const WalkLimits &limits) {
  WalkLimits fewer = limits;
  fewer.operations /= 5; // each takes longer than one of the walk's
  ProfileSummary summary(certificate, arrays, scalars, period, limitsOfWalk(fewer));
  std::optional<AccessProfile> profile = summary.run();
  if (!profile && summary.wasTooLong())
    profile = boundsOf(certificate, arrays, scalars, period, fewer);
  else if (!profile && summary.overflows())
    return tooMany("accesses");
  if (!profile && summary.wasTooLong() && limits.iterations)
    return tooLongToWalk(llvm::Twine(*limits.iterations) + " iterations of loops");
  if (profile && (profile->isBounds || profile->total() > limits.kept))
    return std::move(*profile);
  WalkLimits order = limits;
  const auto &outside = summary.outside();
  if (profile || outside) // only the order is missing, or the first cell outside
    order.operations = std::min(order.operations, MaxForOrder);
  std::vector<ir::ArrayData> own = arrays; // a run may write to them
  llvm::Expected<AccessProfile> walked = walk(module, certificate, own, scalars, period, order);
  if (walked || (!profile && !outside))
    return walked;
  llvm::Error error = walked.takeError();
  if (!profile && error.isA<ir::InterpreterError>())
    return error;
  llvm::consumeError(std::move(error));
  if (profile)
    return std::move(*profile);
  return ir::accessOutsideExtent(module, certificate, outside->access, outside->cell,
                                 outside->cells);
}

} // namespace colonnade::model
