//===- Interpreter.h - Reference semantics of the canonical IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a canonical function (or a certificate) on one instance. It is the
// reference for all back ends: it stops at the first undefined behaviour, with
// its location, and reports every access with its name.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_INTERPRETER_H
#define COLONNADE_IR_INTERPRETER_H

#include "IR/Evaluate.h"

#include "llvm/Support/Error.h"

#include <functional>

namespace colonnade::ir {

/// One array's cells. `initialised` is empty if all are.
struct ArrayData {
  std::vector<uint64_t> cells; // bits
  std::vector<bool> initialised;
};

/// An access and its name: site id, counters of the enclosing loops from the
/// outside in (For: the round's number; Loop: likewise), flat cell index.
struct AccessEvent {
  uint32_t accessId;
  ArrayId array;
  bool isStore;
  int64_t cell;
  llvm::ArrayRef<int64_t> rounds;
};

struct InterpreterOptions {
  std::function<void(const AccessEvent &)> onAccess; // may be empty
  uint64_t maxSteps = UINT64_MAX; // operations before giving up
};

/// `arrays` by ArrayId: in and out; entries of Local arrays and Tables are made
/// here. `scalars` in the order of Function::scalars. The return value, if any,
/// is the array named "return". Error: undefined behaviour (with the location
/// and what to do), a failed Check, or an Unsupported op that was reached.
llvm::Error interpret(const Module &module, const Function &function,
                      std::vector<ArrayData> &arrays, llvm::ArrayRef<Scalar> scalars,
                      const InterpreterOptions &options = {});

/// Extents of `array` under the given scalars, or an Error that names it.
llvm::Expected<std::vector<int64_t>> concreteExtents(const Function &function,
                                                     const Array &array,
                                                     llvm::ArrayRef<Scalar> scalars);

} // namespace colonnade::ir

#endif // COLONNADE_IR_INTERPRETER_H
