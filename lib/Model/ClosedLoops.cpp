//===- ClosedLoops.cpp - The profile of an instance, loops at once --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClosedLoops.h"

#include "Model/LinearValue.h"
#include "Model/Residues.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::Scalar;
using Kind = LinearValue::Kind;

namespace {

/// What became of a part of the run.
enum class Outcome : uint8_t {
  Done,
  Open,  // a value that has to be known depends on the loop `blamed_`
  Given, // up: walk() says why
};

class Summary {
public:
  Summary(const ir::Function &certificate, const std::vector<ir::ArrayData> &arrays,
          llvm::ArrayRef<Scalar> scalars, uint64_t period, const WalkLimits &limits);

  std::optional<AccessProfile> run();

private:
  using Values = llvm::SmallVector<LinearValue, 2>;

  bool prepareArrays();
  Outcome region(RegionId id);
  Outcome operation(OpId id);
  Outcome plain(const Op &op);
  Outcome access(OpId id);
  Outcome transfer(const Op &op, const LinearValue &cell, ir::AccessOperands operands);
  std::optional<LinearValue> cellOf(const Op &op, ir::AccessOperands operands);
  Outcome branch(const Op &op);
  Outcome counted(OpId id);
  Outcome closed(OpId id, const LinearValue &low, int64_t step, int64_t iterations);
  Outcome walked(const Op &op, int64_t low, int64_t high, int64_t step);
  Outcome uncounted(const Op &op);
  std::optional<int64_t> iterations(const Op &op, const LinearValue &low, const LinearValue &high,
                                    int64_t step);

  Outcome known(const LinearValue &value, int64_t &number);
  Outcome blame(const LinearValue &value);
  Values passed(RegionId id, size_t from) const;
  void define(llvm::ArrayRef<ValueId> ids, llvm::ArrayRef<LinearValue> values);
  LinearValue &value(ValueId id) { return values_[id.index]; }
  /// Counts what was recorded for good, once no closed loop is left that may be taken back.
  void settle();

  const ir::Function &function_;
  llvm::ArrayRef<Scalar> scalars_;
  std::vector<ir::ArrayData> arrays_; // those that something depends on
  std::vector<int64_t> cells_;
  std::vector<bool> decides_; // by array: a value loaded from it is used
  std::vector<LinearValue> values_;
  std::vector<uint32_t> siteOf_;
  std::vector<bool> isOpen_; // by op: a loop that was taken back
  LoopCounts loops_;         // the closed loops around
  struct Record {
    uint32_t site;
    LinearValue cell;
    LoopCounts loops;
  };
  std::vector<Record> records_; // not settled yet
  AccessProfile profile_;
  uint64_t left_;
  unsigned blamed_ = 0;
};

} // namespace

Summary::Summary(const ir::Function &certificate, const std::vector<ir::ArrayData> &arrays,
                 llvm::ArrayRef<Scalar> scalars, uint64_t period, const WalkLimits &limits)
    : function_(certificate), scalars_(scalars), arrays_(arrays),
      decides_(certificate.arrays.size()), values_(certificate.values.size()),
      siteOf_(certificate.ops.size()), isOpen_(certificate.ops.size()), left_(limits.operations) {
  profile_.period = period;
  profile_.sites = sitesOf(certificate, period);
  for (uint32_t s = 0; s < profile_.sites.size(); ++s)
    siteOf_[profile_.sites[s].op.index] = s;
  for (auto [parameter, scalar] : llvm::zip(certificate.scalars, scalars))
    value(parameter.value) = LinearValue::of(scalar);
}

