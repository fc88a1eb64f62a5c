//===- OriginalCode.cpp - The original sources to LLVM code ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Sources/OriginalCode.h"

#include "Frontend/Sources/ToolInvocation.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace colonnade {

namespace tooling = clang::tooling;

namespace {

/// The module that the code generator makes of a file, kept.
class KeepModule : public clang::EmitLLVMOnlyAction {
public:
  KeepModule(llvm::LLVMContext &context, std::unique_ptr<llvm::Module> &into)
      : EmitLLVMOnlyAction(&context), into_(into) {}

protected:
  void EndSourceFileAction() override {
    EmitLLVMOnlyAction::EndSourceFileAction();
    into_ = takeModule();
  }

private:
  std::unique_ptr<llvm::Module> &into_;
};

/// As the source says it: nothing is optimised, contracted or instrumented by Clang.
class PlainCode : public tooling::FrontendActionFactory {
public:
  PlainCode(llvm::LLVMContext &context, std::unique_ptr<llvm::Module> &into)
      : context_(context), into_(into) {}

  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<KeepModule>(context_, into_);
  }

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer *diagnostics) override {
    clang::CodeGenOptions &code = invocation->getCodeGenOpts();
    code.OptimizationLevel = 0;
    code.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
    code.DebugColumnInfo = true;
    code.DwarfVersion = 5;
    code.SanitizeCoverageType = 0;
    code.SanitizeCoverageTracePC = code.SanitizeCoverageTracePCGuard = false;
    code.setProfileInstr(clang::CodeGenOptions::ProfileNone);
    invocation->getLangOpts().Sanitize.clear();
    invocation->getLangOpts().setDefaultFPContractMode(clang::LangOptions::FPM_Off);
    invocation->getDiagnosticOpts().IgnoreWarnings = true; // they were printed when it was lowered
    return FrontendActionFactory::runInvocation(std::move(invocation), files, std::move(containers),
                                                diagnostics);
  }

private:
  llvm::LLVMContext &context_;
  std::unique_ptr<llvm::Module> &into_;
};

/// Compiles any file as the build compiles `like`.
class LikeDatabase : public tooling::CompilationDatabase {
public:
  LikeDatabase(const CompilationDatabase &inner, std::string like)
      : inner_(inner), like_(std::move(like)) {}

  std::vector<tooling::CompileCommand> getCompileCommands(llvm::StringRef path) const override {
    std::vector<tooling::CompileCommand> commands = inner_.getCompileCommands(like_);
    for (tooling::CompileCommand &command : commands) {
      std::replace(command.CommandLine.begin(), command.CommandLine.end(), command.Filename,
                   path.str());
      command.Filename = path.str();
    }
    return commands;
  }

private:
  const CompilationDatabase &inner_;
  std::string like_;
};

std::string absolute(llvm::StringRef file) {
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

llvm::Expected<std::unique_ptr<llvm::Module>> codeOfFile(const std::string &file,
                                                         const std::string *text,
                                                         const tooling::CompilationDatabase &flags,
                                                         const FrontendOptions &options,
                                                         llvm::LLVMContext &context) {
  tooling::ClangTool tool(flags, {file});
  frontend::prepareTool(tool, options);
  if (text)
    tool.mapVirtualFile(file, *text);
  std::unique_ptr<llvm::Module> module;
  PlainCode action(context, module);
  if (tool.run(&action) != 0 || !module)
    return llvm::createStringError("'" + file + "' gives no code");
  return module;
}

/// What a compiler's library knows of the processor: nothing. So the default version is chosen.
void forgetProcessor(llvm::Module &module) {
  for (const char *name : {"__cpu_model", "__cpu_features2", "__aarch64_cpu_features"})
    if (llvm::GlobalVariable *known = module.getNamedGlobal(name);
        known && known->isDeclaration()) {
      known->setInitializer(llvm::Constant::getNullValue(known->getValueType()));
      known->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  for (const char *name : {"__cpu_indicator_init", "__init_cpu_features_resolver"})
    if (llvm::Function *asks = module.getFunction(name); asks && asks->isDeclaration()) {
      llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", asks));
      asks->setLinkage(llvm::GlobalValue::InternalLinkage);
      llvm::Type *type = asks->getReturnType();
      type->isVoidTy() ? builder.CreateRetVoid()
                       : builder.CreateRet(llvm::Constant::getNullValue(type));
    }
}

/// A function that is chosen when a programme is loaded is called through a pointer, which is set
/// before the first call: nothing is loaded here.
void chooseVersions(llvm::Module &module) {
  if (module.ifunc_empty())
    return;
  llvm::lowerGlobalIFuncUsersAsGlobalCtor(module, {});
  forgetProcessor(module);
}

/// Only what the callers reach, and under no name that another could take.
void keepOnly(llvm::Module &module, const std::vector<std::string> &names) {
  for (llvm::GlobalIFunc &each : module.ifuncs())
    each.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue &value) {
    return llvm::is_contained(names, value.getName()) || value.getName().starts_with("llvm.");
  });
  llvm::ModuleAnalysisManager analyses;
  llvm::GlobalDCEPass().run(module, analyses);
}

} // namespace

std::string callersPath(const OriginalCallers &callers) {
  llvm::SmallString<256> path(llvm::sys::path::parent_path(absolute(callers.definingFile)));
  llvm::sys::path::append(path, callers.names.front() + (callers.isC ? ".c" : ".cpp"));
  return std::string(path);
}

llvm::Expected<std::unique_ptr<llvm::Module>> originalCode(const FrontendOptions &options,
                                                           const OriginalCallers &callers,
                                                           llvm::LLVMContext &context) {
  auto database = frontend::openDatabase(options);
  if (!database)
    return database.takeError();
  LikeDatabase like(**database, absolute(callers.definingFile));
  const tooling::CompilationDatabase &flags =
      options.buildPath.empty() ? **database : static_cast<tooling::CompilationDatabase &>(like);
  auto module = codeOfFile(callersPath(callers), &callers.text, flags, options, context);
  if (!module)
    return module.takeError();
  for (const std::string &file : options.files) {
    if (llvm::sys::fs::equivalent(file, callers.definingFile))
      continue;
    auto other = codeOfFile(file, nullptr, **database, options, context);
    if (!other)
      return other.takeError();
    if (llvm::Linker::linkModules(**module, std::move(*other)))
      return llvm::createStringError("'" + file + "' cannot be linked with the other files");
  }
  keepOnly(**module, callers.names);
  chooseVersions(**module);
  return module;
}

} // namespace colonnade
