//===- StagedRows.cpp - Rows that a warp has in shared memory -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/StagedRows.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "IR/KnownWalk.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Array;
using ir::Op;
using ir::Opcode;

std::vector<bool> stagedArrays(const ir::Function &kernel) {
  std::vector<bool> result(kernel.arrays.size());
  for (const Op &op : kernel.ops)
    if (op.opcode == Opcode::Stage)
      for (ArrayId array : op.arrays)
        result[array.index] = true;
  return result;
}

std::vector<int64_t> copiedCells(const ir::Function &kernel, const StagedCopy &copy) {
  const auto cells = ir::copiedCells(kernel.op(copy.stage), static_cast<uint64_t>(copy.width));
  return {cells.begin(), cells.end()};
}

static StagedCopy copyOf(const ir::Function &kernel, OpId id, int64_t first) {
  const Op &stage = kernel.op(id);
  const bool isStore = kernel.array(stage.arrays[1]).isShared();
  const ArrayId memory = stage.arrays[isStore ? 0 : 1], rows = stage.arrays[isStore ? 1 : 0];
  const int64_t width = *kernel.array(rows).extents[1].asConstant();
  return {id, memory, rows, first, width, isStore};
}

namespace {

/// Walks what is around the Stages alone: where they begin depends on nothing else.
class StageWalk final : public ir::KnownWalk {
public:
  explicit StageWalk(const ir::Function &kernel)
      : KnownWalk(kernel, MaxSteps), holdsStages_(kernel.regions.size()) {
    markRegion(kernel.body);
  }
  std::vector<StagedCopies> run() {
    walk(function_.body);
    return std::move(stages_);
  }

private:
  static constexpr uint64_t MaxSteps = 1 << 24;

  bool markRegion(RegionId region) {
    for (OpId id : function_.region(region).ops) {
      const Op &op = function_.op(id);
      if (op.opcode == Opcode::Stage) {
        stages_.push_back({id, {}});
        holdsStages_[region.index] = true;
      }
      for (RegionId inner : op.regions)
        holdsStages_[region.index] = markRegion(inner) | holdsStages_[region.index];
    }
    return holdsStages_[region.index];
  }
  bool visit(OpId id) override {
    const Op &op = function_.op(id);
    if (op.opcode == Opcode::Stage) {
      const Known first = op.operands.empty() ? Known() : value(op.operands[0]);
      llvm::find_if(stages_, [&](const StagedCopies &each) {
        return each.stage == id;
      })->copies.push_back(copyOf(function_, id, first ? ir::asInt64(*first) : 0));
      return true;
    }
    const bool isBeside = !op.regions.empty() && llvm::none_of(op.regions, [&](RegionId inner) {
      return holdsStages_[inner.index];
    });
    return isBeside || KnownWalk::visit(id);
  }
  bool access(OpId, std::optional<int64_t>) override { return true; }

  std::vector<bool> holdsStages_; // by region
  std::vector<StagedCopies> stages_;
};

} // namespace

std::vector<StagedCopies> stagedCopies(const ir::Function &kernel) {
  return StageWalk(kernel).run();
}

static double wordsOf(const Array &array) {
  static constexpr double BytesOfWord = 4;
  return static_cast<double>(ir::sizeBytes(array.cell)) / BytesOfWord;
}

/// A copy moves each of its cells once, small cells as words; no lane waits for another's bank.
static double accessesOfCopy(const ir::Function &kernel, OpId id) {
  const StagedCopy copy = copyOf(kernel, id, 0);
  return static_cast<double>(copiedCells(kernel, copy).size()) * wordsOf(kernel.array(copy.rows)) /
         kernel.team();
}

static StagedWork workOf(const ir::Function &kernel, OpId id) {
  const Op &op = kernel.op(id);
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    return {kernel.array(op.array).isShared() ? std::max(1.0, wordsOf(kernel.array(op.array))) : 0,
            0};
  case Opcode::Stage:
    return {accessesOfCopy(kernel, id), 0, 0, 0,
            op.live.empty() || ir::isConstantList(kernel, op) ? 0.0 : 1.0};
  case Opcode::Wait:
    return {0, 1, 0, op.index > 0 ? 1.0 : 0};
  case Opcode::Barrier:
    return {0, 0, 1};
  default:
    return {};
  }
}

StagedWork stagedWork(const ir::Function &kernel, const RegionExecutions &executions) {
  StagedWork sum;
  for (auto [region, entered] : llvm::zip_first(kernel.regions, executions))
    for (OpId id : region.ops) {
      const StagedWork one = workOf(kernel, id);
      sum.accesses += one.accesses * static_cast<double>(entered.all);
      sum.waits += one.waits * static_cast<double>(entered.all);
      sum.barriers += one.barriers * static_cast<double>(entered.all);
      sum.ahead += one.ahead * static_cast<double>(entered.all);
      sum.lists += one.lists * static_cast<double>(entered.all);
    }
  return sum;
}

} // namespace colonnade::model
