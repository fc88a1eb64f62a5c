//===- ModuleLowering.cpp - Functions, locations and tables of the module -===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/ModuleLowering.h"

#include "Frontend/Lowering/FunctionLowering.h"
#include "Frontend/OneDefinition.h"
#include "Frontend/Sources/FileNames.h"

#include "llvm/Support/FileSystem.h"

namespace colonnade::frontend {

using clang::FunctionDecl;

std::string mangledName(const clang::NamedDecl &decl) {
  clang::ASTContext &context = decl.getASTContext();
  std::unique_ptr<clang::MangleContext> mangler(context.createMangleContext());
  clang::GlobalDecl global;
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&decl))
    global = clang::GlobalDecl(constructor, clang::Ctor_Complete);
  else if (const auto *destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(&decl))
    global = clang::GlobalDecl(destructor, clang::Dtor_Complete);
  else if (const auto *function = llvm::dyn_cast<FunctionDecl>(&decl))
    global = clang::GlobalDecl(function);
  else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl))
    global = clang::GlobalDecl(variable);
  const auto *target = llvm::dyn_cast_or_null<clang::NamedDecl>(global.getDecl());
  if (!target || !mangler->shouldMangleDeclName(target))
    return decl.getNameAsString();
  std::string name;
  llvm::raw_string_ostream out(name);
  mangler->mangleName(global, out);
  return name;
}

std::string qualifiedName(const clang::NamedDecl &decl) {
  std::string name;
  llvm::raw_string_ostream out(name);
  decl.getNameForDiagnostic(out, decl.getASTContext().getPrintingPolicy(), /*Qualified=*/true);
  return name;
}

/// Unique in the module: what is internal to a file carries its file's identity.
static std::string linkKey(const FunctionDecl &decl) {
  std::string key = mangledName(decl);
  if (!decl.isExternallyVisible() || decl.getDeclContext()->isFunctionOrMethod())
    key += "@" + std::to_string(reinterpret_cast<uintptr_t>(decl.getCanonicalDecl()));
  return key;
}

ModuleLowering::ModuleLowering(ir::Module &module, const LinkIndex &index)
    : module_(module), index_(index), types_(module) {
  llvm::SmallString<128> directory;
  if (!llvm::sys::fs::current_path(directory))
    workingDirectory_ = directory.str().str() + "/";
}

/// An inline definition of C (or of GNU's extern inline), beside which the programme has another:
/// which of them a call takes is not said.
static bool isOneOfTwo(const clang::NamedDecl &definition) {
  const auto *function = llvm::dyn_cast<FunctionDecl>(&definition);
  bool hasRules = function && function->isInlined() && function->isExternallyVisible() &&
                  function->doesThisDeclarationHaveABody() &&
                  (!function->getLangOpts().CPlusPlus || function->hasAttr<clang::GNUInlineAttr>());
  return hasRules && !function->hasAttr<clang::AlwaysInlineAttr>() &&
         !function->isInlineDefinitionExternallyVisible();
}

/// One of several versions for different processors, among which the loader chooses.
static bool isVersion(const clang::NamedDecl &definition) {
  const auto *function = llvm::dyn_cast<FunctionDecl>(&definition);
  return function && function->isMultiVersion() && !function->isTargetClonesMultiVersion();
}

bool isReplaceable(const clang::NamedDecl &definition) {
  return isVersion(definition) || definition.hasAttr<clang::WeakAttr>() ||
         definition.hasAttr<clang::SelectAnyAttr>() || isOneOfTwo(definition);
}

const FunctionDecl *ModuleLowering::definitionOf(const FunctionDecl &decl) const {
  const FunctionDecl *definition = nullptr;
  if (decl.hasBody(definition) && !isReplaceable(*definition))
    return definition;
  if (!definition && decl.isDefined(definition) && definition->isDefaulted() &&
      !definition->isDeleted())
    return definition;
  if (!decl.isExternallyVisible())
    return nullptr;
  auto it = index_.functions.find(mangledName(decl));
  return it == index_.functions.end() ? nullptr : it->second;
}

