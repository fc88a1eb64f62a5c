//===- Frontend.cpp - C and C++ source files to raw IR --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sequences the steps: parse, select the entries (parsing again if a template
// instance has to be asked for), index definitions across files, lower.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Frontend.h"

#include "Frontend/Callable.h"
#include "Frontend/ModuleLowering.h"
#include "Frontend/OneDefinition.h"
#include "Frontend/Sources/FileNames.h"
#include "Frontend/Sources/ToolInvocation.h"

namespace colonnade {

using namespace frontend;

/// Definitions with external linkage in the user's files.
static void indexScope(const clang::DeclContext &scope, LinkIndex &index) {
  for (const clang::Decl *decl : scope.decls()) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (function && function->isThisDeclarationADefinition() && function->isExternallyVisible() &&
        !function->isDependentContext() && !isReplaceable(*function))
      index.functions.try_emplace(mangledName(*function), function);
    else if (variable && variable->hasInit() && variable->isExternallyVisible() &&
             !variable->getType()->isDependentType() && !isReplaceable(*variable))
      index.variables.try_emplace(mangledName(*variable), variable);
    const auto *inner = llvm::dyn_cast<clang::DeclContext>(decl);
    if (inner && !inner->isDependentContext() &&
        (llvm::isa<clang::NamespaceDecl>(decl) || llvm::isa<clang::LinkageSpecDecl>(decl) ||
         llvm::isa<clang::CXXRecordDecl>(decl)))
      indexScope(*inner, index);
  }
}

/// Every file of every unit, each once.
static std::vector<std::string> filesRead(const Units &units) {
  std::vector<std::string> files;
  for (const auto &unit : units) {
    const clang::SourceManager &sources = unit->getSourceManager();
    for (auto it = sources.fileinfo_begin(); it != sources.fileinfo_end(); ++it)
      files.push_back(nameFromHere(it->first));
  }
  llvm::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

static std::string instanceVariable(size_t number) {
  return "colonnade_instance_" + std::to_string(number);
}

/// A line that takes the address of the instance, which instantiates it. Clang's errors about it
/// say that it comes from the command.
static std::string instantiation(llvm::StringRef name, size_t number) {
  return "#line 1 \"-f\"\nstatic auto *const " + instanceVariable(number) + " = &" + name.str() +
         ";\n";
}

/// The function that such a line has found, however its name is spelt; null: there is none.
static const clang::FunctionDecl *instanceOf(const clang::ASTUnit &unit, size_t number) {
  const clang::ASTContext &context = unit.getASTContext();
  const clang::IdentifierInfo &name = context.Idents.get(instanceVariable(number));
  for (const clang::NamedDecl *decl : context.getTranslationUnitDecl()->lookup(&name))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
        variable && variable->getInit())
      if (const auto *address =
              llvm::dyn_cast<clang::UnaryOperator>(variable->getInit()->IgnoreParenImpCasts()))
        if (const auto *found =
                llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParenImpCasts()))
          if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(found->getDecl()))
            return function->getDefinition() ? function->getDefinition() : function;
  return nullptr;
}

static const clang::FunctionDecl *firstInstance(const Units &units, size_t number) {
  for (const auto &unit : units)
    if (const clang::FunctionDecl *instance = instanceOf(*unit, number))
      return instance;
  return nullptr;
}

static llvm::Error selectEntries(const Units &units, const FrontendOptions &options,
                                 std::vector<const clang::FunctionDecl *> &entries,
                                 Additions &additions) {
  if (options.allFunctions) {
    entries = definedFunctions(units);
    return llvm::Error::success();
  }
  if (options.functions.empty()) {
    entries = markedFunctions(units);
    if (!entries.empty())
      return llvm::Error::success();
    llvm::Expected<const clang::FunctionDecl *> only = onlyCandidate(units);
    if (!only)
      return only.takeError();
    entries.push_back(*only);
    return llvm::Error::success();
  }
  bool mayAdd = additions.lines.empty();
  for (size_t i = 0; i < options.functions.size(); ++i) {
    if (const clang::FunctionDecl *instance = firstInstance(units, i)) {
      entries.push_back(instance);
      continue;
    }
    auto selection = selectFunction(units, options.functions[i]);
    if (!selection)
      return selection.takeError();
    if (selection->function)
      entries.push_back(selection->function);
    else if (mayAdd)
      additions.lines[selection->unit] += instantiation(options.functions[i], i);
    else
      return llvm::createStringError("cannot instantiate '" + options.functions[i] + "'");
  }
  return llvm::Error::success();
}

