//===- Annotations.cpp - What a declaration says about itself -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/Annotations.h"

#include "Frontend/Types/SizeExprLowering.h"

namespace colonnade::frontend {

using clang::QualType;
using ir::ScalarType;
using llvm::StringRef;

static bool hasAnnotation(const clang::Decl &decl, StringRef text) {
  for (const auto *attribute : decl.specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation() == text)
      return true;
  return false;
}

bool isMarkedBulk(const clang::FunctionDecl &function) {
  for (const clang::FunctionDecl *decl : function.redecls())
    if (hasAnnotation(*decl, "colonnade.bulk"))
      return true;
  return false;
}

/// A constant at file or namespace scope, so that extents may name it.
static SizeExpr namedConstant(const std::string &name, const clang::FunctionDecl &function) {
  clang::ASTContext &context = function.getASTContext();
  for (const clang::DeclContext *scope = function.getDeclContext(); scope;
       scope = scope->getParent())
    for (const clang::NamedDecl *found : scope->lookup(&context.Idents.get(name))) {
      if (const auto *enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(found))
        return SizeExpr::constant(enumerator->getInitVal().getExtValue());
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(found);
      const clang::APValue *value =
          variable && variable->getType().isConstQualified() && variable->getAnyInitializer()
              ? variable->evaluateValue()
              : nullptr;
      if (value && value->isInt())
        return SizeExpr::constant(value->getInt().getExtValue());
    }
  return {};
}

static SizeExpr parseExtent(StringRef text, const clang::FunctionDecl &function,
                            ir::RawParam &raw) {
  std::string error;
  std::optional<SizeExpr> extent = SizeExpr::parse(text.trim(), error);
  if (!extent) {
    raw.problem = "COLONNADE_EXTENT(" + text.trim().str() + ") of '" + raw.name + "': " + error;
    return {};
  }
  std::map<std::string, SizeExpr> constants;
  for (const std::string &name : extent->names())
    if (SizeExpr constant = namedConstant(name, function); constant.known())
      constants[name] = constant;
  return extent->substitute(constants);
}

static void readAnnotations(const clang::ParmVarDecl &param, const clang::FunctionDecl &function,
                            ir::RawParam &raw) {
  for (const auto *attribute : param.specific_attrs<clang::AnnotateAttr>()) {
    StringRef text = attribute->getAnnotation();
    if (text == "colonnade.uniform")
      raw.declared = ir::Sharing::Uniform;
    else if (text == "colonnade.instance")
      raw.declared = ir::Sharing::Instance;
    else if (text.consume_front("colonnade.extent:"))
      raw.count = parseExtent(text, function, raw);
  }
}

/// `T a[N]` says how many elements there are; in C++ and C alike it is a pointer.
static SizeExpr declaredCount(const clang::ParmVarDecl &param) {
  const auto *array = param.getOriginalType()->getAsArrayTypeUnsafe();
  return array ? countOf(*array) : SizeExpr();
}

static void describePointer(const clang::ParmVarDecl &param, TypeLowering &types,
                            ir::RawParam &raw) {
  QualType pointee = param.getType()->getPointeeType();
  raw.type = ScalarType::Pointer;
  raw.isReference = param.getType()->isReferenceType();
  raw.isConst = pointee.isConstQualified();
  raw.count = raw.isReference ? SizeExpr::constant(1) : declaredCount(param);
  // A pointer to a whole array is one element of array type; keep the array.
  if (!pointee->isVoidType())
    raw.pointee = types.lower(pointee);
}

void describeParameter(const clang::ParmVarDecl &param, TypeLowering &types, ir::RawParam &raw) {
  QualType type = param.getType();
  if (isAggregate(type)) {
    raw.type = ScalarType::Pointer;
    raw.pointee = types.lower(type);
    raw.count = SizeExpr::constant(1);
    raw.byValueStruct = true;
    raw.isConst = type.isConstQualified();
  } else if (std::optional<ScalarType> scalar = scalarType(type)) {
    raw.type = *scalar;
    if (*scalar == ScalarType::Pointer && !type->isNullPtrType())
      describePointer(param, types, raw);
  } else if (type->isReferenceType() || type->isPointerType()) { // to a function
    raw.type = ScalarType::Pointer;
  }
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(param.getDeclContext());
  if (!function)
    return;
  for (const clang::FunctionDecl *redecl : function->redecls())
    if (param.getFunctionScopeIndex() < redecl->getNumParams())
      readAnnotations(*redecl->getParamDecl(param.getFunctionScopeIndex()), *function, raw);
}

} // namespace colonnade::frontend
