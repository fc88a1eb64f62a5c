//===- lower.cpp - Textual IR to kernels ----------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// colonnade-lower FILE.ir
//
// For tests of Transform without a front end: reads canonical functions, verifies each and
// prints its kernels for all back ends, as --dump=kernel does. Comments in the file are
// ignored, so it can hold the RUN lines of its own test.
//
// Exit code: 0 all are accepted; 1 one is not, whose class and findings are printed instead;
// 3 the text is malformed.
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Dump.h"
#include "IR/Printer.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace colonnade;

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 3;
}

/// Whether it is accepted.
static bool printKernelsOf(const ir::Module &module, const ir::Function &function) {
  const Verdict verdict = verifyOblivious(module, function);
  const bool accepted = verdict.verdict <= VerdictClass::P;
  if (accepted)
    llvm::cantFail(printKernels(llvm::outs(), module, function, verdict));
  else
    llvm::outs() << "// " << function.name << ": class " << letter(verdict.verdict) << '\n';
  for (const Finding &finding : verdict.findings)
    if (!accepted)
      llvm::outs() << "// " << finding.message << " [" << finding.id << "]\n";
  return accepted;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return fail("usage: colonnade-lower FILE.ir");
  auto buffer = llvm::MemoryBuffer::getFile(argv[1]);
  if (!buffer)
    return fail(llvm::Twine(argv[1]) + ": " + buffer.getError().message());
  llvm::Expected<ir::Module> module = ir::parseModule((*buffer)->getBuffer());
  if (!module)
    return fail(llvm::Twine(argv[1]) + ":" + llvm::toString(module.takeError()));
  bool allAccepted = true;
  for (const ir::Function &function : module->functions) {
    if (function.stage != ir::Stage::Canonical)
      return fail("'" + function.name + "' is not canonical");
    if (llvm::Error error = ir::verify(*module, function))
      return fail(llvm::toString(std::move(error)));
    allAccepted &= printKernelsOf(*module, function);
  }
  return allAccepted ? 0 : 1;
}
