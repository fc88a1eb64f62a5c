//===- VerifierTypes.cpp - Operand counts and types per operation -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/VerifierTypes.h"

#include "IR/Evaluate.h"
#include "IR/VerifierRules.h"

namespace colonnade::ir {

Breach Rules::match(llvm::ArrayRef<ValueId> values, llvm::ArrayRef<ValueId> types,
                    const char *what) const {
  if (values.size() != types.size())
    return std::string(what) + ": " + std::to_string(values.size()) + " values for " +
           std::to_string(types.size());
  for (size_t i = 0; i < values.size(); ++i)
    if (f_.value(values[i]).type != f_.value(types[i]).type)
      return std::string(what) + ": value " + std::to_string(i) + " has another type";
  return std::nullopt;
}

/// Back ends with lanes keep what varies in vectors, and the rest in scalars.
bool Rules::hasLanes() const { return f_.launch && std::holds_alternative<LaneShape>(*f_.launch); }

Breach Rules::carry(llvm::ArrayRef<ValueId> values, llvm::ArrayRef<ValueId> targets,
                    const char *what) const {
  if (auto wrong = match(values, targets, what))
    return wrong;
  for (size_t i = 0; hasLanes() && i < values.size(); ++i)
    if (f_.varying(values[i]) && !f_.varying(targets[i]))
      return std::string(what) + ": value " + std::to_string(i) + " varies, its target does not";
  return std::nullopt;
}

Breach Rules::share(llvm::ArrayRef<ValueId> values, llvm::ArrayRef<ValueId> variables,
                    const char *what) const {
  if (auto wrong = carry(values, variables, what))
    return wrong;
  return carry(variables, values, what);
}

Breach Rules::check() {
  if (Breach wrong = types())
    return wrong;
  if (hasLanes() && isScalarOperation(op_.opcode) &&
      llvm::any_of(op_.operands, [&](ValueId value) { return f_.varying(value); }))
    return require(llvm::all_of(op_.results, [&](ValueId value) { return f_.varying(value); }),
                   "an operand varies, and the result does not");
  return std::nullopt;
}

Breach Rules::types() {
  switch (op_.opcode) {
  case Opcode::If:
    return ifOp();
  case Opcode::For:
    return forOp();
  case Opcode::Loop:
    return loopOp();
  case Opcode::Load:
  case Opcode::Store:
    return access();
  case Opcode::Yield: // its owner checks the types
    return require(op_.results.empty(), "gives no results");
  case Opcode::Test:
    return require(op_.results.empty() && !op_.operands.empty() && operand(0) == ScalarType::Bool,
                   "the condition must be bool");
  case Opcode::Return:
    if (f_.stage != Stage::Raw)
      return require(op_.operands.empty(), "takes no value outside raw functions");
    return require(op_.operands.size() == (f_.returnType ? 1 : 0) &&
                       (!f_.returnType || operand(0) == *f_.returnType),
                   "the value must have the function's return type");
  case Opcode::Check:
    if (auto wrong = counts(1, 0))
      return wrong;
    return require(operand(0) == ScalarType::Bool, "the condition must be bool");
  case Opcode::Unsupported:
    return require(op_.results.size() <= 1, "gives at most one result");
  case Opcode::CallPart:
    return callPart();
  case Opcode::Lane:
  case Opcode::Warp:
  case Opcode::Member:
  case Opcode::HasInstance:
  case Opcode::Barrier:
  case Opcode::Stage:
  case Opcode::Wait:
    return blockOp();
  case Opcode::AnyLane:
  case Opcode::Blend:
  case Opcode::MulLowHalves:
  case Opcode::DivConstant:
  case Opcode::RemConstant:
    return kernelOp();
  default:
    return isScalarOperation(op_.opcode) ? scalarOp() : pointerOp();
  }
}

Breach Rules::scalarOp() {
  switch (op_.opcode) {
  case Opcode::Constant:
    if (auto wrong = counts(0, 1))
      return wrong;
    if (result() == ScalarType::Pointer || op_.scalar.type != result())
      return "the constant has another type";
    return require(bitWidth(result()) == 64 || op_.scalar.bits >> bitWidth(result()) == 0,
                   "the constant has bits above its width");
  case Opcode::Undef:
    return counts(0, 1);
  case Opcode::Neg:
  case Opcode::Not: {
    if (auto wrong = counts(1, 1))
      return wrong;
    bool isNeg = op_.opcode == Opcode::Neg;
    bool fits = isInteger(operand(0)) || operand(0) == (isNeg ? result() : ScalarType::Bool);
    bool numeric = isInteger(operand(0)) || (isNeg ? isFloat(operand(0)) : fits);
    return require(numeric && operand(0) == result(), "wrong operand or result type");
  }
  case Opcode::Cast:
  case Opcode::Bitcast:
    return cast();
  case Opcode::Math:
    return math();
  case Opcode::Select:
    if (auto wrong = counts(3, 1))
      return wrong;
    return require(operand(0) == ScalarType::Bool && operand(1) == operand(2) &&
                       operand(1) == result(),
                   "needs a bool and two values of the result's type");
  default:
    return op_.opcode >= Opcode::Eq ? comparison() : arithmetic();
  }
}

Breach Rules::arithmetic() {
  if (auto wrong = counts(2, 1))
    return wrong;
  if (operand(0) != result())
    return "the result has another type than the first operand";
  switch (op_.opcode) {
  case Opcode::Shl:
  case Opcode::Shr:
    return require(isInteger(operand(0)) && isInteger(operand(1)), "needs integers");
  case Opcode::Rem:
    return require(isInteger(operand(0)) && operand(0) == operand(1), "needs integers of one type");
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
    return require((isInteger(operand(0)) || operand(0) == ScalarType::Bool) &&
                       operand(0) == operand(1),
                   "needs integers or bools of one type");
  default:
    return require((isInteger(operand(0)) || isFloat(operand(0))) && operand(0) == operand(1),
                   "needs numbers of one type");
  }
}

Breach Rules::comparison() {
  if (auto wrong = counts(2, 1))
    return wrong;
  if (operand(0) != operand(1))
    return "compares different types";
  return require(result() == ScalarType::Bool, "the result must be bool");
}

Breach Rules::cast() {
  if (auto wrong = counts(1, 1))
    return wrong;
  if (operand(0) == ScalarType::Pointer || result() == ScalarType::Pointer)
    return "pointers cannot be cast";
  return require(op_.opcode == Opcode::Cast || bitWidth(operand(0)) == bitWidth(result()),
                 "a bitcast keeps the width");
}

Breach Rules::math() {
  if (auto wrong = counts(arity(op_.math), 1))
    return wrong;
  bool allResult = isFloat(result());
  for (size_t i = 0; i < op_.operands.size(); ++i)
    allResult &= operand(i) == result();
  return require(allResult, "needs floats of the result's type");
}

Breach Rules::ifOp() {
  if (auto wrong = counts(1, op_.results.size()))
    return wrong;
  if (auto wrong = regions(2))
    return wrong;
  if (operand(0) != ScalarType::Bool)
    return "the condition must be bool";
  for (RegionId region : op_.regions) {
    if (!f_.region(region).args.empty())
      return "its regions take no arguments";
    if (f_.region(region).ops.empty())
      return "a region is empty";
    if (auto wrong = carry(f_.terminator(region).operands, op_.results, "yield"))
      return wrong;
  }
  return std::nullopt;
}

Breach Rules::forOp() {
  if (auto wrong = regions(1))
    return wrong;
  llvm::ArrayRef<ValueId> args = f_.region(op_.regions[0]).args;
  if (op_.operands.size() < 3 || args.empty() || f_.region(op_.regions[0]).ops.empty())
    return "needs lo, hi, step, and a body with a counter";
  ScalarType counter = f_.value(args[0]).type;
  if (!isInteger(counter) || operand(0) != counter || operand(1) != counter ||
      operand(2) != counter)
    return "lo, hi, step and counter must be integers of one type";
  llvm::ArrayRef<ValueId> carried = args.drop_front();
  if (auto wrong = carry(llvm::ArrayRef<ValueId>(op_.operands).drop_front(3), carried, "inits"))
    return wrong;
  if (auto wrong = share(op_.results, args, "results"))
    return wrong;
  llvm::ArrayRef<ValueId> yielded = f_.terminator(op_.regions[0]).operands;
  if (op_.hasContinueFlag && (yielded.empty() || f_.value(yielded[0]).type != ScalarType::Bool))
    return "the yield needs a bool continue flag first";
  return carry(yielded.drop_front(op_.hasContinueFlag), carried, "yield");
}

Breach Rules::loopOp() {
  if (auto wrong = regions(2))
    return wrong;
  for (RegionId region : op_.regions)
    if (f_.region(region).ops.empty())
      return "a region is empty";
  llvm::ArrayRef<ValueId> before = f_.region(op_.regions[0]).args;
  llvm::ArrayRef<ValueId> test = f_.terminator(op_.regions[0]).operands;
  llvm::ArrayRef<ValueId> yielded = f_.terminator(op_.regions[1]).operands;
  if (test.empty())
    return "the test needs a condition";
  if (yielded.empty() || f_.value(yielded[0]).type != ScalarType::Bool)
    return "the yield needs a bool continue flag first";
  if (auto wrong = carry(op_.operands, before, "inits"))
    return wrong;
  if (auto wrong = carry(test.drop_front(), before, "test"))
    return wrong;
  if (auto wrong = share(f_.region(op_.regions[1]).args, before, "body arguments"))
    return wrong;
  if (auto wrong = carry(yielded.drop_front(), before, "yield"))
    return wrong;
  return share(op_.results, before, "results");
}

Breach Rules::kernelOp() {
  switch (op_.opcode) {
  case Opcode::AnyLane:
    if (auto wrong = counts(1, 1))
      return wrong;
    return require(operand(0) == ScalarType::Bool && result() == ScalarType::Bool, "needs a mask");
  case Opcode::Blend:
    if (auto wrong = counts(3, 1))
      return wrong;
    return require(operand(0) == ScalarType::Bool && operand(1) == operand(2) &&
                       operand(1) == result(),
                   "needs a mask and two values of the result's type");
  default:
    if (auto wrong = counts(2, 1))
      return wrong;
    if (operand(0) != operand(1) || operand(0) != result())
      return "needs operands of the result's type";
    return op_.opcode == Opcode::MulLowHalves ? require(result() == ScalarType::U64, "needs u64")
                                              : constantDivision();
  }
}

Breach Rules::constantDivision() {
  const Scalar *divisor = f_.constant(op_.operands[1]);
  if (!divisor || !isInteger(divisor->type) || bitWidth(divisor->type) > 32)
    return "needs a constant of at most 32 bits as divisor";
  return require(!isTrivialDivisor(*divisor), "needs a divisor other than -1, 0 and 1");
}

std::optional<std::string> typeBreach(const Module &module, const Function &function,
                                      const Op &op) {
  return Rules(module, function, op).check();
}

} // namespace colonnade::ir