/// Whether a type's name can be written in another file that includes the source.
static bool isSpellable(llvm::StringRef type) {
  return !type.contains("(anonymous") && !type.contains("(lambda") && !type.contains("(unnamed");
}

static EntrySource entrySource(const Units &units, const FrontendOptions &options,
                               const clang::FunctionDecl &entry) {
  EntrySource source;
  const clang::ASTContext &context = entry.getASTContext();
  for (auto [unit, file] : llvm::zip(units, options.files))
    if (&unit->getASTContext() == &context)
      source.file = file;
  source.isC = !context.getLangOpts().CPlusPlus;
  for (const clang::ParmVarDecl *param : entry.parameters()) {
    source.takesRvalue.push_back(param->getType()->isRValueReferenceType());
    source.cTypes.push_back(param->getType().getUnqualifiedType().getAsString());
  }
  size_t overloads = 0;
  for (const clang::NamedDecl *named : entry.getDeclContext()->lookup(entry.getDeclName()))
    overloads +=
        llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl, clang::UsingShadowDecl>(named);
  if (!source.isC && overloads > 1) {
    clang::PrintingPolicy policy(context.getLangOpts());
    policy.FullyQualifiedName = true;
    const auto *type = entry.getType()->castAs<clang::FunctionProtoType>();
    clang::QualType plain =
        context.getFunctionType(type->getReturnType(), type->getParamTypes(), {});
    std::string text =
        withoutUnnamed(context.getPointerType(plain).getCanonicalType().getAsString(policy));
    if (isSpellable(text))
      source.pointerType = text;
  }
  source.uncallable = whyUncallable(entry);
  source.name = withoutUnnamed(qualifiedName(entry));
  return source;
}

/// Files that do not compile are left out of the options, and `unparsed` says why.
static Units parseEach(FrontendOptions &options, std::vector<std::string> &unparsed) {
  Units units;
  std::vector<std::string> parsed;
  for (const std::string &file : options.files) {
    FrontendOptions alone = options;
    alone.files = {file};
    Additions none;
    llvm::Expected<Units> unit = parseSources(alone, none);
    if (!unit) {
      unparsed.push_back(llvm::toString(unit.takeError()));
      continue;
    }
    units.push_back(std::move(unit->front()));
    parsed.push_back(file);
  }
  options.files = std::move(parsed);
  return units;
}

llvm::Expected<FrontendResult> lowerSources(const FrontendOptions &given) {
  FrontendOptions options = given;
  if (options.files.empty())
    return llvm::createStringError("no source file given");
  FrontendResult result;
  Additions additions;
  llvm::Expected<Units> units = options.allFunctions && options.files.size() > 1
                                    ? parseEach(options, result.unparsed)
                                    : parseSources(options, additions);
  if (!units)
    return units.takeError();
  std::vector<const clang::FunctionDecl *> entries;
  if (llvm::Error error = selectEntries(*units, options, entries, additions))
    return error;
  if (!additions.lines.empty()) {
    units = parseSources(options, additions);
    if (!units)
      return units.takeError();
    entries.clear();
    if (llvm::Error error = selectEntries(*units, options, entries, additions))
      return error;
  }
  LinkIndex index;
  if (units->size() > 1)
    for (const auto &unit : *units)
      indexScope(*unit->getASTContext().getTranslationUnitDecl(), index);
  ModuleLowering lowering(result.module, index);
  for (const clang::FunctionDecl *entry : entries) {
    result.entries.push_back(lowering.entry(*entry));
    result.sources.push_back(entrySource(*units, options, *entry));
  }
  lowering.finish();
  if (options.beforeLedger)
    options.beforeLedger(result.module, [&](FunctionId id) { return lowering.losses(id); });
  if (options.ledger)
    result.ledger = lowering.printLedgers();
  lowering.refuseLosses();
  OneDefinition definitions(*units, index);
  lowering.refuseDifferences(definitions);
  result.dependencies = filesRead(*units);
  return result;
}

} // namespace colonnade
