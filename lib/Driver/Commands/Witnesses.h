//===- Witnesses.h - check --witness ----------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a refused function, --arg and -i, a time. Out: two inputs that show why it is refused
// (Record/Witness.h), as text and for the JSON report; or that none was found in that time.
//
// Invariant: the verdict stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_WITNESSES_H
#define COLONNADE_DRIVER_WITNESSES_H

#include "Driver/Pipeline.h"

#include "llvm/Support/JSON.h"

namespace colonnade {

struct WitnessReport {
  std::string text; // lines
  llvm::json::Value json = nullptr;
};

/// `module` grows by inlined locations. Error: --arg or -i do not fit.
llvm::Expected<WitnessReport> witnessReport(const Options &options, ir::Module &module,
                                            const CheckedFunction &checked);

} // namespace colonnade

#endif // COLONNADE_DRIVER_WITNESSES_H
