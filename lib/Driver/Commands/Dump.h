//===- Dump.h - Print a stage's result --------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: `--dump=STAGE` on check and emit. Out: the textual IR after that stage, on standard
// output, and nothing else.
//
// Invariant: stable; tests and bug reports rely on it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_DUMP_H
#define COLONNADE_DRIVER_DUMP_H

#include "Driver/Options/Options.h"

namespace colonnade {

int runDump(const Options &options);

/// --dump=kernel of one accepted function: its kernels for each back end. Error: why it cannot have
/// the plan that is asked for.
llvm::Error printKernels(llvm::raw_ostream &out, const ir::Module &module,
                         const ir::Function &canonical, const Verdict &verdict,
                         const RowPlan &rows = {});

} // namespace colonnade

#endif // COLONNADE_DRIVER_DUMP_H
