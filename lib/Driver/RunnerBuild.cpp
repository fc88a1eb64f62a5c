//===- RunnerBuild.cpp - Generated files to a runner programme ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/RunnerBuild.h"

#include "Driver/AtomicOutput.h"
#include "Driver/Generate.h"
#include "Driver/Resources.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace colonnade {
namespace {

std::string firstProgram(std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (std::string path = findProgram(name); !path.empty())
      return path;
  return "";
}

llvm::Expected<std::string> findHostCompiler(const Options &options) {
  const char *fromEnvironment = std::getenv("CXX");
  std::string wanted = !options.compiler.empty() ? options.compiler
                       : fromEnvironment         ? fromEnvironment
                                                 : "";
  if (wanted.empty()) {
    std::string path = firstProgram({"c++", "g++", "clang++", "clang++-19"});
    return path.empty() ? llvm::createStringError(
                              "no C++ compiler found; install g++ or set CXX or --compiler")
                        : llvm::Expected<std::string>(path);
  }
  std::string path = findProgram(wanted);
  if (path.empty())
    return llvm::createStringError("no C++ compiler '" + wanted + "' found (from " +
                                   (options.compiler.empty() ? "CXX" : "--compiler") + ")");
  return path;
}

std::string findNvcc() {
  if (std::string path = findProgram("nvcc"); !path.empty())
    return path;
  const char *standard = "/usr/local/cuda/bin/nvcc";
  return llvm::sys::fs::can_execute(standard) ? standard : "";
}

/// Whether the driver lists a GPU. The runner asks the CUDA runtime again.
bool gpuUsable() {
  std::string smi = findProgram("nvidia-smi");
  if (smi.empty())
    return false;
  auto codes = runProcesses(Process{{smi, "-L"}, "/dev/null"});
  if (!codes) {
    llvm::consumeError(codes.takeError());
    return false;
  }
  return codes->front() == 0;
}

/// Absolute path of the file that defines the function.
std::string definingFile(const Analysis &analysis, const CheckedFunction &checked) {
  const SourceMap &sources = analysis.module.sources;
  llvm::SmallString<256> path(
      sources.fileName(sources[analysis.module.function(checked.entry).loc].file));
  llvm::sys::fs::make_absolute(path);
  return std::string(path);
}

/// Compiles and links one runner; commands are collected, then run together.
class RunnerBuilder {
public:
  RunnerBuilder(const Analysis &analysis, const Options &options, const Toolchain &toolchain,
                const TemporaryFolder &folder)
      : analysis_(analysis), checked_(analysis.functions.front()), options_(options),
        toolchain_(toolchain), folder_(folder), id_(identifierOf(checked_.canonical)) {}

  llvm::Expected<std::string> build();

private:
  llvm::Error writeSources();
  llvm::Error addSequential(AtomicOutput &output);
  void planHost(const std::string &name, const std::string &source,
                std::vector<std::string> extra);
  void planCuda();
  llvm::Error runPlanned();
  llvm::Error link(const std::string &executable);
  std::vector<std::string> includeFlags() const;

