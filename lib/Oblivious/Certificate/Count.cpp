//===- Count.cpp - How many accesses a certificate makes ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Certificate/Count.h"

#include "IR/AlwaysMade.h"
#include "Oblivious/Certificate/ClosedForm.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

namespace {

class Counter {
public:
  explicit Counter(const ir::Function &function)
      : function_(function), affine_(function), form_(function, affine_),
        isEndedByData_(llvm::any_of(function.ops, [](const Op &op) { return op.dataEnds; })) {}

  SizeExpr run(AccessKind kind) {
    Count count = kind == AccessKind::Conditional && isEndedByData_ ? others() : of(kind);
    return count ? form_.formula(*count) : SizeExpr();
  }
  /// Of all kinds so far.
  std::vector<SizeExpr> where() const { return form_.where(); }

private:
  using Count = std::optional<CountedParts>; // nullopt: no closed form

  Count of(AccessKind kind) {
    kind_ = kind;
    return region(function_.body);
  }
  Count others();
  Count region(RegionId id);
  Count operation(const Op &op);
  Count iterations(const Op &op);
  Count firstIteration(const Op &op, const CountedParts &body, const CounterRange &range);

  const ir::Function &function_;
  Affine affine_;
  ClosedForm form_;
  bool isEndedByData_; // a loop is
  AccessKind kind_ = AccessKind::Instance;
  std::vector<std::optional<CounterRange>> loops_; // around, outermost first
};

} // namespace

static bool isOfInstance(const ir::Array &array) {
  return array.isPerInstance() &&
         (array.role == ir::ArrayRole::Parameter || array.role == ir::ArrayRole::Return);
}

/// Of a Load or Store.
static bool isOfKind(const ir::Function &certificate, const Op &op, AccessKind kind) {
  const ir::Array &array = certificate.array(op.array);
  switch (kind) {
  case AccessKind::Instance:
    return isOfInstance(array);
  case AccessKind::Load:
    return isOfInstance(array) && op.opcode == Opcode::Load;
  case AccessKind::Store:
    return isOfInstance(array) && op.opcode == Opcode::Store;
  case AccessKind::Always: // in the iterations that iterations() takes
    return isOfInstance(array) && (!op.speculative || op.atFirst);
  case AccessKind::Conditional:
    return isOfInstance(array) && op.speculative;
  case AccessKind::Scalar:
    return array.role == ir::ArrayRole::Scalar && array.isPerInstance();
  case AccessKind::Local:
    return array.isLocal();
  case AccessKind::Uniform:
    return array.isPassed() && array.sharing == ir::Sharing::Uniform;
  case AccessKind::Table:
    return array.isTable();
  }
  return false;
}

Counter::Count Counter::region(RegionId id) {
  CountedParts total;
  int64_t plain = 0; // straight-line code may be long
  for (OpId op : function_.region(id).ops) {
    const Op &o = function_.op(op);
    if (o.opcode == Opcode::Load || o.opcode == Opcode::Store) {
      plain += isOfKind(function_, o, kind_);
      continue;
    }
    if (o.regions.empty())
      continue;
    Count count = operation(o);
    if (count)
      count = joined(total, *count);
    if (!count)
      return std::nullopt;
    total = std::move(*count);
  }
  return joined(total, {CountedPart{{}, Polynomial(plain)}});
}

Counter::Count Counter::operation(const Op &op) {
  if (op.opcode == Opcode::For)
    return iterations(op);
  Count first = region(op.regions[0]), second = region(op.regions[1]);
  if (!first || !second)
    return std::nullopt;
  bool known = op.opcode == Opcode::If ? *first == *second : first->empty() && second->empty();
  return known ? first : std::nullopt;
}

Counter::Count Counter::iterations(const Op &op) {
  std::optional<CounterRange> range = affine_.range(op);
  // The first value of a counter that is tested behind the body may be beyond the last.
  loops_.push_back(op.postTest ? std::nullopt : range);
  Count body = region(op.regions[0]);
  loops_.pop_back();
  if (!body || body->empty())
    return body;
  if (!range || op.hasContinueFlag || !form_.assume(affine_.wherePositive(op), loops_))
    return std::nullopt;
  if (kind_ == AccessKind::Always && op.dataEnds)
    return firstIteration(op, *body, *range);
  return form_.overLoop(*body, *range, op.postTest, loops_);
}

