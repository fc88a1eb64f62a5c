//===- Generate.cpp - Verdicts to generated texts -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Generate.h"

#include "Driver/Verdicts.h"
#include "IR/Printer.h"

#include "llvm/ADT/StringExtras.h"

namespace colonnade {
namespace {

llvm::Expected<Kernel> kernelFor(const Analysis &analysis, const CheckedFunction &checked,
                                 Target target) {
  Kernel kernel =
      lowerToKernel(analysis.module, checked.canonical, checked.verdict.uniformity, target);
  if (llvm::Error error = ir::verify(analysis.module, kernel.body))
    return llvm::createStringError("internal error: malformed kernel of '" +
                                   checked.canonical.name +
                                   "': " + llvm::toString(std::move(error)));
  return kernel;
}

/// The files of one function, appended to `files`.
llvm::Error generateOne(const Analysis &analysis, const CheckedFunction &checked,
                        const GenerateOptions &options, std::vector<EmittedFile> &files) {
  std::optional<Kernel> cpu, cuda;
  if (options.cuda)
    if (llvm::Error error = checkCuda(analysis, checked))
      return error;
  for (auto [wanted, target, kernel] : {std::tuple(options.cpu, Target::Cpu, &cpu),
                                        std::tuple(options.cuda, Target::Cuda, &cuda)}) {
    if (!wanted)
      continue;
    llvm::Expected<Kernel> lowered = kernelFor(analysis, checked, target);
    if (!lowered)
      return lowered.takeError();
    *kernel = std::move(*lowered);
  }
  EmitInput input{analysis.module,       checked.canonical,       checked.verdict,
                  cpu ? &*cpu : nullptr, cuda ? &*cuda : nullptr, identifierOf(checked.canonical),
                  checked.facts.sizes};
  auto add = [&](llvm::Expected<EmittedFile> file) -> llvm::Error {
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
    return llvm::Error::success();
  };
  if (llvm::Error error = add(emitHeader(input)))
    return error;
  if (llvm::Error error = add(emitCpu(input)))
    return error;
  if (options.cuda)
    if (llvm::Error error = add(emitCuda(input)))
      return error;
  files.push_back({input.identifier + ".bulk.json", certificateJson(analysis, checked)});
  return llvm::Error::success();
}

} // namespace

llvm::Error checkCuda(const Analysis &analysis, const CheckedFunction &checked) {
  const Finding *finding = findAddressFromLibrary(checked.verdict);
  if (!finding)
    return llvm::Error::success();
  return llvm::createStringError(analysis.module.sources.str(finding->loc) +
                                 ": no CUDA code for '" + checked.canonical.name +
                                 "': " + finding->message + " [" + finding->id + "]");
}

std::string identifierOf(const ir::Function &function) {
  std::string result;
  for (char c : function.name)
    if (llvm::isAlnum(c))
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  return result.empty() ? "function" : result; // no letter of ours in its name
}

llvm::Expected<std::vector<EmittedFile>> generate(const Analysis &analysis,
                                                  const GenerateOptions &options) {
  std::vector<EmittedFile> files;
  std::map<std::string, std::string> owner; // identifier to function
  for (const CheckedFunction &checked : analysis.functions) {
    const std::string &name = checked.canonical.name;
    auto [first, isNew] = owner.try_emplace(identifierOf(checked.canonical), name);
    if (!isNew)
      return llvm::createStringError("'" + first->second + "' and '" + name +
                                     "' would both be written to " + first->first +
                                     ".bulk.*; emit them to different folders");
    if (llvm::Error error = generateOne(analysis, checked, options, files))
      return error;
  }
  return files;
}

} // namespace colonnade
