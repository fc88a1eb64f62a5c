//===- ModuleLowering.h - Functions, locations and tables of the module --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the functions that the user named, and the definitions of all files by mangled name. Out: a
// module of raw IR with these functions and all that they call, and the ledger of each. Owns what
// they share: FunctionIds by mangled name, the work list of functions still to be lowered, types,
// and source locations.
// Invariant: every FunctionId it hands out is lowered before `finish` returns, or
// marked as having no visible body.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_MODULELOWERING_H
#define COLONNADE_FRONTEND_MODULELOWERING_H

#include "Frontend/ClangHeaders.h"
#include "Frontend/Ledger/Ledger.h"
#include "Frontend/Types/TypeLowering.h"

#include <deque>

namespace colonnade::frontend {

class OneDefinition;

/// Definitions that other files may refer to, by mangled name.
struct LinkIndex {
  std::map<std::string, const clang::FunctionDecl *> functions;
  std::map<std::string, const clang::VarDecl *> variables;
};

class ModuleLowering {
public:
  ModuleLowering(ir::Module &module, const LinkIndex &index);

  ir::Module &module() { return module_; }
  TypeLowering &types() { return types_; }

  /// The function's id; it is queued for lowering on first use.
  FunctionId functionFor(const clang::FunctionDecl &decl);
  /// The same for a function the user named.
  FunctionId entry(const clang::FunctionDecl &decl);
  /// The definition of `decl` here or in another file; null if there is none.
  const clang::FunctionDecl *definitionOf(const clang::FunctionDecl &decl) const;
  const clang::VarDecl *definitionOf(const clang::VarDecl &decl) const;
  /// Lowers the first of the functions that are queued; which may queue more.
  void lowerNext();
  std::vector<const clang::FunctionDecl *> pending() const;
  /// Lowers everything queued, and what that queues.
  void finish();
  /// What each function was lowered from, by FunctionId; once finished.
  std::vector<ledger::LoweredFunction> &lowered() { return lowered_; }
  /// What the language evaluates in a function, and whether operations stand for it.
  std::vector<ledger::Entry> ledgerOf(FunctionId id);
  /// How many evaluations of a function are lost.
  unsigned losses(FunctionId id);
  /// Refuses each function a part of whose source is lost.
  void refuseLosses();
  /// Refuses each function that is, or uses, what another file defines in another way.
  void refuseDifferences(OneDefinition &definitions);
  /// A line for each evaluation.
  std::string printLedgers();

  LocId location(clang::SourceLocation loc, const clang::ASTContext &context);

private:
  /// `role`: tells a function that is called from itself as an entry.
  FunctionId queue(const clang::FunctionDecl &decl, const clang::FunctionDecl *definition,
                   llvm::StringRef role = "");

  ir::Module &module_;
  const LinkIndex &index_;
  TypeLowering types_;
  std::map<std::string, FunctionId> functions_;
  std::vector<FunctionId> entries_;
  std::map<FunctionId, const clang::FunctionDecl *> entryOf_; // the definition of each
  std::vector<ledger::LoweredFunction> lowered_;
  std::deque<std::pair<FunctionId, const clang::FunctionDecl *>> pending_;
  std::string workingDirectory_;
  std::map<const clang::FileEntry *, std::string> fileNames_;
};

/// The name other files link to; functions with internal linkage have theirs
/// too, but it is not unique among files.
std::string mangledName(const clang::NamedDecl &decl);
/// A weak definition: the linker prefers any other of the same name.
bool isReplaceable(const clang::NamedDecl &definition);
/// "ns::f", "f<float, 8>".
std::string qualifiedName(const clang::NamedDecl &decl);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_MODULELOWERING_H
