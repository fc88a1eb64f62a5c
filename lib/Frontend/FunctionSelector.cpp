//===- FunctionSelector.cpp - Entry functions by name ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionSelector.h"

#include "Frontend/Callable.h"
#include "Frontend/ModuleLowering.h"
#include "Frontend/Types/Annotations.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

namespace colonnade::frontend {

using clang::Decl;
using clang::FunctionDecl;
using llvm::dyn_cast;
using llvm::StringRef;

namespace {
struct Candidate {
  const FunctionDecl *function = nullptr;
  const clang::FunctionTemplateDecl *pattern = nullptr;
  size_t unit = 0;
};
} // namespace

/// Calls `visit` for each function and function template outside of bodies.
static void forEachFunction(const clang::DeclContext &scope,
                            llvm::function_ref<void(const clang::NamedDecl &)> visit) {
  for (const Decl *decl : scope.decls()) {
    if (const auto *function = dyn_cast<FunctionDecl>(decl))
      visit(*function);
    else if (const auto *pattern = dyn_cast<clang::FunctionTemplateDecl>(decl))
      visit(*pattern);
    else if (const auto *friendly = dyn_cast<clang::FriendDecl>(decl)) {
      if (const auto *function = llvm::dyn_cast_or_null<FunctionDecl>(friendly->getFriendDecl());
          function && function->isThisDeclarationADefinition())
        visit(*function);
    } else if (const auto *record = dyn_cast<clang::CXXRecordDecl>(decl)) {
      if (!record->isDependentContext())
        forEachFunction(*record, visit);
    } else if (const auto *inner = dyn_cast<clang::DeclContext>(decl);
               inner &&
               (llvm::isa<clang::NamespaceDecl>(decl) || llvm::isa<clang::LinkageSpecDecl>(decl)))
      forEachFunction(*inner, visit);
  }
}

/// Without spaces, so that `f<float,8>` and `f(int *, int)` compare.
static std::string squeeze(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    bool between =
        i > 0 && i + 1 < text.size() && llvm::isAlnum(text[i - 1]) && llvm::isAlnum(text[i + 1]);
    if (text[i] != ' ' || between)
      result += text[i];
  }
  StringRef trimmed = result;
  trimmed.consume_front("::");
  return trimmed.str();
}

std::string withoutUnnamed(StringRef name) {
  std::string result = name.str();
  const StringRef unnamed = "(anonymous namespace)::";
  for (size_t at; (at = result.find(unnamed)) != std::string::npos;)
    result.erase(at, unnamed.size());
  return result;
}

/// `unsigned` alone is `unsigned int`.
static std::string spellUnsigned(StringRef signature) {
  std::string result;
  while (!signature.empty()) {
    size_t length = signature.find_first_of("(,*&)<> ");
    StringRef word = signature.take_front(length);
    StringRef after = signature.substr(word.size());
    result += word;
    bool qualifies = after.starts_with(" int") || after.starts_with(" long") ||
                     after.starts_with(" char") || after.starts_with(" short");
    if (word == "unsigned" && !qualifies)
      result += " int";
    result += after.take_front(1);
    signature = after.drop_front(std::min<size_t>(1, after.size()));
  }
  return result;
}

/// Without the `const` of parameters themselves, which is no part of a function's type.
static std::string withoutConstParameters(StringRef signature) {
  std::string result = "(";
  const StringRef inner = signature.drop_front().drop_back();
  size_t depth = 0, begin = 0;
  for (size_t i = 0; i <= inner.size(); ++i) {
    const char c = i < inner.size() ? inner[i] : ',';
    depth += c == '(' || c == '<' || c == '[';
    depth -= c == ')' || c == '>' || c == ']';
    if (c != ',' || depth != 0)
      continue;
    StringRef parameter = inner.slice(begin, i);
    while (parameter.consume_back("const"))
      parameter = parameter.rtrim();
    if (parameter.find_first_of("*&[(") == StringRef::npos)
      while (parameter.consume_front("const "))
        parameter = parameter.ltrim();
    result += (result.size() > 1 ? "," : "") + parameter.str();
    begin = i + 1;
  }
  return result + ")";
}

