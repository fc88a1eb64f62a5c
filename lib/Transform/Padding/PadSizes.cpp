//===- PadSizes.cpp - One function for a range of sizes -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All arrays that can be padded are; those that turn out to be in no registers stay as they were.
//
//===----------------------------------------------------------------------===//

#include "Transform/Padding/PadSizes.h"

#include "Transform/Padding/PaddedCheck.h"
#include "Transform/RegisterPlacement.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class SizePadder {
public:
  SizePadder(const Function &function, const std::vector<bool> &fullyWritten,
             const SizeRanges &ranges)
      : function_(function), fullyWritten_(fullyWritten), points_(ranges), affine_(function) {}

  llvm::Expected<PaddedFunction> run();

private:
  bool mayBePadded(const Array &array) const;
  void chooseArrays();
  bool addLoops(PaddingPlan &plan);
  std::optional<PaddingPlan> plan();
  std::vector<PaddedArray> withoutRegisters(const PaddingPlan &plan, const Function &padded);
  std::vector<uint64_t> mostCells() const;
  std::vector<std::string> notes(const PaddingPlan &plan) const;

  const Function &function_;
  const std::vector<bool> &fullyWritten_;
  SizePoints points_;
  Affine affine_;
  std::vector<PaddedArray> arrays_;
  std::string reason_;
};

} // namespace

bool SizePadder::mayBePadded(const Array &array) const {
  return array.isPassed() && array.isPerInstance() && (array.reads || array.writes) &&
         llvm::all_of(array.extents, [](const SizeExpr &extent) { return extent.known(); }) &&
         llvm::any_of(array.extents,
                      [&](const SizeExpr &extent) { return points_.dependsOnRange(extent); });
}

void SizePadder::chooseArrays() {
  // As many as are looked at in registers (RegisterPlacement.cpp).
  static constexpr uint64_t MostCells = 1 << 20;
  for (size_t a = 0; a < function_.arrays.size(); ++a) {
    if (!mayBePadded(function_.arrays[a]))
      continue;
    std::optional<PaddedArray> array = padArray(function_, ArrayId(a), affine_, points_, reason_);
    if (array && array->cells() > 0 && array->cells() <= MostCells)
      arrays_.push_back(std::move(*array));
  }
}

bool SizePadder::addLoops(PaddingPlan &plan) {
  for (size_t i = 0; i < function_.ops.size(); ++i) {
    if (function_.ops[i].opcode != Opcode::For)
      continue;
    std::string reason;
    std::optional<PaddedLoop> loop = padLoop(function_, function_.ops[i], affine_, points_, reason);
    if (!loop && !reason.empty()) {
      reason_ = reason;
      return false;
    }
    if (loop)
      plan.loops.emplace(OpId(i), std::move(*loop));
  }
  return true;
}

std::optional<PaddingPlan> SizePadder::plan() {
  PaddingPlan plan;
  if (!addLoops(plan))
    return std::nullopt;
  auto cells = accessedCells(function_, arrays_, points_, reason_);
  if (!cells)
    return std::nullopt;
  for (auto [array, accessed] : llvm::zip_equal(arrays_, *cells)) {
    PaddedCopy copy{array, {}, {}};
    const Array &memory = function_.array(array.memory);
    std::vector<bool> any = accessed.loaded;
    for (size_t cell = 0; cell < any.size(); ++cell)
      any[cell] = any[cell] || accessed.stored[cell];
    // What is stored at some sizes alone is written back at others, too: it must be there.
    if (memory.reads || !fullyWritten_[array.memory.index])
      copy.in = any;
    if (memory.writes)
      copy.out = accessed.stored;
    plan.copies.push_back(std::move(copy));
  }
  return plan;
}

/// Padded in vain.
std::vector<PaddedArray> SizePadder::withoutRegisters(const PaddingPlan &plan,
                                                      const Function &padded) {
  const RegisterPlan registers = planRegisters(padded);
  std::vector<PaddedArray> result;
  for (const PaddedCopy &copy : plan.copies)
    if (!registers.arrays[copy.local.index]) {
      result.push_back(copy.array);
      const Array &local = padded.array(copy.local);
      const uint64_t words = copy.array.cells() * (sizeBytes(local.cell) == 8 ? 2 : 1);
      const std::string name = function_.array(copy.array.memory).name;
      reason_ = words > RegisterLimits().words
                    ? name + ": " + std::to_string(words) +
                          " registers for the largest size are more than a thread has room for"
                    : name +
                          ": with the largest size there are too many operations, or a subscript "
                          "that is not known";
    }
  return result;
}

std::vector<uint64_t> SizePadder::mostCells() const {
  std::vector<uint64_t> result(function_.arrays.size());
  for (auto [array, most] : llvm::zip_equal(function_.arrays, result)) {
    if (!mayBePadded(array))
      continue;
    SizeExpr cells = SizeExpr::constant(1);
    for (size_t d = 0; d < array.extents.size(); ++d)
      cells = cells * array.extentAtSizes(d);
    if (const std::optional<SizeRange> range = points_.extremes(cells); range && range->most > 0)
      most = static_cast<uint64_t>(range->most);
  }
  return result;
}

std::vector<std::string> SizePadder::notes(const PaddingPlan &plan) const {
  std::vector<std::string> result;
  for (const PaddedCopy &copy : plan.copies) {
    std::string extents, padded;
    for (auto [extent, most] : llvm::zip_equal(copy.array.extents, copy.array.most)) {
      extents += (extents.empty() ? "" : " x ") + extent.str();
      padded += (padded.empty() ? "" : " x ") + std::to_string(most);
    }
    result.push_back(function_.array(copy.array.memory).name + ": " + extents +
                     " cells, padded to " + padded);
  }
  return result;
}

llvm::Expected<PaddedFunction> SizePadder::run() {
  if (points_.all().empty())
    return llvm::createStringError("there are more than " + std::to_string(SizePoints::Most) +
                                   " sizes");
  chooseArrays();
  while (!arrays_.empty()) {
    std::optional<PaddingPlan> chosen = plan();
    if (!chosen)
      break;
    PaddedBody padded = padBody(function_, *chosen, affine_, points_);
    if (!hasSameAccesses(function_, padded, chosen->copies, points_)) {
      reason_ = "at some size, an access is to a cell that padding has elsewhere";
      break;
    }
    const std::vector<PaddedArray> inVain = withoutRegisters(*chosen, padded.function);
    if (inVain.empty())
      return PaddedFunction{std::move(padded.function), mostCells(), notes(*chosen)};
    llvm::erase_if(arrays_, [&](const PaddedArray &array) {
      return llvm::any_of(inVain,
                          [&](const PaddedArray &other) { return other.memory == array.memory; });
    });
  }
  return llvm::createStringError(reason_.empty() ? "no array has an extent that depends on it"
                                                 : reason_);
}

llvm::Expected<PaddedFunction> colonnade::padSizes(const Function &function,
                                                   const std::vector<bool> &fullyWritten,
                                                   const SizeRanges &ranges) {
  return SizePadder(function, fullyWritten, ranges).run();
}
