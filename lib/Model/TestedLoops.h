//===- TestedLoops.h - Loops that load their bound again --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (int k = starts[i]; k < starts[i + 1]; k++)
//
// In: an uncounted loop, whose test loads the bound each time. Out: its counter, bound and step, if
// it runs as a counted loop would whose body is the test, then the body; and the test once more.
//
// Invariant: no iteration changes the bound: it is computed from what is computed before the loop,
// by loads of arrays that are not stored to.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_TESTEDLOOPS_H
#define COLONNADE_MODEL_TESTEDLOOPS_H

#include "IR/Function.h"

#include <optional>

namespace colonnade::model {

struct TestedLoop {
  unsigned counter; // which of the values that it carries; nothing known depends on the others
  ValueId compared; // in its test: it, or a sum or product of it and what stays the same
  ValueId bound;    // what that is compared with
  ir::Scalar step;
  ir::Op asFor; // a For's predicate
};

std::optional<TestedLoop> testedLoop(const ir::Function &function, const ir::Op &loop);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_TESTEDLOOPS_H