static CountedParts negated(CountedParts parts) {
  for (CountedPart &part : parts)
    part.accesses = Polynomial() - part.accesses;
  return parts;
}

/// As often as its iterations, less all but one of them.
Counter::Count Counter::firstIteration(const Op &op, const CountedParts &body,
                                       const CounterRange &range) {
  CountedParts first;
  for (CountedPart part : body) {
    for (Polynomial &guard : part.guards)
      guard = guard.substitute(range.counter, range.first);
    part.accesses = part.accesses.substitute(range.counter, range.first);
    const Count sum = joined(first, {part});
    if (!sum)
      return std::nullopt;
    first = *sum;
  }
  CounterRange others = range;
  others.iterations = others.iterations - Polynomial(1);
  const Count all = form_.overLoop(first, range, op.postTest, loops_),
              left = form_.overLoop(first, others, false, loops_);
  return all && left ? joined(*all, negated(*left)) : std::nullopt;
}

/// All accesses, without those that are always made.
Counter::Count Counter::others() {
  const Count all = of(AccessKind::Instance), always = of(AccessKind::Always);
  return all && always ? joined(*all, negated(*always)) : std::nullopt;
}

/// Whether a run of it needs no value from outside.
static bool standsAlone(const ir::Function &certificate) {
  for (const Op &op : certificate.ops) {
    for (const ir::ScalarParam &scalar : certificate.scalars)
      if (llvm::is_contained(op.operands, scalar.value))
        return false;
    if (op.opcode == Opcode::Load && certificate.array(op.array).isPassed() &&
        certificate.array(op.array).sharing == ir::Sharing::Uniform)
      return false;
  }
  return true;
}

static std::optional<std::array<int64_t, NumAccessKinds>>
countOneByOne(const ir::Module &module, const ir::Function &certificate) {
  if (!standsAlone(certificate))
    return std::nullopt;
  std::array<int64_t, NumAccessKinds> counts = {};
  ir::InterpreterOptions options;
  options.maxSteps = 200'000;
  const ir::AlwaysMade isAlways(certificate);
  options.onAccess = [&](const ir::AccessEvent &event) {
    for (size_t kind = 0; kind < NumAccessKinds; ++kind)
      counts[kind] += isOfKind(certificate, certificate.op(event.op), AccessKind(kind));
    const Op &op = certificate.op(event.op);
    if (!op.atFirst || !isOfInstance(certificate.array(op.array)))
      return; // else counted as both
    --counts[size_t(isAlways(event) ? AccessKind::Conditional : AccessKind::Always)];
  };
  std::vector<ir::ArrayData> arrays(certificate.arrays.size());
  std::vector<ir::Scalar> scalars;
  for (const ir::ScalarParam &scalar : certificate.scalars)
    scalars.push_back({certificate.value(scalar.value).type, 0});
  llvm::Error error = ir::interpret(module, certificate, arrays, scalars, options);
  const bool ended = !error;
  llvm::consumeError(std::move(error)); // too long, or undefined: no number
  return ended ? std::optional(counts) : std::nullopt;
}

AccessCounts countAccesses(const ir::Module &module, const ir::Function &certificate) {
  AccessCounts counts;
  Counter counter(certificate);
  for (size_t kind = 0; kind < NumAccessKinds; ++kind)
    counts.ofKind[kind] = counter.run(AccessKind(kind));
  counts.where = counter.where();
  if (llvm::all_of(counts.ofKind, [](const SizeExpr &count) { return count.known(); }))
    return counts;
  if (auto numbers = countOneByOne(module, certificate))
    for (size_t kind = 0; kind < NumAccessKinds; ++kind)
      counts.ofKind[kind] = SizeExpr::constant((*numbers)[kind]);
  return counts;
}

const char *name(AccessKind kind) {
  switch (kind) {
  case AccessKind::Instance:
    return "accesses";
  case AccessKind::Load:
    return "loads";
  case AccessKind::Store:
    return "stores";
  case AccessKind::Always:
    return "always";
  case AccessKind::Conditional:
    return "conditional";
  case AccessKind::Scalar:
    return "scalar";
  case AccessKind::Local:
    return "local";
  case AccessKind::Uniform:
    return "uniform";
  case AccessKind::Table:
    return "table";
  }
  return "";
}

} // namespace colonnade
