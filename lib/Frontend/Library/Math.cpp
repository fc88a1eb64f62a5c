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

CallResult lowerMath(const LibraryCall &call, MathFn fn) {
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
  return call.builder().math(fn, args);
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
