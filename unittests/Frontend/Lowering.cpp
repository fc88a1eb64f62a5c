//===- Lowering.cpp - Lowers small sources for the tests ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each source becomes a file of its own for the time of the call.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Frontend/Frontend.h"
#include "IR/Printer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::test {

static std::string writeSource(const std::string &source, const char *suffix) {
  llvm::SmallString<128> path;
  int descriptor = 0;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("frontend", suffix, descriptor, path));
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << source;
  return path.str().str();
}

std::string input(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(COLONNADE_TEST_INPUTS "/" + name);
  EXPECT_TRUE(file) << name;
  return file ? (*file)->getBuffer().str() : "";
}

Lowered
lower(const std::vector<std::pair<std::string, const char *>> &sources,
      std::vector<std::string> functions,
      std::function<void(ir::Module &, llvm::function_ref<unsigned(FunctionId)>)> beforeLedger) {
  FrontendOptions options;
  for (const auto &[source, suffix] : sources)
    options.files.push_back(writeSource(source, suffix));
  options.functions = std::move(functions);
  options.beforeLedger = std::move(beforeLedger);
  options.ledger = true;
  llvm::Expected<FrontendResult> result = lowerSources(options);
  for (const std::string &file : options.files)
    llvm::sys::fs::remove(file);
  Lowered lowered;
  if (!result) {
    lowered.failed = true;
    lowered.text = llvm::toString(result.takeError());
    return lowered;
  }
  lowered.ledger = result->ledger;
  llvm::raw_string_ostream out(lowered.text);
  ir::print(out, result->module);
  for (const ir::Function &function : result->module.functions)
    if (llvm::Error error = ir::verify(result->module, function))
      ADD_FAILURE() << llvm::toString(std::move(error)) << "\n" << lowered.text;
  return lowered;
}

Lowered lowerC(const std::string &source, const std::string &function) {
  return lower({{source, "c"}}, {function});
}
Lowered lowerCxx(const std::string &source, const std::string &function) {
  return lower({{source, "cpp"}}, {function});
}

bool contains(const Lowered &lowered, const std::string &text) {
  return lowered.text.find(text) != std::string::npos;
}

} // namespace colonnade::test
