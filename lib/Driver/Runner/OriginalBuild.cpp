//===- OriginalBuild.cpp - The original sources to one object -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Runner/OriginalBuild.h"

#include "Frontend/Frontend.h"

#include "llvm/Support/FileSystem.h"

namespace colonnade {
namespace {

/// A header that is named as a source is compiled as one.
llvm::StringRef languageOf(llvm::StringRef path) {
  return path.ends_with(".c") || path.ends_with(".h") ? "c" : "c++";
}

class Planner {
public:
  Planner(const Options &options, const RunnerSources &sources, const std::string &compiler,
          const std::vector<std::string> &includeFlags, const TemporaryFolder &folder)
      : options_(options), sources_(sources), compiler_(compiler), includeFlags_(includeFlags),
        folder_(folder), frontend_(frontendOptions(options)) {}

  llvm::Expected<OriginalBuild> plan() {
    if (llvm::Error error = compile(folder_.file(sources_.sequentialFile), sources_.definingFile))
      return error;
    for (const std::string &file : options_.files)
      if (!llvm::sys::fs::equivalent(file, sources_.definingFile))
        if (llvm::Error error = compile(file, file))
          return error;
    combine();
    return std::move(build_);
  }

private:
  /// `source` is compiled the way the build compiles `like`.
  llvm::Error compile(const std::string &source, const std::string &like) {
    llvm::Expected<CompileCommand> command = compileCommand(frontend_, like);
    if (!command)
      return command.takeError();
    llvm::SmallString<256> path(source);
    llvm::sys::fs::make_absolute(path);
    std::string stem = folder_.file("original" + std::to_string(build_.objects.size()));
    Process process{{compiler_}, stem + ".log", command->folder, std::string(path)};
    const llvm::StringRef language = languageOf(path); // g++ would take C for C++
    llvm::append_range(process.command, std::vector<std::string>{"-x", language.str()});
    llvm::append_range(process.command,
                       std::vector<std::string>{"-c", std::string(path), "-o", stem + ".o", "-w",
                                                "-O2", "-pthread"});
    llvm::append_range(process.command, includeFlags_);
    llvm::append_range(process.command, command->flags);
    // Last, so that they win: results are compared bit by bit, and the combined
    // object is made of sections.
    for (const char *flag : {"-ffp-contract=off", "-fno-fast-math", "-fno-lto",
                             "-ffunction-sections", "-fdata-sections"})
      process.command.push_back(flag);
    build_.compile.push_back(std::move(process));
    build_.objects.push_back(stem + ".o");
    return llvm::Error::success();
  }

  void combine() {
    std::string objcopy = findProgram("objcopy");
    if (objcopy.empty())
      objcopy = findProgram("llvm-objcopy");
    if (objcopy.empty())
      return; // no binutils: linked as they are
    const std::string thunk = sequentialName(sources_.identifier);
    const std::string object = folder_.file("original.o");
    Process join{{compiler_, "-r", "-nostdlib", "-Wl,--gc-sections",
                  // COMDAT groups would be merged with the runner's, and then
                  // lack the names that the next step hides.
                  "-Wl,--force-group-allocation", "-Wl,-u," + thunk, "-o", object},
                 folder_.file("combine.log"),
                 "",
                 "the original function"};
    llvm::append_range(join.command, build_.objects);
    build_.combine.push_back(std::move(join));
    build_.combine.push_back({{objcopy, "--keep-global-symbol=" + thunk, object},
                              folder_.file("objcopy.log"),
                              "",
                              "the original function"});
    build_.objects = {object};
  }

  const Options &options_;
  const RunnerSources &sources_;
  const std::string &compiler_;
  const std::vector<std::string> &includeFlags_;
  const TemporaryFolder &folder_;
  FrontendOptions frontend_;
  OriginalBuild build_;
};

} // namespace

llvm::Expected<OriginalBuild> planOriginal(const Options &options, const RunnerSources &sources,
                                           const std::string &compiler,
                                           const std::vector<std::string> &includeFlags,
                                           const TemporaryFolder &folder) {
  return Planner(options, sources, compiler, includeFlags, folder).plan();
}

} // namespace colonnade