const clang::VarDecl *ModuleLowering::definitionOf(const clang::VarDecl &decl) const {
  bool isReplaced = isReplaceable(decl);
  const clang::VarDecl *own = nullptr; // `extern const int t[];` may come before it
  if (!decl.getAnyInitializer(own))
    own = decl.getActingDefinition();
  if ((decl.getAnyInitializer() && !isReplaced) || !decl.isExternallyVisible())
    return own ? own : &decl;
  auto it = index_.variables.find(mangledName(decl));
  if (it != index_.variables.end())
    return it->second;
  return isReplaced ? nullptr : &decl;
}

/// Whether an entry has objects of its own where a function that is called has its caller's.
static bool hasOwnObjects(const FunctionDecl &function) {
  auto isObject = [](clang::QualType type) { return type->isRecordType() && isAggregate(type); };
  return function.getLangOpts().CPlusPlus &&
         (isObject(function.getReturnType()) ||
          llvm::any_of(function.parameters(), [&](const clang::ParmVarDecl *param) {
            return isObject(param->getType());
          }));
}

FunctionId ModuleLowering::functionFor(const FunctionDecl &decl) {
  const FunctionDecl *definition = definitionOf(decl);
  const FunctionDecl &chosen = definition ? *definition : decl;
  const auto entry = functions_.find(linkKey(chosen));
  if (entry != functions_.end() && llvm::is_contained(entries_, entry->second) &&
      hasOwnObjects(chosen))
    return queue(decl, definition, " called");
  return queue(decl, definition);
}

FunctionId ModuleLowering::queue(const FunctionDecl &decl, const FunctionDecl *definition,
                                 llvm::StringRef role) {
  const FunctionDecl &chosen = definition ? *definition : decl;
  auto [it, inserted] =
      functions_.try_emplace(linkKey(chosen) + role.str(), FunctionId(module_.functions.size()));
  if (inserted) {
    ir::Function function;
    function.name = qualifiedName(chosen);
    function.mangledName = mangledName(chosen);
    function.isDefined = definition != nullptr;
    module_.functions.push_back(std::move(function));
    pending_.emplace_back(it->second, &chosen);
  }
  return it->second;
}

FunctionId ModuleLowering::entry(const FunctionDecl &decl) {
  const FunctionDecl *own = nullptr; // the one that was named, weak or not
  FunctionId id = decl.hasBody(own) ? queue(decl, own) : functionFor(decl);
  // Another file's, which calls of that name link to, is another function.
  if (const auto [known, isNew] = entryOf_.try_emplace(id, own); !isNew && known->second != own)
    id = queue(decl, own, "@" + std::to_string(reinterpret_cast<uintptr_t>(own)));
  entries_.push_back(id);
  return id;
}

void ModuleLowering::lowerNext() {
  auto [id, decl] = pending_.front();
  pending_.pop_front();
  // Lowering a call may grow the function list: work on a copy.
  ir::Function function = module_.function(id);
  FunctionLowering lowering(*this, *decl, function, llvm::is_contained(entries_, id));
  lowering.run();
  lowered_.push_back({id, decl, lowering.takeSourceNodes(), lowering.constants()});
  module_.function(id) = std::move(function);
}

void ModuleLowering::finish() {
  while (!pending_.empty())
    lowerNext();
}

std::vector<const FunctionDecl *> ModuleLowering::pending() const {
  std::vector<const FunctionDecl *> functions;
  for (const auto &[id, decl] : pending_)
    functions.push_back(decl);
  return functions;
}

std::vector<ledger::Entry> ModuleLowering::ledgerOf(FunctionId id) {
  auto declOf = [&](FunctionId each) { return lowered_[each.index].decl; };
  auto definition = [&](const clang::VarDecl &variable) { return definitionOf(variable); };
  if (!module_.function(id).isDefined || isTooLarge(*declOf(id)))
    return {}; // each call of it is refused
  return ledger::entriesOf(lowered_[id.index], module_, declOf, definition);
}

