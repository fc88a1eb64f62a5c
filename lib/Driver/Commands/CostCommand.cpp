//===- CostCommand.cpp - Predict the cost under memory models -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// certificate ─▶ profile of one instance ─▶ cost under each model and layout ─▶ text, JSON
//                                 kernel ─▶
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"
#include "Driver/Commands/Commands.h"
#include "Driver/Commands/Verdicts.h"
#include "Driver/Generate.h"
#include "Driver/Options/CertificateArrays.h"
#include "Driver/Options/ScalarArguments.h"
#include "Model/ClosedLoops.h"
#include "Model/CostReport.h"
#include "Model/Sectors.h"
#include "Transform/RegisterPlacement.h"
#include "Transform/Strips/StripForm.h"
#include "Transform/Transform.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {

using model::AccessProfile;
using model::BulkInput;
using model::CostOptions;
using model::CostReport;
using model::ModelArray;

namespace {

class CostComputation {
public:
  CostComputation(const Analysis &analysis, const CheckedFunction &checked, const Options &options)
      : analysis_(analysis), checked_(checked), certificate_(checked.verdict.certificate),
        options_(options), cost_(options.cost) {}

  llvm::Expected<CostReport> run();

private:
  llvm::Expected<std::vector<ModelArray>> modelArrays(const Scalars &scalars);
  llvm::Expected<const ir::Function *> kernelFor(std::optional<model::Layout> layout);
  llvm::Error findStrips();

  const Analysis &analysis_;
  const CheckedFunction &checked_;
  ir::Function certificate_; // of what is generated
  const Options &options_;
  const CostOptions &cost_;
  std::optional<BackEndKernels> kernels_; // once they were asked for
};

} // namespace

/// The order of accesses is kept where a clock is run by it: so few warps that some wait for their
/// own requests, one of which is not full. Else where it is had at once.
static model::WalkLimits limitsOf(const CostOptions &cost) {
  constexpr uint64_t AtOnce = 100'000'000; // accesses * warps
  const int64_t warps = (cost.count + cost.width - 1) / cost.width;
  model::WalkLimits limits;
  limits.iterations = model::MaxWalkedIterations;
  if (cost.count % cost.width == 0 || warps >= cost.latency.value_or(0))
    limits.kept = std::min(limits.kept, AtOnce / static_cast<uint64_t>(warps));
  return limits;
}

llvm::Expected<std::vector<ModelArray>> CostComputation::modelArrays(const Scalars &scalars) {
  std::vector<ModelArray> result;
  for (const ir::Array &array : certificate_.arrays) {
    auto cells = concreteCells(certificate_, array, scalars);
    if (!cells)
      return cells.takeError();
    int64_t all;
    const auto bytes = static_cast<int64_t>(ir::sizeBytes(array.cell));
    if (__builtin_mul_overflow(*cells, cost_.count + cost_.width, &all) ||
        __builtin_mul_overflow(all, bytes, &all))
      return llvm::createStringError("'" + array.name + "' of all instances has too many cells");
    const int64_t base = array.isPassed() ? cost_.base : 0;
    result.push_back({*cells, !array.isPerInstance(), bytes, base});
  }
  return result;
}

/// Of a layout, or for any.
llvm::Expected<const ir::Function *>
CostComputation::kernelFor(std::optional<model::Layout> layout) {
  if (!kernels_) {
    auto kernels =
        kernelsFor(*findBackEnd(options_.costTarget), analysis_, checked_, options_.rowPlan);
    if (!kernels)
      return kernels.takeError();
    for (const model::ArrayPlace &wanted : cost_.places)
      if (llvm::Error error = model::place(kernels->kernels.front(), wanted))
        return llvm::createStringError("--place: " + llvm::toString(std::move(error)));
    kernels_ = std::move(*kernels);
  }
  const bool isForced = !cost_.places.empty(); // of the kernel for all layouts
  return layout && !isForced ? &kernelOf(kernels_->kernels, *layout) : &kernels_->kernels.front();
}

/// Kernels in strips access less than the function does.
llvm::Error CostComputation::findStrips() {
  if (options_.costTarget != "cuda" ||
      !mayBeInStrips(checked_.canonical, checked_.verdict, options_.rowPlan))
    return llvm::Error::success();
  auto kernel = kernelFor({});
  if (!kernel)
    return kernel.takeError();
  if (auto own = certificateOfStrips(analysis_.module, certificate_, **kernel))
    certificate_ = std::move(*own);
  return llvm::Error::success();
}

llvm::Expected<CostReport> CostComputation::run() {
  if (auto placed = cost_.places.empty() ? nullptr : kernelFor({}); !placed)
    return placed.takeError(); // also where no model that is left asks for the kernel
  if (llvm::Error error = findStrips())
    return error;
  auto scalars = scalarArguments(certificate_, options_);
  if (!scalars)
    return scalars.takeError();
  auto arrays = modelArrays(*scalars);
  if (!arrays)
    return arrays.takeError();
  auto contents = certificateArrays(certificate_, *scalars, options_.inputs);
  if (!contents)
    return contents.takeError();
  auto profile = model::profileOf(analysis_.module, certificate_, *contents, *scalars,
                                  model::periodOf(*arrays, cost_.width), limitsOf(cost_));
  if (!profile)
    return profile.takeError();
  CostReport report{certificate_.name, std::string(1, letter(checked_.verdict.verdict))};
  for (auto [parameter, value] : llvm::zip(certificate_.scalars, *scalars))
    report.arguments.emplace_back(parameter.name, ir::str(value));
  report.count = cost_.count;
  report.target = findBackEnd(options_.costTarget)->title;
  report.machine = cost_.machine;
  report.once = model::arraysOnce(certificate_, *arrays, cost_.count);
  report.accesses = model::countAccesses(certificate_, *profile);
  const BulkInput input{*profile, *arrays, cost_.count};
  const model::CostQuestion question{analysis_.module,
                                     certificate_,
                                     *scalars,
                                     input,
                                     cost_,
                                     [this] { return kernelFor({}); },
                                     *contents,
                                     RegisterLimits().words,
                                     [this](model::Layout layout) { return kernelFor(layout); }};
  if (llvm::Error error = model::priceAll(question, report))
    return error;
  return report;
}

/// Files first: nothing is printed if one of them cannot be written.
static llvm::Error write(const CostReport &report, const Options &options) {
  const std::string json = options.jsonPath.empty() ? "" : fileText(model::costJson(report));
  const std::pair<llvm::StringRef, llvm::StringRef> outputs[] = {{options.plotPath, report.plot},
                                                                 {options.jsonPath, json}};
  AtomicOutput files;
  for (auto [path, contents] : outputs)
    if (!path.empty() && path != "-")
      if (llvm::Error error = files.add(path, contents))
        return error;
  if (!isStandardOutput(options.jsonPath) && !isStandardOutput(options.plotPath))
    llvm::outs() << model::costText(report);
  for (auto [path, contents] : outputs)
    if (path == "-")
      llvm::outs() << contents;
  return files.commit();
}

int runCost(const Options &options) {
  return withAccepted(options, [&](const Analysis &analysis) -> llvm::Expected<int> {
    auto checked = onlyFunction(analysis, "cost");
    if (!checked)
      return checked.takeError();
    llvm::Expected<CostReport> report = CostComputation(analysis, *checked, options).run();
    if (!report)
      return report.takeError();
    if (llvm::Error error = write(*report, options))
      return error;
    return Accepted;
  });
}

} // namespace colonnade
