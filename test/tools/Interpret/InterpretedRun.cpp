//===- InterpretedRun.cpp -------------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpret/InterpretedRun.h"

#include "IR/BlockInterpreter.h"

#include <cmath>

namespace colonnade {

std::vector<ir::Scalar> scalarsOf(const Job &job, const ir::Function &function) {
  std::vector<ir::Scalar> values;
  for (const ir::ScalarParam &scalar : function.scalars)
    values.push_back({function.value(scalar.value).type, job.scalars.at(scalar.name)});
  return values;
}

std::vector<ir::ArrayData> arraysOf(const ir::Function &function, const JobInstance &instance,
                                    Contents contents) {
  std::vector<ir::ArrayData> data(function.arrays.size());
  for (size_t a = 0; a < data.size(); a++) {
    const auto found = instance.before.find(function.arrays[a].name);
    if (found == instance.before.end() || !function.arrays[a].isPassed())
      continue;
    data[a].cells = found->second;
    if (contents == Contents::Uniform && function.arrays[a].sharing == ir::Sharing::Instance)
      data[a].cells.assign(data[a].cells.size(), 0);
  }
  return data;
}

std::vector<std::vector<ir::Scalar>> atSmallSizes(const std::vector<ir::Scalar> &scalars) {
  constexpr int64_t LargestSize = 12;
  std::vector<std::vector<ir::Scalar>> all(LargestSize + 1, scalars);
  for (int64_t size = 0; size <= LargestSize; ++size)
    for (ir::Scalar &scalar : all[static_cast<size_t>(size)])
      if (ir::isInteger(scalar.type))
        scalar = ir::makeInt(scalar.type, size);
  return all;
}

static bool sameCell(ir::ScalarType type, uint64_t a, uint64_t b) {
  if (a == b || !ir::isFloat(type))
    return a == b;
  return std::isnan(ir::asDouble({type, a})) && std::isnan(ir::asDouble({type, b}));
}

/// "b[3] is 7, sequentially 8"; empty: they are the same.
static std::string compareOutputs(const ir::Function &function,
                                  const std::vector<ir::ArrayData> &data,
                                  const JobInstance &instance) {
  for (size_t a = 0; a < data.size(); a++) {
    const ir::Array &array = function.arrays[a];
    const auto expected = instance.after.find(array.name);
    if (expected == instance.after.end() || !array.isPassed())
      continue;
    const auto ignored = instance.indeterminate.find(array.name);
    const bool all = ignored == instance.indeterminate.end() || ignored->second.empty();
    for (size_t i = 0; i < expected->second.size(); i++)
      if ((all || !ignored->second[i]) &&
          !sameCell(array.cell, data[a].cells[i], expected->second[i]))
        return array.name + "[" + std::to_string(i) + "] is " +
               ir::str({array.cell, data[a].cells[i]}) + ", sequentially " +
               ir::str({array.cell, expected->second[i]});
  }
  return {};
}

llvm::Error checkOutputs(const ir::Module &module, const ir::Function &function, const Job &job,
                         size_t instance) {
  std::vector<ir::ArrayData> data = arraysOf(function, job.instances[instance], Contents::All);
  const std::vector<ir::Scalar> scalars = scalarsOf(job, function);
  if (llvm::Error error = function.runsTogether()
                              ? ir::interpretBlocks(module, function, 1, data, scalars)
                              : ir::interpret(module, function, data, scalars))
    return error;
  const std::string difference = compareOutputs(function, data, job.instances[instance]);
  return difference.empty() ? llvm::Error::success() : llvm::createStringError(difference);
}

} // namespace colonnade
