//===- Subject.cpp - A file, lowered and emitted --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference/Subject.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

namespace colonnade::reference {

using clang::FunctionDecl;

/// Functions with a body in the file itself that Clang emits: no consteval ones. Methods are
/// compared where they are called.
static void collect(const clang::DeclContext &scope, std::vector<const FunctionDecl *> &found) {
  const clang::SourceManager &sources = scope.getParentASTContext().getSourceManager();
  for (const clang::Decl *decl : scope.decls()) {
    const auto *function = llvm::dyn_cast<FunctionDecl>(decl);
    if (function && function->isThisDeclarationADefinition() && !function->isDependentContext() &&
        !function->isDeleted() && !function->isImmediateFunction() &&
        !llvm::isa<clang::CXXMethodDecl>(function) &&
        sources.isInMainFile(sources.getExpansionLoc(function->getLocation())))
      found.push_back(function);
    const auto *inner = llvm::dyn_cast<clang::DeclContext>(decl);
    if (inner && llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl))
      collect(*inner, found);
  }
}

llvm::Expected<std::unique_ptr<Subject>> Subject::create(const std::string &file,
                                                         const std::vector<std::string> &flags) {
  std::unique_ptr<Subject> subject(new Subject);
  FrontendOptions options;
  options.files = {file};
  options.clangFlags = flags;
  options.clangFlags.insert(options.clangFlags.end(),
                            {"-w", "-femit-all-decls", "-ffp-contract=off"});
  llvm::Expected<frontend::Units> units = parseSources(options, subject->additions_);
  if (!units)
    return units.takeError();
  subject->units_ = std::move(*units);
  std::vector<const FunctionDecl *> entries;
  collect(*subject->units_[0]->getASTContext().getTranslationUnitDecl(), entries);
  for (const FunctionDecl *entry : entries)
    subject->entries_.push_back(subject->lowering_.entry(*entry));
  subject->lowering_.finish();
  return subject;
}

/// Whether all that `from` comes to is in the subset; adds it to `reached`.
bool Subject::reachSupported(FunctionId from, std::vector<bool> &reached) const {
  std::vector<FunctionId> open = {from};
  reached[from.index] = true;
  while (!open.empty()) {
    const ir::Function &function = module_.function(open.back());
    open.pop_back();
    if (!function.isDefined)
      return false;
    for (const ir::Op &op : function.ops) {
      if (op.opcode == ir::Opcode::Unsupported)
        return false;
      if (op.opcode == ir::Opcode::Call && !reached[op.callee.index]) {
        reached[op.callee.index] = true;
        open.push_back(op.callee);
      }
    }
  }
  return true;
}

std::vector<Compared> Subject::compared() {
  std::vector<bool> chosen(module_.functions.size());
  for (FunctionId entry : entries_) {
    std::vector<bool> reached(module_.functions.size());
    bool isSupported = reachSupported(entry, reached);
    refused_ += !isSupported;
    for (size_t i = 0; isSupported && i < reached.size(); ++i)
      chosen[i] = chosen[i] || reached[i];
  }
  Emission emission(*units_[0]);
  for (size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i])
      emission.add(*lowering_.lowered()[i].decl);
  emission.finish();
  std::vector<Compared> result;
  for (size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) {
      const llvm::Function *code = emission.codeOf(*lowering_.lowered()[i].decl);
      if (!code)
        llvm::report_fatal_error(llvm::Twine("Clang emits no ") + module_.functions[i].name);
      result.push_back({FunctionId(i), emission.accessesOf(*code)});
    }
  return result;
}

static std::vector<std::string> words(llvm::StringRef text, llvm::StringRef folder,
                                      const std::vector<std::string> &common) {
  std::vector<std::string> result;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ' ', -1, false);
  for (llvm::StringRef part : parts) {
    if (part == "|" || part.starts_with("2>") || part.starts_with(">"))
      break;
    std::string word = part.str();
    if (size_t at = word.find("%S"); at != std::string::npos)
      word.replace(at, 2, folder);
    if (word == "%include")
      result.insert(result.end(), common.begin(), common.end());
    else
      result.push_back(word);
  }
  return result;
}

std::vector<std::vector<std::string>> flagsOf(const std::string &file,
                                              const std::vector<std::string> &common) {
  std::set<std::vector<std::string>> sets;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  llvm::SmallVector<llvm::StringRef> lines;
  if (buffer)
    (*buffer)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    auto [command, flags] = line.split(" -- ");
    if (command.contains("RUN:") && command.contains("%colonnade") && !flags.empty())
      sets.insert(words(flags, llvm::sys::path::parent_path(file), common));
  }
  if (sets.empty())
    sets.insert(common);
  return {sets.begin(), sets.end()};
}

} // namespace colonnade::reference