/// "(int*,float)" as written types, or with typedefs resolved.
static std::string signatureOf(const FunctionDecl &function, bool canonical) {
  const clang::PrintingPolicy &policy = function.getASTContext().getPrintingPolicy();
  std::string text = "(";
  for (const clang::ParmVarDecl *param : function.parameters()) {
    clang::QualType type = canonical ? param->getType().getCanonicalType() : param->getType();
    text += (text.size() > 1 ? "," : "") + type.getAsString(policy);
  }
  return withoutConstParameters(squeeze(text + ")"));
}

/// Does `written` ("ns::f", "f", "f<float,8>", "f(int*,int)") mean this function?
static bool matches(StringRef written, const FunctionDecl &function) {
  std::string name = withoutUnnamed(squeeze(qualifiedName(function)));
  StringRef base = StringRef(name).take_until([](char c) { return c == '<'; });
  StringRef signature;
  std::string spelt;
  const StringRef call = "operator()"; // whose own parentheses are part of the name
  const size_t named = written.find(call);
  const size_t from = named == StringRef::npos ? 0 : named + call.size();
  if (size_t open = written.find('(', from); open != StringRef::npos) {
    signature = written.substr(open);
    spelt = spellUnsigned(signature);
    if (StringRef(spelt).ends_with(")"))
      spelt = withoutConstParameters(spelt);
    signature = spelt;
    written = written.substr(0, open);
  }
  if (written != name && written != base)
    return false;
  return signature.empty() || signature == signatureOf(function, false) ||
         signature == signatureOf(function, true);
}

static void collect(const clang::NamedDecl &decl, StringRef written, size_t unit,
                    std::vector<Candidate> &found, std::vector<Candidate> &patterns) {
  auto add = [&](const FunctionDecl &function) {
    const FunctionDecl *definition = nullptr;
    if (!function.isDefined(definition) || !definition->hasBody() ||
        definition->isDependentContext() || !matches(written, *definition))
      return;
    for (const Candidate &known : found)
      if (known.function == definition ||
          (definition->isExternallyVisible() &&
           mangledName(*known.function) == mangledName(*definition)))
        return;
    found.push_back({definition, nullptr, unit});
  };
  if (const auto *function = dyn_cast<FunctionDecl>(&decl))
    return add(*function);
  const auto &pattern = llvm::cast<clang::FunctionTemplateDecl>(decl);
  for (const FunctionDecl *instance : pattern.specializations())
    add(*instance);
  StringRef base = written.take_until([](char c) { return c == '<'; });
  if (base.size() < written.size() && base == withoutUnnamed(pattern.getQualifiedNameAsString()))
    patterns.push_back({nullptr, &pattern, unit});
}

/// Names at a small edit distance, or containing what was written.
static std::string nearNames(const Units &units, StringRef written) {
  StringRef base = written.take_until([](char c) { return c == '<' || c == '('; });
  StringRef last = base.substr(base.rfind(':') == StringRef::npos ? 0 : base.rfind(':') + 1);
  std::vector<std::pair<unsigned, std::string>> near;
  for (const auto &unit : units)
    forEachFunction(*unit->getASTContext().getTranslationUnitDecl(), [&](const auto &decl) {
      const clang::SourceManager &sources = unit->getSourceManager();
      if (sources.isInSystemHeader(decl.getLocation()) || !decl.getDeclName().isIdentifier())
        return;
      StringRef name = decl.getName();
      if (withoutUnnamed(decl.getQualifiedNameAsString()) == base)
        return; // it has no body
      unsigned distance = name.edit_distance(last, true, 3);
      if (distance <= 2 || (last.size() > 2 && name.contains_insensitive(last)))
        near.emplace_back(distance, decl.getQualifiedNameAsString());
    });
  llvm::sort(near);
  std::string text;
  std::vector<std::string> listed;
  for (const auto &[distance, name] : near)
    if (listed.size() < 5 && !llvm::is_contained(listed, name)) {
      text += (listed.empty() ? "; did you mean '" : ", '") + name + "'";
      listed.push_back(name);
    }
  return text;
}

static std::string describe(const Candidate &candidate) {
  const clang::SourceManager &sources = candidate.function->getASTContext().getSourceManager();
  return qualifiedName(*candidate.function) + signatureOf(*candidate.function, false) + " at " +
         candidate.function->getLocation().printToString(sources);
}

