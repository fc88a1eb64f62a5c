//===- IRText.h - Helpers for tests that start from text --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_IRTEXT_H
#define COLONNADE_UNITTESTS_IRTEXT_H

#include "IRSamplesPath.h"

#include "IR/Evaluate.h"
#include "IR/Printer.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace colonnade::ir {

/// The text of unittests/IRSamples/NAME.ir.
inline std::string irSample(llvm::StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(COLONNADE_IR_SAMPLES "/" + name + ".ir");
  if (buffer)
    return (*buffer)->getBuffer().str();
  ADD_FAILURE() << "no sample " << name.str();
  return {};
}

/// Parses, or fails the test.
inline Module parsed(llvm::StringRef text) {
  auto module = parseModule(text);
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError()) << text.str();
  return {};
}

inline std::string parseError(llvm::StringRef text) {
  auto module = parseModule(text);
  return module ? "parsed" : llvm::toString(module.takeError());
}

inline std::string printed(const Module &module, PrintOptions options = {}) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out, module, options);
  return text;
}

inline std::string verifyError(const Module &module, const Function &function) {
  llvm::Error error = verify(module, function);
  return error ? llvm::toString(std::move(error)) + "\n" : "";
}

inline std::string verifyError(const Module &module) {
  std::string text;
  for (const Function &f : module.functions)
    text += verifyError(module, f);
  return text;
}

} // namespace colonnade::ir

#endif // COLONNADE_UNITTESTS_IRTEXT_H
