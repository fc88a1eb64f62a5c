//===- RunnerBuild.cpp - Generated files to a runner programme ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Runner/RunnerBuild.h"

#include "Driver/Runner/OriginalBuild.h"
#include "Driver/Runner/Resources.h"
#include "Driver/Runner/RunnerCache.h"
#include "Driver/Runner/RunnerSources.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <colonnade/simd/machine_isas.hpp>

#include <chrono>
#include <cstdlib>
#include <set>

namespace colonnade {
namespace {

/// A compiler that finds the disk full says so in a log that is on that disk.
bool hasRoom(llvm::StringRef logPath) {
  constexpr uint64_t enoughBytes = 1 << 20;
  auto space = llvm::sys::fs::disk_space(llvm::sys::path::parent_path(logPath));
  return !space || space->available >= enoughBytes;
}

/// A kernel of hundreds of branches takes a compiler more than twice as long if there are twice as
/// many: of 300 in each other g++ 12 makes 24 seconds at -O3, and 4 at -O1.
const char *optimizationOf(const std::string &generated) {
  constexpr size_t mostBranches = 200;
  auto text = llvm::MemoryBuffer::getFile(generated);
  return text && (*text)->getBuffer().count("if (any(") > mostBranches ? "-O1" : "-O3";
}

/// Compiles and links one runner; commands are collected, then run together.
class RunnerBuilder {
public:
  RunnerBuilder(const Analysis &analysis, const Options &options, const Toolchain &toolchain,
                const TemporaryFolder &folder)
      : analysis_(analysis), options_(options), toolchain_(toolchain), folder_(folder) {}

  llvm::Expected<std::string> build();

private:
  void planHost(const std::string &name, const std::string &source, std::vector<std::string> extra);
  void planMain();
  bool isOf(const CompiledMain &main) const;
  std::string isaFlag() const;
  std::vector<std::string> bulkFlags(const std::string &generated) const;
  void planDevice(const DeviceCompiler &device);
  llvm::Error runAll(llvm::ArrayRef<Process> processes);
  llvm::Error compileAndLink(llvm::ArrayRef<Process> combine, const std::string &executable);
  bool preprocess(size_t firstOriginal, size_t numHost);
  std::string cacheKey(llvm::ArrayRef<Process> combine) const;
  std::vector<std::string> filesRead() const;
  llvm::Error link(const std::string &executable);
  std::vector<std::string> includeFlags() const;

