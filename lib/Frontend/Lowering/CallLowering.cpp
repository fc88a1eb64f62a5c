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

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"
#include "Frontend/Lowering/FunctionLowering.h"
#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/CopyElision.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::FunctionDecl;
using clang::QualType;
using llvm::dyn_cast;

static std::string whyNotCallable(const FunctionDecl &callee) {
  std::string name = qualifiedName(callee);
  const FunctionDecl *definition = nullptr;
  if (callee.hasBody(definition) && isReplaceable(*definition))
    return "call of '" + name + "', " +
           (definition->isMultiVersion() ? "one of several versions for different processors"
            : definition->isInlined() ? "an inline definition, beside which there is another (make "
                                        "it static, or name the file with the other one too)"
                                      : "a weak definition, which the linker may replace (name the "
                                        "file with the other definition too)");
  if (const library::LibraryFunction *known = library::findUnseenFunction(name))
    return known->refusal.str() + ": call of '" + name + "'";
  if (name.starts_with("std::operator<<") || name.starts_with("std::basic_ostream"))
    return "input or output: call of '" + name + "'";
  bool isMath = callee.getReturnType()->isRealFloatingType() && callee.getNumParams() > 0 &&
                callee.getParamDecl(0)->getType()->isRealFloatingType() &&
                callee.getASTContext().getSourceManager().isInSystemHeader(callee.getLocation());
  if (isMath)
    return "call of '" + name + "', a function of <cmath> outside the subset; write it out";
  return "call of '" + name + "', which has no visible body; name the file that defines it, too";
}

/// Where there is no prototype, arguments are passed as int or double.
static bool isPromotionOf(QualType arg, QualType param) {
  std::optional<ir::ScalarType> from = scalarType(arg), to = scalarType(param);
  return from && to &&
         ((*from == ir::ScalarType::F64 && *to == ir::ScalarType::F32) ||
          (*from == ir::ScalarType::S32 && isInteger(*to) && bitWidth(*to) < 32));
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
               ? unsupported(arg.getExprLoc(), FunctionPointer, context_.VoidPtrTy)
               : lowerLValue(arg).pointer;
  if (isAggregate(paramType)) {
    if (isUndecidedArgument(arg, paramType)) {
      SourceNodeScope scope = standsFor(arg);
      unsupported(arg.getExprLoc(), "argument that knows where it was built, which compilers copy "
                                    "or not (pass it by reference)");
    }
    LValue object = makeTemporary(paramType, "%arg");
    initialize(arg, object);
    return object.pointer;
  }
  return lowerScalar(arg);
}

void FunctionLowering::lowerArguments(const FunctionDecl &callee, llvm::ArrayRef<const Expr *> args,
                                      std::vector<ValueId> &out) {
  const FunctionDecl *definition = module_.definitionOf(callee);
  const FunctionDecl &known = definition ? *definition : callee; // int f(); says nothing
  for (size_t i = 0; i < args.size(); ++i) {
    if (i >= known.getNumParams())
      return unsupported(args[i]->getExprLoc(), "variable arguments");
    QualType type = known.getParamDecl(i)->getType();
    ValueId value = lowerArgument(*args[i], type);
    bool isPromoted = !known.hasPrototype() && value && scalarType(type) &&
                      isPromotionOf(args[i]->getType(), type);
    out.push_back(isPromoted ? builder_.convert(value, *scalarType(type)) : value);
  }
}

/// What the callee gets: one value for each parameter of its definition, of its type.
static bool fits(const FunctionDecl &definition,
                 llvm::ArrayRef<std::optional<ir::ScalarType>> args) {
  if (args.size() != definition.getNumParams())
    return false;
  for (auto [param, arg] : llvm::zip(definition.parameters(), args)) {
    QualType type = param->getType();
    std::optional<ir::ScalarType> wanted =
        type->isReferenceType() || isAggregate(type) ? ir::ScalarType::Pointer : scalarType(type);
    if (wanted && arg && *wanted != *arg)
      return false;
  }
  return true;
}

ValueId FunctionLowering::lowerObjectArgument(const Expr &object, bool isArrow) {
  return isArrow ? lowerScalar(object) : lowerLValue(object).pointer;
}

/// A closure without captures, or a function object such as std::ranges::swap, has no state.
static bool hasNoState(const clang::CXXRecordDecl &type) {
  return type.isLambda() ? type.captures().empty() : type.hasDefinition() && type.isEmpty();
}

/// What `()` or another operator is called on. For a variable of the file that has no state any
/// object stands; that it is one and the same is seen by its address alone.
ValueId FunctionLowering::lowerCallable(const Expr &object) {
  const auto *name = dyn_cast<clang::DeclRefExpr>(&spelled(object));
  const auto *variable = name ? dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const auto *type = variable ? variable->getType()->getAsCXXRecordDecl() : nullptr;
  if (type && hasNoState(*type) && !variable->isLocalVarDecl() && variable->hasGlobalStorage() &&
      variable->getTLSKind() == clang::VarDecl::TLS_None &&
      !variable->getType().isVolatileQualified())
    return builder_.constantObject(memType(variable->getType()), variable->getName());
  return lowerLValue(object).pointer;
}

