//===- Count.cpp - How many accesses a certificate makes ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Count.h"

#include "IR/Interpreter.h"
#include "Oblivious/Bounds.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

namespace {

class Counter {
public:
  explicit Counter(const ir::Function &function) : function_(function), affine_(function) {}

  SizeExpr run() {
    std::optional<Polynomial> count = region(function_.body);
    return count ? affine_.size(*count) : SizeExpr();
  }

private:
  using Count = std::optional<Polynomial>; // nullopt: no closed form

  Count region(RegionId id);
  Count operation(const Op &op);
  Count iterations(const Op &op);
  bool mayEndBelowItsStart(const CounterRange &range) const;

  const ir::Function &function_;
  Affine affine_;
  Context context_; // the loops around
};

} // namespace

static bool isCounted(const ir::Array &array) {
  return array.isPerInstance() &&
         (array.role == ir::ArrayRole::Parameter || array.role == ir::ArrayRole::Return);
}

Counter::Count Counter::region(RegionId id) {
  Polynomial total;
  int64_t plain = 0; // straight-line code may be long
  for (OpId op : function_.region(id).ops) {
    const Op &o = function_.op(op);
    if (o.opcode == Opcode::Load || o.opcode == Opcode::Store) {
      plain += isCounted(function_.array(o.array));
      continue;
    }
    if (o.regions.empty())
      continue;
    Count count = operation(o);
    if (!count)
      return std::nullopt;
    total = total + *count;
  }
  return total + Polynomial(plain);
}

Counter::Count Counter::operation(const Op &op) {
  if (op.opcode == Opcode::For)
    return iterations(op);
  Count first = region(op.regions[0]), second = region(op.regions[1]);
  if (!first || !second)
    return std::nullopt;
  bool known = op.opcode == Opcode::If ? *first == *second : first->isZero() && second->isZero();
  return known ? first : std::nullopt;
}

/// for (j = 1; j < i; ++j) at i = 0: no iteration, where the polynomial says -1. The bound
/// of a loop that stands alone is taken to be at least its start.
bool Counter::mayEndBelowItsStart(const CounterRange &range) const {
  if (context_.loops.empty())
    return false;
  std::optional<Bound> fewest = smallest(range.iterations, context_);
  return !fewest || !atLeast(fewest->value, Polynomial());
}

Counter::Count Counter::iterations(const Op &op) {
  std::optional<CounterRange> range = affine_.range(op);
  context_.loops.push_back(range);
  Count body = region(op.regions[0]);
  context_.loops.pop_back();
  if (!body || body->isZero())
    return body;
  if (!range || op.hasContinueFlag || mayEndBelowItsStart(*range))
    return std::nullopt;
  // counter = first + step * iteration
  const std::string iteration = range->counter + "r";
  Polynomial counter = range->first + Polynomial(range->step) * Polynomial::name(iteration);
  return body->substitute(range->counter, counter).sum(iteration, Polynomial(), range->iterations);
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

static SizeExpr countOneByOne(const ir::Module &module, const ir::Function &certificate) {
  if (!standsAlone(certificate))
    return {};
  int64_t count = 0;
  ir::InterpreterOptions options;
  options.maxSteps = 200'000;
  options.onAccess = [&](const ir::AccessEvent &event) {
    count += isCounted(certificate.array(event.array));
  };
  std::vector<ir::ArrayData> arrays(certificate.arrays.size());
  std::vector<ir::Scalar> scalars;
  for (const ir::ScalarParam &scalar : certificate.scalars)
    scalars.push_back({certificate.value(scalar.value).type, 0});
  llvm::Error error = ir::interpret(module, certificate, arrays, scalars, options);
  const bool ended = !error;
  llvm::consumeError(std::move(error)); // too long, or undefined: no number
  return ended ? SizeExpr::constant(count) : SizeExpr();
}

SizeExpr countAccesses(const ir::Module &module, const ir::Function &certificate) {
  SizeExpr closed = Counter(certificate).run();
  return closed.known() ? closed : countOneByOne(module, certificate);
}

} // namespace colonnade
