//===- OneDefinition.h - What several files define --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline functions, instances of templates and inline variables are defined in each file that uses
// them, and the linker takes any one. If the definitions differ, as with a macro or a class that
// each file writes its own way, what the programme does is not said, and no compiler reports it
// ([basic.def.odr]).
//
// In: the files, and a definition in one of them. Out: another file's definition of the same name
// that means something else. Invariant: functions that are held for the same have the same raw IR,
// and so have those that they alone can call.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_ONEDEFINITION_H
#define COLONNADE_FRONTEND_ONEDEFINITION_H

#include "Frontend/FunctionSelector.h"
#include "Frontend/ModuleLowering.h"

#include "llvm/ADT/StringMap.h"

#include <set>

namespace colonnade::frontend {

class OneDefinition {
public:
  OneDefinition(const Units &units, const LinkIndex &index);

  /// Null: the files that define it agree. Time: to lower the function, for each such file.
  const clang::FunctionDecl *differing(const clang::FunctionDecl &definition);
  const clang::VarDecl *differing(const clang::VarDecl &definition) const;

private:
  void addScope(const clang::DeclContext &scope);
  void add(const clang::Decl &decl);
  using Pairs = std::set<std::pair<const clang::FunctionDecl *, const clang::FunctionDecl *>>;
  bool areAlike(const clang::FunctionDecl &a, const clang::FunctionDecl &b, Pairs &compared);

  const LinkIndex &index_;
  /// By the name alone: few are asked for, and mangling all of them would take longer.
  llvm::StringMap<std::vector<const clang::FunctionDecl *>> functions_;
  llvm::StringMap<std::vector<const clang::VarDecl *>> variables_;
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_ONEDEFINITION_H
