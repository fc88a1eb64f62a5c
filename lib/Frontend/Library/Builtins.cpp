//===- Builtins.cpp - Builtins of the compiler, annotations ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hints to an optimiser say nothing here; what the language itself evaluates
// (__builtin_inf, __builtin_constant_p) is a constant.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"
#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/ConstantContext.h"

namespace colonnade::frontend::library {

using clang::Expr;

/// COLONNADE_ASSUME; a COLONNADE_BOUND was read by its loop. Any other says nothing of its
/// operand.
CallResult annotation(const LibraryCall &call) {
  const auto *literal = llvm::dyn_cast<clang::StringLiteral>(&spelled(call.arg(1)));
  llvm::StringRef text = literal ? literal->getString() : "";
  if (text.consume_front("colonnade.assume:")) {
    ValueId holds = call.function.lowerCondition(call.arg(0));
    call.here();
    call.builder().check(holds, text.str());
    return ValueId();
  }
  return call.value(0);
}

CallResult firstArgument(const LibraryCall &call) {
  ValueId first = call.value(0);
  for (unsigned i = 1; i < call.expr.getNumArgs(); ++i)
    call.function.lowerDiscarded(call.arg(i));
  return first;
}

CallResult prefetch(const LibraryCall &call) {
  for (const Expr *argument : call.expr.arguments())
    call.function.lowerDiscarded(*argument);
  return ValueId();
}

CallResult hint(const LibraryCall &) { return ValueId(); }

CallResult trap(const LibraryCall &call) {
  call.function.unsupported(call.loc(), "abnormal termination");
  return ValueId();
}

/// The library asks whether it may take a shorter way: it need not. What a user's function does
/// with the answer depends on the compiler.
static bool isAskedByLibrary(const LibraryCall &call) {
  const clang::SourceManager &sources = call.callee.getASTContext().getSourceManager();
  return call.expr.getBuiltinCallee() == clang::Builtin::BI__builtin_constant_p &&
         sources.isInSystemHeader(sources.getExpansionLoc(call.expr.getExprLoc()));
}

CallResult otherBuiltin(const LibraryCall &call) {
  Expr::EvalResult value;
  if (!call.expr.isValueDependent() && !dependsOnCompiler(call.expr, call.callee.getASTContext()) &&
      call.expr.EvaluateAsRValue(value, call.callee.getASTContext()) && !value.HasSideEffects)
    if (auto constant = call.function.lowerKnownConstant(value.Val, call.expr.getType()))
      return constant;
  if (isAskedByLibrary(call)) {
    if (!call.arg(0).HasSideEffects(call.function.context())) // as Clang reads it
      call.function.lowerDiscarded(call.arg(0));
    return call.builder().zero(*call.type());
  }
  return call.unsupported("builtin function '" + call.callee.getNameAsString() + "'");
}

} // namespace colonnade::frontend::library
