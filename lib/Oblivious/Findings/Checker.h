//===- Checker.h - From labels to findings ----------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From labels to findings.
//
// In: a canonical function and the fixpoint of its dataflow, which is read once. Out: a
// finding for every address, base, bound and exit that is not uniform, with its path.
// Invariant: where there is no finding of a rejected class, each of these is uniform.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_CHECKER_H
#define COLONNADE_OBLIVIOUS_CHECKER_H

#include "Oblivious/Flow/Dataflow.h"
#include "Oblivious/Oblivious.h"

namespace colonnade {

/// In the order of the programme, with repetitions where code was inlined.
std::vector<Finding> check(const ir::Module &module, const ir::Function &function,
                           Dataflow &dataflow);

/// Sorts by position, id and message; drops what repeats a position and id.
void sortFindings(const SourceMap &sources, std::vector<Finding> &findings);

/// The steps of a label's shortest path in words, with the calls it goes through.
std::vector<PathStep> explainPath(const ir::Module &module, const ir::Function &function,
                                  const Origins &origins, Label label, LocId end);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_CHECKER_H