bool Summary::prepareArrays() {
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

std::optional<AccessProfile> Summary::run() {
  if (!prepareArrays() || region(function_.body) != Outcome::Done)
    return std::nullopt;
  settle();
  return std::move(profile_);
}

void Summary::settle() {
  for (const Record &record : records_)
    addResidues(profile_.sites[record.site].counts, record.cell, record.loops);
  records_.clear();
}

/// The innermost of the loops that it depends on has to be run one by one.
Outcome Summary::blame(const LinearValue &value) {
  if (value.terms.empty())
    return Outcome::Given;
  blamed_ = value.terms.rbegin()->first;
  return Outcome::Open;
}

Outcome Summary::known(const LinearValue &value, int64_t &number) {
  if (!value.isKnown())
    return blame(value);
  number = ir::asInt64(value.scalar);
  return Outcome::Done;
}

void Summary::define(llvm::ArrayRef<ValueId> ids, llvm::ArrayRef<LinearValue> values) {
  for (auto [id, value] : llvm::zip(ids, values))
    values_[id.index] = value;
}

/// What the region's terminator passes on, but for its first `from` operands.
Summary::Values Summary::passed(RegionId id, size_t from) const {
  Values values;
  for (ValueId operand : llvm::drop_begin(function_.terminator(id).operands, from))
    values.push_back(values_[operand.index]);
  return values;
}

Outcome Summary::region(RegionId id) {
  for (OpId op : function_.region(id).ops)
    if (Outcome outcome = operation(op); outcome != Outcome::Done)
      return outcome;
  return Outcome::Done;
}

Outcome Summary::operation(OpId id) {
  const Op &op = function_.op(id);
  if (left_-- == 0)
    return left_ = 0, Outcome::Given;
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    return access(id);
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
  case Opcode::Check: {
    int64_t holds = 0;
    const Outcome outcome = known(value(op.operands[0]), holds);
    return outcome == Outcome::Done && !holds ? Outcome::Given : outcome;
  }
  default:
    return ir::isScalarOperation(op.opcode) ? plain(op) : Outcome::Given;
  }
}

Outcome Summary::plain(const Op &op) {
  llvm::SmallVector<const LinearValue *, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(&values_[operand.index]);
  const ValueId result = op.results[0];
  std::optional<LinearValue> computed =
      evaluate(op, function_.value(result).type, operands, loops_);
  if (!computed)
    return Outcome::Given;
  value(result) = std::move(*computed);
  return Outcome::Done;
}

