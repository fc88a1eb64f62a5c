//===- Interpreter.h - Reference semantics of the canonical IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a canonical function (or a certificate) on one instance: the reference for all
// back ends.
//
// In: a function that has passed ir::verify, the arrays' cells and the scalars. Out:
// the cells afterwards, and every access with its name; or an error with its location
// at the first undefined behaviour.
// Invariant: an indeterminate value (Undef, an uninitialised cell) may be copied:
// loaded, stored, yielded, selected. Any other use is undefined behaviour.
//
// A kernel runs with one active lane; one of whole blocks: BlockInterpreter.h. There, arithmetic
// of inactive lanes is part of the programme: signed arithmetic wraps and Undef is zero.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_INTERPRETER_H
#define COLONNADE_IR_INTERPRETER_H

#include "IR/Evaluate.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <memory>

namespace colonnade::ir {

/// One array's cells. `initialised` is empty if all are. A parameter without
/// cells has no data: loads give indeterminate values, stores are dropped, and
/// bounds are checked if its extents are known. So a certificate needs data only
/// for the uniform arrays that addresses depend on.
struct ArrayData {
  std::vector<uint64_t> cells; // bits
  std::vector<bool> initialised;
};

/// An access and its name: site id, counters of the enclosing loops from the
/// outside in (For: the iteration's number; Loop: likewise), flat cell index.
struct AccessEvent {
  uint32_t accessId;
  ArrayId array;
  bool isStore;
  int64_t cell;
  llvm::ArrayRef<int64_t> iterations;
  OpId op; // of the function: sites that were copied share their id
};

struct InterpreterOptions {
  std::function<void(const AccessEvent &)> onAccess; // may be empty
  uint64_t maxSteps = UINT64_MAX;                    // operations before giving up
};

/// What went wrong, for callers that tell the kinds apart.
class InterpreterError : public llvm::ErrorInfo<InterpreterError> {
public:
  enum class Kind : uint8_t {
    Undefined,   // undefined behaviour of the programme
    Check,       // a fact given by the user is false
    Unsupported, // a construct outside the subset was reached
    StepLimit,   // InterpreterOptions::maxSteps
    Arguments,   // arrays or scalars do not fit the function
    TooLarge,    // its own arrays have more cells than fit into memory
    Race,        // two threads access a cell, and no barrier orders them
    Divergence,  // a barrier that not all of its threads reach
  };
  static char ID;

  InterpreterError(Kind kind, Undefined undefined, LocId loc, std::string message)
      : kind(kind), undefined(undefined), loc(loc), text(std::move(message)) {}

  Kind kind;
  Undefined undefined;
  LocId loc;
  std::string text; // "f.cpp:3:4: undefined behaviour: signed integer overflow"

  void log(llvm::raw_ostream &out) const override { out << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

class Bytecode;

/// A function prepared once and run many times. Keeps references to both.
class Interpreter {
public:
  Interpreter(const Module &module, const Function &function);
  ~Interpreter();
  Interpreter(Interpreter &&) noexcept;
  llvm::Error run(std::vector<ArrayData> &arrays, llvm::ArrayRef<Scalar> scalars,
                  const InterpreterOptions &options = {}) const;

private:
  const Module *module_;
  const Function *function_;
  std::unique_ptr<Bytecode> code_;
};

/// `arrays` by ArrayId: in and out; entries of Local arrays and Tables are made
/// here. `scalars` in the order of Function::scalars. The return value, if any,
/// is the array named "return". Error: undefined behaviour (with the location
/// and what to do), a failed Check, or an Unsupported op that was reached.
llvm::Error interpret(const Module &module, const Function &function,
                      std::vector<ArrayData> &arrays, llvm::ArrayRef<Scalar> scalars,
                      const InterpreterOptions &options = {});

/// What interpret() says of such an access.
llvm::Error accessOutsideExtent(const Module &module, const Function &function, OpId access,
                                int64_t cell, int64_t cells);

/// Extents of `array` under the given scalars, or an Error that names it.
llvm::Expected<std::vector<int64_t>> concreteExtents(const Function &function, const Array &array,
                                                     llvm::ArrayRef<Scalar> scalars);

} // namespace colonnade::ir

#endif // COLONNADE_IR_INTERPRETER_H
