//===- ExecutionCheck.cpp - Counted against executed operations -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpret/ExecutionCheck.h"

#include "Interpret/InterpretedRun.h"
#include "Model/OperationCounts.h"

namespace colonnade {

static constexpr uint64_t MaxOperations = 1'000'000;
static constexpr int64_t MaxCells = 100'000;

namespace {

/// The kernel with a read of a cell of its own at the begin of each region.
struct Probed {
  ir::Function kernel;
  ArrayId probe;
  std::vector<RegionId> regionOf; // by OpId, of the reads

  explicit Probed(const ir::Function &original);
};

} // namespace

Probed::Probed(const ir::Function &original) : kernel(original) {
  probe = ArrayId(kernel.arrays.size());
  ir::Array array;
  array.name = "probe";
  array.cell = ir::ScalarType::U8;
  array.reads = true;
  array.space = ir::Space::Local;
  kernel.arrays.push_back(array);
  auto add = [&](ir::Op op, ir::ScalarType type) {
    const OpId id(kernel.ops.size());
    const ValueId result(kernel.values.size());
    kernel.values.push_back({type, false, id, {}, 0, {}});
    op.results.push_back(result);
    kernel.ops.push_back(std::move(op));
    return std::pair(id, result);
  };
  ir::Op zero = ir::makeOp(ir::Opcode::Constant);
  zero.scalar = ir::makeInt(ir::ScalarType::S64, 0);
  const ValueId cell = add(zero, ir::ScalarType::S64).second;
  regionOf.resize(kernel.ops.size());
  for (size_t r = 0; r < kernel.regions.size(); ++r) {
    ir::Op read = ir::makeOp(ir::Opcode::Load, {cell});
    read.array = probe;
    const OpId id = add(read, array.cell).first;
    std::vector<OpId> &ops = kernel.regions[r].ops;
    ops.insert(ops.begin(), id);
    regionOf.push_back(RegionId(r));
  }
}

static llvm::Error compare(const std::vector<uint64_t> &entered,
                           const model::RegionExecutions &counted) {
  for (size_t r = 0; r < entered.size(); ++r) {
    const model::Executions &region = counted[r];
    if (entered[r] > region.all || entered[r] + region.conditional < region.all)
      return llvm::createStringError("region " + std::to_string(r) + " is entered " +
                                     std::to_string(entered[r]) + " times, counted are " +
                                     std::to_string(region.all) + ", of them as data decides " +
                                     std::to_string(region.conditional));
  }
  return llvm::Error::success();
}

static llvm::Error compare(const ir::Module &module, const ir::Function &kernel,
                           const std::vector<ir::ArrayData> &given,
                           const std::vector<ir::Scalar> &scalars) {
  model::WalkLimits limits;
  limits.operations = MaxOperations;
  limits.remembered = 1; // small sizes, too
  auto counted = model::executionsOf(kernel, given, scalars, limits);
  if (!counted)
    return llvm::consumeError(counted.takeError()), llvm::Error::success(); // and it says so
  const Probed probed(kernel);
  std::vector<uint64_t> entered(kernel.regions.size());
  ir::InterpreterOptions options;
  options.maxSteps = MaxOperations;
  options.onAccess = [&](const ir::AccessEvent &event) {
    if (event.array == probed.probe)
      ++entered[probed.regionOf[event.op.index].index];
  };
  std::vector<ir::ArrayData> arrays = given;
  arrays.resize(probed.kernel.arrays.size());
  if (llvm::Error error = ir::interpret(module, probed.kernel, arrays, scalars, options))
    return llvm::consumeError(std::move(error)), llvm::Error::success(); // undefined at this size
  limits.walked = 0;
  limits.parts = 2;
  if (auto bounds = model::executionBoundsOf(kernel, given, scalars, limits))
    if (llvm::Error error = compare(entered, *bounds))
      return error;
  return compare(entered, *counted);
}

/// Arrays of instances full of `value`; nullopt: a size is negative, or large.
static std::optional<std::vector<ir::ArrayData>> filled(const ir::Function &kernel,
                                                        const std::vector<ir::ArrayData> &given,
                                                        const std::vector<ir::Scalar> &scalars,
                                                        int value) {
  std::vector<ir::ArrayData> arrays = given;
  for (size_t a = 0; a < kernel.arrays.size(); ++a) {
    const ir::Array &array = kernel.arrays[a];
    if (!array.isPassed())
      continue;
    auto extents = ir::concreteExtents(kernel, array, scalars);
    if (!extents)
      return llvm::consumeError(extents.takeError()), std::nullopt;
    int64_t cells = 1;
    for (int64_t extent : *extents)
      if (extent < 0 || (cells *= extent) > MaxCells)
        return std::nullopt;
    const ir::Scalar scalar =
        ir::evaluateCast(ir::makeInt(ir::ScalarType::S32, value), array.cell).value;
    if (array.sharing == ir::Sharing::Instance)
      arrays[a].cells.assign(static_cast<size_t>(cells), scalar.bits);
  }
  return arrays;
}

llvm::Error checkExecutions(const ir::Module &module, const ir::Function &kernel,
                            const std::vector<ir::ArrayData> &arrays,
                            const std::vector<ir::Scalar> &scalars) {
  if (llvm::Error error = compare(module, kernel, arrays, scalars))
    return error;
  for (const std::vector<ir::Scalar> &sizes : atSmallSizes(scalars))
    for (int value : {0, 1})
      if (auto full = filled(kernel, arrays, sizes, value))
        if (llvm::Error error = compare(module, kernel, *full, sizes))
          return error;
  return llvm::Error::success();
}

} // namespace colonnade
