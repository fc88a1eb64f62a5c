//===- Affine.cpp - Indices as polynomials --------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Ranges/Affine.h"

#include "IR/Evaluate.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

Affine::Affine(const ir::Function &function) : function_(function) {
  for (const ir::ScalarParam &scalar : function.scalars)
    if (ir::isInteger(function.value(scalar.value).type))
      values_[scalar.value] = Polynomial::name(scalar.name);
}

std::string Affine::counterName(ValueId counter) { return "%" + std::to_string(counter.index); }

std::optional<Polynomial> Affine::of(ValueId id) {
  if (auto it = values_.find(id); it != values_.end())
    return it->second;
  if (depth_ == maxDepth)
    return std::nullopt;
  ++depth_;
  std::optional<Polynomial> result = compute(id);
  --depth_;
  if (result && !result->valid())
    result.reset();
  values_[id] = result;
  return result;
}

/// The signed value nearest to zero that the bits stand for: i + 4294967295u is
/// meant as i - 1.
static std::optional<int64_t> signedConstant(const ir::Scalar &scalar) {
  if (!ir::isInteger(scalar.type))
    return std::nullopt;
  unsigned unused = 64 - ir::bitWidth(scalar.type);
  return static_cast<int64_t>(scalar.bits << unused) >> unused;
}

/// A conversion between these types keeps the value of every index in range. To a type that
/// is narrower than int it need not: there programmes mean to cut off bits.
static bool keepsValue(ir::ScalarType from, ir::ScalarType to) {
  return ir::isInteger(from) && ir::isInteger(to) &&
         (ir::bitWidth(to) >= 32 || ir::bitWidth(to) >= ir::bitWidth(from));
}

std::optional<Polynomial> Affine::compute(ValueId id) {
  const ir::Value &value = function_.value(id);
  if (!value.def) {
    OpId parent = function_.region(value.region).parent;
    bool counter = parent && function_.op(parent).opcode == Opcode::For && value.index == 0;
    return counter ? std::optional(Polynomial::name(counterName(id))) : std::nullopt;
  }
  const Op &op = function_.op(value.def);
  if (op.opcode == Opcode::Constant) {
    std::optional<int64_t> constant = signedConstant(op.scalar);
    return constant ? std::optional(Polynomial(*constant)) : std::nullopt;
  }
  if (!ir::isInteger(value.type) || op.operands.empty() || op.operands.size() > 2)
    return std::nullopt;
  if (op.opcode == Opcode::Load || !op.regions.empty())
    return std::nullopt;
  std::optional<Polynomial> a = of(op.operands[0]), b;
  if (op.operands.size() == 2)
    b = of(op.operands[1]);
  if (!a || (op.operands.size() == 2 && !b))
    return std::nullopt;
  // Of a number that has wrapped to below zero, only sums and products are as of the bits.
  const bool ofBits =
      op.opcode == Opcode::Div || op.opcode == Opcode::Rem || op.opcode == Opcode::Shr;
  if (ofBits && !ir::isSigned(value.type) && !(a->isNonNegative(1) && b->isNonNegative(1)))
    return std::nullopt;
  switch (op.opcode) {
  case Opcode::Cast:
    return keepsValue(function_.value(op.operands[0]).type, value.type) ? a : std::nullopt;
  case Opcode::Neg:
    return -*a;
  case Opcode::Add:
    return *a + *b;
  case Opcode::Sub:
    return *a - *b;
  case Opcode::Mul:
    return *a * *b;
  case Opcode::Div:
    return divide(*a, *b);
  case Opcode::Rem:
    return atom(SizeExpr::Kind::Rem, *a, *b);
  case Opcode::Shl:
  case Opcode::Shr: {
    std::optional<Rational> count = b->asConstant();
    if (!count || !count->isInteger() || count->num < 0 || count->num > 30)
      return std::nullopt;
    Polynomial factor(int64_t(1) << count->num);
    if (op.opcode == Opcode::Shl)
      return *a * factor;
    return ir::isSigned(value.type) ? std::nullopt : divide(*a, factor);
  }
  default:
    return std::nullopt;
  }
}

std::optional<Polynomial> Affine::divide(const Polynomial &a, const Polynomial &b) {
  std::optional<Rational> divisor = b.asConstant();
  if (divisor && divisor->num != 0) {
    Polynomial quotient = a * Polynomial(Rational(1) / *divisor);
    if (quotient.valid() && quotient.isIntegerValued())
      return quotient;
  }
  return atom(SizeExpr::Kind::Div, a, b);
}

