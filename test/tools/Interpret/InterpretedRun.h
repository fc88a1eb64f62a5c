//===- InterpretedRun.h - A function on one instance of a job ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function (canonical, certificate or kernel), a job, and which of its instances. Out: what
// the interpreter runs it on, and whether it leaves the outputs that the job has.
//
// Invariant: two NaNs are the same output; cells that the original leaves indeterminate, and
// outputs that the job does not have, are not compared.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_INTERPRET_INTERPRETEDRUN_H
#define COLONNADE_TEST_TOOLS_INTERPRET_INTERPRETEDRUN_H

#include "Interpret/Job.h"

namespace colonnade {

enum class Contents : uint8_t {
  All,
  Uniform, // those of instance arrays are 0: a certificate does not need them
};

std::vector<ir::Scalar> scalarsOf(const Job &job, const ir::Function &function);
std::vector<ir::ArrayData> arraysOf(const ir::Function &function, const JobInstance &instance,
                                    Contents contents);

/// The same with all integers alike, from 0 to 12.
std::vector<std::vector<ir::Scalar>> atSmallSizes(const std::vector<ir::Scalar> &scalars);

/// Error: what the interpreter found, or the first output that differs.
llvm::Error checkOutputs(const ir::Module &module, const ir::Function &function, const Job &job,
                         size_t instance);

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_INTERPRET_INTERPRETEDRUN_H
