//===- KernelFacts.h - What is known of a kernel's operations ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, one of its operations. Out: what a GPU's compiler knows of it, too.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_KERNELFACTS_H
#define COLONNADE_IR_KERNELFACTS_H

#include "IR/Function.h"

namespace colonnade::ir {

/// Square roots, divisions and the like branch where a number is denormal or infinite, or large.
bool isRoutine(const Function &kernel, const Op &op);

/// The comparison that keeps a For running.
Opcode comparisonOf(Predicate predicate);

/// Whether a For whose counter has come to this makes another iteration.
bool runs(Predicate predicate, Scalar counter, Scalar high);

/// How far a counter moves in an iteration. Of an unsigned type `i -= 1` is `i += 4294967295`:
/// where the loop does not end above, that is -1.
int64_t asStep(const Op &loop, Scalar step);

/// The iterations of a loop with constant bounds and step.
std::optional<int64_t> constantIterations(const Function &kernel, const Op &loop);

/// A Stage whose strips of rows begin where units of 16 bytes do, in memory and in shared memory:
/// row_strips.cuh copies them, rather than stage.cuh.
bool isRowStrip(const Function &kernel, const Op &stage);

/// Whether the list of a Stage's live cells is in constant memory: lanes that copy columns ask for
/// the same number of a short list at once; those that copy rows ask for different ones.
bool isConstantList(const Function &kernel, const Op &stage);

} // namespace colonnade::ir

#endif // COLONNADE_IR_KERNELFACTS_H
