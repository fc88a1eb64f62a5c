//===- RowPrice.cpp - What a kernel costs on row-wise instances -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/RowPrice.h"

#include "Driver/Options/CertificateArrays.h"
#include "IR/Evaluate.h"
#include "Model/ClosedLoops.h"
#include "Model/KernelTime.h"
#include "Model/Machine.h"
#include "Model/Sectors.h"

namespace colonnade {

static constexpr const char *MachineName = "h200"; // measured; others rank alike
static constexpr int64_t Count = 1 << 20;          // instances: more than run at once

/// What takes longer to count is not worth the wait.
static model::WalkLimits quickly() {
  model::WalkLimits limits;
  limits.operations = 20'000'000;
  limits.kept = 1'000'000;
  return limits;
}

/// `other`: of scalars that the user has not fixed.
static std::vector<ir::Scalar> scalarsOf(const ir::Function &function, int64_t other) {
  std::vector<ir::Scalar> values;
  for (const ir::ScalarParam &scalar : function.scalars) {
    const ir::Scalar *const fixed = function.constant(scalar.value);
    const ir::ScalarType type = function.value(scalar.value).type;
    const ir::Scalar number = ir::makeInt(ir::ScalarType::S64, other);
    values.push_back(fixed               ? *fixed
                     : ir::isFloat(type) ? ir::Scalar{type, 0}
                                         : ir::evaluateCast(number, type).value);
  }
  return values;
}

static llvm::Expected<std::vector<model::ModelArray>> shapesOf(const ir::Function &certificate,
                                                               llvm::ArrayRef<ir::Scalar> scalars) {
  std::vector<model::ModelArray> shapes;
  for (const ir::Array &array : certificate.arrays) {
    auto cells = concreteCells(certificate, array, scalars);
    if (!cells)
      return cells.takeError();
    const auto bytes = static_cast<int64_t>(ir::sizeBytes(array.cell));
    shapes.push_back({*cells, !array.isPerInstance(), bytes});
  }
  return shapes;
}

static llvm::Expected<double> estimate(const ir::Module &module, const ir::Function &certificate,
                                       const ir::Function &kernel, int64_t other) {
  const std::vector<ir::Scalar> scalars = scalarsOf(certificate, other);
  auto arrays = certificateArrays(certificate, scalars, {});
  if (!arrays)
    return arrays.takeError();
  auto shapes = shapesOf(certificate, scalars);
  if (!shapes)
    return shapes.takeError();
  const model::WalkLimits limits = quickly();
  auto walked = *arrays;
  auto profile =
      model::profileOf(module, certificate, walked, scalars, model::periodOf(*shapes), limits);
  if (!profile)
    return profile.takeError();
  auto accesses = model::walkCells(module, certificate, *arrays, scalars, *profile, limits);
  if (!accesses)
    return accesses.takeError();
  auto executions = model::executionsOf(kernel, *arrays, scalarsOf(kernel, other), limits);
  if (!executions)
    return executions.takeError();
  auto machine = model::readMachine(MachineName);
  if (!machine)
    return machine.takeError();
  auto fields = model::timeMachine(*machine);
  if (!fields)
    return fields.takeError();
  const model::TimeInput input{certificate, kernel, *executions, *profile, *shapes, *accesses};
  return model::TimeEstimate(*fields, model::Layout::Row, input).of(Count).microseconds;
}

std::optional<double> RowPrice::ofRows(const ir::Function &kernel) const {
  std::optional<double> found;
  for (int64_t other : {1, 2}) {
    auto price = estimate(module_, certificate_, kernel, other);
    if (!price) {
      llvm::consumeError(price.takeError()); // then nothing is known
      return std::nullopt;
    }
    if (found && *found != *price)
      return std::nullopt;
    found = *price;
  }
  return found;
}

} // namespace colonnade
