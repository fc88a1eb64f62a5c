//===- RowKernels.h - Kernels for row-wise instances, run -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel for row-wise instances of a module's first function. Out: whether it gives what the
// function gives on random cells, for so many instances, in the order of threads of a seed.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_TRANSFORM_ROWKERNELS_H
#define COLONNADE_UNITTESTS_TRANSFORM_ROWKERNELS_H

#include "Lowered.h"

#include "IR/BlockInterpreter.h"
#include "Transform/Teams/TeamKernel.h"

#include <random>

namespace colonnade {

using ir::ArrayData;

/// Random cells, small enough for every operation of the tests.
inline std::vector<ArrayData> randomCells(const ir::Function &function, uint64_t count,
                                          unsigned seed) {
  std::mt19937 random(seed);
  std::vector<ArrayData> arrays(function.arrays.size());
  for (size_t a = 0; a < arrays.size(); ++a)
    if (function.arrays[a].isPassed()) {
      const uint64_t each = function.arrays[a].isPerInstance() ? count : 1;
      for (uint64_t c = 0; c < *function.arrays[a].constantCells() * each; ++c)
        arrays[a].cells.push_back(random() % 100);
    }
  return arrays;
}

/// The canonical function on one instance after the other.
inline std::vector<ArrayData> oneByOne(const ir::Module &module, std::vector<ArrayData> arrays,
                                       uint64_t count) {
  const ir::Function &function = module.functions[0];
  const auto cells = [&](size_t a) { return *function.arrays[a].constantCells(); };
  const auto begin = [&](size_t a, uint64_t instance) {
    return static_cast<ptrdiff_t>(function.arrays[a].isPerInstance() ? instance * cells(a) : 0);
  };
  for (uint64_t j = 0; j < count; ++j) {
    std::vector<ArrayData> own(arrays.size());
    for (size_t a = 0; a < arrays.size(); ++a)
      if (function.arrays[a].isPassed())
        own[a].cells.assign(arrays[a].cells.begin() + begin(a, j),
                            arrays[a].cells.begin() + begin(a, j) +
                                static_cast<ptrdiff_t>(cells(a)));
    llvm::cantFail(ir::interpret(module, function, own, {}));
    for (size_t a = 0; a < arrays.size(); ++a)
      if (function.arrays[a].isPassed())
        std::copy(own[a].cells.begin(), own[a].cells.end(), arrays[a].cells.begin() + begin(a, j));
  }
  return arrays;
}

/// Empty, or what was wrong: the interpreter's error, or "cells of 'b' differ". arrays: what the
/// function is run on.
inline std::string runRows(const ir::Module &module, const ir::Function &kernel, uint64_t count,
                           unsigned seed, std::vector<ArrayData> arrays) {
  const std::vector<ArrayData> expected = oneByOne(module, arrays, count);
  ir::BlockOptions options;
  options.seed = seed;
  arrays.resize(kernel.arrays.size());
  std::string error;
  llvm::handleAllErrors(ir::interpretBlocks(module, kernel, count, arrays, {}, options),
                        [&](const ir::InterpreterError &e) { error = e.text; });
  for (size_t a = 0; a < expected.size() && error.empty(); ++a)
    if (module.functions[0].arrays[a].isPassed() && arrays[a].cells != expected[a].cells)
      error = "cells of '" + kernel.arrays[a].name + "' differ";
  return error.empty()
             ? error
             : std::to_string(count) + " instances, seed " + std::to_string(seed) + ": " + error;
}

/// The same on random cells.
inline std::string runRows(const ir::Module &module, const ir::Function &kernel, uint64_t count,
                           unsigned seed) {
  return runRows(module, kernel, count, seed, randomCells(module.functions[0], count, seed));
}

/// Faults that were planted in kernels.
struct Planted {
  unsigned number = 0, found = 0;
};
/// Runs the team's kernel without each of its barriers, one at a time.
inline void dropBarriers(const ir::Module &module, const TeamPlan &plan, uint64_t count,
                         unsigned seed, Planted &dropped) {
  for (size_t op = 0; op < plan.run.barrierBefore.size(); ++op) {
    if (!plan.run.barrierBefore[op])
      continue;
    TeamPlan without = plan;
    without.run.barrierBefore[op] = false;
    ++dropped.number;
    dropped.found += !runRows(module, teamKernel(without), count, seed).empty();
  }
}

/// Kernels for columns, of plans for rows.
struct ColumnKernels {
  unsigned run = 0, ofOthersPlan = 0; // of which members stored to where the caller has it
  Planted dropped;                    // barriers of the block
};

/// The kernel without one of its operations.
inline ir::Function without(ir::Function kernel, OpId op) {
  for (ir::Region &region : kernel.regions)
    llvm::erase(region.ops, op);
  return kernel;
}

/// Runs what a plan for rows gives for columns; and without each of the block's barriers, if asked.
inline std::string runColumns(const ir::Module &module, const TeamPlan &plan, uint64_t count,
                              unsigned seed, ColumnKernels &columns, bool dropsBarriers) {
  const std::optional<TeamPlan> own = planForColumns(plan);
  const std::optional<ir::Function> kernel = own ? teamKernelForColumns(*own) : std::nullopt;
  if (!kernel)
    return "there is no kernel for columns";
  if (const std::string wrong = verifyError(module, *kernel); !wrong.empty())
    return wrong;
  if (textOf(ir::parsed(textOf(*kernel)).functions[0]) != textOf(*kernel))
    return "it is read back as another one";
  if (const std::string wrong = runRows(module, *kernel, count, seed); !wrong.empty())
    return wrong + "\n" + textOf(*kernel);
  ++columns.run;
  columns.ofOthersPlan += own->choice.common != plan.choice.common;
  for (size_t op = 0; op < kernel->ops.size() && dropsBarriers; ++op)
    if (kernel->ops[op].opcode == ir::Opcode::Barrier &&
        kernel->ops[op].among == ir::Sharing::Block) {
      ++columns.dropped.number;
      columns.dropped.found += !runRows(module, without(*kernel, OpId(op)), count, seed).empty();
    }
  return "";
}

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_TRANSFORM_ROWKERNELS_H
