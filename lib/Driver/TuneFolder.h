//===- TuneFolder.h - What measures plans, as files -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// per function and size: plans ─▶ a .cu file each ─┐
//                                 main.cu, measure ─┴─▶ measured.jsonl, .ptxas ─▶ entries
//
// In: an analysis; or a folder in which the script `measure` has run. Out: the folder; or what it
// found. Invariant: the folder needs nothing but itself, nvcc and a GPU, and collecting needs
// nothing but the folder.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_TUNEFOLDER_H
#define COLONNADE_DRIVER_TUNEFOLDER_H

#include "Driver/Pipeline.h"
#include "Tune/TuningFile.h"

namespace colonnade {

/// Writes it, for functions that have several plans. Error: none has, or what `run` asks for, too
/// (scalars, contents of uniform arrays) is not given.
llvm::Error writeTuneFolder(const Analysis &analysis, const Options &options,
                            const std::string &folder);

/// Error: nothing was measured there, a file is of another form, or tune::DifferentResults.
llvm::Expected<tune::TuningEntries> collectTuneFolder(const std::string &folder);

} // namespace colonnade

#endif // COLONNADE_DRIVER_TUNEFOLDER_H
