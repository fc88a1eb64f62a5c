//===- TuneCommand.cpp - Which plan takes the least time on this GPU ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"
#include "Driver/Commands/Commands.h"
#include "Driver/Commands/Verdicts.h"
#include "Driver/Runner/Subprocess.h"
#include "Driver/Runner/Toolchain.h"
#include "Driver/TuneFolder.h"
#include "Tune/Choice.h"
#include "Tune/Programme.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace colonnade {
namespace {

std::string sizesText(const tune::TuningEntry &entry) {
  std::string text;
  for (const auto &[name, size] : entry.sizes)
    text += ", " + name + " = " + std::to_string(size);
  return text;
}

std::string rangeText(const tune::InstanceRange &range) {
  const std::string least = std::to_string(range.least);
  return range.most ? least + " to " + std::to_string(*range.most) : "from " + least;
}

void report(llvm::raw_ostream &out, const tune::TuningEntries &entries) {
  std::string heading;
  for (const tune::TuningEntry &entry : entries) {
    const std::string own = entry.function + sizesText(entry) + ", " + entry.gpu;
    if (own != heading)
      out << own << '\n';
    heading = own;
    out << "  " << llvm::left_justify(name(entry.layouts), 8)
        << llvm::left_justify(rangeText(entry.instances) + " instances", 28)
        << llvm::left_justify(entry.plan, 10)
        << llvm::format("%10.1f us of %llu", entry.microseconds,
                        static_cast<unsigned long long>(entry.measuredInstances));
    if (entry.plan != entry.modelPlan) {
      out << "; the model: " << entry.modelPlan;
      if (entry.modelMicroseconds)
        out << llvm::format(", %.1f us", *entry.modelMicroseconds);
    }
    for (const std::string &plan : entry.spilling)
      out << "; " << plan << " spills registers";
    out << '\n';
  }
}

/// What the file has of other functions, sizes and GPUs stays.
llvm::Expected<tune::TuningEntries> withOld(const std::string &path, tune::TuningEntries found) {
  if (isStandardOutput(path) || !llvm::sys::fs::exists(path))
    return found;
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return llvm::createStringError("cannot read '" + path + "': " + text.getError().message());
  auto old = tune::readTuning((*text)->getBuffer(), path);
  if (!old)
    return old.takeError();
  return tune::merged(std::move(*old), found);
}

llvm::Expected<int> collect(const std::string &folder, const std::string &path) {
  auto found = collectTuneFolder(folder);
  if (!found) {
    const bool differ = found.errorIsA<tune::DifferentResults>();
    fail(found.takeError());
    return differ ? Rejected : Failed;
  }
  auto entries = withOld(path, *found);
  if (!entries)
    return entries.takeError();
  AtomicOutput output;
  if (llvm::Error error = output.addReport(path, tune::tuningText(*entries)))
    return error;
  if (llvm::Error error = output.commit())
    return error;
  report(isStandardOutput(path) ? llvm::errs() : llvm::outs(), *found);
  return Accepted;
}

/// In a folder of its own, with this machine's compiler and GPU.
llvm::Expected<int> measureHere(const Analysis &analysis, const Options &options) {
  Options ofCuda = options;
  ofCuda.runTarget = "cuda";
  const auto isRunBy = [](const BackEnd &) { return true; };
  llvm::Expected<Toolchain> toolchain = findToolchain(ofCuda, isRunBy);
  if (!toolchain)
    return toolchain.takeError();
  llvm::Expected<TemporaryFolder> folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  const std::string path = folder->file("");
  if (llvm::Error error = writeTuneFolder(analysis, options, path))
    return error;
  ::setenv("NVCC", toolchain->devicePath.c_str(), /*overwrite=*/1);
  llvm::errs() << "compiling and measuring plans ...\n";
  auto codes = runProcesses(Process{{"/bin/sh", folder->file(tune::ScriptName)}, "", path});
  if (!codes)
    return codes.takeError();
  if (codes->front() != 0)
    return llvm::createStringError("the plans could not be measured (exit code " +
                                   llvm::Twine(codes->front()) + ")");
  return collect(path, options.tuningPath);
}

} // namespace

int runTune(const Options &options) {
  if (!options.collectFolder.empty()) {
    llvm::Expected<int> code = collect(options.collectFolder, options.tuningPath);
    return code ? *code : static_cast<int>(fail(code.takeError()));
  }
  return withAccepted(options, [&](const Analysis &analysis) -> llvm::Expected<int> {
    if (options.prepareFolder.empty())
      return measureHere(analysis, options);
    if (llvm::Error error = writeTuneFolder(analysis, options, options.prepareFolder))
      return error;
    return Accepted;
  });
}

} // namespace colonnade
