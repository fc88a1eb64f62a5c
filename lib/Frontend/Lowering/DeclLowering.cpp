//===- DeclLowering.cpp - Local variables ---------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable is an object; a reference is the address it is bound to. Constant
// variables with constant initialisers are folded or become tables, and need no
// object.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Types/Attributes.h"
#include "Frontend/Types/ConstantContext.h"
#include "Frontend/Types/SizeExprLowering.h"

namespace colonnade::frontend {

using clang::QualType;
using clang::VarDecl;
using llvm::dyn_cast;

void FunctionLowering::lowerDecl(const clang::Decl &decl) {
  SourceNodeScope scope = standsFor(decl);
  if (const auto *name = dyn_cast<clang::TypedefNameDecl>(&decl))
    return evaluateVariableExtents(name->getUnderlyingType()); // typedef int Row[n];
  const auto *variable = dyn_cast<VarDecl>(&decl);
  if (!variable) // other types and static assertions make no code
    return;
  at(variable->getLocation());
  if (std::string problem = attributeProblem(*variable); !problem.empty())
    unsupported(variable->getLocation(), "variable of " + problem);
  if (variable->isStaticLocal() || variable->hasExternalStorage())
    return checkStatic(*variable); // constant, or reported where it is used
  if (isTable(*variable))
    return;
  if (!declaredAhead_.erase(variable))
    declareVariable(*variable);
  initializeVariable(*variable);
  if (const auto *decomposition = dyn_cast<clang::DecompositionDecl>(variable))
    for (const clang::BindingDecl *binding : decomposition->bindings())
      if (const VarDecl *holder = binding->getHoldingVar())
        lowerDecl(*holder);
}

/// A static that is set up when control first passes it does so whether or not it is used.
void FunctionLowering::checkStatic(const VarDecl &variable) {
  std::string what = variable.getTLSKind() != VarDecl::TLS_None ? "thread-local '" : "static '";
  what += variable.getNameAsString() + "'";
  if (variable.hasInit() && !variable.hasConstantInitialization())
    unsupported(variable.getLocation(),
                "initialiser of " + what + ", which is evaluated when the program runs");
  else if (variable.needsDestruction(context_) == QualType::DK_cxx_destructor)
    unsupported(variable.getLocation(), what + " with a non-trivial destructor");
}

/// Makes the object: a new one wherever control comes to the declaration. (Clang shares the
/// statements of a default member initialiser among all that use it.)
void FunctionLowering::declareVariable(const VarDecl &variable) {
  SourceNodeScope scope = standsFor(variable);
  QualType type = variable.getType();
  if (type->isReferenceType())
    return;
  at(variable.getLocation());
  evaluateVariableExtents(type);
  std::string reason = unsupportedReason(type);
  if (type.isVolatileQualified())
    reason = "volatile";
  if (reason.empty() && type.isDestructedType() == QualType::DK_cxx_destructor)
    reason = destructorProblem(type);
  if (const clang::TypeSourceInfo *written = variable.getTypeSourceInfo())
    for (auto loc = written->getTypeLoc().getAs<clang::ArrayTypeLoc>(); loc;
         loc = loc.getElementLoc().getAs<clang::ArrayTypeLoc>())
      if (const clang::Expr *size = loc.getSizeExpr())
        refuseOfCompiler(*size);
  const auto *array = type->getAsArrayTypeUnsafe();
  if (array && llvm::isa<clang::VariableArrayType>(array) && !countOf(*array).known())
    reason = "variable-length array whose size is not an expression of parameters";
  if (!reason.empty())
    unsupported(variable.getLocation(), "variable of " + reason);
  std::vector<ValueId> sizes = variableExtentsOf(type);
  if (&variable == resultVariable_) {
    variables_[&variable] = {returnSlot_, type};
    return;
  }
  variables_[&variable] = {builder_.object(memType(type), variable.getName(), sizes), type};
}

void FunctionLowering::bindReference(const VarDecl &variable) {
  const clang::Expr *init = variable.getInit();
  if (!init)
    return;
  if (variable.getType()->getPointeeType()->isFunctionType())
    return unsupported(variable.getLocation(), FunctionPointer);
  LValue target = lowerLValue(*init);
  variables_[&variable] = {target.pointer, variable.getType().getNonReferenceType()};
}

/// What the language has computed need not run.
bool FunctionLowering::storeConstantNumber(const VarDecl &variable, LValue target) {
  const clang::APValue *number = constantNumber(variable);
  if (!number || dependsOnCompiler(*variable.getInit(), context_))
    return false;
  SourceNodeScope scope = standsFor(*variable.getInit());
  std::optional<ValueId> constant = lowerKnownConstant(*number, variable.getType());
  if (constant)
    storeTo(target, *constant, variable.getLocation());
  return constant.has_value();
}

void FunctionLowering::initializeVariable(const VarDecl &variable) {
  SourceNodeScope scope = standsFor(variable);
  const clang::Expr *init = variable.getInit();
  const bool isReference = variable.getType()->isReferenceType();
  auto it = variables_.find(&variable);
  if (!isReference &&
      (!init || it == variables_.end() || !unsupportedReason(variable.getType()).empty() ||
       ownsMemory(variable.getType()))) // reported; how the library does it helps nobody
    return;
  at(variable.getLocation());
  if (!isReference && storeConstantNumber(variable, it->second))
    return;
  if (isOnlyForConstants(variable)) {
    ValueId nowhere = unsupported(variable.getLocation(),
                                  "constant '" + variable.getNameAsString() +
                                      "' that is no number, and whose initialiser asks whether it "
                                      "is evaluated beforehand",
                                  context_.VoidPtrTy);
    if (isReference)
      variables_[&variable] = {nowhere, variable.getType().getNonReferenceType()};
    return;
  }
  if (isReference)
    return bindReference(variable);
  if (copyConstantInit(variable, it->second))
    return;
  initialize(*init, it->second);
}

} // namespace colonnade::frontend
