//===- OneDefinition.cpp - What several files define -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/OneDefinition.h"

#include "IR/Printer.h"

namespace colonnade::frontend {

using clang::Decl;
using clang::FunctionDecl;
using clang::VarDecl;
using llvm::dyn_cast;

OneDefinition::OneDefinition(const Units &units, const LinkIndex &index) : index_(index) {
  if (units.size() > 1)
    for (const auto &unit : units)
      addScope(*unit->getASTContext().getTranslationUnitDecl());
}

void OneDefinition::addScope(const clang::DeclContext &scope) {
  for (const Decl *decl : scope.decls())
    add(*decl);
}

void OneDefinition::add(const Decl &decl) {
  if (const auto *functions = dyn_cast<clang::FunctionTemplateDecl>(&decl))
    for (const FunctionDecl *instance : functions->specializations())
      add(*instance);
  if (const auto *variables = dyn_cast<clang::VarTemplateDecl>(&decl))
    for (const VarDecl *instance : variables->specializations())
      add(*instance);
  if (const auto *classes = dyn_cast<clang::ClassTemplateDecl>(&decl))
    for (const clang::CXXRecordDecl *instance : classes->specializations())
      add(*instance);
  if (const auto *function = dyn_cast<FunctionDecl>(&decl);
      function && !function->isDependentContext() && function->isThisDeclarationADefinition())
    functions_[function->getNameAsString()].push_back(function);
  if (const auto *variable = dyn_cast<VarDecl>(&decl);
      variable && variable->hasInit() && !variable->getDeclContext()->isDependentContext())
    variables_[variable->getNameAsString()].push_back(variable);
  if (const auto *in = dyn_cast<clang::FriendDecl>(&decl); in && in->getFriendDecl())
    add(*in->getFriendDecl());
  if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl,
                clang::CXXRecordDecl>(decl))
    if (const auto &scope = *llvm::cast<clang::DeclContext>(&decl); !scope.isDependentContext())
      addScope(scope);
}

/// Every file that uses it has to define it.
static bool isOfEachFile(clang::GVALinkage linkage) {
  return linkage == clang::GVA_DiscardableODR || linkage == clang::GVA_StrongODR ||
         linkage == clang::GVA_AvailableExternally;
}

/// Those of the same name in other files.
template <class Definition>
static std::vector<const Definition *>
othersOf(const Definition &definition,
         const llvm::StringMap<std::vector<const Definition *>> &definitions) {
  std::vector<const Definition *> others;
  const auto named = definitions.find(definition.getNameAsString());
  if (named == definitions.end())
    return others;
  const std::string name = mangledName(definition);
  for (const Definition *other : named->second)
    if (&other->getASTContext() != &definition.getASTContext() && other->isExternallyVisible() &&
        mangledName(*other) == name)
      others.push_back(other);
  return others;
}

const FunctionDecl *OneDefinition::differing(const FunctionDecl &definition) {
  if (functions_.empty() || !definition.isExternallyVisible() ||
      !isOfEachFile(definition.getASTContext().GetGVALinkageForFunction(&definition)))
    return nullptr;
  for (const FunctionDecl *other : othersOf(definition, functions_))
    if (Pairs compared; !areAlike(definition, *other, compared))
      return other;
  return nullptr;
}

/// Functions that a file has for itself: no other check sees them.
static bool isOfOneFile(const FunctionDecl &function) {
  return !function.isExternallyVisible() || function.getParentFunctionOrMethod();
}

/// By its number, too: of two that are overloaded or in inline namespaces, a text would not tell
/// which one is called.
static void nameByLink(ir::Module &module) {
  for (size_t i = 0; i < module.functions.size(); ++i)
    module.functions[i].name = module.functions[i].mangledName + "." + std::to_string(i);
}

bool OneDefinition::areAlike(const FunctionDecl &a, const FunctionDecl &b, Pairs &compared) {
  if (!compared.insert({&a, &b}).second)
    return true; // or the pair would not be compared further
  struct Alone {
    std::string text;
    std::vector<const FunctionDecl *> callees;
  };
  auto lowerAlone = [&](const FunctionDecl &function) {
    ir::Module module;
    ModuleLowering lowering(module, index_);
    const FunctionId id = lowering.functionFor(function);
    lowering.lowerNext();
    nameByLink(module);
    Alone alone = {"", lowering.pending()};
    llvm::raw_string_ostream out(alone.text);
    ir::print(out, module, module.function(id));
    out << lowering.types().layouts();
    return alone;
  };
  const Alone first = lowerAlone(a), second = lowerAlone(b);
  return first.text == second.text && first.callees.size() == second.callees.size() &&
         llvm::all_of(llvm::zip(first.callees, second.callees), [&](const auto &pair) {
           const auto &[one, other] = pair;
           if (isOfOneFile(*one) != isOfOneFile(*other))
             return false;
           return isOfOneFile(*one) ? areAlike(*one, *other, compared)
                                    : mangledName(*one) == mangledName(*other);
         });
}

/// Bit by bit. Values that lead to objects of their files are held for different.
static bool haveSameValue(const VarDecl &a, const VarDecl &b) {
  llvm::FoldingSetNodeID values[2];
  for (unsigned i : {0u, 1u})
    if (const clang::APValue *value = (i == 0 ? a : b).evaluateValue())
      value->Profile(values[i]);
  return values[0] == values[1] && a.getType().getCanonicalType().getAsString() ==
                                       b.getType().getCanonicalType().getAsString();
}

const VarDecl *OneDefinition::differing(const VarDecl &definition) const {
  const bool isInEachFile = // `static const int k = 1;` in a class is, too
      definition.isStaticDataMember() ||
      isOfEachFile(definition.getASTContext().GetGVALinkageForVariable(&definition));
  if (variables_.empty() || !definition.isExternallyVisible() || !isInEachFile)
    return nullptr;
  for (const VarDecl *other : othersOf(definition, variables_))
    if (!haveSameValue(definition, *other))
      return other;
  return nullptr;
}

} // namespace colonnade::frontend
