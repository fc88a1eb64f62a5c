//===- Emission.h - Runs Clang's own code generator ------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a parsed file (with -femit-all-decls), and functions of it. Out: their code at -O0,
// with the line and column of each instruction, and what it accesses.
//
// Invariant: what Clang emits is left out only by one of the rules in AccessesOfCode.cpp,
// none of which speaks of the source.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_REFERENCE_EMISSION_H
#define COLONNADE_TEST_TOOLS_REFERENCE_EMISSION_H

#include "Reference/Access.h"

#include "Frontend/ClangHeaders.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace colonnade::reference {

class Emission {
public:
  explicit Emission(clang::ASTUnit &unit);
  void add(const clang::FunctionDecl &function);
  /// After this, nothing is added.
  void finish();

  /// The code of a function; null: there is none.
  const llvm::Function *codeOf(const clang::FunctionDecl &function);
  std::vector<Access> accessesOf(const llvm::Function &code);

private:
  const clang::Decl *calledBy(const llvm::CallBase &call);
  bool passesRecord(const llvm::CallBase &call);
  bool returnsRecord(const llvm::CallBase &call);
  bool isPassing(const llvm::LoadInst &load);
  bool isPassing(const llvm::StoreInst &store);
  bool isClangsOwn(const llvm::Instruction &instruction);

  clang::ASTUnit &unit_;
  clang::CodeGenOptions options_;
  llvm::LLVMContext context_;
  std::unique_ptr<clang::CodeGenerator> generator_;
};

} // namespace colonnade::reference

#endif // COLONNADE_TEST_TOOLS_REFERENCE_EMISSION_H
