//===- Callable.cpp - Whether other code can call a function --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Callable.h"

using namespace clang;

namespace colonnade::frontend {
namespace {

/// What stands in the way of writing a name elsewhere.
enum class Obstacle {
  None,
  Nameless, // struct { int x; }; a lambda's class; a class in a function
  Hidden,   // class C { struct S {}; };
};

bool isHidden(const Decl &decl) {
  return decl.getAccess() == AS_private || decl.getAccess() == AS_protected;
}

class Names {
public:
  Obstacle ofArguments(const FunctionDecl &function) {
    if (const TemplateArgumentList *arguments = function.getTemplateSpecializationArgs())
      of(arguments->asArray());
    ofScopes(function);
    return worst_;
  }

private:
  void note(Obstacle obstacle) {
    if (worst_ == Obstacle::None)
      worst_ = obstacle;
  }

  void of(llvm::ArrayRef<TemplateArgument> arguments) {
    for (const TemplateArgument &argument : arguments)
      of(argument);
  }

  void of(const TemplateArgument &argument) {
    switch (argument.getKind()) {
    case TemplateArgument::Type:
      return of(argument.getAsType());
    case TemplateArgument::Integral:
      return ofValue(argument.getIntegralType());
    case TemplateArgument::Declaration:
      return ofName(*argument.getAsDecl());
    case TemplateArgument::Template:
      if (const TemplateDecl *named = argument.getAsTemplate().getAsTemplateDecl())
        ofName(*named);
      return;
    case TemplateArgument::Pack:
      return of(argument.getPackAsArray());
    case TemplateArgument::Null:
    case TemplateArgument::NullPtr:
    case TemplateArgument::StructuralValue:
    case TemplateArgument::TemplateExpansion:
    case TemplateArgument::Expression:
      return;
    }
  }

  // An enumerator has a name also where its type has none.
  void ofValue(QualType type) {
    if (const auto *enumeration = type->getAs<EnumType>())
      ofName(*enumeration->getDecl());
  }

  void of(QualType written) {
    const QualType type = written.getCanonicalType();
    if (const auto *tag = type->getAs<TagType>())
      return ofTag(*tag->getDecl());
    if (const auto *function = type->getAs<FunctionProtoType>()) {
      of(function->getReturnType());
      for (QualType parameter : function->getParamTypes())
        of(parameter);
    } else if (const auto *array = dyn_cast<ArrayType>(type)) {
      of(array->getElementType());
    } else if (QualType inner = type->getPointeeType(); !inner.isNull()) {
      of(inner);
    }
  }

  void ofTag(const TagDecl &tag) {
    if (!tag.getDeclName() && !tag.getTypedefNameForAnonDecl())
      return note(Obstacle::Nameless);
    if (const auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(&tag))
      of(instance->getTemplateArgs().asArray());
    ofName(tag);
  }

  void ofName(const Decl &decl) {
    if (decl.getParentFunctionOrMethod())
      return note(Obstacle::Nameless);
    if (isHidden(decl))
      note(Obstacle::Hidden);
    ofScopes(decl);
  }

  void ofScopes(const Decl &decl) {
    if (const auto *outer = dyn_cast_or_null<TagDecl>(decl.getDeclContext()))
      ofTag(*outer);
  }

  Obstacle worst_ = Obstacle::None;
};

} // namespace

/// A friend that is declared in its class alone has no name elsewhere.
static bool isFoundByArgumentsAlone(const FunctionDecl &function) {
  return llvm::all_of(function.redecls(), [](const FunctionDecl *each) {
    return each->getFriendObjectKind() != Decl::FOK_None;
  });
}

std::string whyUncallable(const FunctionDecl &function) {
  if (isHidden(function))
    return "it is a member that is not public";
  if (isFoundByArgumentsAlone(function))
    return "it is a friend that only its class declares: declare it outside of the class, too";
  if (function.isConsteval())
    return "it is consteval, and runs only while its file is compiled";
  for (const ParmVarDecl *param : function.parameters())
    if (param->getType()->isNullPtrType())
      return "its parameter '" + param->getNameAsString() + "' can only be nullptr";
  switch (Names().ofArguments(function)) {
  case Obstacle::Nameless:
    return "its name has a type in it that is local to a function, or has no name";
  case Obstacle::Hidden:
    return "its name has a member in it that is not public";
  case Obstacle::None:
    return "";
  }
  llvm_unreachable("an obstacle that no case names");
}

bool hasNamelessArguments(const FunctionDecl &function) {
  return Names().ofArguments(function) == Obstacle::Nameless;
}

} // namespace colonnade::frontend
