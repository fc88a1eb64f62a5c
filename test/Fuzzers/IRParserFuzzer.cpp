//===- IRParserFuzzer.cpp - Any text as a module --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text is refused with a place, or is a module that can be verified; one without a breach
// prints to a text that gives the same again.
//
//===----------------------------------------------------------------------===//

#include "IR/Printer.h"

#include "Require.h"

using namespace colonnade;

static std::string text(const ir::Module &module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  ir::PrintOptions options;
  options.locations = true;
  ir::print(out, module, options);
  return text;
}

static bool isWellFormed(const ir::Module &module) {
  bool wellFormed = true;
  for (const ir::Function &function : module.functions)
    if (llvm::Error error = ir::verify(module, function)) {
      llvm::consumeError(std::move(error));
      wellFormed = false;
    }
  return wellFormed;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::Expected<ir::Module> parsed =
      ir::parseModule({reinterpret_cast<const char *>(data), size});
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return 0;
  }
  if (!isWellFormed(*parsed))
    return 0;
  const std::string printed = text(*parsed);
  llvm::Expected<ir::Module> again = ir::parseModule(printed);
  if (!again)
    llvm::consumeError(again.takeError());
  require(bool(again), "what is printed can be read");
  require(text(*again) == printed, "what is read prints as it was");
  return 0;
}
