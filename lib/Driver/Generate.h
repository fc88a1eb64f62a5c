//===- Generate.h - Verdicts to generated texts -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   per accepted function: lowerToKernel per target ─▶ emitters ─▶ texts
//
// What emit and run share. Nothing is written here.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_GENERATE_H
#define COLONNADE_DRIVER_GENERATE_H

#include "Driver/Pipeline.h"
#include "Emit/Emit.h"

namespace colonnade {

struct GenerateOptions {
  bool cpu = false;
  bool cuda = false;
};

/// File stem of a function: "ns_f", "f_float_8".
std::string identifierOf(const ir::Function &function);

/// Error: the function is accepted, but not for a GPU, and why.
llvm::Error checkCuda(const Analysis &analysis, const CheckedFunction &checked);

/// All files of all functions. Error: an emitter's, or two functions that
/// would share files.
llvm::Expected<std::vector<EmittedFile>> generate(const Analysis &analysis,
                                                  const GenerateOptions &options);

} // namespace colonnade

#endif // COLONNADE_DRIVER_GENERATE_H