  const Analysis &analysis_;
  const Options &options_;
  const Toolchain &toolchain_;
  const TemporaryFolder &folder_;
  RunnerSources sources_;
  std::string main_; // the object that was compiled before; "": none
  std::vector<std::string> includes_;
  std::vector<Process> planned_;
  std::vector<std::string> objects_;
  std::vector<std::string> preprocessed_; // by planned_: the text's file; "": not preprocessed
};

std::vector<std::string> RunnerBuilder::includeFlags() const {
  std::vector<std::string> flags = {"-I", folder_.file("")};
  for (const std::string &folder : includes_) {
    flags.push_back("-isystem");
    flags.push_back(folder);
  }
  return flags;
}

void RunnerBuilder::planHost(const std::string &name, const std::string &source,
                             std::vector<std::string> extra) {
  Process process;
  process.command = {toolchain_.hostCompiler, "-c", source, "-o", folder_.file(name + ".o")};
  process.what = source;
  // No contraction: the results are those of the sequential function, bit by bit.
  for (const char *flag : {"-w", "-ffp-contract=off", "-pthread"})
    process.command.push_back(flag);
  llvm::append_range(process.command, includeFlags());
  if (toolchain_.device)
    process.command.push_back(toolchain_.device->macro);
  if (!sources_.sequentialFile.empty())
    process.command.push_back("-DCOLONNADE_BULK_SEQUENTIAL");
  llvm::append_range(process.command, extra);
  process.logPath = folder_.file(name + ".log");
  objects_.push_back(folder_.file(name + ".o"));
  planned_.push_back(std::move(process));
}

/// The tool's build has compiled it; another compiler does it again.
void RunnerBuilder::planMain() {
  const CompiledMain main = compiledMain();
  if (!isOf(main))
    return planHost("main", folder_.file("main.cpp"), {"-std=c++20", "-O2"});
  main_ = main.object;
  objects_.push_back(main.object);
}

/// Whether the host compiler is the one that compiled it.
bool RunnerBuilder::isOf(const CompiledMain &main) const {
  if (main.object.empty() || main.compiler.empty())
    return false;
  const std::string said = folder_.file("version");
  auto codes = runProcesses(Process{{toolchain_.hostCompiler, "--version"}, said});
  if (!codes) {
    llvm::consumeError(codes.takeError());
    return false;
  }
  auto text = llvm::MemoryBuffer::getFile(said);
  if (codes->front() != 0 || !text)
    return false;
  const llvm::StringRef firstLine = (*text)->getBuffer().split('\n').first;
  return firstLine.split(' ').second.trim() == main.compiler; // g++ and c++ are the same
}

/// The runner runs here, so kernels are compiled for one instruction set only. What the runner does
/// not know, it refuses.
std::string RunnerBuilder::isaFlag() const {
#if !defined(__x86_64__)
  return "-DCOLONNADE_ONLY_ISA=1";
#endif
  using runtime::detail::isa_supported;
  const auto &arguments = options_.runnerArguments;
  auto option = llvm::find(arguments, "--isa");
  const std::string isa = option != arguments.end() && option + 1 != arguments.end() ? option[1]
                          : isa_supported("avx512")                                  ? "avx512"
                          : isa_supported("avx2")                                    ? "avx2"
                                                                                     : "sse2";
  const char *number = isa == "avx512" ? "3" : isa == "avx2" ? "2" : "1";
  return std::string("-DCOLONNADE_ONLY_ISA=") + number;
}

std::vector<std::string> RunnerBuilder::bulkFlags(const std::string &generated) const {
  std::vector<std::string> flags = {"-std=c++20", optimizationOf(generated), isaFlag()};
  if (options_.vectorMath)
    flags.push_back("-DCOLONNADE_VECTOR_MATH");
  return flags;
}

void RunnerBuilder::planDevice(const DeviceCompiler &device) {
  Process process;
  process.what = folder_.file(sources_.identifier + device.suffix);
  process.command = {toolchain_.devicePath, "-c", process.what, "-o", folder_.file("device.o")};
  llvm::append_range(process.command, device.compileFlags);
  llvm::append_range(process.command, device.hostCompilerFlags(toolchain_.hostCompiler));
  process.command.push_back(device.macro);
  llvm::append_range(process.command, includeFlags());
  process.logPath = folder_.file("device.log");
  objects_.push_back(folder_.file("device.o"));
  planned_.push_back(std::move(process));
}

llvm::Error RunnerBuilder::runAll(llvm::ArrayRef<Process> processes) {
  llvm::Expected<std::vector<int>> codes = runProcesses(processes);
  if (!codes)
    return codes.takeError();
  for (auto [i, code] : llvm::enumerate(*codes)) {
    if (code == 0)
      continue;
    llvm::errs() << '\n'; // after "compiling ..."
    const Process &failed = processes[i];
    if (!hasRoom(failed.logPath))
      return llvm::createStringError("no space left in '" +
                                     llvm::sys::path::parent_path(failed.logPath) +
                                     "', where the runner is built (see TMPDIR)");
    if (auto log = llvm::MemoryBuffer::getFile(failed.logPath))
      llvm::errs() << (*log)->getBuffer();
    return llvm::createStringError("'" + failed.command.front() + "' failed on " +
                                   llvm::sys::path::filename(failed.what) + " (exit code " +
                                   llvm::Twine(code) + ")");
  }
  return llvm::Error::success();
}

llvm::Error RunnerBuilder::link(const std::string &executable) {
  Process process;
  const DeviceCompiler *device = toolchain_.device;
  process.command = {device ? toolchain_.devicePath : toolchain_.hostCompiler, "-o", executable};
  if (device)
    llvm::append_range(process.command, device->hostCompilerFlags(toolchain_.hostCompiler));
  llvm::append_range(process.command, objects_);
  llvm::append_range(process.command,
                     device ? device->threadFlags : std::vector<std::string>{"-pthread"});
  if (options_.vectorMath)
    process.command.push_back("-lsleef");
  process.logPath = folder_.file("link.log");
  process.what = "the runner (is a source missing that defines what the function uses?)";
  return runAll(process);
}

llvm::Expected<std::string> RunnerBuilder::build() {
  auto includes = includeFolders();
  if (!includes)
    return includes.takeError();
  includes_ = std::move(*includes);
  std::vector<const BackEnd *> backEnds = options_.targets;
  if (toolchain_.device)
    backEnds.push_back(findBackEnd(toolchain_.device->backEnd));
  auto sources = writeRunnerSources(analysis_, folder_.file(""), backEnds, options_.rowPlan,
                                    /*relativeInclude=*/false);
  if (!sources)
    return sources.takeError();
  sources_ = std::move(*sources);

  // A cache would only keep what is used once.
  ::setenv("CCACHE_DISABLE", "1", /*overwrite=*/1);
  // What a compiler that is killed leaves behind goes with the folder.
  ::setenv("TMPDIR", folder_.file("").c_str(), /*overwrite=*/1);
  const std::string bulk = folder_.file(sources_.identifier + ".bulk.cpp");
  planHost("bulk", bulk, bulkFlags(bulk));
  planHost("entry", folder_.file("entry.cpp"), {"-std=c++20", "-O2"});
  planMain();
  llvm::Expected<OriginalBuild> original =
      planOriginal(options_, sources_, toolchain_.hostCompiler, includeFlags(), folder_);
  if (!original)
    return original.takeError();
  const size_t numGenerated = planned_.size();
  llvm::append_range(planned_, original->compile);
  llvm::append_range(objects_, original->objects);
  const size_t numHost = planned_.size();
  if (toolchain_.device)
    planDevice(*toolchain_.device);
  preprocessed_.resize(planned_.size());
  const bool cached = options_.useCache && preprocess(numGenerated, numHost);
  for (Process &process : planned_)
    llvm::append_range(process.command,
                       std::vector<std::string>{"-MD", "-MF", process.logPath + ".d"});
  std::string executable = folder_.file("runner");
  const RunnerCache cache = cached ? RunnerCache::ofUser() : RunnerCache::disabled();
  const std::string key = cacheKey(original->combine);
  if (cache.find(key, executable))
    return executable;
  if (llvm::Error error = compileAndLink(original->combine, executable))
    return error;
  cache.keep(key, executable, filesRead());
  return executable;
}

llvm::Error RunnerBuilder::compileAndLink(llvm::ArrayRef<Process> combine,
                                          const std::string &executable) {
  const auto begin = std::chrono::steady_clock::now();
  llvm::errs() << "compiling " << analysis_.functions.front().canonical.name << " ...";
  auto build = [&]() -> llvm::Error {
    if (llvm::Error error = runAll(planned_))
      return error;
    for (const Process &step : combine)
      if (llvm::Error error = runAll(step))
        return error;
    return link(executable);
  };
  llvm::Error error = build();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!error)
    llvm::errs() << llvm::format(" %.1f s\n", seconds.count());
  return error;
}

/// The variables by which the environment adds to where compilers look for headers.
constexpr const char *IncludeVariables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};

