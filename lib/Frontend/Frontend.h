//===- Frontend.h - C and C++ source files to raw IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: source files and Clang flags. Out: one Module with every function that an
// entry can reach, lowered once each, linked by mangled name across files.
// Invariant: accesses appear in the order in which clang -O0 performs them
// (unsequenced operands left to right, the right side of a compound assignment
// first), because recorded traces are compared with ours access by access.
// A construct outside the subset becomes an Unsupported op at its location; the
// rest of the function is still lowered. An evaluation of the source without an operation
// makes its function one that is refused (Ledger/Ledger.h).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_FRONTEND_H
#define COLONNADE_FRONTEND_FRONTEND_H

#include "IR/Function.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace colonnade {

struct FrontendOptions {
  std::vector<std::string> files;
  std::vector<std::string> clangFlags; // after `--`
  std::string buildPath;               // -p: directory of compile_commands.json
  std::vector<std::string> functions;  // -f names; empty: all marked COLONNADE_BULK, else the
                                       // only function of the files
  bool allFunctions = false;           // instead: every function of the files
  std::string resourceDir;             // empty: the one configured at build time
  bool ledger = false;                 // FrontendResult::ledger is wanted
  /// For tests: is given the module before it is compared with the source, and may itself
  /// ask, any number of times, how many evaluations of a function are lost.
  std::function<void(ir::Module &, llvm::function_ref<unsigned(FunctionId)>)> beforeLedger;
};

/// How C or C++ code calls an entry.
struct EntrySource {
  std::string file;                // the one of `files` that defines it, perhaps by #include
  bool isC = false;                // the language of that file
  std::string pointerType;         // "int (*)(int)", which chooses among overloads; or empty
  std::vector<bool> takesRvalue;   // of each parameter of the source: T &&
  std::vector<std::string> cTypes; // C: each of them as it is spelled
  std::string uncallable;          // why no other code can call it; empty: it can
  std::string name;                // what code that includes the file calls it
};

struct FrontendResult {
  ir::Module module;
  std::vector<FunctionId> entries;       // in the order of `functions`
  std::vector<EntrySource> sources;      // of each entry
  std::vector<std::string> dependencies; // every file read, each once: for depfiles
  std::string ledger;                    // each evaluation of the source, and what became of it
  std::vector<std::string> unparsed;     // of allFunctions: why a file was left out
};

/// Parses and lowers. Compile errors are printed by Clang on stderr; the Error
/// then only says that compilation failed. An unknown function name, or an
/// ambiguous one (with its candidates), is an Error too.
llvm::Expected<FrontendResult> lowerSources(const FrontendOptions &options);

/// The files of the compile_commands.json in a folder, each once, as they are named there.
llvm::Expected<std::vector<std::string>> projectFiles(const std::string &buildPath);

/// How a build compiles one file: for compilers that are not Clang's library.
struct CompileCommand {
  std::string folder;             // where it runs; "": anywhere
  std::vector<std::string> flags; // without compiler, input, output and dependency files
};

/// From compile_commands.json and the flags after `--`. Error: no such database.
llvm::Expected<CompileCommand> compileCommand(const FrontendOptions &options,
                                              const std::string &file);

} // namespace colonnade

#endif // COLONNADE_FRONTEND_FRONTEND_H
