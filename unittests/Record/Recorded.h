//===- Recorded.h - Sources for tests of the recorder -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of a C++ file with a function `f`, and perhaps another text that is recorded in
// its place. Out: what check knows of f, and a recorder.
// Invariant: its file is there as long as the object.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_RECORD_RECORDED_H
#define COLONNADE_UNITTESTS_RECORD_RECORDED_H

#include "Driver/Commands/RecordedOriginals.h"
#include "Record/Validation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

#include "gtest/gtest.h"

#include <fstream>

namespace colonnade {

class Recorded {
public:
  explicit Recorded(const std::string &source, const std::string &recordedSource = "") {
    prepare(source, recordedSource);
  }
  ~Recorded() { llvm::sys::fs::remove(path_); }

  llvm::Expected<record::Recording> run(const record::RunInput &input,
                                        const record::Limits &limits = {}) {
    return originals->recorder(0).run(0, input, limits);
  }

  record::ValidationSubject subject() {
    return {module, checked->canonical, unreduced, checked->verdict, originals->recorder(0), 0};
  }

  record::ValidationResult validate(const record::ValidationOptions &options = {}) {
    record::GivenInputs given;
    given.scalars.resize(checked->canonical.scalars.size());
    auto result = record::validate(subject(), originals->arrays(0), given, options);
    if (!result) {
      fail(result.takeError());
      return {};
    }
    return std::move(*result);
  }

  ir::Module module;
  std::optional<CheckedFunction> checked;
  ir::Function unreduced;
  std::optional<RecordedOriginals> originals;

private:
  void prepare(const std::string &source, const std::string &recordedSource) {
    int handle = -1;
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("recorded", "cpp", handle, path));
    llvm::sys::Process::SafelyCloseFileDescriptor(handle);
    path_ = std::string(path);
    write(source);
    options_.files = {path_};
    options_.functions = {"f"};
    auto lowered = lowerSources(options_);
    if (!lowered)
      return fail(lowered.takeError());
    module = std::move(lowered->module);
    auto found = checkFunction(module, lowered->entries.front(), {});
    if (!found)
      return fail(found.takeError());
    checked.emplace(std::move(*found));
    checked->source = lowered->sources.front();
    auto again = normalize(module, checked->entry, {}, DefaultMaxWalks, &unreduced);
    if (!again)
      return fail(again.takeError());
    if (!recordedSource.empty())
      write(recordedSource);
    auto created = RecordedOriginals::create(options_, module, {&*checked});
    if (!created)
      return fail(created.takeError());
    originals.emplace(std::move(*created));
  }

  void write(const std::string &text) { std::ofstream(path_) << text; }
  static void fail(llvm::Error error) { ADD_FAILURE() << llvm::toString(std::move(error)); }

  FrontendOptions options_;
  std::string path_;
};

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_RECORD_RECORDED_H
