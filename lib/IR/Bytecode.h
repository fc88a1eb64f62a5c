//===- Bytecode.h - A function as a flat list of instructions ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the interpreter: a function as a list of instructions.
//
// In: a verified function. Out: instructions in which structure is jumps and yields
// are parallel copies; a value's slot is its id. Constants sit in their slots from
// the start and cost nothing at run time.
// Invariant: parts come first and are entered by calls alone; every instruction keeps its
// operation, so that a fault has its location.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_BYTECODE_H
#define COLONNADE_IR_BYTECODE_H

#include "IR/Function.h"

namespace colonnade::ir {

enum class Code : uint8_t {
  Unary,          // dst = opcode a
  Binary,         // dst = a opcode b
  Cast,           // dst = (type of dst) a
  Bitcast,        // dst = bits of a
  Math,           // dst = fn(pool[first …])
  Select,         // dst = a ? b : c
  Copy,           // pool[first …] holds count pairs (from, to), all at once
  Load,           // dst = cell
  Store,          // cell = a
  Jump,           // to target
  JumpUnless,     // to target if not a
  ForTest,        // to target unless a <predicate> b
  ForStep,        // a += b
  ClearIteration, // the loop at depth starts
  NextIteration,  // its iteration number goes up
  CallPart,       // pool[first …] holds count pairs (part's array, caller's); to target
  ReturnPart,     // behind the call
  Place,          // dst = the thread's, of Lane, Warp, HasInstance
  Barrier,        // stops
  Stage,
  Wait,
  Check,       // fails unless a
  Unsupported, // fails
  Invalid,     // an operation of another stage: fails
  End,
};

struct Instruction {
  Code code = Code::End;
  Opcode opcode = Opcode::Undef;
  MathFn math = MathFn::Sqrt;
  bool masked = false; // Load, Store: c is the mask
  uint32_t dst = 0, a = 0, b = 0, c = 0;
  uint32_t first = 0, count = 0; // operands in the pool
  uint32_t target = 0;           // jumps: index of an instruction
  uint32_t depth = 0;            // loops around this operation
  OpId op;                       // for its location, text, array and access id
};

class Bytecode {
public:
  explicit Bytecode(const Function &function);

  std::vector<Instruction> code;
  std::vector<uint32_t> pool;
  std::vector<ScalarType> types;  // by slot
  std::vector<uint64_t> initial;  // by slot: constants
  std::vector<uint8_t> undefined; // by slot: 1 for Undef
  uint32_t entry = 0;             // index of the body's first instruction
  uint32_t maxDepth = 0;

private:
  void region(RegionId id); // without its terminator
  void op(OpId id);
  void ifOp(OpId id);
  void forOp(OpId id);
  void loopOp(OpId id);
  void access(OpId id);
  void part(size_t index);
  void callPart(OpId id);
  void simple(OpId id, Code code);

  Instruction &add(Code code, OpId op);
  void copy(OpId op, llvm::ArrayRef<ValueId> from, llvm::ArrayRef<ValueId> to);
  uint32_t jump(Code code, OpId op, ValueId condition = {}); // target patched later
  void patch(uint32_t jump) { code[jump].target = static_cast<uint32_t>(code.size()); }

  const Function &function_;
  uint32_t depth_ = 0;   // in the body or the part
  uint32_t deepest_ = 0; // likewise, with the loops of the parts that are called
  struct PartCode {
    uint32_t entry = 0, depth = 0;
  };
  std::vector<PartCode> parts_;
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_BYTECODE_H
