//===- Programme.cpp ------------------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wrap/Programme.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

namespace colonnade::wrap {

using namespace clang;

namespace {

/// All declarations of the file itself, inner ones first.
class Declarations : public RecursiveASTVisitor<Declarations> {
public:
  explicit Declarations(const SourceManager &sources) : sources_(sources) {}
  bool shouldTraversePostOrder() const { return true; }
  bool VisitNamedDecl(NamedDecl *decl) {
    if (!sources_.isInSystemHeader(decl->getLocation()) && decl->getLocation().isValid() &&
        !decl->isImplicit())
      all.push_back(decl);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    if (const auto *function = llvm::dyn_cast<FunctionDecl>(reference->getDecl()))
      called.insert(function);
    return true;
  }
  std::vector<NamedDecl *> all;
  std::set<const FunctionDecl *> called;

private:
  const SourceManager &sources_;
};

/// What an expression or a body refers to, and its `if` statements. (C has no statements beside
/// the children of others.)
struct References {
  void add(const Stmt *statement) {
    if (const auto *reference = llvm::dyn_cast_or_null<DeclRefExpr>(statement))
      decls.push_back(reference->getDecl());
    if (const auto *condition = llvm::dyn_cast_or_null<IfStmt>(statement))
      ifs.push_back(condition);
    if (statement)
      for (const Stmt *child : statement->children())
        add(child);
  }
  std::vector<const ValueDecl *> decls;
  std::vector<const IfStmt *> ifs;
};

} // namespace

static References referencesIn(const Stmt *statement) {
  References references;
  references.add(statement);
  return references;
}

static PrintingPolicy policyOf(const ASTContext &context) {
  PrintingPolicy policy(context.getLangOpts());
  policy.Bool = true;
  policy.IncludeTagDefinition = false;
  return policy;
}

/// `abort` and `exit` are the class's own, and `printf` writes nothing.
static bool isOurs(const FunctionDecl &function) {
  llvm::StringRef name = function.getIdentifier() ? function.getName() : "";
  return name == "abort" || name == "exit" || name == "printf";
}

Programme::Programme(ASTContext &context)
    : context_(context), policy_(policyOf(context)), statements_(policy_) {
  collect();
}

static bool isCxxKeyword(llvm::StringRef name) {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus20 = options.Bool = true;
  options.CXXOperatorNames = true;
  static IdentifierTable keywords(options);
  return keywords.get(name).getTokenID() != tok::identifier;
}

/// A name that C++ takes, too, and that nothing else of its kind has.
void Programme::name(NamedDecl &decl, std::set<std::string> &taken) {
  std::string name = decl.getNameAsString();
  const bool isType = llvm::isa<TypeDecl>(decl);
  if (name.empty() && !isType)
    return;
  if (name.empty())
    name = "unnamed";
  else if (isCxxKeyword(name))
    name += "_";
  for (const std::string stem = name; isType && !taken.insert(name).second;)
    name = stem + "_" + std::to_string(taken.size());
  if (name != decl.getNameAsString())
    decl.setDeclName(&context_.Idents.get(name));
}

void Programme::addVariable(const VarDecl &variable) {
  if (variable.hasLocalStorage())
    return;
  const VarDecl *definition = variable.getDefinition();
  if (!definition)
    definition = const_cast<VarDecl &>(variable).getActingDefinition();
  if (&variable == definition)
    variables_.push_back(&variable);
  if (isConstant(variable))
    constants_.insert(&variable);
  if (variable.isStaticLocal()) {
    const auto *function = llvm::cast<FunctionDecl>(variable.getParentFunctionOrMethod());
    statements_.rename(variable, function->getNameAsString() + "_" + variable.getNameAsString());
  }
}

void Programme::addType(TypeDecl &type) {
  const auto *record = llvm::dyn_cast<RecordDecl>(&type);
  const auto *tag = llvm::dyn_cast<TagDecl>(&type);
  if ((record && record->isAnonymousStructOrUnion()) || (tag && !tag->isCompleteDefinition()))
    return;
  name(type, tag ? tags_ : typedefs_);
  const auto *alias = llvm::dyn_cast<TypedefDecl>(&type);
  if (tag || (alias && !alias->getUnderlyingType()->isVariablyModifiedType()))
    types_.push_back(&type);
}

void Programme::collect() {
  Declarations declarations(context_.getSourceManager());
  declarations.TraverseDecl(context_.getTranslationUnitDecl());
  std::vector<const FunctionDecl *> bodiless;
  for (NamedDecl *decl : declarations.all) {
    if (auto *type = llvm::dyn_cast<TypeDecl>(decl)) {
      addType(*type);
      continue;
    }
    name(*decl, typedefs_);
    if (const auto *variable = llvm::dyn_cast<VarDecl>(decl))
      addVariable(*variable);
    const auto *function = llvm::dyn_cast<FunctionDecl>(decl);
    if (function && function->isThisDeclarationADefinition())
      functions_.push_back(function);
    else if (function && !function->hasBody() && function->isFirstDecl() &&
             !function->getBuiltinID() && !isOurs(*function))
      bodiless.push_back(function);
  }
  functions_.insert(functions_.end(), bodiless.begin(), bodiless.end());
  for (const FunctionDecl *function : declarations.called)
    if (unsigned builtin = function->getBuiltinID(); builtin && !isOurs(*function))
      if (const char *header = context_.BuiltinInfo.getHeaderName(builtin))
        headers_.insert(header);
}

/// Those that the file itself includes, and those of C's library that it calls without.
std::set<std::string> Programme::headers() const {
  std::set<std::string> headers = headers_;
  const SourceManager &sources = context_.getSourceManager();
  llvm::SmallVector<llvm::StringRef> lines;
  sources.getBufferData(sources.getMainFileID()).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.ltrim();
    if (line.consume_front("#") && (line = line.ltrim()).consume_front("include") &&
        (line = line.ltrim()).consume_front("<"))
      headers.insert(line.take_until([](char c) { return c == '>'; }).str());
  }
  return headers;
}

/// Whether its initialiser may stand outside the class.
bool Programme::hasConstantStart(const VarDecl &variable) const {
  if (const Expr *value = variable.getAnyInitializer())
    for (const ValueDecl *decl : referencesIn(value).decls)
      if (const auto *other = llvm::dyn_cast<VarDecl>(decl);
          llvm::isa<FunctionDecl>(decl) ||
          (other && !constants_.contains(other->getCanonicalDecl())))
        return false;
  return true;
}

/// Whether it may stand outside the class: no instance changes it, or what it is made of.
bool Programme::isConstant(const VarDecl &variable) const {
  const QualType type = context_.getBaseElementType(variable.getType());
  return type.isConstQualified() && !type.isVolatileQualified() && variable.hasInit() &&
         hasConstantStart(variable);
}

static bool aborts(const IfStmt &statement) {
  const Stmt *then = statement.getThen();
  while (const auto *block = llvm::dyn_cast<CompoundStmt>(then)) {
    if (block->size() != 1)
      return false;
    then = block->body_front();
  }
  const auto *call = llvm::dyn_cast<CallExpr>(then);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getIdentifier() && callee->getName().ends_with("abort");
}

bool Programme::plant() {
  for (const FunctionDecl *function : functions_)
    if (function->isMain() && function->hasBody())
      for (const IfStmt *statement : referencesIn(function->getBody()).ifs)
        if (aborts(*statement)) {
          statements_.plant(*statement);
          return true;
        }
  return false;
}

} // namespace colonnade::wrap
