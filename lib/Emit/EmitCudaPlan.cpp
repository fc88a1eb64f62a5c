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

using namespace colonnade;
using namespace colonnade::ir;

namespace {

// Local memory of all threads that can be resident is taken at once: beyond
// this many bytes a thread, scratch for the threads in flight costs less.
constexpr uint64_t MaxLocalBytes = 4096;
// A loop of at most this many operations is unrolled eightfold, so that eight
// rounds' loads are in flight (worth 1.3 to 5 times, measured).
constexpr size_t MaxUnrolledBody = 24;

/// Marks what runs under a condition that differs between instances, and what
/// follows within a loop that some instances may have left.
class MaskFinder {
public:
  MaskFinder(const Kernel &kernel, std::vector<bool> &masked)
      : kernel_(kernel), function_(kernel.body), masked_(masked) {}

  void mark(RegionId region, bool under) {
    for (OpId id : function_.region(region).ops) {
      const Op &op = function_.op(id);
      masked_[id.index] = under;
      for (RegionId inner : op.regions)
        mark(inner, under || diverges(op));
    }
  }

private:
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
             (op.hasGo && varies(function_.terminator(op.regions[0]).operands[0]));
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
};

bool isShortInnermost(const Function &function, const Op &loop) {
  const std::vector<OpId> &ops = function.region(loop.regions[0]).ops;
  if (loop.hasGo || loop.postTest || ops.size() > MaxUnrolledBody)
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
  if (array.role == ArrayRole::Table) {
    result.kind = CudaArray::Kind::Table;
  } else if (array.role == ArrayRole::Local) {
    const bool small = result.constantCells &&
                       *result.constantCells <= MaxLocalBytes / sizeBytes(array.cell);
    result.kind = small ? CudaArray::Kind::Local : CudaArray::Kind::Scratch;
  } else if (array.sharing == Sharing::Uniform) {
    result.kind = CudaArray::Kind::Uniform;
  } else if (registers.arrays[index]) {
    result.kind = CudaArray::Kind::Registers;
    result.loadFirst = !interface.arrays[result.interfaceIndex].fullyWritten || array.reads;
  }
  return result;
}

} // namespace

CudaPlan colonnade::planCuda(const Kernel &kernel) {
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
  plan.masked.assign(function.ops.size(), false);
  MaskFinder(kernel, plan.masked).mark(function.body, false);
  return plan;
}
