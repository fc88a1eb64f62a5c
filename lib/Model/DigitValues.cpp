//===- DigitValues.cpp - Operations as numbers of digits ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: operations of a nest. Out: their results as numbers and conditions (Digits.h).
//
// Invariant: a result has in every iteration the value that the interpreter computes there, or it
// is `Other`.
//
//===----------------------------------------------------------------------===//

#include "Model/DigitNest.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::ScalarType;
using NumberKind = DigitNumber::Kind;

/// From before the nest.
ProfileSummary::DigitNest::Value ProfileSummary::DigitNest::outside(ValueId id) {
  const LinearValue &of = summary_.values_[id.index];
  const ScalarType type = summary_.typeOf(id);
  if (of.kind == LinearValue::Kind::Undefined)
    return {summary_.isKernel_ ? Value::Kind::Data : Value::Kind::Other};
  if (!of.isKnown() || ir::isFloat(type))
    return {};
  const int64_t known = ir::asInt64(of.scalar);
  if (type == ScalarType::Bool)
    return truth(system_.constantly(known != 0));
  constexpr int64_t Most = int64_t(1) << 60;
  if (!ir::isInteger(type) || known < (type == ScalarType::U64 ? 0 : -Most) || known > Most)
    return {};
  return number(system_.constant(known));
}

ProfileSummary::DigitNest::Value ProfileSummary::DigitNest::value(ValueId id) {
  const auto found = values_.find(id.index);
  return found != values_.end() ? found->second : outside(id);
}

ProfileSummary::DigitNest::Value ProfileSummary::DigitNest::plain(const Op &op) {
  llvm::SmallVector<Value, 3> of;
  for (ValueId operand : op.operands)
    of.push_back(value(operand));
  const auto isOf = [&](Value::Kind kind) {
    return [kind](const Value &value) { return value.kind == kind; };
  };
  if (op.opcode == Opcode::AnyLane)
    return of[0];
  if (llvm::any_of(of, isOf(Value::Kind::Data)))
    return {Value::Kind::Data};
  const Opcode opcode = meantBy(op.opcode);
  if (opcode == Opcode::Select)
    return of[0].kind == Value::Kind::Truth ? chosen(of[0].id, of[1], of[2]) : Value();
  const ScalarType type = summary_.typeOf(op.results[0]);
  if (llvm::all_of(of, isOf(Value::Kind::Truth)))
    return opcode == Opcode::Cast && ir::isInteger(type)
               ? number(system_.choice(of[0].id, system_.constant(1), system_.constant(0)))
               : ofTruths(opcode, of);
  if (!llvm::all_of(of, isOf(Value::Kind::Number)) || of.empty())
    return {};
  if (ir::isComparison(opcode))
    return compared(opcode, of[0].id, of[1].id);
  if (opcode == Opcode::Cast && type == ScalarType::Bool)
    return compared(Opcode::Ne, of[0].id, system_.constant(0));
  if (!ir::isInteger(type))
    return {};
  const Value result = fitted(ofNumbers(opcode, of), type);
  if (result.kind == Value::Kind::Number)
    if (const DigitNumber &made = system_.number(result.id);
        made.kind != NumberKind::Sum && made.kind != NumberKind::Variable)
      noteLoops(made.loops);
  return result;
}

ProfileSummary::DigitNest::Value ProfileSummary::DigitNest::ofTruths(Opcode opcode,
                                                                     llvm::ArrayRef<Value> of) {
  switch (opcode) {
  case Opcode::Not:
    return truth(system_.isNot(of[0].id));
  case Opcode::And:
    return truth(system_.both(of[0].id, of[1].id));
  case Opcode::Or:
    return truth(system_.either(of[0].id, of[1].id));
  case Opcode::Xor:
  case Opcode::Ne:
    return truth(system_.isNot(system_.same(of[0].id, of[1].id)));
  case Opcode::Eq:
    return truth(system_.same(of[0].id, of[1].id));
  case Opcode::Cast:
    return of[0];
  default:
    return {};
  }
}

