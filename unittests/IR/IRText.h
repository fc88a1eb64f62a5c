//===- IRText.h - Helpers for tests that start from text --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_IR_IRTEXT_H
#define COLONNADE_UNITTESTS_IR_IRTEXT_H

#include "IR/Evaluate.h"
#include "IR/Printer.h"

#include "gtest/gtest.h"

namespace colonnade::ir {

/// Parses, or fails the test.
inline Module parsed(llvm::StringRef text) {
  auto module = parseModule(text);
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError());
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

inline std::string verifyError(const Module &module) {
  std::string text;
  for (const Function &f : module.functions)
    if (auto error = verify(module, f))
      text += llvm::toString(std::move(error)) + "\n";
  return text;
}

} // namespace colonnade::ir

#endif // COLONNADE_UNITTESTS_IR_IRTEXT_H