llvm::Expected<Selection> selectFunction(const Units &units, StringRef name) {
  std::string written = withoutUnnamed(squeeze(name));
  std::vector<Candidate> found, patterns;
  for (size_t unit = 0; unit < units.size(); ++unit)
    forEachFunction(
        *units[unit]->getASTContext().getTranslationUnitDecl(),
        [&](const clang::NamedDecl &decl) { collect(decl, written, unit, found, patterns); });
  if (found.size() == 1)
    return Selection{found[0].function, nullptr, found[0].unit};
  if (found.empty() && !patterns.empty())
    return Selection{nullptr, patterns[0].pattern, patterns[0].unit};
  if (found.empty())
    return llvm::createStringError("no function '" + name.str() + "' with a body in these files" +
                                   nearNames(units, written));
  std::string text = "'" + name.str() + "' is ambiguous; candidates:";
  for (const Candidate &candidate : found)
    text += "\n  " + describe(candidate);
  return llvm::createStringError(text);
}

/// Calls `visit` for the definition of each function and template instance.
static void
forEachDefinition(const clang::ASTUnit &unit,
                  llvm::function_ref<void(const FunctionDecl &, const FunctionDecl &)> visit) {
  auto add = [&](const FunctionDecl &function) {
    const FunctionDecl *definition = nullptr;
    if (function.isDefined(definition) && definition->hasBody() &&
        !definition->isDependentContext())
      visit(function, *definition);
  };
  forEachFunction(*unit.getASTContext().getTranslationUnitDecl(), [&](const auto &decl) {
    if (const auto *function = dyn_cast<FunctionDecl>(&decl))
      add(*function);
    else
      for (const FunctionDecl *instance :
           llvm::cast<clang::FunctionTemplateDecl>(decl).specializations())
        add(*instance);
  });
}

std::vector<const FunctionDecl *> markedFunctions(const Units &units) {
  std::vector<const FunctionDecl *> marked;
  for (const auto &unit : units)
    forEachDefinition(*unit, [&](const FunctionDecl &function, const FunctionDecl &definition) {
      if (isMarkedBulk(function) && !llvm::is_contained(marked, &definition))
        marked.push_back(&definition);
    });
  return marked;
}

std::vector<const FunctionDecl *> definedFunctions(const Units &units) {
  std::vector<const FunctionDecl *> defined;
  std::set<std::pair<size_t, std::string>> known; // by unit, unless units share it, and name
  for (size_t unit = 0; unit < units.size(); ++unit)
    forEachDefinition(*units[unit], [&](const FunctionDecl &, const FunctionDecl &definition) {
      const clang::SourceManager &sources = units[unit]->getSourceManager();
      const auto *method = dyn_cast<clang::CXXMethodDecl>(&definition);
      if (definition.isMain() || (method && !method->isStatic()) ||
          hasNamelessArguments(definition) ||
          !sources.isInMainFile(sources.getExpansionLoc(definition.getLocation())))
        return;
      // Files of different programmes may each have an f of their own.
      const bool isShared = definition.isExternallyVisible() &&
                            (definition.isInlined() || definition.isTemplateInstantiation());
      size_t scope = isShared ? units.size() : unit;
      if (known.insert({scope, mangledName(definition)}).second)
        defined.push_back(&definition);
    });
  return defined;
}

llvm::Expected<const FunctionDecl *> onlyCandidate(const Units &units) {
  std::vector<const FunctionDecl *> all = definedFunctions(units), visible;
  llvm::copy_if(all, std::back_inserter(visible),
                [](const FunctionDecl *function) { return function->isExternallyVisible(); });
  const std::vector<const FunctionDecl *> &candidates = visible.empty() ? all : visible;
  if (candidates.size() == 1)
    return candidates.front();
  if (candidates.empty())
    return llvm::createStringError("no function with a body in these files");
  constexpr size_t most = 8;
  std::string text = "no function given with -f, and none is marked COLONNADE_BULK; candidates:";
  for (const FunctionDecl *function : llvm::ArrayRef(candidates).take_front(most))
    text += "\n  " + describe({function, nullptr, 0});
  if (candidates.size() > most)
    text += "\n  and " + std::to_string(candidates.size() - most) + " more (check --all)";
  return llvm::createStringError(text);
}

} // namespace colonnade::frontend
