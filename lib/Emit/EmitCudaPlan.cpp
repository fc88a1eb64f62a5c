//===- EmitCudaPlan.cpp - Where arrays live in a CUDA kernel -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "Emit/EmitCuda.h"
#include "Emit/ExtentText.h"
#include "Emit/Interface.h"
#include "Transform/RegisterPlacement.h"

#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

// Local memory of all threads that can be resident is taken at once: beyond
// this many bytes a thread, scratch for the threads in flight costs less.
constexpr uint64_t MaxLocalBytes = 4096;
// A loop of at most this many operations is unrolled eightfold, so that eight
// iterations' loads are in flight (worth 1.3 to 5 times, measured).
constexpr size_t MaxUnrolledBody = 24;

/// Marks the accesses that need a guard: those under a condition that differs
/// between instances, or in a loop that some instances may have left, unless the
/// same cell has been accessed by all instances just before: such addresses were
/// checked before the launch.
class MaskFinder {
public:
  MaskFinder(const Kernel &kernel, std::vector<bool> &masked)
      : kernel_(kernel), function_(kernel.body), masked_(masked) {}

  void run() { mark(function_.body, false); }

private:
  using Cells = std::set<std::string>; // addresses, by structure

  /// Returns the cells that all instances accessed in the region; `known_` is as
  /// before again.
  Cells mark(RegionId region, bool under) {
    Cells added;
    for (OpId id : function_.region(region).ops) {
      const Op &op = function_.op(id);
      if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
        access(id, under, added);
      if (op.regions.empty())
        continue;
      const bool inner = under || diverges(op);
      const Cells first = mark(op.regions[0], inner);
      if (op.regions.size() == 1)
        continue; // a loop may run no iteration
      const Cells second = mark(op.regions[1], inner);
      if (op.opcode != Opcode::If || inner)
        continue;
      for (const std::string &cell : first) // whichever arm was taken
        if (second.count(cell))
          add(cell, added);
    }
    for (const std::string &cell : added)
      known_.erase(cell);
    return added;
  }

  void add(const std::string &cell, Cells &added) {
    if (known_.insert(cell).second)
      added.insert(cell);
  }

  void access(OpId id, bool under, Cells &added) {
    const std::string cell = cellKey(function_.op(id));
    masked_[id.index] = under && !known_.count(cell);
    if (!under)
      add(cell, added);
  }

  std::string cellKey(const Op &op) const {
    AccessOperands parts = accessOperands(op);
    std::string key = "@" + std::to_string(op.array.index);
    for (ValueId subscript : parts.subscripts)
      key += "," + valueKey(subscript, 0);
    for (ValueId radix : parts.radices)
      key += ";" + valueKey(radix, 0);
    return key;
  }
  // Integer arithmetic by structure, anything else by its id.
  std::string valueKey(ValueId value, unsigned depth) const {
    const Op *def = function_.definition(value);
    if (const Scalar *constant = function_.constant(value))
      return "#" + std::to_string(constant->bits);
    if (!def || depth > 6 || def->operands.empty() || !def->regions.empty() ||
        !((def->opcode >= Opcode::Neg && def->opcode <= Opcode::Shr) ||
          def->opcode == Opcode::Cast))
      return "v" + std::to_string(value.index);
    std::string key = std::string(mnemonic(def->opcode)) + name(function_.value(value).type) + "(";
    for (ValueId operand : def->operands)
      key += valueKey(operand, depth + 1) + " ";
    return key + ")";
  }

  bool varies(ValueId value) const {
    return !function_.constant(value) &&
           (value.index >= kernel_.varying.size() || kernel_.varying[value.index]);
  }
  bool diverges(const Op &op) const {
    switch (op.opcode) {
    case Opcode::If:
      return varies(op.operands[0]);
    case Opcode::For:
      return varies(op.operands[0]) || varies(op.operands[1]) || varies(op.operands[2]) ||
             (op.hasContinueFlag && varies(function_.terminator(op.regions[0]).operands[0]));
    case Opcode::Loop:
      return varies(function_.terminator(op.regions[0]).operands[0]) ||
             varies(function_.terminator(op.regions[1]).operands[0]);
    default:
      return false;
    }
  }

  const Kernel &kernel_;
  const Function &function_;
  std::vector<bool> &masked_;
  Cells known_; // accessed by all instances on every way here
};

bool isShortInnermost(const Function &function, const Op &loop) {
  const std::vector<OpId> &ops = function.region(loop.regions[0]).ops;
  if (loop.hasContinueFlag || loop.postTest || ops.size() > MaxUnrolledBody)
    return false;
  bool accesses = false;
  for (OpId id : ops) {
    const Op &op = function.op(id);
    if (op.opcode == Opcode::For || op.opcode == Opcode::Loop)
      return false;
    accesses |= op.opcode == Opcode::Load;
  }
  return accesses;
}

CudaArray placeArray(const Function &function, size_t index, const Interface &interface,
                     const RegisterPlan &registers) {
  const Array &array = function.arrays[index];
  CudaArray result;
  result.array = ArrayId(index);
  result.constantCells = constantCells(array);
  result.interfaceIndex = interface.index(result.array);
  if (array.isTable()) {
    result.kind = CudaArray::Kind::Table;
  } else if (array.isLocal()) {
    const bool small =
        result.constantCells && *result.constantCells <= MaxLocalBytes / sizeBytes(array.cell);
    result.kind = small ? CudaArray::Kind::Local : CudaArray::Kind::Scratch;
    if (!small)
      result.constantCells.reset(); // the launcher computes it
  } else if (array.sharing == Sharing::Uniform) {
    result.kind = CudaArray::Kind::Uniform;
  } else if (registers.arrays[index]) {
    result.kind = CudaArray::Kind::Registers;
    result.loadFirst = !interface.arrays[result.interfaceIndex].fullyWritten || array.reads;
  }
  return result;
}

} // namespace

CudaPlan colonnade::planCuda(const Kernel &kernel, bool guardAll) {
  const Function &function = kernel.body;
  const Interface interface = interfaceOf(function);
  RegisterPlan registers = planRegisters(kernel);
  CudaPlan plan;
  plan.notes = kernel.notes;
  plan.notes.insert(plan.notes.end(), registers.notes.begin(), registers.notes.end());
  for (size_t a = 0; a < function.arrays.size(); ++a) {
    plan.arrays.push_back(placeArray(function, a, interface, registers));
    if (plan.arrays.back().kind != CudaArray::Kind::Scratch)
      continue;
    plan.hasScratch = true;
    plan.notes.push_back(function.arrays[a].name +
                         ": in scratch memory, too large for a thread or of unknown size");
  }
  plan.unroll.assign(function.ops.size(), 0);
  for (size_t i = 0; i < function.ops.size(); ++i)
    if (registers.unroll[i])
      plan.unroll[i] = CudaPlan::FullUnroll;
    else if (function.ops[i].opcode == Opcode::For && isShortInnermost(function, function.ops[i]))
      plan.unroll[i] = 8;
  plan.masked.assign(function.ops.size(), guardAll);
  if (!guardAll)
    MaskFinder(kernel, plan.masked).run();
  return plan;
}