/// Preprocesses what the user's folders decide: the originals, and all for the host if the
/// environment adds folders. A list of the files that were read would not do: a header that is
/// found earlier from now on, or for which a source asks by __has_include, is in no list.
/// False: a source is wrong, as the compiler will say.
bool RunnerBuilder::preprocess(size_t firstOriginal, size_t numHost) {
  const bool all =
      llvm::any_of(IncludeVariables, [](const char *name) { return std::getenv(name); });
  std::vector<Process> processes;
  for (size_t i = all ? 0 : firstOriginal; i < numHost; ++i) {
    Process process = planned_[i];
    preprocessed_[i] = process.logPath + ".i";
    process.logPath = "/dev/null"; // what is wrong is said by the compilation
    *llvm::find(process.command, "-c") = "-E";
    *std::next(llvm::find(process.command, "-o")) = preprocessed_[i];
    process.command.emplace_back("-P");
    processes.push_back(std::move(process));
  }
  llvm::Expected<std::vector<int>> codes = runProcesses(processes);
  if (!codes) {
    llvm::consumeError(codes.takeError());
    return false;
  }
  return llvm::all_of(*codes, [](int code) { return code == 0; });
}

/// Of all that decides what is built, but the files that compilers read and that are not
/// preprocessed: those are in the entry.
std::string RunnerBuilder::cacheKey(llvm::ArrayRef<Process> combine) const {
  const std::string folder = folder_.file("");
  std::string text = COLONNADE_VERSION;
  const auto add = [&](llvm::StringRef word) {
    std::string own = word.str(); // the folder has another name each time
    for (size_t at; (at = own.find(folder)) != std::string::npos;)
      own.replace(at, folder.size(), "<folder>/");
    text += own + '\0';
  };
  for (llvm::ArrayRef<Process> processes : {llvm::ArrayRef(planned_), combine})
    for (const Process &process : processes) {
      add(process.folder);
      for (const std::string &word : process.command)
        add(word);
    }
  for (const char *name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH",
        "GCC_EXEC_PREFIX", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CUDA_VISIBLE_DEVICES"})
    if (const char *value = std::getenv(name))
      add((llvm::Twine(name) + "=" + value).str());
  for (const std::string &compiler : {toolchain_.hostCompiler, toolchain_.devicePath}) {
    llvm::sys::fs::file_status status; // behind links; an update changes size and time
    if (!compiler.empty() && !llvm::sys::fs::status(compiler, status))
      add((llvm::Twine(status.getSize()) + " " +
           llvm::Twine(llvm::sys::toTimeT(status.getLastModificationTime())))
              .str());
  }
  for (const std::string &name : sources_.generated)
    if (auto file = llvm::MemoryBuffer::getFile(folder_.file(name)))
      add((*file)->getBuffer());
  for (const std::string &name : preprocessed_)
    if (auto file = llvm::MemoryBuffer::getFile(name))
      add((*file)->getBuffer());
  if (auto file = llvm::MemoryBuffer::getFile(main_))
    add((*file)->getBuffer());
  return contentHash(text);
}

/// By the compilers, outside of the folder, and not preprocessed.
std::vector<std::string> RunnerBuilder::filesRead() const {
  std::set<std::string> files;
  for (auto [process, text] : llvm::zip(planned_, preprocessed_))
    if (auto depfile = llvm::MemoryBuffer::getFile(process.logPath + ".d"); depfile && text.empty())
      for (const std::string &input : depfileInputs((*depfile)->getBuffer())) {
        llvm::SmallString<256> path(input);
        if (!process.folder.empty())
          llvm::sys::fs::make_absolute(process.folder, path);
        llvm::sys::fs::make_absolute(path);
        if (!path.starts_with(folder_.file("")))
          files.insert(std::string(path));
      }
  return {files.begin(), files.end()};
}

} // namespace

llvm::Expected<std::string> buildRunner(const Analysis &analysis, const Options &options,
                                        const Toolchain &toolchain, const TemporaryFolder &folder) {
  return RunnerBuilder(analysis, options, toolchain, folder).build();
}

} // namespace colonnade
