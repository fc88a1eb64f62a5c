//===- Emission.cpp - Runs Clang's own code generator ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference/Emission.h"

#include "Record/Assumptions.h"

namespace colonnade::reference {

using llvm::dyn_cast;

static clang::CodeGenOptions plainCode() {
  clang::CodeGenOptions options;
  options.OptimizationLevel = 0;
  options.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
  options.DebugColumnInfo = true;
  options.DwarfVersion = 5;
  return options;
}

Emission::Emission(clang::ASTUnit &unit)
    : unit_(unit), options_(plainCode()),
      generator_(clang::CreateLLVMCodeGen(
          unit.getDiagnostics(), "reference", &unit.getFileManager().getVirtualFileSystem(),
          unit.getHeaderSearchOpts(), unit.getPreprocessorOpts(), options_, context_)) {
  // What Clang has no code for, it says here; the parse is over, and with it its printer.
  unit.getDiagnostics().setClient(new clang::IgnoringDiagConsumer, /*ShouldOwnClient=*/true);
  generator_->Initialize(unit.getASTContext());
}

void Emission::add(const clang::FunctionDecl &function) {
  generator_->HandleTopLevelDecl(clang::DeclGroupRef(const_cast<clang::FunctionDecl *>(&function)));
}

void Emission::finish() {
  generator_->HandleTranslationUnit(unit_.getASTContext());
  if (llvm::Module *module = generator_->GetModule())
    record::dropAssumptions(*module);
}

/// Those of a whole object only call the ones of a base.
static clang::GlobalDecl globalOf(const clang::FunctionDecl &function) {
  if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&function))
    return {constructor, clang::Ctor_Base};
  if (const auto *destructor = dyn_cast<clang::CXXDestructorDecl>(&function))
    return {destructor, clang::Dtor_Base};
  return {&function};
}

const llvm::Function *Emission::codeOf(const clang::FunctionDecl &function) {
  if (!generator_->GetModule())
    return nullptr;
  const llvm::Function *code =
      generator_->GetModule()->getFunction(generator_->GetMangledName(globalOf(function)));
  return code && !code->isDeclaration() ? code : nullptr;
}

const clang::Decl *Emission::calledBy(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  const clang::Decl *decl = callee ? generator_->GetDeclForMangledName(callee->getName()) : nullptr;
  return decl ? decl->getCanonicalDecl() : nullptr;
}

} // namespace colonnade::reference
