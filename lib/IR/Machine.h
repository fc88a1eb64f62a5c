//===- Machine.h - Runs a function's instructions ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the interpreter: one run of a function, or one thread of a block.
//
// In: a function as bytecode, its arrays and scalars; for a thread, what its block is to it. Out:
// where the run stops, and why.
//
// Invariant: what a run changes is its own slots, and cells of its arrays; a thread reaches cells
// that others reach, too, by its block alone.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_MACHINE_H
#define COLONNADE_IR_MACHINE_H

#include "IR/Bytecode.h"
#include "IR/InterpreterArrays.h"

namespace colonnade::ir {

/// Why a thread cannot go on.
struct ThreadFault {
  InterpreterError::Kind kind = InterpreterError::Kind::Undefined;
  Undefined undefined = Undefined::None;
  std::string text;
};
using MaybeFault = std::optional<ThreadFault>;

/// A thread's block, as the machine that runs the thread sees it.
class ThreadContext {
public:
  virtual ~ThreadContext() = default;
  virtual uint64_t place(Opcode opcode) const = 0; // of Lane, Warp and HasInstance
  /// Told of each access before it is made.
  virtual void accesses(OpId op, const ArrayState &array, bool isStore, int64_t cell,
                        llvm::ArrayRef<int64_t> iterations) = 0;
  /// The cell of an array of which ArrayState::common says that others access it, too.
  virtual MaybeFault load(OpId op, const ArrayState &array, int64_t cell, uint64_t &bits,
                          bool &undefined) = 0;
  virtual MaybeFault store(OpId op, const ArrayState &array, int64_t cell, uint64_t bits,
                           bool undefined) = 0;
  /// at: the first of the instance's cells.
  virtual MaybeFault stage(OpId op, int64_t at) = 0;
  virtual MaybeFault wait(uint32_t but) = 0;
  virtual std::string name() const = 0; // "block 0, thread 3"
};

/// Runs instructions. Methods that return bool return false after recording a failure.
class Machine {
public:
  Machine(const Module &module, const Function &function, const Bytecode &code,
          const InterpreterOptions &options, ThreadContext *thread = nullptr)
      : module_(module), function_(function), code_(code), options_(options), thread_(thread),
        bits_(code.initial), undefined_(code.undefined), iterations_(code.maxDepth),
        isKernel_(function.stage == Stage::Kernel), next_(code.entry) {
    (void)!!error_; // success so far
  }
  ~Machine() { llvm::consumeError(std::move(error_)); }

  llvm::Error setScalars(llvm::ArrayRef<Scalar> scalars);
  std::vector<ArrayState> &arrays() { return arrays_; }

  enum class Stop : uint8_t {
    End,
    Failed, // takeError() says why
    Paused, // after the steps that it was given
    Barrier,
  };
  Stop advance(uint64_t steps);
  llvm::Error takeError() { return std::move(error_); }

  /// Of the barrier where it has stopped.
  Sharing barrier() const { return function_.op(code_.code[next_ - 1].op).among; }
  /// Both have stopped at one barrier, in the same iterations of the same calls.
  bool isWhere(const Machine &other) const;
  /// Fails at the barrier where it has stopped.
  bool failAtBarrier(InterpreterError::Kind kind, const std::string &message);

private:
  using Kind = InterpreterError::Kind;

  Scalar scalar(uint32_t slot) const { return {code_.types[slot], bits_[slot]}; }
  bool step(const Instruction &i);
  bool control(const Instruction &i);
  bool inBlock(const Instruction &i);
  void callPart(const Instruction &i);
  void returnPart();
  bool assign(const Instruction &i, uint32_t slot, const Evaluation &e);
  bool defined(const Instruction &i, uint32_t slot);
  bool mathCall(const Instruction &i);
  bool select(const Instruction &i);
  void copy(const Instruction &i);
  bool forTest(const Instruction &i);
  bool forStep(const Instruction &i);
  bool access(const Instruction &i);
  bool flatCell(const Instruction &i, int64_t &cell);
  bool isWithinRows(const Instruction &i);
  void load(const Instruction &i, ArrayState &array, int64_t cell);
  void store(const Instruction &i, ArrayState &array, int64_t cell);
  bool commonAccess(const Instruction &i, const ArrayState &array, int64_t cell);

  bool undefinedBehaviour(const Instruction &i, Undefined what, const std::string &detail = {});
  bool fail(const Instruction &i, Kind kind, Undefined what, std::string message);
  bool goesOn(const Instruction &i, const MaybeFault &fault);

  const Module &module_;
  const Function &function_;
  const Bytecode &code_;
  const InterpreterOptions &options_;
  ThreadContext *thread_;           // null: one instance alone
  std::vector<uint64_t> bits_;      // by slot
  std::vector<uint8_t> undefined_;  // by slot
  std::vector<int64_t> iterations_; // by depth
  std::vector<std::pair<uint64_t, uint8_t>> copied_;
  std::vector<ArrayState> arrays_;
  struct Return {
    size_t next;
    uint32_t depth;
    friend bool operator==(const Return &, const Return &) = default;
  };
  std::vector<Return> calls_;
  uint32_t depth_ = 0; // loops around the call that is running
  bool isKernel_;
  bool isAtBarrier_ = false;
  uint64_t steps_ = 0;
  size_t next_;
  llvm::Error error_ = llvm::Error::success();
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_MACHINE_H