/// Without looking whether a type holds it.
ProfileSummary::DigitNest::Value ProfileSummary::DigitNest::ofNumbers(Opcode opcode,
                                                                      llvm::ArrayRef<Value> of) {
  const DigitNumberId a = of[0].id, b = of.back().id;
  const std::optional<int64_t> by = system_.constantOf(b);
  constexpr int64_t MaxShift = 40;
  const bool isShift = by && *by >= 0 && *by < MaxShift;
  switch (opcode) {
  case Opcode::Neg:
    return number(system_.sum(a, -1, system_.constant(0), 1));
  case Opcode::Not:
    return number(system_.sum(a, -1, system_.constant(-1), 1));
  case Opcode::Cast:
    return of[0];
  case Opcode::Add:
    return number(system_.sum(a, 1, b, 1));
  case Opcode::Sub:
    return number(system_.sum(a, 1, b, -1));
  case Opcode::Mul:
    if (const std::optional<int64_t> scale = by ? by : system_.constantOf(a))
      return number(system_.sum(by ? a : b, *scale, system_.constant(0), 1));
    return {};
  case Opcode::Shl:
    return isShift ? number(system_.sum(a, int64_t(1) << *by, system_.constant(0), 1)) : Value();
  case Opcode::Shr:
    return isShift ? number(system_.quotient(a, int64_t(1) << *by)) : Value();
  case Opcode::Div:
    return by ? number(system_.quotient(a, *by)) : Value();
  case Opcode::Rem:
    return by ? number(system_.remainder(a, *by)) : Value();
  case Opcode::And:
    return number(system_.masked(NumberKind::And, a, b));
  case Opcode::Or:
    return number(system_.masked(NumberKind::Or, a, b));
  case Opcode::Xor:
    return number(system_.masked(NumberKind::Xor, a, b));
  default:
    return {};
  }
}

ProfileSummary::DigitNest::Value ProfileSummary::DigitNest::fitted(Value of, ScalarType type) {
  if (of.kind != Value::Kind::Number)
    return of;
  const ValueRange any = anyOf(type).value_or(ValueRange{0, INT64_MAX}),
                   range = system_.number(of.id).range;
  if (range.low >= any.low && range.high <= any.high)
    return of;
  return ir::isSigned(type) ? Value() : number(system_.low(of.id, ir::bitWidth(type)));
}

ProfileSummary::DigitNest::Value ProfileSummary::DigitNest::compared(Opcode opcode, DigitNumberId a,
                                                                     DigitNumberId b) {
  const bool isSwapped = opcode == Opcode::Gt || opcode == Opcode::Le;
  const std::optional<DigitNumberId> difference =
      isSwapped ? system_.sum(b, 1, a, -1) : system_.sum(a, 1, b, -1);
  if (!difference)
    return {};
  noteLoops(system_.number(*difference).loops);
  const bool isOfEquality = opcode == Opcode::Eq || opcode == Opcode::Ne;
  const DigitTruthId made =
      isOfEquality ? system_.isZero(*difference) : system_.isNegative(*difference);
  const bool isInverted = opcode == Opcode::Ne || opcode == Opcode::Le || opcode == Opcode::Ge;
  return truth(isInverted ? system_.isNot(made) : made);
}

ProfileSummary::DigitNest::Value ProfileSummary::DigitNest::chosen(DigitTruthId condition, Value a,
                                                                   Value b) {
  if (const std::optional<bool> known = system_.constantTruth(condition))
    return *known ? a : b;
  if (a.kind != b.kind)
    return {};
  if (a.kind == Value::Kind::Number)
    return number(system_.choice(condition, a.id, b.id));
  if (a.kind != Value::Kind::Truth)
    return a;
  return truth(
      system_.either(system_.both(condition, a.id), system_.both(system_.isNot(condition), b.id)));
}

} // namespace colonnade::model
