//===- RunnerSources.cpp - The files of a runner programme ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Runner/RunnerSources.h"

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

std::string entryText(const SourceMap &sources, const std::string &identifier) {
  CxxWriter out(sources);
  out.line("// The function that main.cpp runs. No header: this is compiled for every function.");
  out.line("namespace colonnade::runtime {");
  out.line("struct function_info;");
  out.line("} // namespace colonnade::runtime");
  openGenerated(identifier, out);
  out.line("const function_info &info();");
  closeGenerated(identifier, out);
  out.line("namespace colonnade::runtime {");
  out.line("const function_info &runner_entry() { return " + generatedNamespace(identifier) +
           "::info(); }");
  out.line("} // namespace colonnade::runtime");
  return out.take();
}

} // namespace

llvm::Expected<RunnerSources> writeRunnerSources(const Analysis &analysis,
                                                 const std::string &folder, BackEndList wanted,
                                                 const RowPlan &rows, bool relativeInclude) {
  const CheckedFunction &checked = analysis.functions.front();
  RunnerSources sources;
  sources.identifier = identifierOf(checked.canonical);
  sources.definingFile = absolutePath(checked.source.file);
  auto files = generate(analysis, wanted, {rows});
  if (!files)
    return files.takeError();

  std::error_code code;
  std::string include = sources.definingFile;
  if (relativeInclude)
    include = std::filesystem::relative(include, absolutePath(folder), code).string();
  auto sequential = sequentialFile(analysis.module, checked, include);
  if (!sequential)
    return sequential.takeError();
  sources.sequentialFile = sequential->name;
  files->push_back(std::move(*sequential));
  files->push_back({"entry.cpp", entryText(analysis.module.sources, sources.identifier)});
  files->push_back({"main.cpp", "#include <colonnade/bulk/runner/main.hpp>\n"});

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
