//===- ToolInvocation.h - Runs Clang on the sources ------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: source files and where their flags come from. Out: one ASTUnit per file.
//
// Invariant: a file is parsed with the flags that its build gives it, ours in front of
// them, and without a word of ours on stderr. Clang prints its errors itself; our Error
// then only says that compilation failed.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_TOOLINVOCATION_H
#define COLONNADE_FRONTEND_TOOLINVOCATION_H

#include "Frontend/Frontend.h"
#include "Frontend/FunctionSelector.h"

#include "clang/Tooling/CompilationDatabase.h"

namespace clang::tooling {
class ClangTool;
}

namespace colonnade::frontend {

struct VirtualFile {
  std::string path, text;
};

/// Lines appended to source files in memory, by the file's index: they ask for
/// template instances. Must outlive the units parsed with it.
struct Additions {
  std::map<size_t, std::string> lines;
  std::map<size_t, VirtualFile> files;
};

/// One ASTUnit per file, in the order of the files. An error also where flags give the language
/// another meaning than the tool's: other sizes of types, overflow that is defined.
llvm::Expected<Units> parseSources(const FrontendOptions &options, Additions &additions);

/// Gives each file the flags of its build, ours in front. `options` must outlive the tool.
void prepareTool(clang::tooling::ClangTool &tool, const FrontendOptions &options);

/// What makes assert nothing, unless these flags already say what it is.
std::vector<std::string> assertFlags(const std::vector<std::string> &flags,
                                     const std::vector<std::string> &moreFlags);

/// The language's version, where the flags `args` of `file` do not say it. The original is compiled
/// with the same: compilers differ in what they take it for.
std::vector<std::string> standardFlags(const std::vector<std::string> &args, llvm::StringRef file,
                                       bool hasDatabase);

/// That of -p, or one that gives every file the flags after `--`.
llvm::Expected<std::unique_ptr<clang::tooling::CompilationDatabase>>
openDatabase(const FrontendOptions &options);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_TOOLINVOCATION_H
