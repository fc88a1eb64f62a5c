//===- ExecutionCheck.h - Counted against executed operations ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and what the interpreter runs it on. Out: an error where `colonnade cost` counts a
// region's entries otherwise: more often than the interpreter enters it is only right where data
// decides, less often never.
//
// Compared for the instance that is given, and with all integers alike from 0 to 12 on arrays of
// zeros and of ones, where the run is defined.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_INTERPRET_EXECUTIONCHECK_H
#define COLONNADE_TEST_TOOLS_INTERPRET_EXECUTIONCHECK_H

#include "IR/Interpreter.h"

namespace colonnade {

llvm::Error checkExecutions(const ir::Module &module, const ir::Function &kernel,
                            const std::vector<ir::ArrayData> &arrays,
                            const std::vector<ir::Scalar> &scalars);

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_INTERPRET_EXECUTIONCHECK_H
