//===- ToolInvocation.cpp - Runs Clang on the sources ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/ToolInvocation.h"

#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace colonnade::frontend {

using clang::tooling::CommandLineArguments;

static bool isC(llvm::StringRef file) { return file.ends_with(".c"); }

/// Ours first, so that whatever the user gives wins.
static CommandLineArguments adjust(const CommandLineArguments &args, llvm::StringRef file,
                                   const FrontendOptions &options, bool hasDatabase) {
  CommandLineArguments result;
  if (!args.empty())
    result.push_back(args[0]);
  std::string resources = options.resourceDir.empty() ? COLONNADE_CLANG_RESOURCE_DIR
                                                      : options.resourceDir;
  bool userResources = false, userStandard = hasDatabase;
  for (const std::string &arg : args) {
    userResources |= llvm::StringRef(arg).starts_with("-resource-dir");
    userStandard |= llvm::StringRef(arg).starts_with("-std=");
  }
  if (!userResources)
    result.insert(result.end(), {"-resource-dir", resources});
  if (!userStandard)
    result.push_back(isC(file) ? "-std=gnu17" : "-std=gnu++20");
  result.push_back("-D__COLONNADE_TOOL__=1");
  for (size_t i = 1; i < args.size(); ++i)
    result.push_back(args[i]);
  return result;
}

static llvm::Expected<std::unique_ptr<clang::tooling::CompilationDatabase>>
openDatabase(const FrontendOptions &options) {
  std::string error;
  if (options.buildPath.empty())
    return std::make_unique<clang::tooling::FixedCompilationDatabase>(".", options.clangFlags);
  auto database =
      clang::tooling::CompilationDatabase::loadFromDirectory(options.buildPath, error);
  if (!database)
    return llvm::createStringError("no compile_commands.json in '" + options.buildPath + "'");
  return database;
}

llvm::Expected<Units> parseSources(const FrontendOptions &options, const Additions &additions) {
  for (const std::string &file : options.files)
    if (!llvm::sys::fs::exists(file))
      return llvm::createStringError("no such file '" + file + "'");
  auto database = openDatabase(options);
  if (!database)
    return database.takeError();
  clang::tooling::ClangTool tool(**database, options.files);
  bool hasDatabase = !options.buildPath.empty();
  tool.appendArgumentsAdjuster([&](const CommandLineArguments &args, llvm::StringRef file) {
    CommandLineArguments result = adjust(args, file, options, hasDatabase);
    if (hasDatabase)
      result.insert(result.end(), options.clangFlags.begin(), options.clangFlags.end());
    return result;
  });
  std::vector<std::string> texts; // alive while the tool runs
  texts.reserve(additions.size());
  for (const auto &[index, text] : additions) {
    auto buffer = llvm::MemoryBuffer::getFile(options.files[index]);
    if (!buffer)
      return llvm::createStringError("cannot read '" + options.files[index] + "'");
    texts.push_back((*buffer)->getBuffer().str() + "\n" + text);
    llvm::SmallString<256> path(options.files[index]);
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, true);
    tool.mapVirtualFile(path, texts.back());
  }
  tool.setPrintErrorMessage(false);
  Units units;
  bool failed = tool.buildASTs(units) != 0 || units.size() != options.files.size();
  for (const auto &unit : units)
    failed |= !unit || unit->getDiagnostics().hasErrorOccurred();
  if (failed)
    return llvm::createStringError("compilation failed");
  return units;
}

} // namespace colonnade::frontend
