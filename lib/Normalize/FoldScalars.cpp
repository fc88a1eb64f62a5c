//===- FoldScalars.cpp - Constant folding and identities ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that hold for all operand values. Floats are only folded when both
// operands are constants: x + 0, x * 1 and x - x are not identities there.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Fold.h"

namespace colonnade::canonical {

namespace {

/// Every value of `from` is a value of `to`.
bool widens(ScalarType from, ScalarType to) {
  if (from == ScalarType::Bool)
    return ir::isInteger(to);
  if (!ir::isInteger(from) || !ir::isInteger(to))
    return false;
  unsigned fromBits = ir::bitWidth(from), toBits = ir::bitWidth(to);
  if (ir::isSigned(from) == ir::isSigned(to))
    return toBits >= fromBits;
  return !ir::isSigned(from) && toBits > fromBits;
}

} // namespace

ValueId Folder::emit(Opcode opcode, llvm::ArrayRef<ValueId> operands, ScalarType type) {
  ir::Op op = ir::makeOp(opcode, operands);
  const ir::Expression expression(op, type);
  if (ValueId known = values_.find(expression); known && isVisible(known))
    return known;
  ValueId result = builder_.result(append(std::move(op), type));
  values_.replace(expression, result);
  return result;
}

/// Whether every compiler and machine has this result. A NaN that is computed has a sign which
/// differs between them, and which signbit and views of its bytes tell.
static bool isSame(const ir::Evaluation &e) {
  return e.undefined == ir::Undefined::None && !ir::isNaN(e.value);
}

ValueId Folder::unary(Opcode opcode, ValueId a) {
  if (const Scalar *s = constantOf(a)) {
    ir::Evaluation e = ir::evaluateUnary(opcode, *s);
    if (isSame(e))
      return constant(e.value);
  }
  if (const ir::Op *def = definition(a, Opcode::Not); def && opcode == Opcode::Not)
    return def->operands[0];
  return emit(opcode, a, typeOf(a));
}

ValueId Folder::binary(Opcode opcode, ValueId a, ValueId b) {
  const Scalar *sa = constantOf(a), *sb = constantOf(b);
  if (sa && sb) {
    ir::Evaluation e = ir::evaluateBinary(opcode, *sa, *sb);
    if (isSame(e))
      return constant(e.value);
  }
  ValueId folded;
  if (ir::isComparison(opcode))
    folded = foldComparison(opcode, a, b);
  else if (typeOf(a) == ScalarType::Bool)
    folded = foldBool(opcode, a, b);
  else if (ir::isInteger(typeOf(a)))
    folded = foldBinaryIdentity(opcode, a, b);
  if (folded)
    return folded;
  return emit(opcode, {a, b}, ir::isComparison(opcode) ? ScalarType::Bool : typeOf(a));
}

/// Integers only.
ValueId Folder::foldBinaryIdentity(Opcode opcode, ValueId a, ValueId b) {
  std::optional<int64_t> ca = intConstant(a), cb = intConstant(b);
  switch (opcode) {
  case Opcode::Add:
    return cb == 0 ? a : ca == 0 ? b : ValueId();
  case Opcode::Sub:
  case Opcode::Shl:
  case Opcode::Shr:
    return cb == 0 ? a : ValueId();
  case Opcode::Or:
  case Opcode::Xor:
    return cb == 0 ? a : ca == 0 ? b : ValueId();
  case Opcode::Mul:
    if (ca == 0 || cb == 0)
      return constantInt(typeOf(a), 0);
    return cb == 1 ? a : ca == 1 ? b : ValueId();
  case Opcode::Div:
    return cb == 1 ? a : ValueId();
  case Opcode::And:
    if (ca == 0 || cb == 0)
      return constantInt(typeOf(a), 0);
    return {};
  default:
    return {};
  }
}

ValueId Folder::foldComparison(Opcode opcode, ValueId a, ValueId b) {
  if (constantOf(a) && !constantOf(b)) // the constant goes to the right
    return binary(ir::mirrored(opcode), b, a);
  if (ir::isFloat(typeOf(a)))
    return {};
  if (a == b)
    return constantBool(opcode == Opcode::Eq || opcode == Opcode::Le || opcode == Opcode::Ge);
  bool equality = opcode == Opcode::Eq || opcode == Opcode::Ne;
  std::optional<int64_t> cb = intConstant(b);
  if (!equality || !cb)
    return {};
  // (int)flag != 0, flag == true: the flag itself or its negation.
  ValueId flag = a;
  if (const ir::Op *cast = definition(a, Opcode::Cast))
    flag = cast->operands[0];
  if (typeOf(flag) != ScalarType::Bool || ir::isFloat(typeOf(a)))
    return {};
  if (*cb != 0 && *cb != 1)
    return constantBool(opcode == Opcode::Ne);
  bool same = (opcode == Opcode::Eq) == (*cb == 1);
  return same ? flag : logicalNot(flag);
}

ValueId Folder::foldBool(Opcode opcode, ValueId a, ValueId b) {
  std::optional<int64_t> ca = intConstant(a), cb = intConstant(b);
  if (ca && !cb) {
    std::swap(a, b);
    std::swap(ca, cb);
  }
  switch (opcode) {
  case Opcode::And:
    if (a == b)
      return a;
    return !cb ? ValueId() : *cb ? a : b;
  case Opcode::Or:
    if (a == b)
      return a;
    return !cb ? ValueId() : *cb ? b : a;
  case Opcode::Xor:
    return !cb ? ValueId() : *cb ? logicalNot(a) : a;
  default:
    return {};
  }
}

ValueId Folder::cast(ValueId a, ScalarType to) {
  ScalarType from = typeOf(a);
  if (from == to)
    return a;
  if (const Scalar *s = constantOf(a)) {
    ir::Evaluation e = ir::evaluateCast(*s, to);
    if (isSame(e))
      return constant(e.value);
  }
  if (const ir::Op *inner = definition(a, Opcode::Cast)) {
    ValueId source = inner->operands[0];
    // An integer that was widened without loss: cast the original directly.
    if (widens(typeOf(source), from) && (ir::isInteger(to) || to == ScalarType::Bool))
      return cast(source, to);
  }
  if (to == ScalarType::Bool)
    return binary(Opcode::Ne, a, constant({from, 0}));
  bool ofParameter = out_.value(a).region == out_.body && ir::isInteger(to) && !ir::isFloat(from);
  return ofParameter ? pooled(ir::makeOp(Opcode::Cast, a), to) : emit(Opcode::Cast, a, to);
}

ValueId Folder::wrapping(Opcode opcode, ValueId a, ValueId b) {
  const ScalarType type = typeOf(a);
  if (!ir::isSigned(type))
    return binary(opcode, a, b);
  const std::optional<int64_t> ca = intConstant(a), cb = intConstant(b);
  if (ca && cb) {
    const uint64_t x = static_cast<uint64_t>(*ca), y = static_cast<uint64_t>(*cb);
    const uint64_t value = opcode == Opcode::Add ? x + y : opcode == Opcode::Sub ? x - y : x * y;
    return constantInt(type, static_cast<int64_t>(value));
  }
  const bool isIdentity = opcode == Opcode::Mul   ? ca == 0 || cb == 0 || ca == 1 || cb == 1
                          : opcode == Opcode::Add ? ca == 0 || cb == 0
                                                  : cb == 0;
  if (isIdentity)
    return binary(opcode, a, b);
  ir::Op op = ir::makeOp(opcode, {a, b});
  op.speculative = true;
  return out_.op(append(std::move(op), type)).results[0];
}

ValueId Folder::bitcast(ValueId a, ScalarType to) {
  if (typeOf(a) == to)
    return a;
  if (const Scalar *s = constantOf(a))
    return constant(ir::evaluateBitcast(*s, to));
  if (const ir::Op *inner = definition(a, Opcode::Bitcast))
    if (typeOf(inner->operands[0]) == to)
      return inner->operands[0];
  return emit(Opcode::Bitcast, a, to);
}

ValueId Folder::math(ir::MathFn fn, llvm::ArrayRef<ValueId> args) {
  ir::Op op = ir::makeOp(Opcode::Math, args);
  op.math = fn;
  // Only exact functions: the others differ between host and target.
  llvm::SmallVector<Scalar, 3> scalars;
  for (ValueId arg : args)
    if (const Scalar *s = constantOf(arg))
      scalars.push_back(*s);
  if (scalars.size() == args.size() && ir::isExact(fn)) {
    ir::Evaluation e = ir::evaluateMath(fn, scalars);
    if (isSame(e))
      return constant(e.value);
  }
  return builder_.result(append(std::move(op), typeOf(args[0])));
}

ValueId Folder::select(ValueId c, ValueId a, ValueId b) {
  if (a == b)
    return a;
  if (std::optional<bool> truth = known(c))
    return *truth ? a : b;
  return emit(Opcode::Select, {c, a, b}, typeOf(a));
}

ValueId Folder::scalarOp(const ir::Op &like, llvm::ArrayRef<ValueId> operands, ScalarType result) {
  switch (like.opcode) {
  case Opcode::Neg:
  case Opcode::Not:
    return unary(like.opcode, operands[0]);
  case Opcode::Cast:
    return cast(operands[0], result);
  case Opcode::Bitcast:
    return bitcast(operands[0], result);
  case Opcode::Math:
    return math(like.math, operands);
  case Opcode::Select:
    return select(operands[0], operands[1], operands[2]);
  default:
    return binary(like.opcode, operands[0], operands[1]);
  }
}

} // namespace colonnade::canonical
