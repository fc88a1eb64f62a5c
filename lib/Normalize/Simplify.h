//===- Simplify.h - The passes after the walk -------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical function, as the walk or the pass before left it. Out: a new one
// with the same accesses in the same order, and what was left out because it never runs.
// Invariant: where the sequential function has no undefined behaviour, results and
// accesses are the same.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_SIMPLIFY_H
#define COLONNADE_NORMALIZE_SIMPLIFY_H

#include "Normalize/Balance.h"

#include <set>

namespace colonnade::canonical {

/// Rebuilds `from` without pure operations, If results and carried values that
/// nothing needs, with constants folded and decided Ifs replaced by their arm.
/// Keeps every access and its order, except in regions that cannot run.
ir::Function simplify(const ir::Function &from, LeftOut &leftOut);

/// Rebuilds `from` with a For for every Loop that counts.
ir::Function countLoops(const ir::Function &from, LeftOut &leftOut);

/// Rebuilds `from` so that what a loop carries into its next iteration does not
/// depend on whether there is one.
ir::Function separateExits(const ir::Function &from, LeftOut &leftOut);

/// Rebuilds `from` with carried sums written as functions of the loop's counter.
ir::Function rewriteInduction(const ir::Function &from, LeftOut &leftOut);

/// Rebuilds `from` with the results of loops that data may leave as functions of their counters,
/// where it is known that data has not.
ir::Function settleExits(const ir::Function &from, LeftOut &leftOut);

/// Numbers accesses in program order, sets the arrays' reads and writes flags
/// and drops local arrays, tables and `optional` arrays without any access.
void finishAccesses(ir::Function &function, const std::set<std::string> &optional);

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_SIMPLIFY_H