  const Analysis &analysis_;
  const CheckedFunction &checked_;
  const Options &options_;
  const Toolchain &toolchain_;
  const TemporaryFolder &folder_;
  std::string id_;
  std::vector<std::string> includes_;
  bool hasSequential_ = false;
  std::vector<Process> planned_;
  std::vector<std::string> objects_;
};

std::vector<std::string> RunnerBuilder::includeFlags() const {
  std::vector<std::string> flags = {"-I", folder_.file("")};
  for (const std::string &folder : includes_) {
    flags.push_back("-isystem");
    flags.push_back(folder);
  }
  return flags;
}

/// The original function behind the type-erased interface. Only --verify needs
/// it, so elsewhere a function whose types cannot be rebuilt runs all the same.
llvm::Error RunnerBuilder::addSequential(AtomicOutput &output) {
  EmitInput input{analysis_.module, checked_.canonical, checked_.verdict, nullptr, nullptr, id_};
  llvm::Expected<EmittedFile> file =
      emitSequential(input, analysis_.module.function(checked_.entry),
                     definingFile(analysis_, checked_));
  if (!file) {
    if (llvm::is_contained(options_.runnerArguments, "--verify"))
      return file.takeError();
    llvm::consumeError(file.takeError());
    return llvm::Error::success();
  }
  hasSequential_ = true;
  return output.add(folder_.file(file->name), file->text);
}

llvm::Error RunnerBuilder::writeSources() {
  auto files = generate(analysis_, {/*cpu=*/true, /*cuda=*/!toolchain_.nvcc.empty()});
  if (!files)
    return files.takeError();
  AtomicOutput output;
  for (const EmittedFile &file : *files)
    if (llvm::Error error = output.add(folder_.file(file.name), file.text))
      return error;
  if (llvm::Error error = addSequential(output))
    return error;
  std::string main = "#include \"" + id_ + ".bulk.hpp\"\n" +
                     "#include <colonnade/bulk/runner.hpp>\n\n"
                     "int main(int argc, char **argv) {\n"
                     "  return colonnade::bulk::run_program(colonnade::bulk::" +
                     id_ + "::info(), argc, argv);\n}\n";
  if (llvm::Error error = output.add(folder_.file("main.cpp"), main))
    return error;
  return output.commit();
}

void RunnerBuilder::planHost(const std::string &name, const std::string &source,
                             std::vector<std::string> extra) {
  Process process;
  process.command = {toolchain_.hostCompiler, "-c", source, "-o", folder_.file(name + ".o")};
  // No contraction: the results are those of the sequential function, bit by bit.
  for (const char *flag : {"-w", "-ffp-contract=off", "-pthread"})
    process.command.push_back(flag);
  llvm::append_range(process.command, includeFlags());
  if (!toolchain_.nvcc.empty())
    process.command.push_back("-DCOLONNADE_BULK_CUDA");
  if (hasSequential_)
    process.command.push_back("-DCOLONNADE_BULK_SEQUENTIAL");
  llvm::append_range(process.command, extra);
  process.logPath = folder_.file(name + ".log");
  objects_.push_back(folder_.file(name + ".o"));
  planned_.push_back(std::move(process));
}

void RunnerBuilder::planCuda() {
  Process process;
  process.command = {toolchain_.nvcc,   "-c",     folder_.file(id_ + ".bulk.cu"),
                     "-o",              folder_.file("cuda.o"),
                     "-std=c++20",      "-O3",    "-arch=native",
                     "--fmad=false",    "-w",     "-ccbin",
                     toolchain_.hostCompiler, "-DCOLONNADE_BULK_CUDA"};
  llvm::append_range(process.command, includeFlags());
  process.logPath = folder_.file("cuda.log");
  objects_.push_back(folder_.file("cuda.o"));
  planned_.push_back(std::move(process));
}

llvm::Error RunnerBuilder::runPlanned() {
  // A cache would only keep what is used once.
  ::setenv("CCACHE_DISABLE", "1", /*overwrite=*/1);
  llvm::Expected<std::vector<int>> codes = runProcesses(planned_);
  if (!codes)
    return codes.takeError();
  for (auto [i, code] : llvm::enumerate(*codes)) {
    if (code == 0)
      continue;
    const Process &failed = planned_[i];
    if (auto log = llvm::MemoryBuffer::getFile(failed.logPath))
      llvm::errs() << (*log)->getBuffer();
    return llvm::createStringError("'" + failed.command.front() + "' failed on " +
                                   llvm::sys::path::filename(failed.command[2]) +
                                   " (exit code " + llvm::Twine(code) + ")");
  }
  planned_.clear();
  return llvm::Error::success();
}

llvm::Error RunnerBuilder::link(const std::string &executable) {
  Process process;
  bool cuda = !toolchain_.nvcc.empty();
  process.command = {cuda ? toolchain_.nvcc : toolchain_.hostCompiler, "-o", executable};
  if (cuda)
    llvm::append_range(process.command,
                       std::vector<std::string>{"-ccbin", toolchain_.hostCompiler});
  llvm::append_range(process.command, objects_);
  if (cuda)
    process.command.push_back("-Xcompiler");
  process.command.push_back("-pthread");
  process.logPath = folder_.file("link.log");
  planned_.push_back(std::move(process));
  return runPlanned();
}

llvm::Expected<std::string> RunnerBuilder::build() {
  auto includes = includeFolders();
  if (!includes)
    return includes.takeError();
  includes_ = std::move(*includes);
  if (llvm::Error error = writeSources())
    return error;

  planHost("bulk", folder_.file(id_ + ".bulk.cpp"), {"-std=c++20", "-O3"});
  planHost("main", folder_.file("main.cpp"), {"-std=c++20", "-O2"});
  if (hasSequential_) {
    std::vector<std::string> flags = {"-O2"};
    llvm::append_range(flags, options_.clangFlags);
    planHost("sequential", folder_.file(id_ + ".sequential.cpp"), flags);
    std::string own = definingFile(analysis_, checked_);
    for (auto [i, file] : llvm::enumerate(options_.files))
      if (!llvm::sys::fs::equivalent(file, own))
        planHost("source" + std::to_string(i), file, flags);
  }
  if (!toolchain_.nvcc.empty())
    planCuda();
  if (llvm::Error error = runPlanned())
    return error;
  std::string executable = folder_.file("runner");
  if (llvm::Error error = link(executable))
    return error;
  return executable;
}

} // namespace

llvm::Expected<Toolchain> findToolchain(const Options &options) {
  llvm::Expected<std::string> host = findHostCompiler(options);
  if (!host)
    return host.takeError();
  Toolchain toolchain{*host, ""};
  if (options.runTarget == "cpu")
    return toolchain;
  std::string nvcc = findNvcc();
  bool gpu = gpuUsable();
  if (!nvcc.empty() && gpu)
    toolchain.nvcc = nvcc;
  else if (options.runTarget == "cuda")
    return llvm::createStringError(
        !gpu ? "--target cuda: no usable GPU found (nvidia-smi lists none)"
             : "--target cuda: no nvcc found; install the CUDA toolkit or use --target cpu");
  return toolchain;
}

llvm::Expected<std::string> buildRunner(const Analysis &analysis, const Options &options,
                                        const Toolchain &toolchain,
                                        const TemporaryFolder &folder) {
  return RunnerBuilder(analysis, options, toolchain, folder).build();
}

} // namespace colonnade
