//===- ProfileCheck.h - Cost profiles against walked traces -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a certificate, the scalars of a job and the contents of its uniform arrays. Out: an error
// where `colonnade cost` would sum its accesses up differently from those of the trace.
//
// Compared at the job's own scalars, and with all integers alike from 0 to 12, where the run is
// defined.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_INTERPRET_PROFILECHECK_H
#define COLONNADE_TEST_TOOLS_INTERPRET_PROFILECHECK_H

#include "IR/Interpreter.h"

namespace colonnade {

llvm::Error checkProfiles(const ir::Module &module, const ir::Function &certificate,
                          const std::vector<ir::ArrayData> &arrays,
                          const std::vector<ir::Scalar> &scalars);

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_INTERPRET_PROFILECHECK_H
