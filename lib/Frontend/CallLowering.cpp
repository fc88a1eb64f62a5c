//===- CallLowering.cpp - Calls of lowered functions ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments go left to right (an assignment operator's right side first). Struct
// arguments are copied into a temporary by the caller; struct results are written
// through a hidden first argument.
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::FunctionDecl;
using clang::QualType;
using llvm::dyn_cast;

static bool isInputOutput(llvm::StringRef name) {
  static const char *const names[] = {
      "printf", "fprintf", "sprintf", "snprintf", "puts",  "putchar", "fputs",   "fputc", "putc",
      "scanf",  "fscanf",  "fread",   "fwrite",   "fopen", "fclose",  "getchar", "fgets", "perror"};
  return llvm::is_contained(names, name);
}

static std::string whyNotCallable(const FunctionDecl &callee) {
  std::string name = qualifiedName(callee);
  if (isInputOutput(name) || name.starts_with("std::operator<<") ||
      name.starts_with("std::basic_ostream"))
    return "input or output: call of '" + name + "'";
  if (name == "malloc" || name == "calloc" || name == "realloc" || name == "free")
    return "dynamic memory: call of '" + name + "'";
  if (name.starts_with("fe") && (name.ends_with("except") || name.ends_with("round") ||
                                 name.ends_with("env") || name.ends_with("exceptflag")))
    return "floating-point environment: call of '" + name + "'";
  bool isMath = callee.getReturnType()->isRealFloatingType() && callee.getNumParams() > 0 &&
                callee.getParamDecl(0)->getType()->isRealFloatingType() &&
                callee.getASTContext().getSourceManager().isInSystemHeader(callee.getLocation());
  if (isMath)
    return "call of '" + name + "', a function of <cmath> outside the subset; write it out";
  return "call of '" + name + "', which has no visible body";
}

/// The arguments' accesses still count.
void FunctionLowering::discardArguments(const clang::CallExpr &call) {
  for (const Expr *arg : call.arguments())
    if (!arg->getType()->isFunctionType() && !arg->getType()->isFunctionPointerType() &&
        unsupportedReason(arg->getType()).empty())
      lowerDiscarded(*arg);
}

ValueId FunctionLowering::lowerArgument(const Expr &arg, QualType paramType) {
  if (paramType->isReferenceType())
    return paramType->getPointeeType()->isFunctionType()
               ? unsupported(arg.getExprLoc(), "function pointer", context_.VoidPtrTy)
               : lowerLValue(arg).pointer;
  if (isAggregate(paramType)) {
    LValue copy = makeTemporary(paramType, "%arg");
    initialize(arg, copy);
    return copy.pointer;
  }
  return lowerScalar(arg);
}

void FunctionLowering::lowerArguments(const FunctionDecl &callee, llvm::ArrayRef<const Expr *> args,
                                      std::vector<ValueId> &out) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (i >= callee.getNumParams())
      return unsupported(args[i]->getExprLoc(), "variable arguments");
    QualType type = callee.getParamDecl(i)->getType();
    out.push_back(lowerArgument(*args[i], type));
  }
}

ValueId FunctionLowering::lowerObjectArgument(const Expr &object, bool isArrow) {
  return isArrow ? lowerScalar(object) : lowerLValue(object).pointer;
}

/// A call whose arguments are values already. A struct result is written to
/// `into`, or to a temporary.
ValueId FunctionLowering::emitCall(const FunctionDecl &callee, std::vector<ValueId> args,
                                   QualType result, clang::SourceLocation loc, const LValue *into) {
  std::optional<ir::ScalarType> scalar =
      result->isVoidType() ? std::nullopt : scalarType(callee.getReturnType());
  if (!module_.definitionOf(callee))
    return unsupported(loc, whyNotCallable(callee), callee.getReturnType());
  at(loc);
  for (ValueId &arg : args)
    if (!arg) // its construct has been reported
      arg = builder_.null();
  if (isAggregate(callee.getReturnType())) {
    LValue place = into ? *into : makeTemporary(callee.getReturnType(), "%tmp");
    args.insert(args.begin(), place.pointer);
  }
  size_t expected = callee.getNumParams() + isAggregate(callee.getReturnType());
  if (const auto *method = dyn_cast<clang::CXXMethodDecl>(&callee))
    expected += method->isInstance();
  if (args.size() != expected)
    return unsupported(loc, "call of '" + qualifiedName(callee) + "' with other arguments",
                       callee.getReturnType());
  FunctionId id = module_.functionFor(callee);
  OpId op = builder_.call(id, args, scalar);
  return scalar ? builder_.result(op) : ValueId();
}

