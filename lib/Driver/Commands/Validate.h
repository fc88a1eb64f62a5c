//===- Validate.h - check --validate ----------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: accepted functions, --arg and -i. Out: what the comparison of each certificate with
// the recorded original says (Record/Validation.h), as text and for the JSON report.
//
// Invariant: the text says "validated" only if an access was compared, and none differed.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_VALIDATE_H
#define COLONNADE_DRIVER_VALIDATE_H

#include "Driver/Pipeline.h"
#include "Record/Validation.h"

namespace colonnade {

/// --arg and -i. Error: one does not fit, or contents that decide addresses are missing.
llvm::Expected<record::GivenInputs> givenInputs(const Options &options,
                                                const CheckedFunction &checked);
/// The interpreter stops in it also at undefined behaviour whose result is unused.
llvm::Expected<ir::Function> unreducedOf(ir::Module &module, const CheckedFunction &checked);

struct ValidationReport {
  bool isValidated = false;
  std::string text; // lines
  llvm::json::Value json = nullptr;
};

ValidationReport validationReport(const ir::Module &module, const CheckedFunction &checked,
                                  const record::Recorder &recorder,
                                  const record::TracedArrays &arrays,
                                  const record::ValidationResult &result);

/// One report each. `module` grows by inlined locations. Error: --arg or -i do not fit, or one is
/// missing; an original gives no code.
llvm::Expected<std::vector<ValidationReport>>
validateFunctions(const Options &options, ir::Module &module,
                  const std::vector<const CheckedFunction *> &functions);

} // namespace colonnade

#endif // COLONNADE_DRIVER_VALIDATE_H
