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

std::string absolutePath(llvm::StringRef file) {
  llvm::SmallString<256> path(file);
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

} // namespace

llvm::Expected<RunnerSources> writeRunnerSources(const Analysis &analysis,
                                                 const std::string &folder, BackEndList wanted,
                                                 bool relativeInclude) {
  const CheckedFunction &checked = analysis.functions.front();
  RunnerSources sources;
  sources.identifier = identifierOf(checked.canonical);
  sources.definingFile = absolutePath(checked.source.file);
  auto files = generate(analysis, wanted);
  if (!files)
    return files.takeError();

  std::error_code code;
  std::string include = sources.definingFile;
  if (relativeInclude)
    include = std::filesystem::relative(include, folder, code).string();
  auto sequential = sequentialFile(analysis.module, checked, include);
  if (!sequential)
    return sequential.takeError();
  sources.sequentialFile = sequential->name;
  files->push_back(std::move(*sequential));
  files->push_back({"main.cpp", mainText(sources.identifier)});

  for (const EmittedFile &file : *files)
    sources.generated.push_back(file.name);
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
