//===- VariableLowering.cpp - What a name refers to ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A local object or what a reference refers to; in a lambda, a field of the closure; a
// constant; a table. Any other variable is reported where it is used.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Types/Attributes.h"

namespace colonnade::frontend {

using clang::QualType;
using llvm::dyn_cast;

LValue FunctionLowering::lowerDeclRef(const clang::DeclRefExpr &expr) {
  const clang::ValueDecl &decl = *expr.getDecl();
  if (auto it = variables_.find(&decl); it != variables_.end())
    return it->second;
  if (std::optional<LValue> capture = lowerCapture(decl, expr.getExprLoc()))
    return *capture;
  if (const auto *binding = dyn_cast<clang::BindingDecl>(&decl)) {
    if (const clang::VarDecl *holder = binding->getHoldingVar())
      if (auto it = variables_.find(holder); it != variables_.end())
        return it->second;
    if (binding->getBinding())
      return lowerLValue(*binding->getBinding());
  }
  if (const auto *variable = dyn_cast<clang::VarDecl>(&decl))
    return lowerVariableLValue(*variable, expr.getExprLoc());
  if (const auto *object = dyn_cast<clang::TemplateParamObjectDecl>(&decl))
    if (auto pointer = tableOf(object->getValue(), expr.getType(), "constant", object))
      return {*pointer, expr.getType()};
  std::string what = llvm::isa<clang::FunctionDecl>(decl) ? FunctionPointer
                                                          : "name '" + decl.getNameAsString() + "'";
  return {unsupported(expr.getExprLoc(), what, context_.VoidPtrTy), expr.getType()};
}

/// Of a constant, and what to do.
static const char *whyNoTable(const clang::VarDecl *known) {
  if (!known || known->hasInit() || !known->isExternallyVisible())
    return "that is no plain table of numbers";
  return known->hasDefinition() == clang::VarDecl::DeclarationOnly
             ? "whose value is not visible; name the file that gives it, too"
             : "that another file may give a value; initialise it, or make it static";
}

/// A variable that is no local object: a table, or outside the subset.
LValue FunctionLowering::lowerVariableLValue(const clang::VarDecl &variable,
                                             clang::SourceLocation loc) {
  QualType type = variable.getType().getNonReferenceType();
  if (std::string problem = attributeProblem(variable); !problem.empty())
    return {unsupported(loc, "variable '" + variable.getNameAsString() + "' with " + problem,
                        context_.VoidPtrTy),
            type};
  if (std::optional<LValue> table = lowerTable(variable))
    return *table;
  std::string name = variable.getNameAsString(), what;
  if (!variable.hasGlobalStorage())
    what = "variable '" + name + "' of an enclosing function";
  else if (!type.isConstQualified())
    what = (variable.isStaticLocal() ? "mutable static '" : "mutable global '") + name + "'";
  else
    what = "constant '" + name + "' " + whyNoTable(module_.definitionOf(variable));
  return {unsupported(loc, what, context_.VoidPtrTy), type};
}

/// Inside a lambda, a variable of the enclosing function is a field of *this.
std::optional<LValue> FunctionLowering::lowerCapture(const clang::ValueDecl &variable,
                                                     clang::SourceLocation loc) {
  auto it = captures_.find(&variable);
  if (it == captures_.end())
    return std::nullopt;
  return fieldOf(this_, *it->second, loc);
}

/// Constants are folded here: enumerators and const variables.
ValueId FunctionLowering::lowerVariable(const clang::DeclRefExpr &expr) {
  if (const auto *enumerator = dyn_cast<clang::EnumConstantDecl>(expr.getDecl()))
    return *lowerKnownConstant(clang::APValue(enumerator->getInitVal()), expr.getType());
  if (const auto *variable = dyn_cast<clang::VarDecl>(expr.getDecl()))
    if (const clang::APValue *value = constantValue(*variable))
      if (std::optional<ValueId> constant = lowerKnownConstant(*value, expr.getType()))
        return *constant;
  return loadFrom(lowerLValue(expr), expr.getExprLoc(), valueNameOf(expr));
}

} // namespace colonnade::frontend
