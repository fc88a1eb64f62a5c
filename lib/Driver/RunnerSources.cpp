//===- RunnerSources.cpp - The files of a runner programme ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/RunnerSources.h"

#include "Driver/AtomicOutput.h"
#include "Emit/Cxx/GeneratedNamespace.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <filesystem>

namespace colonnade {
namespace {

/// The front end names a file as its compile command does, from that one's folder.
llvm::Expected<std::string> definingFile(const Analysis &analysis, const Options &options) {
  const SourceMap &sources = analysis.module.sources;
  const ir::Function &entry = analysis.module.function(analysis.functions.front().entry);
  llvm::SmallString<256> path(sources.fileName(sources[entry.loc].file));
  auto command = compileCommand(frontendOptions(options), options.files.front());
  if (!command)
    return command.takeError();
  if (!command->folder.empty())
    llvm::sys::fs::make_absolute(command->folder, path);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

std::string mainText(const std::string &identifier) {
  return "#include \"" + identifier +
         ".bulk.hpp\"\n"
         "#include <colonnade/bulk/runner.hpp>\n\n"
         "int main(int argc, char **argv) {\n"
         "  return colonnade::runtime::run_program(colonnade::bulk::" +
         apiName(identifier) + "::info(), argc, argv);\n}\n";
}

/// Only --verify needs the original function, so elsewhere one whose parameter
/// types cannot be rebuilt from cells runs all the same: nullopt.
llvm::Expected<std::optional<EmittedFile>>
sequentialFile(const Analysis &analysis, const Options &options, const std::string &include) {
  const CheckedFunction &checked = analysis.functions.front();
  EmitInput input{analysis.module, checked.canonical, checked.verdict,
                  identifierOf(checked.canonical)};
  input.aliases.insert(checked.facts.aliases.begin(), checked.facts.aliases.end());
  llvm::Expected<EmittedFile> file =
      emitSequential(input, analysis.module.function(checked.entry), include);
  if (file)
    return std::optional(std::move(*file));
  if (llvm::is_contained(options.runnerArguments, "--verify"))
    return file.takeError();
  llvm::consumeError(file.takeError());
  return std::nullopt;
}

} // namespace

llvm::Expected<RunnerSources> writeRunnerSources(const Analysis &analysis, const Options &options,
                                                 const std::string &folder, BackEndList wanted,
                                                 bool relativeInclude) {
  const CheckedFunction &checked = analysis.functions.front();
  RunnerSources sources;
  sources.identifier = identifierOf(checked.canonical);
  llvm::Expected<std::string> defining = definingFile(analysis, options);
  if (!defining)
    return defining.takeError();
  sources.definingFile = *defining;
  auto files = generate(analysis, wanted);
  if (!files)
    return files.takeError();

  std::error_code code;
  std::string include = sources.definingFile;
  if (relativeInclude)
    include = std::filesystem::relative(include, folder, code).string();
  auto sequential = sequentialFile(analysis, options, include);
  if (!sequential)
    return sequential.takeError();
  if (*sequential) {
    sources.sequentialFile = (*sequential)->name;
    files->push_back(std::move(**sequential));
  }
  files->push_back({"main.cpp", mainText(sources.identifier)});

  AtomicOutput output;
  if (llvm::Error error = output.addFolder(folder))
    return error;
  for (const EmittedFile &file : *files)
    if (llvm::Error error = output.add(folder + "/" + file.name, file.text))
      return error;
  if (llvm::Error error = output.commit())
    return error;
  return sources;
}

} // namespace colonnade
