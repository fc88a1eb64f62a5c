//===- CpuBackendTest.cpp - Compiled kernels against the interpreter ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each sample is canonical IR. It is verified, lowered, emitted and compiled, all of
// them as one file with warnings as errors, and run by lane_runner.cpp; the results are
// compared cell by cell with the interpreter's, and the kernel is interpreted as well.
//
//===----------------------------------------------------------------------===//

#include "IRText.h"
#include "TestPaths.h"

#include "Emit/BackEnds.h"
#include "IR/Interpreter.h"
#include "Transform/Transform.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <fstream>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// A function of unittests/IRSamples.
struct CpuSample {
  const char *name;
  unsigned laneBytes;
  std::vector<std::string> scalars; // bits
  std::string status;               // expected failure; empty: success
};
std::ostream &operator<<(std::ostream &out, const CpuSample &sample) { return out << sample.name; }

const CpuSample CpuSamples[] = {
    {"prefix_sums", 4, {"9"}, ""},
    {"leaves", 4, {"9"}, ""},
    {"exit_values", 4, {"7", "3", "0xfffffff0"}, ""},
    {"masked", 4, {"8"}, ""},
    {"narrow", 1, {"5"}, ""},
    {"bytes", 2, {"7"}, ""},
    {"mixed", 8, {"6"}, ""},
    {"guarded", 4, {"4"}, ""},
    {"reached",
     4,
     {"4"},
     "status 4 instance 4: f.cpp:9:3: an instance reaches a cell of 'a' outside its extent"},
    {"outside", 4, {"4", "4"}, "status 3 f.cpp:9:3: cell 4 of 'a' is accessed, but it has 4 cells"},
    {"checked", 4, {"4"}, "status 4 instance 15: <unknown>: bound ("},
    {"scratch", 4, {"700"}, ""},
};

struct Emitted {
  Module module;
  Verdict verdict;
  std::vector<Function> kernels; // of lanes, and serial
};

Emitted lowered(const std::string &text) {
  Emitted result{parsed(text), {}, {}};
  EXPECT_EQ(verifyError(result.module), "");
  const Function &function = result.module.functions.at(0);
  result.verdict = verifyOblivious(result.module, function);
  result.kernels = llvm::cantFail(lowerToLanes(result.module, function, result.verdict));
  for (const Function &kernel : result.kernels)
    EXPECT_EQ(verifyError(result.module, kernel), "");
  return result;
}

void write(const std::string &path, const std::string &text) { std::ofstream(path) << text; }
std::string read(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// Runs a command with stdout and stderr in `log`.
int execute(llvm::ArrayRef<std::string> command, const std::string &log) {
  std::vector<llvm::StringRef> args(command.begin(), command.end());
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(log),
                                                llvm::StringRef(log)};
  return llvm::sys::ExecuteAndWait(args[0], args, std::nullopt, redirects);
}

int compile(std::vector<std::string> args, const std::string &log) {
  args.insert(args.begin(), {COLONNADE_CXX, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror",
                             "-pthread", "-I" COLONNADE_RUNTIME_INCLUDE});
  return execute(args, log);
}

/// A folder that is there until its owner goes.
struct TemporaryFolder {
  std::string path;
  TemporaryFolder() {
    llvm::SmallString<128> unique;
    if (!llvm::sys::fs::createUniqueDirectory("colonnade-cpu", unique))
      path = std::string(unique);
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path); }
};

/// Every sample's files, and `run`: lane_runner.cpp with all of them. They are compiled once, since
/// what they include takes longer than they do.
class Programme {
public:
  static const Programme &instance() {
    static const Programme built;
    return built;
  }
  std::string path() const { return folder_.path + "/run"; }

private:
  Programme() {
    for (const CpuSample &sample : CpuSamples)
      emit(sample);
    write(folder_.path + "/samples.cpp",
          includes_ +
              "#include <string>\n"
              "const colonnade::bulk::function_info *tested(const std::string &name) {\n" +
              choices_ + "  return nullptr;\n}\n");
    const std::string log = folder_.path + "/log";
    EXPECT_EQ(compile({"-I" + folder_.path, "-o", path(), folder_.path + "/samples.cpp",
                       COLONNADE_TEST_INPUTS "/lane_runner.cpp"},
                      log),
              0)
        << read(log);
  }

  void emit(const CpuSample &sample) {
    const Emitted emitted = lowered(irSample(sample.name));
    EmitInput input{emitted.module, emitted.module.functions[0], emitted.verdict, sample.name};
    input.kernels.push_back({findBackEnd("cpu"), emitted.kernels});
    const EmittedFile header = emitHeader(input);
    write(folder_.path + "/" + header.name, header.text);
    llvm::Expected<EmittedFile> file = emitHost(input);
    if (!file) {
      ADD_FAILURE() << llvm::toString(file.takeError());
      return;
    }
    write(folder_.path + "/" + file->name, file->text);
    const std::string name = sample.name;
    includes_ += "#include \"" + file->name + "\"\n";
    choices_ +=
        "  if (name == \"" + name + "\")\n    return &colonnade::bulk::" + name + "::info();\n";
  }

