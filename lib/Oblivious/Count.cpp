//===- Count.cpp - How many accesses a certificate makes ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Count.h"

#include "IR/Interpreter.h"
#include "Oblivious/ClosedForm.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

namespace {

class Counter {
public:
  explicit Counter(const ir::Function &function)
      : function_(function), affine_(function), form_(function, affine_) {}

  SizeExpr run() {
    Count count = region(function_.body);
    return count ? form_.formula(*count) : SizeExpr();
  }

private:
  using Count = std::optional<CountedParts>; // nullopt: no closed form

  Count region(RegionId id);
  Count operation(const Op &op);
  Count iterations(const Op &op);

  const ir::Function &function_;
  Affine affine_;
  ClosedForm form_;
  std::vector<std::optional<CounterRange>> loops_; // around, outermost first
};

} // namespace

static bool isCounted(const ir::Array &array) {
  return array.isPerInstance() &&
         (array.role == ir::ArrayRole::Parameter || array.role == ir::ArrayRole::Return);
}

Counter::Count Counter::region(RegionId id) {
  CountedParts total;
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
  if (!range || op.hasContinueFlag)
    return std::nullopt;
  return form_.overLoop(*body, *range, op.postTest, loops_);
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