/// At the start of a function: whoever reaches it is refused.
static void refuse(ir::Function &function, ir::UnsupportedKind kind, llvm::StringRef what,
                   LocId loc) {
  ir::Op op = ir::makeOp(ir::Opcode::Unsupported);
  op.text = what.str();
  op.index = kind;
  op.loc = loc;
  std::vector<OpId> &body = function.region(function.body).ops;
  body.insert(body.begin(), OpId(function.ops.size()));
  function.ops.push_back(std::move(op));
}

static bool isLost(const ledger::Entry &entry) { return entry.state == ledger::EntryState::Lost; }

unsigned ModuleLowering::losses(FunctionId id) { return llvm::count_if(ledgerOf(id), isLost); }

void ModuleLowering::refuseLosses() {
  for (const ledger::LoweredFunction &lowered : lowered_)
    for (const ledger::Entry &entry : ledgerOf(lowered.id))
      if (isLost(entry))
        refuse(module_.function(lowered.id), ir::LostPart, ledger::name(entry.kind),
               location(entry.loc, lowered.decl->getASTContext()));
}

/// What a function is, or uses, that another file defines in another way.
static std::pair<const clang::NamedDecl *, const clang::NamedDecl *>
differenceIn(const ledger::LoweredFunction &lowered, OneDefinition &definitions) {
  if (const FunctionDecl *other = definitions.differing(*lowered.decl))
    return {lowered.decl, other};
  for (const clang::VarDecl *constant : lowered.constants)
    if (const clang::VarDecl *other = definitions.differing(*constant))
      return {constant, other};
  return {};
}

void ModuleLowering::refuseDifferences(OneDefinition &definitions) {
  for (const ledger::LoweredFunction &lowered : lowered_) {
    const auto [own, other] = differenceIn(lowered, definitions);
    if (!own)
      continue;
    const LocId elsewhere = location(other->getLocation(), other->getASTContext());
    refuse(module_.function(lowered.id), ir::OutsideSubset,
           "'" + qualifiedName(*own) + "', which is defined in another way at " +
               module_.sources.str(elsewhere) + " (the linker takes either)",
           location(own->getLocation(), own->getASTContext()));
  }
}

static void print(llvm::raw_ostream &out, const ledger::Entry &entry) {
  out << ledger::name(entry.kind) << ": ";
  switch (entry.state) {
  case ledger::EntryState::Taken:
    out << "taken\n";
    break;
  case ledger::EntryState::Discarded:
    out << "discarded, " << ledger::name(entry.rule) << '\n';
    break;
  case ledger::EntryState::Lost:
    out << "lost\n";
    break;
  }
}

std::string ModuleLowering::printLedgers() {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const ledger::LoweredFunction &lowered : lowered_) {
    out << "ledger of " << module_.function(lowered.id).name << '\n';
    for (const ledger::Entry &entry : ledgerOf(lowered.id)) {
      LocId loc = location(entry.loc, lowered.decl->getASTContext());
      out << "  ";
      if (loc)
        out << module_.sources[loc].line << ':' << module_.sources[loc].column << ": ";
      print(out, entry);
    }
  }
  return text;
}

LocId ModuleLowering::location(clang::SourceLocation loc, const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(loc));
  if (presumed.isInvalid())
    return {};
  llvm::StringRef file = presumed.getFilename();
  if (auto entry = sources.getFileEntryRefForID(presumed.getFileID());
      entry && entry->getName() == file) { // not what a #line directive says
    auto [known, isNew] = fileNames_.try_emplace(&entry->getFileEntry());
    if (isNew)
      known->second = nameFromHere(*entry);
    file = known->second;
  }
  file.consume_front(workingDirectory_);
  SourceLocation position;
  position.file = module_.sources.internFile(file.str());
  if (sources.isInSystemHeader(sources.getExpansionLoc(loc)))
    module_.sources.setLibrary(position.file);
  position.line = presumed.getLine();
  position.column = presumed.getColumn();
  return module_.sources.intern(position);
}

} // namespace colonnade::frontend
