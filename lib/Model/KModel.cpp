//===- KModel.cpp - A kernel on the K-model -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KModel.h"

#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

uint64_t longestQueue(int64_t k, llvm::ArrayRef<int64_t> addresses, bool broadcast) {
  return stages({MemoryModel::Dmm, k, k, 1, broadcast}, addresses);
}

uint64_t segments(int64_t k, llvm::ArrayRef<int64_t> addresses) {
  return stages({MemoryModel::Umm, k, k, 1, false}, addresses);
}

static void add(Executions &sum, const Executions &more, uint64_t times = 1) {
  sum.all += times * more.all;
  sum.conditional += times * more.conditional;
}

bool isChoice(const ir::Function &kernel, const Op &op) {
  return op.opcode == Opcode::If &&
         llvm::all_of(op.regions, [&](RegionId arm) { return kernel.region(arm).ops.size() == 1; });
}

bool isLikelyChoice(const ir::Function &kernel, const Op &op) {
  static constexpr size_t Few = 4; // operations
  const auto isPlain = [&](OpId id) {
    const Op &of = kernel.op(id);
    const bool isMemory = of.opcode == Opcode::Load || of.opcode == Opcode::Store;
    return of.regions.empty() ? !isMemory && !isRoutine(kernel, of) && of.opcode != Opcode::CallPart
                              : isLikelyChoice(kernel, of);
  };
  return op.opcode == Opcode::If && llvm::all_of(op.regions, [&](RegionId arm) {
           const auto &ops = kernel.region(arm).ops;
           return ops.size() <= Few + 1 && llvm::all_of(llvm::drop_end(ops), isPlain);
         });
}

/// An iteration tests and steps its counter, and tests whether it goes on; if it is unrolled fully,
/// the counter is a constant.
static void addLoop(InstructionCounts &counts, const ir::Function &kernel, const Op &op,
                    const RegionExecutions &executions) {
  const bool isUnrolled = op.unrolling.kind == ir::Unrolling::Kind::Fully;
  const Executions &iterations = executions[op.regions[0].index];
  if (op.opcode == Opcode::For && !isUnrolled)
    add(counts.plain, iterations, 2);
  for (RegionId part : op.regions) { // each ends with whether to go on
    if (op.opcode == Opcode::For && !op.hasContinueFlag)
      continue;
    const bool isData = kernel.varying(kernel.terminator(part).operands[0]);
    if (isData || !isUnrolled)
      add(counts.plain, executions[part.index]);
    if (isData)
      add(counts.branches, executions[part.index]);
  }
}

static bool isExternal(const ir::Function &kernel, const Op &op) {
  const ir::Space space = *kernel.array(op.array).space;
  return space != ir::Space::Registers && space != ir::Space::Constant;
}

/// The most instructions that a lane can run in the region; nullopt: it is not the same each time.
static std::optional<uint64_t> longestWay(const ir::Function &kernel, RegionId region) {
  uint64_t sum = 0;
  for (OpId id : kernel.region(region).ops) {
    const Op &op = kernel.op(id);
    switch (op.opcode) {
    case Opcode::Constant:
    case Opcode::Undef:
    case Opcode::Yield:
      break;
    case Opcode::Load:
    case Opcode::Store:
      sum += !isExternal(kernel, op);
      break;
    case Opcode::If: {
      const auto first = longestWay(kernel, op.regions[0]);
      const auto second = longestWay(kernel, op.regions[1]);
      if (!first || !second || !kernel.varying(op.operands[0]))
        return std::nullopt;
      sum += 1 + std::max(*first, *second);
      break;
    }
    case Opcode::For:
    case Opcode::Loop:
    case Opcode::CallPart:
      return std::nullopt;
    default:
      ++sum;
    }
  }
  return sum;
}

/// A branch that lanes take both ways: no lane is in both arms. Where one has loops, both count.
static void addBranch(InstructionCounts &counts, const ir::Function &kernel, const Op &op,
                      const Executions &times) {
  if (!kernel.varying(op.operands[0]) || isChoice(kernel, op))
    return;
  add(counts.branches, times);
  const auto first = longestWay(kernel, op.regions[0]), second = longestWay(kernel, op.regions[1]);
  if (first && second)
    counts.spared += times.all * std::min(*first, *second);
}

static Executions &accessesLike(InstructionCounts &counts, const ir::Function &kernel,
                                const Op &op) {
  if (isExternal(kernel, op))
    return counts.external;
  return *kernel.array(op.array).space == ir::Space::Constant ? counts.shared : counts.plain;
}

InstructionCounts instructionCounts(const ir::Function &kernel,
                                    const RegionExecutions &executions) {
  InstructionCounts counts;
  for (size_t r = 0; r < executions.size(); ++r) {
    const Executions &times = executions[r];
    for (OpId id : kernel.regions[r].ops) {
      const Op &op = kernel.op(id);
      if (isRoutine(kernel, op))
        add(counts.routines, times);
      switch (op.opcode) {
      case Opcode::Constant:
      case Opcode::Undef:
      case Opcode::Yield:
      case Opcode::Test:
      case Opcode::Return:
        break;
      case Opcode::For:
      case Opcode::Loop:
        addLoop(counts, kernel, op, executions);
        break;
      case Opcode::Load:
      case Opcode::Store:
        add(accessesLike(counts, kernel, op), times);
        break;
      case Opcode::If:
        addBranch(counts, kernel, op, times);
        [[fallthrough]];
      default:
        add(counts.plain, times);
      }
    }
  }
  return counts;
}

llvm::Expected<KCost> kCost(const KMachine &machine, const InstructionCounts &counts, int64_t count,
                            bool leastOfData) {
  auto made = [&](const Executions &executions) {
    return executions.all - (leastOfData ? executions.conditional : 0);
  };
  const auto k = static_cast<uint64_t>(machine.units), p = static_cast<uint64_t>(count);
  const uint64_t plain = made(counts.plain), shared = made(counts.shared);
  KCost cost;
  uint64_t all, most;
  if (__builtin_add_overflow(plain, shared, &all) || __builtin_mul_overflow(all, p + k, &most))
    return llvm::createStringError("the length does not fit 64 bits: give fewer instances");
  const uint64_t elements = (p + k - 1) / k;
  // All lanes ask for one address: its bank has a request of each.
  const uint64_t queues = machine.broadcast ? elements : p;
  cost.latency = plain * elements + shared * queues;
  cost.length = (all - (leastOfData ? 0 : counts.spared)) * p;
  if (shared > 0 && !machine.broadcast)
    cost.longestQueue = std::min(p, k);
  return cost;
}

} // namespace colonnade::model
