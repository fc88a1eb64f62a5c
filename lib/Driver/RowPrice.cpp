//===- RowPrice.cpp - What a kernel costs, by the cost model --------------===//
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
#include "Model/TeamRequests.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace colonnade {

static constexpr const char *MachineName = "h200"; // measured; others rank alike
static constexpr int64_t Count = 1 << 20;          // instances: more than run at once
// Of a kernel that is worth a forecast: a longer one takes its time to lower, too.
static constexpr size_t MostOperations = 20'000;

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

/// Of an instance's own arrays, once in and once out; nullopt: of unknown size.
static std::optional<double> bytesOnce(const ir::Function &kernel) {
  double bytes = 0;
  for (const ir::Array &array : kernel.arrays) {
    if (!array.isPassed() || !array.isPerInstance())
      continue;
    const std::optional<uint64_t> cells = array.constantCells();
    if (!cells)
      return std::nullopt;
    bytes += static_cast<double>(*cells * ir::sizeBytes(array.cell)) *
             (double(array.reads) + double(array.writes));
  }
  return bytes;
}

static llvm::Expected<model::TimeMachine> machine() {
  auto named = model::readMachine(MachineName);
  return named ? model::timeMachine(*named) : named.takeError();
}

/// What `cost` counts, too; nullopt: there is no team, or it cannot be counted.
static std::optional<model::TeamRequests> teamOf(const ir::Function &kernel,
                                                 llvm::ArrayRef<model::ModelArray> shapes,
                                                 model::Layout layout, int64_t count,
                                                 const std::vector<ir::ArrayData> &contents,
                                                 llvm::ArrayRef<ir::Scalar> scalars) {
  if (kernel.team() == 1)
    return std::nullopt;
  auto requests = model::teamRequests(kernel, shapes, layout, count, contents, scalars);
  if (requests)
    return std::move(*requests);
  llvm::consumeError(requests.takeError());
  return std::nullopt;
}

static llvm::Expected<model::KernelTime> estimate(const ir::Module &module,
                                                  const ir::Function &certificate,
                                                  const ir::Function &kernel, model::Layout layout,
                                                  int64_t count, int64_t other) {
  const std::vector<ir::Scalar> scalars = scalarsOf(certificate, other);
  auto arrays = certificateArrays(certificate, scalars, {});
  if (!arrays)
    return arrays.takeError();
  auto shapes = shapesOf(certificate, scalars);
  if (!shapes)
    return shapes.takeError();
  const model::WalkLimits limits = quickly();
  auto profile =
      model::profileOf(module, certificate, *arrays, scalars, model::periodOf(*shapes), limits);
  if (!profile)
    return profile.takeError();
  auto accesses = model::walkCells(module, certificate, *arrays, scalars, *profile, limits);
  if (!accesses)
    return accesses.takeError();
  auto executions = model::executionsOf(kernel, *arrays, scalarsOf(kernel, other), limits);
  if (!executions)
    return executions.takeError();
  auto fields = machine();
  if (!fields)
    return fields.takeError();
  const std::optional<model::TeamRequests> team =
      teamOf(kernel, *shapes, layout, count, *arrays, scalarsOf(kernel, other));
  const model::TimeInput input{
      certificate, kernel, *executions, *profile, *shapes, *accesses, team ? &*team : nullptr};
  return model::TimeEstimate(*fields, layout, input).of(count);
}

/// All scalars, by the user.
static bool areFixed(const ir::Function &kernel) {
  return llvm::all_of(kernel.scalars, [&](const ir::ScalarParam &scalar) {
    return kernel.constant(scalar.value) != nullptr;
  });
}

std::optional<model::KernelTime> RowPrice::timeOf(const ir::Function &kernel, model::Layout layout,
                                                  int64_t count) const {
  std::optional<model::KernelTime> found;
  for (int64_t other : {1, 2}) {
    auto time = estimate(module_, certificate_, kernel, layout, count, other);
    if (!time) {
      llvm::consumeError(time.takeError()); // then nothing is known
      return std::nullopt;
    }
    if (found && found->microseconds != time->microseconds)
      return std::nullopt;
    found = *time;
    if (areFixed(kernel))
      break;
  }
  return found;
}

std::optional<double> RowPrice::ofRows(const ir::Function &kernel) const {
  const std::optional<model::KernelTime> time = timeOf(kernel, model::Layout::Row, Count);
  return time ? std::optional(time->microseconds) : std::nullopt;
}

/// Of tiles: the model expects columns to take as long, or longer.
std::optional<double> RowPrice::ofColumns(const ir::Function &kernel) const {
  const std::optional<model::KernelTime> time = timeOf(kernel, model::Layout::Tiled, Count);
  return time ? std::optional(time->microseconds) : std::nullopt;
}

std::optional<double> RowPrice::ofFewColumns(const ir::Function &kernel) const {
  static constexpr double Bytes = 1 << 29;
  static constexpr int64_t Fewest = 1 << 13;
  const std::optional<double> each = bytesOnce(kernel);
  const int64_t count =
      each && *each > 0 ? std::clamp(static_cast<int64_t>(Bytes / *each), Fewest, Count) : Count;
  const std::optional<model::KernelTime> time = timeOf(kernel, model::Layout::Tiled, count);
  return time ? std::optional(time->microseconds / static_cast<double>(count)) : std::nullopt;
}

/// Of `Count` instances, in microseconds.
static std::optional<double> copyTime(const ir::Function &kernel) {
  constexpr double PerMicrosecond = 1e3; // bytes, of GB/s
  const std::optional<double> bytes = bytesOnce(kernel);
  auto fields = machine();
  if (!bytes || !fields) {
    llvm::consumeError(fields.takeError());
    return std::nullopt;
  }
  return *bytes * Count / (fields->dram * PerMicrosecond);
}

std::optional<Forecast> RowPrice::forecast(const ir::Function &kernel, model::Layout layout) const {
  if (kernel.ops.size() > MostOperations)
    return std::nullopt;
  const std::optional<double> copy = copyTime(kernel);
  const std::optional<model::KernelTime> time = copy ? timeOf(kernel, layout, Count) : std::nullopt;
  if (!time)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "expected on an H200, " << name(layout) << ": "
      << llvm::format("%.3g", 1e3 * time->microseconds / Count) << " ns an instance, "
      << llvm::format("%.2f", *copy / time->microseconds)
      << " of the speed at which its arrays are copied; limit: " << name(time->binds);
  return Forecast{time->microseconds, *copy, text};
}

} // namespace colonnade
