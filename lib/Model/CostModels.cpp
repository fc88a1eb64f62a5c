//===- CostModels.cpp - The table of cost models --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostModels.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

static constexpr const char *Sectors[] = {"sectors"};
static constexpr const char *CachedSectors[] = {"l2"};
static constexpr const char *Time[] = {"time"};
static constexpr const char *MemoryMachines[] = {"umm", "dmm"};
static constexpr const char *Hmm[] = {"hmm"};
static constexpr const char *KModel[] = {"k"};
static constexpr const char *Translations[] = {"vat"};

static constexpr CostModelGroup Groups[] = {
    {Sectors, "sectors", "sectors", true, true, false, Certainty::Exact, sectorsSection},
    {CachedSectors, "l2", "L2", true, true, false, Certainty::Interval, cachedSectorsSection},
    {Time, "time", "time", true, true, true, Certainty::Estimate, timeSection},
    {MemoryMachines, "machines", "UMM and DMM", false, false, false, Certainty::Exact,
     memoryMachinesSection},
    {Hmm, "hmm", "HMM", true, false, false, Certainty::Exact, hmmSection},
    {KModel, "k_model", "K-model", false, false, false, Certainty::Exact, kModelSection},
    {Translations, "translations", "VAT", false, false, false, Certainty::Exact,
     translationsSection},
};

llvm::ArrayRef<CostModelGroup> costModelGroups() { return Groups; }

std::vector<std::string> costModelNames() {
  std::vector<std::string> names;
  for (const CostModelGroup &group : Groups)
    names.insert(names.end(), group.models.begin(), group.models.end());
  return names;
}

llvm::Expected<std::vector<CellAccess>> accessesInOrder(const CostQuestion &question,
                                                        const WalkLimits &limits) {
  std::vector<ir::ArrayData> own = question.contents; // a run may write to them
  return walkCells(question.module, question.certificate, own, question.scalars,
                   question.input.profile, limits);
}

bool CostOptions::wants(llvm::StringRef model) const { return llvm::is_contained(models, model); }

llvm::Error unknownOfMachine(const CostOptions &options, llvm::StringRef option) {
  return llvm::createStringError("machine '" + options.machine->name + "' does not say its '" +
                                 option + "': give --" + option);
}

/// The kernel has the certificate's scalars, by their names.
static llvm::Expected<std::vector<ir::Scalar>> kernelScalars(const CostQuestion &question,
                                                             const ir::Function &kernel) {
  std::vector<ir::Scalar> scalars;
  for (const ir::ScalarParam &parameter : kernel.scalars) {
    auto isSame = [&](const ir::ScalarParam &other) { return other.name == parameter.name; };
    const auto &all = question.certificate.scalars;
    const auto found = llvm::find_if(all, isSame);
    if (found == all.end())
      return llvm::createStringError("'" + parameter.name + "' has no value");
    const ir::Scalar &given = question.scalars[static_cast<size_t>(found - all.begin())];
    scalars.push_back(given);
  }
  return scalars;
}

llvm::Expected<RegionExecutions> kernelExecutions(const CostQuestion &question,
                                                  const ir::Function &kernel) {
  if (const auto known = question.executions.find(&kernel); known != question.executions.end())
    return known->second;
  auto scalars = kernelScalars(question, kernel);
  if (!scalars)
    return scalars.takeError();
  WalkLimits limits;
  limits.operations /= 10; // each takes longer than one of the walk's
  limits.iterations = MaxWalkedIterations;
  auto executions = executionsOf(kernel, question.contents, *scalars, limits);
  if (executions)
    question.executions.try_emplace(&kernel, *executions);
  return executions;
}

static llvm::Expected<TeamRequests> requestsOf(const CostQuestion &question,
                                               const ir::Function &kernel, Layout layout) {
  auto scalars = kernelScalars(question, kernel);
  if (!scalars)
    return scalars.takeError();
  return teamRequests(kernel, question.input.arrays, layout, question.input.count,
                      question.contents, *scalars);
}

const TeamFinding &teamFinding(const CostQuestion &question, const ir::Function &kernel,
                               Layout layout) {
  const auto [found, isNew] = question.teams.try_emplace({&kernel, layout});
  if (!isNew || kernel.team() == 1)
    return found->second;
  if (auto requests = requestsOf(question, kernel, layout))
    found->second.requests = std::move(*requests);
  else
    found->second.why = llvm::toString(requests.takeError());
  return found->second;
}

BulkInput inputFor(const CostQuestion &question, const ir::Function &kernel, Layout layout) {
  BulkInput input = question.input;
  if (const TeamFinding &team = teamFinding(question, kernel, layout); team.requests)
    input.team = &*team.requests;
  return input;
}

std::string grouped(uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0)
      text += ',';
    text += digits[at];
  }
  return text;
}

} // namespace colonnade::model
