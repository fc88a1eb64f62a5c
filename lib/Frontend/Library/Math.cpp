//===- Math.cpp - Functions of <cmath> with an IR operation ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In C++ the name alone does not say the type: std::sqrt has an overload for integers
// and one for long double, std::pow takes mixed ones. The result's type decides.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"

namespace colonnade::frontend::library {

using ir::MathFn;
using ir::Opcode;
using ir::ScalarType;

/// All arguments in the type of the result; none if that is no float.
static std::optional<std::vector<ValueId>> floatArguments(const LibraryCall &call) {
  std::optional<ScalarType> type = call.type();
  if (!type || !isFloat(*type))
    return std::nullopt;
  std::vector<ValueId> args;
  for (const clang::Expr *arg : call.expr.arguments()) {
    ValueId value =
        scalarType(arg->getType().getNonReferenceType())
            ? call.function.lowerScalar(*arg)
            : call.function.unsupported(arg->getExprLoc(), unsupportedReason(arg->getType()),
                                        call.expr.getType());
    args.push_back(call.builder().convert(value, *type));
  }
  call.here();
  return args;
}

CallResult lowerMath(const LibraryCall &call, MathFn fn) {
  std::optional<std::vector<ValueId>> args = floatArguments(call);
  return args ? CallResult(call.builder().math(fn, *args)) : std::nullopt;
}

/// The body that libstdc++ and libc++ give std::lerp(a, b, t), with both sides of each branch
/// computed and one chosen:
///   a and b of different sign: t * b + (1 - t) * a
///   t == 1:                    b
///   else:                      a + t * (b - a), not beyond b on the wrong side of it
CallResult interpolate(const LibraryCall &call) {
  std::optional<std::vector<ValueId>> args = floatArguments(call);
  if (!args)
    return std::nullopt;
  RawBuilder &builder = call.builder();
  ValueId a = (*args)[0], b = (*args)[1], t = (*args)[2];
  ValueId zero = builder.zero(*call.type());
  ValueId one = builder.cast(builder.constantInt(ScalarType::S32, 1), *call.type());
  auto test = [&](Opcode opcode, ValueId x, ValueId y) { return builder.binary(opcode, x, y); };
  auto apart = [&](ValueId low, ValueId high) {
    ValueId below = test(Opcode::Le, low, zero);
    return builder.binary(Opcode::And, below, test(Opcode::Ge, high, zero));
  };
  ValueId upwards = apart(a, b);
  ValueId apartAtAll = builder.binary(Opcode::Or, upwards, apart(b, a));
  ValueId fromB = builder.binary(Opcode::Mul, t, b);
  ValueId rest = builder.binary(Opcode::Sub, one, t);
  ValueId weighted = builder.binary(Opcode::Add, fromB, builder.binary(Opcode::Mul, rest, a));
  ValueId way = builder.binary(Opcode::Mul, t, builder.binary(Opcode::Sub, b, a));
  ValueId x = builder.binary(Opcode::Add, a, way);
  ValueId least = builder.select(test(Opcode::Lt, b, x), x, b);
  ValueId most = builder.select(test(Opcode::Gt, b, x), x, b);
  ValueId isBeyond = test(Opcode::Gt, t, one);
  ValueId differ = builder.binary(Opcode::Xor, isBeyond, test(Opcode::Gt, b, a));
  ValueId bounded = builder.select(differ, most, least);
  bounded = builder.select(test(Opcode::Eq, t, one), b, bounded);
  return builder.select(apartAtAll, weighted, bounded);
}

CallResult lowerRounding(const LibraryCall &call, MathFn fn) {
  std::optional<ScalarType> type = call.type();
  if (!type || !isInteger(*type))
    return std::nullopt;
  RawBuilder &builder = call.builder();
  ValueId value = call.value(0);
  call.here();
  if (!isFloat(builder.typeOf(value)))
    value = builder.cast(value, ScalarType::F64);
  return builder.cast(builder.math(fn, {value}), *type);
}

CallResult longDouble(const LibraryCall &call) {
  if (!call.type() && !call.expr.getType()->isRealFloatingType())
    return std::nullopt;
  return call.unsupported("long double");
}

CallResult absolute(const LibraryCall &call) {
  std::optional<ScalarType> type = call.type();
  return type && isFloat(*type) ? lowerMath(call, MathFn::Fabs) : integerAbsolute(call);
}

CallResult integerAbsolute(const LibraryCall &call) {
  std::optional<ScalarType> type = call.type();
  if (!type || !isInteger(*type))
    return std::nullopt;
  RawBuilder &builder = call.builder();
  ValueId value = call.value(0);
  call.here();
  ValueId negative = builder.binary(Opcode::Lt, value, builder.zero(*type));
  return builder.select(negative, builder.unary(Opcode::Neg, value), value);
}

} // namespace colonnade::frontend::library
