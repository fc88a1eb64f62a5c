//===- Driver.cpp - Command line to command -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Driver.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {

int runTool(int argc, const char *const *argv) {
  llvm::outs() << "colonnade " COLONNADE_VERSION "\n";
  return 0;
}

} // namespace colonnade
