//===- Driver.cpp - Command line to command -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Driver.h"

#include "Driver/Options/Options.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

namespace colonnade {
namespace {

/// LLVM would end the process with a code of its own.
bool outputIsComplete() {
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  if (!code)
    return true;
  llvm::outs().clear_error();
  llvm::errs() << "error: cannot write to standard output: " << code.message() << '\n';
  return false;
}

} // namespace

int runTool(int argc, const char *const *argv) {
  // Of a closed standard output, an output file would get the number.
  (void)llvm::sys::Process::FixupStandardFileDescriptors();
  // A file size limit is then a write error with a message, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  std::variant<Options, int> parsed = parseCommandLine(argc, argv);
  int code;
  if (const Options *options = std::get_if<Options>(&parsed))
    code = options->command(*options);
  else
    code = std::get<int>(parsed); // --help has its output, too
  return outputIsComplete() ? code : static_cast<int>(Failed);
}

} // namespace colonnade
