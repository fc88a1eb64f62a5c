//===- EmitCommand.cpp - Generated files on disk --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"
#include "Driver/Commands/Commands.h"
#include "Driver/Commands/Verdicts.h"
#include "Driver/Generate.h"
#include "Driver/Options/FactSelection.h"
#include "Driver/SizeVariants.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade {
namespace {

std::string inFolder(const std::string &folder, const std::string &name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

/// A path as make and Ninja read it in a depfile.
std::string escaped(const std::string &path) {
  std::string result;
  for (char c : path) {
    if (c == ' ' || c == '#' || c == '\\')
      result += '\\';
    result += c == '$' ? "$$" : std::string(1, c);
  }
  return result;
}

std::string depfileText(const std::vector<std::string> &outputs,
                        const std::vector<std::string> &dependencies) {
  std::string text;
  for (const std::string &output : outputs)
    text += escaped(output) + ' ';
  text.back() = ':';
  for (const std::string &dependency : dependencies)
    text += " \\\n  " + escaped(dependency);
  return text + '\n';
}

/// With notes on what of a tuning file was not taken.
llvm::Expected<std::vector<EmittedFile>> filesOf(const Analysis &analysis, const Options &options) {
  if (options.tuningPath.empty())
    return generate(analysis, options.targets, {options.rowPlan});
  llvm::Expected<Tuning> tuning = Tuning::read(options.tuningPath, options.gpu);
  if (!tuning)
    return tuning.takeError();
  auto files = generate(analysis, options.targets, {{}, &*tuning});
  for (const std::string &note : tuning->notes())
    llvm::errs() << "note: " << note << '\n';
  return files;
}

llvm::Error writeAll(const Analysis &analysis, const Options &options) {
  llvm::Expected<std::vector<EmittedFile>> files = filesOf(analysis, options);
  if (!files)
    return files.takeError();
  AtomicOutput output;
  if (llvm::Error error = output.addFolder(options.outputDirectory))
    return error;
  std::vector<std::string> paths;
  for (const EmittedFile &file : *files) {
    paths.push_back(inFolder(options.outputDirectory, file.name));
    if (llvm::Error error = output.add(paths.back(), file.text))
      return error;
  }
  std::string depfile =
      options.depfile.empty() ? inFolder(options.outputDirectory, "colonnade.d") : options.depfile;
  std::vector<std::string> dependencies = analysis.dependencies;
  if (!options.tuningPath.empty())
    dependencies.push_back(options.tuningPath);
  if (llvm::Error error = output.add(depfile, depfileText(paths, dependencies)))
    return error;
  return output.commit();
}

} // namespace

int runEmit(const Options &options) {
  return withAccepted(options, [&](const Analysis &analysis) -> llvm::Expected<int> {
    if (llvm::Error error = writeAll(analysis, options))
      return error;
    return Accepted;
  });
}

/// Before there is a verdict: builds ask for the names of files that they do not have yet.
int runStems(const Options &options) {
  llvm::Expected<FrontendResult> lowered = lower(options);
  if (!lowered)
    return fail(lowered.takeError());
  llvm::Expected<std::vector<EntryFacts>> facts =
      selectFacts(lowered->module, lowered->entries, options.facts);
  if (!facts)
    return fail(facts.takeError());
  std::vector<NamedFunction> functions;
  for (auto [entry, own] : llvm::zip_equal(lowered->entries, *facts)) {
    llvm::Expected<std::vector<SizeVariant>> variants = sizeVariants(own);
    if (!variants)
      return fail(variants.takeError());
    for (const SizeVariant &variant : *variants)
      functions.push_back({&lowered->module.function(entry), variant.suffix});
  }
  for (const std::string &identifier : identifiersOf(functions))
    llvm::outs() << identifier << '\n';
  return Accepted;
}

} // namespace colonnade