  TemporaryFolder folder_;
  std::string includes_, choices_;
};

using Cells = std::map<std::string, std::vector<uint64_t>>;

void readDump(const std::string &path, Cells &input, Cells &output) {
  std::ifstream in(path);
  std::string kind, name;
  size_t count;
  while (in >> kind >> name >> count) {
    std::vector<uint64_t> &cells = (kind == "input" ? input : output)[name];
    cells.resize(count);
    for (uint64_t &cell : cells)
      in >> std::hex >> cell >> std::dec;
  }
}

bool isNan(ScalarType type, uint64_t bits) {
  return (type == ScalarType::F32 && (bits & 0x7fffffff) > 0x7f800000) ||
         (type == ScalarType::F64 && (bits & 0x7fffffffffffffff) > 0x7ff0000000000000);
}

class CpuBackend : public testing::TestWithParam<CpuSample> {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("colonnade-cpu", path));
    folder_ = std::string(path);
  }
  void TearDown() override {
    if (!HasFailure())
      llvm::sys::fs::remove_directories(folder_);
  }
  /// The runner's output.
  std::string run(const CpuSample &sample);
  void compare(const Module &module, const Function &function, const CpuSample &sample);

  std::string folder_;
};

std::string CpuBackend::run(const CpuSample &sample) {
  const std::string log = folder_ + "/log";
  std::vector<std::string> command = {Programme::instance().path(), sample.name, folder_ + "/dump"};
  command.insert(command.end(), sample.scalars.begin(), sample.scalars.end());
  const int rc = execute(command, log);
  EXPECT_EQ(rc, 0) << read(log) << "in " << folder_;
  return read(log);
}

void CpuBackend::compare(const Module &module, const Function &function, const CpuSample &sample) {
  Cells input, output;
  readDump(folder_ + "/dump", input, output);
  std::vector<Scalar> scalars;
  for (size_t i = 0; i < sample.scalars.size(); ++i)
    scalars.push_back({function.value(function.scalars[i].value).type,
                       std::stoull(sample.scalars[i], nullptr, 0)});
  size_t count = 3 * (64 / sample.laneBytes) + 5;
  for (size_t j = 0; j < count; ++j) {
    std::vector<ArrayData> arrays(function.arrays.size());
    auto slice = [&](const Array &array, const Cells &cells) {
      const std::vector<uint64_t> &all = cells.at(array.name);
      if (array.sharing == Sharing::Uniform)
        return all;
      size_t n = all.size() / count;
      return std::vector<uint64_t>(all.begin() + j * n, all.begin() + (j + 1) * n);
    };
    for (size_t a = 0; a < function.arrays.size(); ++a)
      if (input.count(function.arrays[a].name))
        arrays[a].cells = slice(function.arrays[a], input);
    llvm::Error error = interpret(module, function, arrays, scalars);
    ASSERT_FALSE(bool(error)) << "instance " << j << ": " << llvm::toString(std::move(error));
    for (size_t a = 0; a < function.arrays.size(); ++a) {
      const Array &array = function.arrays[a];
      if (!output.count(array.name))
        continue;
      std::vector<uint64_t> got = slice(array, output);
      for (size_t i = 0; i < got.size(); ++i)
        if (got[i] != arrays[a].cells[i] &&
            !(isNan(array.cell, got[i]) && isNan(array.cell, arrays[a].cells[i])))
          FAIL() << array.name << "[" << i << "] of instance " << j << ": " << std::hex << got[i]
                 << " instead of " << arrays[a].cells[i] << " in " << folder_;
    }
  }
}

TEST_P(CpuBackend, AgreesWithInterpreter) {
  const CpuSample &sample = GetParam();
  Emitted emitted = lowered(irSample(sample.name));
  ASSERT_LE(emitted.verdict.verdict, VerdictClass::P);
  ASSERT_EQ(std::get<LaneShape>(*emitted.kernels.front().launch).bytes, sample.laneBytes);
  std::string said = run(sample);
  if (HasFailure())
    return;
  if (!sample.status.empty()) {
    EXPECT_NE(said.find(sample.status), std::string::npos) << said;
    return;
  }
  EXPECT_EQ(said, "");
  compare(emitted.module, emitted.module.functions[0], sample);
  for (const Function &kernel : emitted.kernels) // a kernel is IR too: one lane of it does the same
    if (!HasFailure())
      compare(emitted.module, kernel, sample);
}

INSTANTIATE_TEST_SUITE_P(Samples, CpuBackend, testing::ValuesIn(CpuSamples),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
