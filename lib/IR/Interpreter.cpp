//===- Interpreter.cpp - Reference semantics of the canonical IR --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Interpreter.h"

#include "IR/KernelFacts.h"
#include "IR/Machine.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

namespace colonnade::ir {

char InterpreterError::ID = 0;

using Kind = InterpreterError::Kind;

llvm::Error Machine::setScalars(llvm::ArrayRef<Scalar> scalars) {
  if (scalars.size() != function_.scalars.size())
    return badInterpreterArguments(function_, "takes " + llvm::Twine(function_.scalars.size()) +
                                                  " scalars, got " + llvm::Twine(scalars.size()));
  for (size_t i = 0; i < scalars.size(); ++i) {
    ValueId value = function_.scalars[i].value;
    if (scalars[i].type != function_.value(value).type)
      return badInterpreterArguments(function_, "scalar '" + function_.scalars[i].name +
                                                    "' has type " + name(scalars[i].type));
    bits_[value.index] = scalars[i].bits;
  }
  return llvm::Error::success();
}

Machine::Stop Machine::advance(uint64_t steps) {
  isAtBarrier_ = false;
  for (uint64_t end = llvm::SaturatingAdd(steps_, steps); code_.code[next_].code != Code::End;
       ++steps_) {
    if (steps_ == end)
      return Stop::Paused;
    const Instruction &instruction = code_.code[next_++];
    if (steps_ >= options_.maxSteps) {
      fail(instruction, Kind::StepLimit, Undefined::None, "step limit reached");
      return Stop::Failed;
    }
    if (!step(instruction))
      return Stop::Failed;
    if (isAtBarrier_)
      return Stop::Barrier;
  }
  return Stop::End;
}

bool Machine::isWhere(const Machine &other) const {
  const uint32_t loops = depth_ + code_.code[next_ - 1].depth;
  return next_ == other.next_ && calls_ == other.calls_ &&
         llvm::ArrayRef(iterations_).take_front(loops) ==
             llvm::ArrayRef(other.iterations_).take_front(loops);
}

bool Machine::failAtBarrier(Kind kind, const std::string &message) {
  return fail(code_.code[next_ - 1], kind, Undefined::None, message);
}

bool Machine::fail(const Instruction &i, Kind kind, Undefined what, std::string message) {
  LocId loc = function_.op(i.op).loc;
  if (thread_)
    message += " (" + thread_->name() + ")";
  error_ = llvm::make_error<InterpreterError>(kind, what, loc,
                                              module_.sources.str(loc) + ": " + message);
  return false;
}

bool Machine::goesOn(const Instruction &i, const MaybeFault &fault) {
  return !fault || fail(i, fault->kind, fault->undefined, fault->text);
}

/// False: the run is over. A speculative operation of a certificate goes on: the
/// sequential function may not run it with these values.
bool Machine::undefinedBehaviour(const Instruction &i, Undefined what, const std::string &detail) {
  if (function_.op(i.op).speculative)
    return true;
  return fail(i, Kind::Undefined, what,
              std::string("undefined behaviour: ") + describe(what) + detail);
}

bool Machine::defined(const Instruction &i, uint32_t slot) {
  if (!undefined_[slot])
    return true;
  const std::string &name = function_.values[slot].name;
  return undefinedBehaviour(i, Undefined::Uninitialised,
                            name.empty() ? std::string() : " of '" + name + "'");
}

bool Machine::assign(const Instruction &i, uint32_t slot, const Evaluation &e) {
  bool wraps = isKernel_ && e.undefined == Undefined::SignedOverflow;
  if (e.undefined != Undefined::None && !wraps && !undefinedBehaviour(i, e.undefined))
    return false;
  bits_[slot] = e.value.bits;
  undefined_[slot] = 0;
  return true;
}

bool Machine::step(const Instruction &i) {
  switch (i.code) {
  case Code::Unary:
    return defined(i, i.a) && assign(i, i.dst, evaluateUnary(i.opcode, scalar(i.a)));
  case Code::Binary:
    return defined(i, i.a) && defined(i, i.b) &&
           assign(i, i.dst, evaluateBinary(i.opcode, scalar(i.a), scalar(i.b)));
  case Code::Cast:
    return defined(i, i.a) && assign(i, i.dst, evaluateCast(scalar(i.a), code_.types[i.dst]));
  case Code::Bitcast:
    return defined(i, i.a) && assign(i, i.dst, {{code_.types[i.dst], bits_[i.a]}});
  case Code::Math:
    return mathCall(i);
  case Code::Select:
    return select(i);
  case Code::Copy:
    copy(i);
    return true;
  case Code::Load:
  case Code::Store:
    return access(i);
  default:
    return control(i);
  }
}

bool Machine::control(const Instruction &i) {
  switch (i.code) {
  case Code::Jump:
    next_ = i.target;
    return true;
  case Code::JumpUnless:
    if (!bits_[i.a])
      next_ = i.target;
    return defined(i, i.a);
  case Code::ForTest:
    return forTest(i);
  case Code::ForStep:
    return forStep(i);
  case Code::ClearIteration:
    iterations_[depth_ + i.depth] = 0;
    return true;
  case Code::NextIteration:
    ++iterations_[depth_ + i.depth];
    return true;
  case Code::CallPart:
    callPart(i);
    return true;
  case Code::ReturnPart:
    returnPart();
    return true;
  case Code::Check:
    return defined(i, i.a) &&
           (bits_[i.a] || function_.op(i.op).speculative ||
            fail(i, Kind::Check, Undefined::None, "check failed: " + function_.op(i.op).text));
  case Code::Place:
  case Code::Barrier:
  case Code::Stage:
  case Code::Wait:
    return inBlock(i);
  case Code::Unsupported:
    return fail(i, Kind::Unsupported, Undefined::None, "unsupported: " + function_.op(i.op).text);
  default:
    return fail(i, Kind::Arguments, Undefined::None,
                std::string("cannot interpret '") + mnemonic(i.opcode) + "'");
  }
}

/// What a thread does as one of a block.
bool Machine::inBlock(const Instruction &i) {
  if (!thread_)
    return fail(i, Kind::Arguments, Undefined::None,
                std::string("cannot interpret '") + mnemonic(i.opcode) + "' outside a block");
  switch (i.code) {
  case Code::Place:
    bits_[i.dst] = thread_->place(i.opcode);
    return true;
  case Code::Stage:
    if (function_.op(i.op).operands.empty())
      return goesOn(i, thread_->stage(i.op, 0));
    return defined(i, i.a) && goesOn(i, thread_->stage(i.op, asInt64(scalar(i.a))));
  case Code::Wait:
    return goesOn(i, thread_->wait(function_.op(i.op).index));
  default:
    isAtBarrier_ = true;
    return true;
  }
}

void Machine::callPart(const Instruction &i) {
  const uint32_t *pairs = code_.pool.data() + i.first;
  for (uint32_t k = 0; k < i.count; ++k)
    arrays_[pairs[2 * k]] = arrays_[pairs[2 * k + 1]];
  calls_.push_back({next_, depth_});
  depth_ += i.depth;
  next_ = i.target;
}

void Machine::returnPart() {
  next_ = calls_.back().next;
  depth_ = calls_.back().depth;
  calls_.pop_back();
}

bool Machine::mathCall(const Instruction &i) {
  Scalar args[3];
  for (uint32_t k = 0; k < i.count; ++k) {
    uint32_t slot = code_.pool[i.first + k];
    if (!defined(i, slot))
      return false;
    args[k] = scalar(slot);
  }
  return assign(i, i.dst, evaluateMath(i.math, {args, i.count}));
}

bool Machine::select(const Instruction &i) {
  if (!defined(i, i.a))
    return false;
  uint32_t chosen = bits_[i.a] ? i.b : i.c;
  bits_[i.dst] = bits_[chosen];
  undefined_[i.dst] = undefined_[chosen];
  return true;
}

// Reads all before writing any: a yield may swap.
void Machine::copy(const Instruction &i) {
  const uint32_t *pairs = &code_.pool[i.first];
  copied_.clear();
  for (uint32_t k = 0; k < i.count; ++k)
    copied_.emplace_back(bits_[pairs[2 * k]], undefined_[pairs[2 * k]]);
  for (uint32_t k = 0; k < i.count; ++k)
    std::tie(bits_[pairs[2 * k + 1]], undefined_[pairs[2 * k + 1]]) = copied_[k];
}

bool Machine::forTest(const Instruction &i) {
  if (!defined(i, i.a) || !defined(i, i.b))
    return false;
  const Opcode compare = comparisonOf(function_.op(i.op).predicate);
  if (!evaluateBinary(compare, scalar(i.a), scalar(i.b)).value.bits)
    next_ = i.target;
  return true;
}

// A counter narrower than int is incremented as an int and converted back,
// which wraps.
bool Machine::forStep(const Instruction &i) {
  if (!defined(i, i.a) || !defined(i, i.b))
    return false;
  Evaluation e = evaluateBinary(Opcode::Add, scalar(i.a), scalar(i.b));
  if (bitWidth(e.value.type) < 32)
    e.undefined = Undefined::None;
  return assign(i, i.a, e);
}

bool Machine::access(const Instruction &i) {
  if (i.masked) {
    if (!defined(i, i.c))
      return false;
    if (!bits_[i.c]) {
      if (i.code == Code::Load)
        bits_[i.dst] = undefined_[i.dst] = 0;
      return true;
    }
  }
  int64_t cell;
  if (!flatCell(i, cell))
    return false;
  const Op &op = function_.op(i.op);
  ArrayState &array = arrays_[op.array.index];
  if (thread_)
    thread_->accesses(i.op, array, i.code == Code::Store, cell,
                      llvm::ArrayRef(iterations_).take_front(depth_ + i.depth));
  if (array.common)
    return commonAccess(i, array, cell);
  if (options_.onAccess)
    options_.onAccess({op.accessId, array.array, i.code == Code::Store, cell,
                       llvm::ArrayRef(iterations_).take_front(depth_ + i.depth), OpId(i.op)});
  if (cell < 0 || cell >= array.cells) { // speculative, and outside
    if (i.code == Code::Load)
      bits_[i.dst] = undefined_[i.dst] = 0;
    return true;
  }
  i.code == Code::Load ? load(i, array, cell) : store(i, array, cell);
  return true;
}

bool Machine::commonAccess(const Instruction &i, const ArrayState &array, int64_t cell) {
  if (i.code == Code::Store)
    return goesOn(i, thread_->store(i.op, array, cell, bits_[i.a], undefined_[i.a]));
  bool undefined = false;
  const MaybeFault fault = thread_->load(i.op, array, cell, bits_[i.dst], undefined);
  undefined_[i.dst] = undefined;
  return goesOn(i, fault);
}

/// Rows of a shared array are other threads', so that a subscript stays in its own.
bool Machine::isWithinRows(const Instruction &i) {
  const Array &array = function_.array(function_.op(i.op).array);
  const uint32_t *slots = &code_.pool[i.first];
  for (uint32_t k = 0; k < i.count; ++k) {
    const auto subscript = static_cast<int64_t>(bits_[slots[k]]);
    if (subscript < 0 || subscript >= *array.extents[k].asConstant())
      return undefinedBehaviour(i, Undefined::OutOfExtent,
                                ": subscript " + std::to_string(subscript) + " of '" + array.name +
                                    "', " + array.extents[k].str() + " cells");
  }
  return true;
}

static std::string cellOutside(const Array &array, int64_t cell, int64_t cells) {
  return ": cell " + std::to_string(cell) + " of '" + array.name + "', " + std::to_string(cells) +
         " cells";
}

/// The cell counted over all dimensions; a subscript may reach another row of the array
/// (docs/decisions/0018).
bool Machine::flatCell(const Instruction &i, int64_t &cell) {
  const uint32_t *slots = &code_.pool[i.first];
  for (uint32_t k = 0; k < 2 * i.count - 1; ++k)
    if (!defined(i, slots[k]))
      return false;
  const Array &array = function_.array(function_.op(i.op).array);
  if (array.isShared() && !isWithinRows(i))
    return false;
  int64_t flat = static_cast<int64_t>(bits_[slots[0]]);
  for (uint32_t k = 1; k < i.count; ++k) {
    int64_t subscript = static_cast<int64_t>(bits_[slots[k]]);
    int64_t radix = static_cast<int64_t>(bits_[slots[i.count + k - 1]]);
    bool overflows = __builtin_mul_overflow(flat, radix, &flat);
    overflows |= __builtin_add_overflow(flat, subscript, &flat);
    if (overflows && !undefinedBehaviour(i, Undefined::OutOfExtent, ": '" + array.name + "'"))
      return false;
  }
  cell = flat;
  int64_t cells = arrays_[function_.op(i.op).array.index].cells;
  return (flat >= 0 && flat < cells) ||
         undefinedBehaviour(i, Undefined::OutOfExtent, cellOutside(array, flat, cells));
}

void Machine::load(const Instruction &i, ArrayState &array, int64_t cell) {
  const ArrayData &data = *array.data;
  bool known = array.hasData && (data.initialised.empty() || data.initialised[cell]);
  bits_[i.dst] = array.hasData ? data.cells[cell] : 0;
  undefined_[i.dst] = !known;
}

void Machine::store(const Instruction &i, ArrayState &array, int64_t cell) {
  if (!array.hasData)
    return;
  const Array &target = function_.array(function_.op(i.op).array);
  if (!target.isWrittenBack(cell))
    undefinedBehaviour(i, Undefined::OutOfExtent,
                       ": cell " + std::to_string(cell) + " of '" + target.name +
                           "' is stored to, but not written back");
  ArrayData &data = *array.data;
  data.cells[cell] = bits_[i.a];
  if (undefined_[i.a] && data.initialised.empty())
    data.initialised.assign(data.cells.size(), true);
  if (!data.initialised.empty())
    data.initialised[cell] = !undefined_[i.a];
}

llvm::Error accessOutsideExtent(const Module &module, const Function &function, OpId access,
                                int64_t cell, int64_t cells) {
  const Op &op = function.op(access);
  return llvm::make_error<InterpreterError>(
      InterpreterError::Kind::Undefined, Undefined::OutOfExtent, op.loc,
      module.sources.str(op.loc) + ": undefined behaviour: " + describe(Undefined::OutOfExtent) +
          cellOutside(function.array(op.array), cell, cells));
}

Interpreter::Interpreter(const Module &module, const Function &function)
    : module_(&module), function_(&function), code_(std::make_unique<Bytecode>(function)) {}
Interpreter::~Interpreter() = default;
Interpreter::Interpreter(Interpreter &&) noexcept = default;

llvm::Error Interpreter::run(std::vector<ArrayData> &arrays, llvm::ArrayRef<Scalar> scalars,
                             const InterpreterOptions &options) const {
  Machine machine(*module_, *function_, *code_, options);
  if (llvm::Error error = machine.setScalars(scalars))
    return error;
  if (llvm::Error error = prepareArrays(*function_, scalars, arrays, machine.arrays()))
    return error;
  machine.advance(UINT64_MAX);
  return machine.takeError();
}

llvm::Error interpret(const Module &module, const Function &function,
                      std::vector<ArrayData> &arrays, llvm::ArrayRef<Scalar> scalars,
                      const InterpreterOptions &options) {
  if (function.runsTogether())
    return badInterpreterArguments(function, "is a kernel of blocks (IR/BlockInterpreter.h)");
  return Interpreter(module, function).run(arrays, scalars, options);
}

} // namespace colonnade::ir