/// operator= of plain structs, and copies that the language makes itself.
bool FunctionLowering::lowerTrivialMember(const clang::CallExpr &call, const FunctionDecl &callee) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&callee);
  if (!method)
    return false;
  bool isAssignment = method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator();
  QualType owner = context_.getRecordType(method->getParent());
  return isAssignment && (method->isTrivial() || asStdArray(owner)) && call.getNumArgs() >= 1;
}

ValueId FunctionLowering::lowerCall(const clang::CallExpr &call, const LValue *into) {
  at(call.getExprLoc());
  QualType result = call.getType();
  if (call.isGLValue())
    result = context_.getLValueReferenceType(result);
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee) {
    discardArguments(call);
    return unsupported(call.getExprLoc(), "call through a function pointer", result);
  }
  ValueId known;
  if (lowerKnownCall(call, *callee, known))
    return known;

  std::vector<const Expr *> exprs(call.getArgs(), call.getArgs() + call.getNumArgs());
  std::vector<ValueId> args;
  const auto *method = dyn_cast<clang::CXXMethodDecl>(callee);
  const auto *memberCall = dyn_cast<clang::CXXMemberCallExpr>(&call);
  const auto *operatorCall = dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const clang::MemberExpr *member =
      memberCall ? dyn_cast<clang::MemberExpr>(memberCall->getCallee()->IgnoreParens()) : nullptr;
  if (method && method->isVirtual() && !(member && member->hasQualifier())) {
    discardArguments(call);
    return unsupported(call.getExprLoc(), "virtual call of '" + qualifiedName(*callee) + "'",
                       result);
  }
  bool trivial = lowerTrivialMember(call, *callee);
  if (operatorCall && method && method->isInstance()) {
    const Expr &object = *exprs.front();
    exprs.erase(exprs.begin());
    if (operatorCall->isAssignmentOp()) { // the right side first
      std::vector<ValueId> values;
      if (trivial)
        values.push_back(lowerLValue(*exprs[0]).pointer);
      else
        lowerArguments(*callee, exprs, values);
      args.push_back(lowerLValue(object).pointer);
      args.insert(args.end(), values.begin(), values.end());
    } else {
      args.push_back(lowerLValue(object).pointer);
      lowerArguments(*callee, exprs, args);
    }
  } else if (member && method->isInstance()) {
    args.push_back(lowerObjectArgument(*member->getBase(), member->isArrow()));
    lowerArguments(*callee, exprs, args);
  } else if (method && method->isInstance()) {
    discardArguments(call);
    return unsupported(call.getExprLoc(), "call of this form", result);
  } else if (operatorCall && operatorCall->isAssignmentOp() && exprs.size() == 2) {
    args.resize(2);
    args[1] = lowerArgument(*exprs[1], callee->getParamDecl(1)->getType());
    args[0] = lowerArgument(*exprs[0], callee->getParamDecl(0)->getType());
  } else {
    if (operatorCall && method && method->isStatic()) // C++23 static operator()
      exprs.erase(exprs.begin());
    lowerArguments(*callee, exprs, args);
  }
  at(call.getExprLoc());
  if (trivial && args.size() == 2) {
    copyObject({args[0], context_.getRecordType(method->getParent())}, args[1]);
    return args[0];
  }
  return emitCall(*callee, std::move(args), result, call.getExprLoc(), into);
}

} // namespace colonnade::frontend
