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

#include "llvm/Support/raw_ostream.h"

#include <numeric>

namespace colonnade {

using model::AccessProfile;
using model::BulkCost;
using model::BulkInput;
using model::CostReport;
using model::Layout;
using model::MemoryMachine;
using model::MemoryModel;
using model::ModelArray;

namespace {

class CostComputation {
public:
  CostComputation(const Analysis &analysis, const CheckedFunction &checked, const Options &options)
      : analysis_(analysis), checked_(checked), certificate_(checked.verdict.certificate),
        options_(options), cost_(options.cost) {}

  llvm::Expected<CostReport> run();

private:
  llvm::Expected<AccessProfile> profile(const Scalars &scalars);
  llvm::Expected<std::vector<ModelArray>> modelArrays(const Scalars &scalars);
  llvm::Error addSectors(CostReport &report, const BulkInput &input);
  llvm::Error addMachines(CostReport &report, const BulkInput &input);
  llvm::Error addTranslations(CostReport &report, const BulkInput &input, const Scalars &scalars);
  bool wants(CostModel model) const { return llvm::is_contained(cost_.models, model); }

  const Analysis &analysis_;
  const CheckedFunction &checked_;
  const ir::Function &certificate_;
  const Options &options_;
  const CostOptions &cost_;
};

} // namespace

/// A multiple of every group of cells that any of the models has.
static uint64_t periodOf(const CostOptions &cost) {
  return static_cast<uint64_t>(std::lcm(cost.width, model::BytesOfSector));
}

llvm::Expected<AccessProfile> CostComputation::profile(const Scalars &scalars) {
  auto arrays = certificateArrays(certificate_, scalars, options_.inputs);
  if (!arrays)
    return arrays.takeError();
  return model::profileOf(analysis_.module, certificate_, *arrays, scalars, periodOf(cost_));
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
    result.push_back({*cells, !array.isPerInstance(), bytes});
  }
  return result;
}

llvm::Error CostComputation::addSectors(CostReport &report, const BulkInput &input) {
  const BackEnd &backEnd = *findBackEnd("cuda");
  auto kernels = kernelsFor(backEnd, analysis_, checked_);
  if (!kernels)
    return kernels.takeError();
  for (Layout layout : cost_.layouts)
    report.sectors.push_back({layout, model::traffic(kernels->kernels.front(), layout, input)});
  return llvm::Error::success();
}

llvm::Error CostComputation::addMachines(CostReport &report, const BulkInput &input) {
  const AccessProfile made = model::unconditional(input.profile);
  const BulkInput least{made, input.arrays, input.count};
  for (auto [wanted, model] :
       {std::pair(CostModel::Umm, MemoryModel::Umm), std::pair(CostModel::Dmm, MemoryModel::Dmm)}) {
    const MemoryMachine machine{model, cost_.width, cost_.width, cost_.latency, cost_.broadcast};
    for (Layout layout : cost_.layouts) {
      if (!wants(wanted))
        continue;
      llvm::Expected<BulkCost> cost = bulkCost(machine, layout, input);
      if (!cost)
        return cost.takeError();
      report.machines.push_back({machine, layout, *cost});
      if (report.accesses.conditional == 0)
        continue;
      llvm::Expected<BulkCost> leastCost = bulkCost(machine, layout, least);
      if (!leastCost)
        return leastCost.takeError();
      report.machines.back().least = *leastCost;
    }
  }
  return llvm::Error::success();
}

/// In the layouts' order, the policies of each.
llvm::Error CostComputation::addTranslations(CostReport &report, const BulkInput &input,
                                             const Scalars &scalars) {
  auto contents = certificateArrays(certificate_, scalars, options_.inputs);
  if (!contents)
    return contents.takeError();
  auto accesses =
      model::walkCells(analysis_.module, certificate_, *contents, scalars, input.profile);
  if (!accesses)
    return accesses.takeError();
  const model::VatInput visits{*accesses, input.arrays, input.count, model::LanesOfWarp};
  std::vector<model::TranslationRow> rows;
  for (Layout layout : cost_.layouts) {
    auto memory = model::vatMemory(cost_.vat, layout, visits);
    if (!memory)
      return memory.takeError();
    for (model::Replacement policy : cost_.policies) {
      auto cost = model::vatCost(cost_.vat, layout, policy, visits);
      if (!cost)
        return cost.takeError();
      rows.push_back({layout, policy, *memory, *cost});
    }
  }
  report.translations = std::move(rows);
  return llvm::Error::success();
}

llvm::Expected<CostReport> CostComputation::run() {
  auto scalars = scalarArguments(certificate_, options_);
  if (!scalars)
    return scalars.takeError();
  auto arrays = modelArrays(*scalars);
  if (!arrays)
    return arrays.takeError();
  auto accesses = profile(*scalars);
  if (!accesses)
    return accesses.takeError();
  CostReport report{analysis_.module, certificate_,
                    std::string(1, letter(checked_.verdict.verdict))};
  for (auto [parameter, value] : llvm::zip(certificate_.scalars, *scalars))
    report.arguments.emplace_back(parameter.name, ir::str(value));
  report.count = cost_.count;
  report.accesses = model::countAccesses(certificate_, *accesses);
  const BulkInput input{*accesses, *arrays, cost_.count};
  if (wants(CostModel::Sectors))
    if (llvm::Error error = addSectors(report, input))
      return error;
  if (llvm::Error error = addMachines(report, input))
    return error;
  report.vat = cost_.vat;
  if (wants(CostModel::Vat))
    if (llvm::Error error = addTranslations(report, input, *scalars)) {
      if (!cost_.takesAllModels)
        return error;
      report.noTranslations = llvm::toString(std::move(error));
    }
  return report;
}

static llvm::Error write(const CostReport &report, const std::string &jsonPath) {
  if (!isStandardOutput(jsonPath))
    llvm::outs() << model::costText(report);
  if (jsonPath.empty())
    return llvm::Error::success();
  AtomicOutput output;
  if (llvm::Error error = output.addReport(jsonPath, fileText(model::costJson(report))))
    return error;
  return output.commit();
}

int runCost(const Options &options) {
  return withAccepted(options, [&](const Analysis &analysis) -> llvm::Expected<int> {
    auto checked = onlyFunction(analysis, "cost");
    if (!checked)
      return checked.takeError();
    llvm::Expected<CostReport> report = CostComputation(analysis, *checked, options).run();
    if (!report)
      return report.takeError();
    if (llvm::Error error = write(*report, options.jsonPath))
      return error;
    return Accepted;
  });
}

} // namespace colonnade