std::optional<Polynomial> Affine::atom(SizeExpr::Kind kind, const Polynomial &a,
                                       const Polynomial &b) {
  SizeExpr expr = SizeExpr::binary(kind, size(a), size(b));
  if (!expr.known())
    return std::nullopt;
  if (std::optional<int64_t> constant = expr.asConstant())
    return Polynomial(*constant);
  std::string name = "@" + expr.str();
  atoms_[name] = expr;
  return Polynomial::name(name);
}

const SizeExpr *Affine::findAtom(const std::string &name) const {
  auto found = atoms_.find(name);
  return found == atoms_.end() ? nullptr : &found->second;
}

SizeExpr Affine::size(const Polynomial &p) const {
  for (const std::string &name : p.names())
    if (isCounter(name))
      return {};
  return p.toSizeExpr().substitute(atoms_);
}

/// Whether a sum of that type wraps: not undefined, as where nothing is cut to a narrower type.
static bool mayWrap(ir::ScalarType type) { return !ir::isSigned(type) || ir::bitWidth(type) < 32; }

std::optional<Polynomial> Affine::limit(ValueId id) {
  const ir::Scalar *constant = function_.constant(id);
  if (!constant || ir::isSigned(constant->type) || !ir::isInteger(constant->type))
    return of(id);
  const uint64_t bits = constant->bits & (~uint64_t(0) >> (64 - ir::bitWidth(constant->type)));
  return bits <= INT64_MAX ? std::optional(Polynomial(int64_t(bits))) : std::nullopt;
}

/// The step behind the last iteration ends in the type: else a counter that is unsigned or narrower
/// than int begins anew.
static bool endsInType(ir::ScalarType type, const Polynomial &end) {
  const std::optional<Rational> value = end.asConstant();
  if (!value || !value->isInteger())
    return false;
  const unsigned bits = ir::bitWidth(type) - ir::isSigned(type);
  if (bits >= 63)
    return ir::isSigned(type) || value->num >= 0;
  const int64_t largest = (int64_t(1) << bits) - 1, smallest = ir::isSigned(type) ? ~largest : 0;
  return smallest <= value->num && value->num <= largest;
}

/// Of a loop that tests behind its body: the first step, which is not tested, does not begin anew.
/// A start that is a size may be 0 or the largest; downwards, most of the type is then gone
/// through, unless the limit is near its end.
static bool staysInType(ir::ScalarType type, const Polynomial &start, int64_t step,
                        const Polynomial &limit) {
  if (!mayWrap(type) || start.asConstant() || ir::bitWidth(type) < 32)
    return !mayWrap(type) || endsInType(type, start + Polynomial(step));
  const std::optional<Rational> end = limit.asConstant();
  return step < 0 && !(end && end->num > INT32_MAX);
}

static int64_t mostOf(ir::ScalarType type) {
  const unsigned bits = ir::bitWidth(type) - ir::isSigned(type);
  return bits >= 63 ? INT64_MAX : (int64_t(1) << bits) - 1;
}

/// Whether a conversion gives the least, or the largest, values of `from` another value.
static bool cuts(ir::ScalarType from, ir::ScalarType to, Affine::End end) {
  const unsigned before = ir::bitWidth(from) - ir::isSigned(from),
                 after = ir::bitWidth(to) - ir::isSigned(to);
  if (end == Affine::End::Largest)
    return before > after;
  return ir::isSigned(from) && (!ir::isSigned(to) || before > after);
}

/// Sums and products, and conversions to no more bits, of what has wrapped are as of the numbers,
/// in as many bits as the type has.
static bool isModular(const ir::Function &function, const Op &op) {
  switch (op.opcode) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Neg:
  case Opcode::Shl:
    return true;
  case Opcode::Cast:
    return ir::bitWidth(function.value(op.results[0]).type) <=
           ir::bitWidth(function.value(op.operands[0]).type);
  default:
    return false;
  }
}

bool Affine::mayBeCut(ValueId id, End end) {
  const Op *op = function_.definition(id);
  if (!op || op->operands.empty() || !op->regions.empty() || depth_ == maxDepth)
    return false;
  const ir::ScalarType from = function_.value(op->operands[0]).type, to = function_.value(id).type;
  if (op->opcode == Opcode::Cast && ir::isInteger(from) && cuts(from, to, end))
    return true;
  if (!isModular(function_, *op))
    return false;
  ++depth_;
  const bool result =
      llvm::any_of(op->operands, [&](ValueId operand) { return mayBeCut(operand, end); });
  --depth_;
  return result;
}

