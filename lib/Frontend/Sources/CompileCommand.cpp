//===- CompileCommand.cpp - How a build compiles one file -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Sources/ToolInvocation.h"

#include "clang/Driver/Types.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace colonnade {

using clang::tooling::CommandLineArguments;

static std::string absolutePath(const std::string &file) {
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  return std::string(path);
}

/// Clang's database adds these for its own driver; another compiler has neither.
static bool isClangDriverFlag(llvm::StringRef flag) {
  return flag.starts_with("--driver-mode=") || flag.starts_with("--target=");
}

static std::vector<std::string> flagsOf(const clang::tooling::CompileCommand &command) {
  using namespace clang::tooling;
  CommandLineArguments args = command.CommandLine;
  for (const ArgumentsAdjuster &adjuster :
       {getClangStripOutputAdjuster(), getClangStripDependencyFileAdjuster()})
    args = adjuster(args, command.Filename);
  std::vector<std::string> flags;
  for (const std::string &arg : llvm::drop_begin(args))
    if (arg != "-c" && arg != "--" && arg != command.Filename && !isClangDriverFlag(arg))
      flags.push_back(arg);
  return flags;
}

std::vector<std::string> frontend::assertFlags(const std::vector<std::string> &flags,
                                               const std::vector<std::string> &moreFlags) {
  auto says = [](llvm::StringRef flag) { return flag.contains("NDEBUG"); };
  if (llvm::any_of(flags, says) || llvm::any_of(moreFlags, says))
    return {};
  return {"-DNDEBUG="}; // as `#define NDEBUG` has it, which then redefines nothing
}

/// Projects compile assembler, Fortran and CUDA, too. What a name does not tell may be C.
static bool isOtherLanguage(llvm::StringRef file) {
  namespace types = clang::driver::types;
  const llvm::StringRef suffix = llvm::sys::path::extension(file);
  const types::ID type = types::lookupTypeForExtension(suffix.ltrim('.'));
  const bool isForDevices = types::isCuda(type) || types::isHIP(type) || types::isOpenCL(type);
  return type != types::TY_INVALID && (isForDevices || !types::isDerivedFromC(type));
}

llvm::Expected<std::vector<std::string>> projectFiles(const std::string &buildPath) {
  FrontendOptions options;
  options.buildPath = buildPath;
  auto database = frontend::openDatabase(options);
  if (!database)
    return database.takeError();
  std::vector<std::string> files = (*database)->getAllFiles();
  llvm::erase_if(files, isOtherLanguage);
  llvm::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

llvm::Expected<CompileCommand> compileCommand(const FrontendOptions &options,
                                              const std::string &file) {
  CompileCommand result;
  if (!options.buildPath.empty()) {
    auto database = frontend::openDatabase(options);
    if (!database)
      return database.takeError();
    auto commands = (*database)->getCompileCommands(absolutePath(file));
    if (!commands.empty()) {
      result.folder = commands.front().Directory;
      result.flags = flagsOf(commands.front());
    }
  }
  std::vector<std::string> own = frontend::assertFlags(result.flags, options.clangFlags);
  llvm::append_range(result.flags, options.clangFlags);
  const bool hasDatabase = !options.buildPath.empty();
  llvm::append_range(own, frontend::standardFlags(result.flags, file, hasDatabase));
  result.flags.insert(result.flags.begin(), own.begin(), own.end());
  return result;
}

} // namespace colonnade
