//===- InterpreterArrays.h - The arrays of a run ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the interpreter: the arrays of one run.
//
// In: the function's arrays, and what the caller passed for those of its interface.
// Out: cells for every array, local ones and tables included; or an error where
// what was passed does not fit the declared extents.
// Invariant: cells of the caller are used in place, never copied.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_INTERPRETERARRAYS_H
#define COLONNADE_IR_INTERPRETERARRAYS_H

#include "IR/Interpreter.h"

#include "llvm/ADT/Twine.h"

namespace colonnade::ir {

class CommonCells;

/// One array during a run.
struct ArrayState {
  ArrayId array; // whose cells they are: of a part's array, what it was called with
  ArrayData *data = nullptr;
  int64_t cells = 0; // bound of the flat cell index
  bool hasData = true;
  CommonCells *common = nullptr; // of a thread's array, if other threads access its cells, too
  int64_t first = 0;             // there: the cell that this thread counts as its first
};

llvm::Error badInterpreterArguments(const Function &function, const llvm::Twine &what);

/// Fills `states`, one per array; `arrays` must not be resized afterwards.
llvm::Error prepareArrays(const Function &function, llvm::ArrayRef<Scalar> scalars,
                          std::vector<ArrayData> &arrays, std::vector<ArrayState> &states);

} // namespace colonnade::ir

#endif // COLONNADE_IR_INTERPRETERARRAYS_H
