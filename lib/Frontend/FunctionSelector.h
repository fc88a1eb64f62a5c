//===- FunctionSelector.h - Entry functions by name ------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: what the user wrote after -f. Out: the definition meant, or an Error that
// lists the candidates (ambiguous) or near names (unknown). A template instance
// that no file instantiates is reported apart, so that it can be asked for.
// Invariant: a name that fits several functions chooses none of them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_FUNCTIONSELECTOR_H
#define COLONNADE_FRONTEND_FUNCTIONSELECTOR_H

#include "Frontend/ClangHeaders.h"

#include "llvm/Support/Error.h"

namespace colonnade::frontend {

using Units = std::vector<std::unique_ptr<clang::ASTUnit>>;

struct Selection {
  const clang::FunctionDecl *function = nullptr;
  /// Set instead: an instance of this template has to be asked for in `unit`.
  const clang::FunctionTemplateDecl *uninstantiated = nullptr;
  size_t unit = 0;
};

llvm::Expected<Selection> selectFunction(const Units &units, llvm::StringRef name);

/// Nobody can write "(anonymous namespace)": what is in it is named like what is around it.
std::string withoutUnnamed(llvm::StringRef name);

/// Every function with a body in the named files themselves (not in what they include), each once,
/// in source order: also static members and instances of templates. Other members are no entries;
/// they are checked where they are called.
std::vector<const clang::FunctionDecl *> definedFunctions(const Units &units);

/// The only function that `-f` could name, of `definedFunctions`: the one that other files see,
/// else the only one. Error: there are several, which are listed, or none.
llvm::Expected<const clang::FunctionDecl *> onlyCandidate(const Units &units);

/// All functions marked COLONNADE_BULK, in source order.
std::vector<const clang::FunctionDecl *> markedFunctions(const Units &units);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_FUNCTIONSELECTOR_H