/// ((s0*r1 + s1)*r2 + s2)…; nullopt where it is undefined.
std::optional<LinearValue> Summary::cellOf(const Op &op, ir::AccessOperands operands) {
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

Outcome Summary::access(OpId id) {
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
Outcome Summary::transfer(const Op &op, const LinearValue &cell, ir::AccessOperands operands) {
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

Outcome Summary::branch(const Op &op) {
  int64_t condition = 0;
  if (Outcome outcome = known(value(op.operands[0]), condition); outcome != Outcome::Done)
    return outcome;
  const RegionId arm = op.regions[condition ? 0 : 1];
  if (Outcome outcome = region(arm); outcome != Outcome::Done)
    return outcome;
  define(op.results, passed(arm, 0));
  return Outcome::Done;
}

/// How often the body runs, if that is known and the counter stays in its type; a coefficient of
/// a loop around may drop out: for (j = i; j < i + 3; j++).
std::optional<int64_t> Summary::iterations(const Op &op, const LinearValue &low,
                                           const LinearValue &high, int64_t step) {
  if (low.kind != Kind::Linear || high.kind != Kind::Linear || low.terms != high.terms ||
      !isSigned64(low, loops_) || !isSigned64(high, loops_))
    return std::nullopt;
  int64_t way;
  if (step == 0 || __builtin_sub_overflow(ir::asInt64(high.scalar), ir::asInt64(low.scalar), &way))
    return std::nullopt;
  if (op.predicate == ir::Predicate::Ne) {
    const bool ends = way % step == 0 && way / step >= int64_t(op.postTest);
    return ends ? std::optional(way / step) : std::nullopt;
  }
  const bool rises = op.predicate == ir::Predicate::Lt || op.predicate == ir::Predicate::Le;
  if (rises != (step > 0))
    return std::nullopt;
  const int64_t toNext = rises ? 1 : -1;
  if (op.predicate == ir::Predicate::Le || op.predicate == ir::Predicate::Ge)
    way += toNext;
  const int64_t count = way == 0 || (way > 0) != rises ? 0 : (way + step - toNext) / step;
  return std::max(count, int64_t(op.postTest));
}

Outcome Summary::counted(OpId id) {
  const Op &op = function_.op(id);
  const LinearValue low = value(op.operands[0]), high = value(op.operands[1]);
  int64_t step = 0, first = 0, last = 0;
  if (Outcome outcome = known(value(op.operands[2]), step); outcome != Outcome::Done)
    return outcome;
  const std::optional<int64_t> count = iterations(op, low, high, step);
  const bool isPlain = count && !op.hasContinueFlag && op.operands.size() == 3;
  if (isPlain && *count != 1 && !isOpen_[id.index]) {
    const size_t recorded = records_.size();
    const LoopCounts around = loops_;
    const Outcome outcome = closed(id, low, step, *count);
    loops_ = around;
    if (outcome != Outcome::Open || blamed_ != around.size())
      return outcome;
    records_.resize(recorded);
    isOpen_[id.index] = true;
  }
  if (Outcome outcome = known(low, first); outcome != Outcome::Done)
    return outcome;
  if (Outcome outcome = known(high, last); outcome != Outcome::Done)
    return outcome;
  return walked(op, first, last, step);
}

/// All iterations at once.
Outcome Summary::closed(OpId id, const LinearValue &low, int64_t step, int64_t iterations) {
  const Op &op = function_.op(id);
  const RegionId body = op.regions[0];
  const auto loop = static_cast<unsigned>(loops_.size());
  loops_.push_back(iterations + 1); // the counter behind the loop has to fit its type, too
  const LinearValue beyond = linearIn(low, step, loop, loops_);
  if (beyond.kind != Kind::Linear)
    return blamed_ = loop, Outcome::Open;
  loops_.back() = iterations;
  if (iterations > 0) {
    value(function_.region(body).args[0]) = beyond;
    if (Outcome outcome = region(body); outcome != Outcome::Done)
      return outcome;
  }
  loops_.pop_back();
  value(op.results[0]) = low;
  value(op.results[0]).scalar =
      ir::makeInt(low.scalar.type, ir::asInt64(low.scalar) + step * iterations);
  if (loops_.empty())
    settle();
  return Outcome::Done;
}

static bool goesOn(ir::Predicate predicate, int64_t counter, int64_t high) {
  switch (predicate) {
  case ir::Predicate::Lt:
    return counter < high;
  case ir::Predicate::Le:
    return counter <= high;
  case ir::Predicate::Gt:
    return counter > high;
  case ir::Predicate::Ge:
    return counter >= high;
  case ir::Predicate::Ne:
    return counter != high;
  }
  return false;
}

/// One iteration after the other.
Outcome Summary::walked(const Op &op, int64_t low, int64_t high, int64_t step) {
  const RegionId body = op.regions[0];
  const ir::ScalarType type = value(op.operands[0]).scalar.type;
  if (type == ir::ScalarType::U64 && (low < 0 || high < 0))
    return Outcome::Given; // beyond the signed integers
  Values carried;
  for (ValueId init : llvm::drop_begin(op.operands, 3))
    carried.push_back(value(init));
  int64_t counter = low;
  for (bool isFirst = op.postTest; isFirst || goesOn(op.predicate, counter, high);
       isFirst = false) {
    llvm::ArrayRef<ValueId> args = function_.region(body).args;
    value(args[0]) = LinearValue::of(ir::makeInt(type, counter));
    define(args.drop_front(), carried);
    if (Outcome outcome = region(body); outcome != Outcome::Done)
      return outcome;
    carried = passed(body, op.hasContinueFlag);
    if (op.hasContinueFlag) {
      int64_t flag = 0;
      if (Outcome outcome = known(value(function_.terminator(body).operands[0]), flag);
          outcome != Outcome::Done)
        return outcome;
      if (!flag)
        break;
    }
    if (__builtin_add_overflow(counter, step, &counter) || !ir::exactInt(type, counter))
      return Outcome::Given; // it wraps, or is undefined
  }
  value(op.results[0]) = LinearValue::of(ir::makeInt(type, counter));
  define(llvm::ArrayRef(op.results).drop_front(), carried);
  return Outcome::Done;
}

Outcome Summary::uncounted(const Op &op) {
  Values carried;
  for (ValueId init : op.operands)
    carried.push_back(value(init));
  while (true) {
    int64_t goes = 0;
    define(function_.region(op.regions[0]).args, carried);
    if (Outcome outcome = region(op.regions[0]); outcome != Outcome::Done)
      return outcome;
    carried = passed(op.regions[0], 1);
    const ValueId test = function_.terminator(op.regions[0]).operands[0];
    if (Outcome outcome = known(value(test), goes); outcome != Outcome::Done)
      return outcome;
    if (!goes)
      break;
    define(function_.region(op.regions[1]).args, carried);
    if (Outcome outcome = region(op.regions[1]); outcome != Outcome::Done)
      return outcome;
    carried = passed(op.regions[1], 1);
    const ValueId flag = function_.terminator(op.regions[1]).operands[0];
    if (Outcome outcome = known(value(flag), goes); outcome != Outcome::Done)
      return outcome;
    if (!goes)
      break;
  }
  define(op.results, carried);
  return Outcome::Done;
}

std::optional<AccessProfile> summarize(const ir::Function &certificate,
                                       const std::vector<ir::ArrayData> &arrays,
                                       llvm::ArrayRef<Scalar> scalars, uint64_t period,
                                       const WalkLimits &limits) {
  return Summary(certificate, arrays, scalars, period, limits).run();
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