/// The value, if it is unsigned or may have been cut, and what it is computed from.
void Affine::addUnsigned(ValueId id, std::vector<Polynomial> &found) {
  if (function_.constant(id))
    return;
  const ir::ScalarType type = function_.value(id).type;
  if (std::optional<Polynomial> p = of(id)) {
    const bool isHalf = ir::isSigned(type) || ir::bitWidth(type) < 64; // of 64 bits, at most
    if (!ir::isSigned(type))
      found.push_back(*p);
    else if (ir::bitWidth(type) < 64 && mayBeCut(id, End::Least))
      found.push_back(*p + Polynomial(mostOf(type)) + Polynomial(1));
    if (isHalf && mayBeCut(id, End::Largest))
      found.push_back(Polynomial(mostOf(type)) - *p);
  }
  addUnsignedParts(id, found);
}

/// Only what is widened, divided or shifted must not have wrapped.
void Affine::addUnsignedParts(ValueId id, std::vector<Polynomial> &found) {
  const Op *op = function_.definition(id);
  if (!op || op->operands.empty() || !op->regions.empty() || depth_ == maxDepth || !of(id))
    return;
  ++depth_;
  for (ValueId operand : op->operands)
    if (isModular(function_, *op))
      addUnsignedParts(operand, found);
    else
      addUnsigned(operand, found);
  --depth_;
}

std::vector<Polynomial> Affine::wherePositive(const Op &op) {
  std::vector<Polynomial> found;
  const std::optional<CounterRange> counter = range(op);
  if (!counter)
    return found;
  const ir::ScalarType type = function_.value(op.operands[0]).type;
  if (op.predicate == ir::Predicate::Ne) {
    if (mayWrap(type))
      found.push_back(counter->iterations - Polynomial(op.postTest ? 1 : 0));
    addUnsignedParts(op.operands[0], found);
    addUnsignedParts(op.operands[1], found);
    return found;
  }
  addUnsigned(op.operands[0], found);
  addUnsigned(op.operands[1], found);
  if (op.postTest && mayWrap(type))
    found.push_back(counter->first + Polynomial(counter->step));
  return found;
}

std::optional<CounterRange> Affine::range(const Op &op) {
  const ir::ScalarType type = function_.value(op.operands[0]).type;
  std::optional<Polynomial> lo = limit(op.operands[0]), hi = limit(op.operands[1]);
  const ir::Scalar *stepScalar = function_.constant(op.operands[2]);
  int64_t step = stepScalar ? signedConstant(*stepScalar).value_or(0) : 0;
  // Down to 4294967295u, which is not met on the way: to -1.
  if (lo && op.predicate == ir::Predicate::Ne && step < 0 && (!hi || !(*lo - *hi).isNonNegative(1)))
    hi = of(op.operands[1]);
  if (!lo || !hi || step == 0)
    return std::nullopt;
  // Unsigned: a start (downwards, a limit) below zero is beyond every limit, and nothing runs.
  const Polynomial &least = step > 0 ? *lo : *hi;
  if (!ir::isSigned(type) && op.predicate != ir::Predicate::Ne && !least.isNonNegative(0))
    return std::nullopt;
  // `distance` is what is to be covered, in the direction of the step.
  Polynomial distance = step > 0 ? *hi - *lo : *lo - *hi;
  int64_t size = step > 0 ? step : -step;
  switch (op.predicate) {
  case ir::Predicate::Lt:
  case ir::Predicate::Gt:
    if ((op.predicate == ir::Predicate::Lt) != (step > 0))
      return std::nullopt;
    break;
  case ir::Predicate::Le:
  case ir::Predicate::Ge:
    if ((op.predicate == ir::Predicate::Le) != (step > 0))
      return std::nullopt;
    distance = distance + Polynomial(1);
    break;
  case ir::Predicate::Ne: // a counter that begins behind its limit may wrap to it
    if (size != 1 ||
        (mayWrap(type) && !(distance - Polynomial(op.postTest ? 1 : 0)).isNonNegative(1)))
      return std::nullopt;
    break;
  }
  std::optional<Polynomial> iterations = distance;
  if (size != 1)
    iterations = divide(distance + Polynomial(size - 1), Polynomial(size));
  if (size != 1 && !iterations)
    return std::nullopt;
  const bool isNarrow = ir::bitWidth(type) < 32;
  const Polynomial stride(step);
  if ((isNarrow && size != 1 && !endsInType(type, *lo + stride * *iterations)) ||
      (op.postTest && (isNarrow || op.predicate != ir::Predicate::Ne) &&
       !staysInType(type, *lo, step, *hi)))
    return std::nullopt;
  return CounterRange{counterName(function_.region(op.regions[0]).args[0]), *lo, step, *iterations};
}

} // namespace colonnade