/// A call whose arguments are values already. A struct result is written to
/// `into`, or to a temporary.
ValueId FunctionLowering::emitCall(const FunctionDecl &callee, std::vector<ValueId> args,
                                   QualType result, clang::SourceLocation loc, const LValue *into) {
  std::optional<ir::ScalarType> scalar =
      result->isVoidType() ? std::nullopt : scalarType(callee.getReturnType());
  const FunctionDecl *definition = module_.definitionOf(callee);
  if (!definition)
    return unsupported(loc, whyNotCallable(callee), callee.getReturnType());
  at(loc);
  for (ValueId &arg : args)
    if (!arg) // its construct has been reported
      arg = builder_.null();
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&callee);
  bool hasObject = method && method->isImplicitObjectMemberFunction();
  std::vector<std::optional<ir::ScalarType>> types;
  for (ValueId arg : llvm::drop_begin(args, hasObject && !args.empty()))
    types.push_back(builder_.typeOf(arg));
  if ((hasObject && args.empty()) || !fits(*definition, types) ||
      scalarType(definition->getReturnType()) != scalarType(callee.getReturnType()))
    return unsupported(loc, "call of '" + qualifiedName(callee) + "' with other arguments",
                       callee.getReturnType());
  if (isAggregate(callee.getReturnType())) {
    LValue place = into ? *into : makeTemporary(callee.getReturnType(), "%tmp");
    args.insert(args.begin(), place.pointer);
  }
  FunctionId id = module_.functionFor(callee);
  OpId op = builder_.call(id, args, scalar);
  return scalar ? builder_.result(op) : ValueId();
}

/// operator= of plain structs, and copies that the language makes itself.
bool FunctionLowering::isPlainAssignment(const clang::CallExpr &call, const FunctionDecl &callee) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&callee);
  if (!method)
    return false;
  bool isAssignment = method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator();
  return isAssignment && method->isTrivial() && call.getNumArgs() >= 1;
}

/// A function that is known by name, and that another file of the programme defines: compilers
/// take the one or the other.
bool FunctionLowering::isDefinedTwice(const clang::CallExpr &call,
                                      const FunctionDecl &callee) const {
  const FunctionDecl *definition = module_.definitionOf(callee);
  if (!definition || &definition->getASTContext() == &context_ ||
      !library::findFunction(callee, call.getNumArgs()))
    return false;
  const clang::SourceManager &sources = definition->getASTContext().getSourceManager();
  return !sources.isInSystemHeader(definition->getLocation());
}

/// The value of a call; of one that returns a reference, the value there.
ValueId FunctionLowering::lowerCallValue(const clang::CallExpr &call) {
  SourceNodeScope scope = standsFor(call);
  if (!call.isGLValue())
    return lowerCall(call);
  const FunctionDecl *callee = call.getDirectCallee();
  const library::LibraryFunction *known =
      callee ? library::findFunction(*callee, call.getNumArgs()) : nullptr;
  if (known && known->read)
    if (library::CallResult value = known->read({*this, call, *callee}))
      return *value;
  return loadFrom({lowerCall(call), call.getType()}, call.getExprLoc());
}

/// Functions that are known by name, and builtins; none: lower the call.
std::optional<ValueId> FunctionLowering::lowerLibraryCall(const clang::CallExpr &call,
                                                          const FunctionDecl &callee) {
  library::LibraryCall known = {*this, call, callee};
  const library::LibraryFunction *row = library::findFunction(callee, call.getNumArgs());
  if (row && row->lower)
    if (library::CallResult result = row->lower(known))
      return result;
  return library::isBuiltin(callee) ? library::otherBuiltin(known) : std::nullopt;
}

static const clang::MemberExpr *memberOf(const clang::CallExpr &call) {
  const auto *memberCall = dyn_cast<clang::CXXMemberCallExpr>(&call);
  return memberCall ? dyn_cast<clang::MemberExpr>(&unwrapped(*memberCall->getCallee())) : nullptr;
}

static bool isVirtualCall(const clang::CallExpr &call, const FunctionDecl &callee) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&callee);
  const clang::MemberExpr *member = memberOf(call);
  return method && method->isVirtual() && !(member && member->hasQualifier());
}

/// a = b by a member: the right side first.
void FunctionLowering::lowerAssignmentArguments(const clang::CallExpr &call,
                                                const FunctionDecl &callee,
                                                std::vector<ValueId> &out) {
  std::vector<ValueId> values;
  if (isPlainAssignment(call, callee))
    values.push_back(lowerLValue(*call.getArg(1)).pointer);
  else
    lowerArguments(callee, {call.getArgs() + 1, call.getNumArgs() - 1}, values);
  out.push_back(lowerLValue(*call.getArg(0)).pointer);
  out.insert(out.end(), values.begin(), values.end());
}

