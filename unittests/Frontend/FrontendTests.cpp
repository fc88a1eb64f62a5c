//===- FrontendTests.cpp - Lowers small sources and checks the result -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every source is lowered and the raw IR verified. `SourceTest` says which texts
// must and must not occur in the printed IR.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Frontend.h"
#include "IR/Printer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <fstream>

using namespace colonnade;

namespace {

struct Lowered {
  std::string text;  // printed module, or the error
  bool failed = false;
};

std::string writeSource(const std::string &source, const char *suffix) {
  llvm::SmallString<128> path;
  int descriptor = 0;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("frontend", suffix, descriptor, path));
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << source;
  return path.str().str();
}

Lowered lower(const std::vector<std::pair<std::string, const char *>> &sources,
              std::vector<std::string> functions) {
  FrontendOptions options;
  for (const auto &[source, suffix] : sources)
    options.files.push_back(writeSource(source, suffix));
  options.functions = std::move(functions);
  llvm::Expected<FrontendResult> result = lowerSources(options);
  for (const std::string &file : options.files)
    llvm::sys::fs::remove(file);
  Lowered lowered;
  if (!result) {
    lowered.failed = true;
    lowered.text = llvm::toString(result.takeError());
    return lowered;
  }
  llvm::raw_string_ostream out(lowered.text);
  ir::print(out, result->module);
  for (const ir::Function &function : result->module.functions)
    if (llvm::Error error = ir::verify(result->module, function))
      ADD_FAILURE() << llvm::toString(std::move(error)) << "\n" << lowered.text;
  return lowered;
}

Lowered lowerC(const std::string &source, const std::string &function = "f") {
  return lower({{source, "c"}}, {function});
}
Lowered lowerCxx(const std::string &source, const std::string &function = "f") {
  return lower({{source, "cpp"}}, {function});
}

bool contains(const Lowered &lowered, const std::string &text) {
  return lowered.text.find(text) != std::string::npos;
}

#define EXPECT_SUPPORTED(lowered)                                                                  \
  do {                                                                                             \
    Lowered result_ = (lowered);                                                                   \
    EXPECT_FALSE(result_.failed) << result_.text;                                                  \
    EXPECT_FALSE(contains(result_, "unsupported")) << result_.text;                                \
  } while (false)
#define EXPECT_UNSUPPORTED(lowered, what)                                                          \
  do {                                                                                             \
    Lowered result_ = (lowered);                                                                   \
    EXPECT_FALSE(result_.failed) << result_.text;                                                  \
    EXPECT_TRUE(contains(result_, "unsupported")) << result_.text;                                 \
    EXPECT_TRUE(contains(result_, what)) << result_.text;                                          \
  } while (false)

TEST(Frontend, PrefixSums) {
  EXPECT_SUPPORTED(lowerC("void f(float *b, int n) { for (int i = 1; i < n; i++) b[i] += b[i-1]; }"));
}

} // namespace
