//===- LibraryCall.h - What the handler of a library call is given --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the call, and the function in whose body it stands. The members are short for
// what most handlers ask of the two. Out: the operands that a handler lowers, and the result's
// type.
//
// Invariant: arguments are lowered by the handler alone, each once, in the order in
// which clang -O0 evaluates them; a handler that returns no result has lowered none.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LIBRARY_LIBRARYCALL_H
#define COLONNADE_FRONTEND_LIBRARY_LIBRARYCALL_H

#include "Frontend/Library/Table.h"
#include "Frontend/Lowering/FunctionLowering.h"

namespace colonnade::frontend::library {

struct LibraryCall {
  FunctionLowering &function;
  const clang::CallExpr &expr;
  const clang::FunctionDecl &callee;

  RawBuilder &builder() const { return function.builder(); }
  clang::SourceLocation loc() const { return expr.getExprLoc(); }
  const clang::Expr &arg(unsigned i) const { return *expr.getArg(i); }
  /// The scalar types of the result and of an argument; none for anything else.
  std::optional<ir::ScalarType> type() const { return scalarType(expr.getType()); }
  std::optional<ir::ScalarType> typeOf(unsigned i) const { return scalarType(arg(i).getType()); }
  ValueId value(unsigned i) const { return function.lowerScalar(arg(i)); }
  /// Operations from here on are located at the call.
  void here() const { function.at(loc()); }
  ValueId unsupported(std::string what) const {
    return function.unsupported(loc(), std::move(what), expr.getType());
  }
};

} // namespace colonnade::frontend::library

#endif // COLONNADE_FRONTEND_LIBRARY_LIBRARYCALL_H