/// `object.f(…)` of a static f: the object is evaluated all the same.
void FunctionLowering::lowerUnusedCallee(const clang::CallExpr &call) {
  const Expr *callee = &unwrapped(*call.getCallee());
  while (true) { // f, &f and *f name the same function
    const auto *conversion = dyn_cast<clang::ImplicitCastExpr>(callee);
    const auto *unary = dyn_cast<clang::UnaryOperator>(callee);
    if (!conversion && !unary)
      break;
    callee = &unwrapped(conversion ? *conversion->getSubExpr() : *unary->getSubExpr());
  }
  if (const auto *member = dyn_cast<clang::MemberExpr>(callee))
    lowerDiscarded(*member->getBase());
  else if (!llvm::isa<clang::DeclRefExpr>(callee)) // (a, f)(…)
    unsupported(callee->getExprLoc(), "function that is called through an expression");
}

/// The object of a method first. False: a call of a form that is not known.
bool FunctionLowering::lowerAllArguments(const clang::CallExpr &call, const FunctionDecl &callee,
                                         std::vector<ValueId> &out) {
  llvm::ArrayRef<const Expr *> exprs(call.getArgs(), call.getNumArgs());
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&callee);
  const auto *operatorCall = dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const clang::MemberExpr *member = memberOf(call);
  bool isAssignment = operatorCall && operatorCall->isAssignmentOp();
  if (method && method->isImplicitObjectMemberFunction()) {
    if (isAssignment) {
      lowerAssignmentArguments(call, callee, out);
      return true;
    }
    if (!operatorCall && !member)
      return false;
    out.push_back(operatorCall ? lowerCallable(*exprs.front())
                               : lowerObjectArgument(*member->getBase(), member->isArrow()));
    lowerArguments(callee, exprs.drop_front(operatorCall ? 1 : 0), out);
    return true;
  }
  if (isAssignment && exprs.size() == 2) {
    out.resize(2);
    out[1] = lowerArgument(*exprs[1], callee.getParamDecl(1)->getType());
    out[0] = lowerArgument(*exprs[0], callee.getParamDecl(0)->getType());
    return true;
  }
  bool isStaticOperator =
      operatorCall && method && method->isStatic(); // of C++23: the object is the first argument
  if (isStaticOperator)
    lowerDiscarded(*exprs.front());
  else
    lowerUnusedCallee(call);
  lowerArguments(callee, exprs.drop_front(isStaticOperator ? 1 : 0), out);
  return true;
}

static bool comparesEnumerations(const FunctionDecl &callee) {
  return callee.getOverloadedOperator() == clang::OO_Spaceship &&
         llvm::any_of(callee.parameters(), [](const clang::ParmVarDecl *param) {
           return param->getType().getNonReferenceType()->isEnumeralType();
         });
}

/// Those that are written: f<4>(x), x.f<4>().
static llvm::ArrayRef<clang::TemplateArgumentLoc> templateArgumentsOf(const clang::CallExpr &call) {
  const Expr &callee = *call.getCallee()->IgnoreParenImpCasts();
  if (const auto *name = dyn_cast<clang::DeclRefExpr>(&callee))
    return name->template_arguments();
  if (const auto *member = dyn_cast<clang::MemberExpr>(&callee))
    return member->template_arguments();
  return {};
}

ValueId FunctionLowering::lowerCall(const clang::CallExpr &call, const LValue *into) {
  SourceNodeScope scope = standsFor(call);
  clang::SourceLocation loc = call.getExprLoc();
  at(loc);
  QualType result = call.getType();
  if (call.isGLValue())
    result = context_.getLValueReferenceType(result);
  auto refuse = [&](std::string what) {
    discardArguments(call);
    return unsupported(loc, std::move(what), result);
  };
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return refuse("call through a function pointer");
  for (const clang::TemplateArgumentLoc &argument : templateArgumentsOf(call))
    if (argument.getArgument().getKind() == clang::TemplateArgument::Expression)
      refuseOfCompiler(*argument.getSourceExpression());
  if (comparesEnumerations(*callee))
    return refuse("'operator<=>' of an enumeration, which some compilers take for '<' and others "
                  "do not");
  if (isDefinedTwice(call, *callee))
    return refuse("call of '" + qualifiedName(*callee) +
                  "', a library function that another file defines, too");
  if (library::isRedefined(*callee))
    return refuse("call of '" + qualifiedName(*callee) +
                  "', a library function that this file defines, too: compilers may take either; "
                  "give it another name, or give -fno-builtin after --");
  if (std::optional<ValueId> known = lowerLibraryCall(call, *callee))
    return *known;
  if (isVirtualCall(call, *callee))
    return refuse("virtual call of '" + qualifiedName(*callee) + "'");
  std::vector<ValueId> args;
  if (!lowerAllArguments(call, *callee, args))
    return refuse("call of this form");
  at(loc);
  if (isPlainAssignment(call, *callee) && args.size() == 2) {
    const auto &method = llvm::cast<clang::CXXMethodDecl>(*callee);
    copyObject({args[0], context_.getRecordType(method.getParent())}, args[1]);
    return args[0];
  }
  return emitCall(*callee, std::move(args), result, loc, into);
}

} // namespace colonnade::frontend
