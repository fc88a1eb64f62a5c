//===- HmmSection.cpp - What is said of the HMM ---------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostModels.h"
#include "Model/Hmm.h"
#include "Model/StagedRows.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

namespace json = llvm::json;

static void print(llvm::raw_ostream &out, const char *row, const HmmCost &cost) {
  std::string stepwise = grouped(cost.stepwise);
  if (cost.stepwiseMost)
    stepwise += " to " + grouped(*cost.stepwiseMost);
  out << llvm::formatv(
      "  {0,-7} {1,16} stepwise  {2,16} lower bound  {3,12} global {4,12} shared accesses\n", row,
      stepwise, grouped(cost.lowerBound), grouped(cost.globalSteps), grouped(cost.sharedSteps));
}

static json::Object costObject(const HmmCost &cost) {
  return json::Object{
      {"stepwise", cost.stepwise},
      {"stepwise_most", cost.stepwiseMost ? json::Value(*cost.stepwiseMost) : json::Value(nullptr)},
      {"lower_bound", cost.lowerBound},
      {"global", cost.globalSteps},
      {"shared", cost.sharedSteps}};
}

/// Of an instance to the rows that its warp stages: where data decides, at least and at most.
static llvm::Expected<Interval> stagedAccesses(const CostQuestion &question,
                                               const ir::Function &kernel) {
  if (kernel.sharedBytes() == 0)
    return Interval{0, 0};
  auto executions = kernelExecutions(question, kernel);
  if (!executions)
    return executions.takeError();
  return Interval{static_cast<uint64_t>(stagedWork(kernel, unconditional(*executions)).accesses),
                  static_cast<uint64_t>(stagedWork(kernel, *executions).accesses)};
}

llvm::Expected<CostSection> hmmSection(const CostQuestion &question) {
  const CostOptions &options = question.options;
  for (auto [value, option] :
       {std::pair(options.latency, "latency"), std::pair(options.dmms, "dmms")})
    if (!value)
      return unknownOfMachine(options, option);
  const HmmMachine machine{*options.dmms, options.width, *options.latency, options.broadcast};
  const BulkInput &all = question.input;
  const AccessProfile made = unconditional(all.profile);
  const bool isFixed = made.total() == all.profile.total() && !made.isBounds;
  CostSection section;
  llvm::raw_string_ostream out(section.text);
  out << "HMM (d = " << machine.dmms << ", w = " << machine.width << ", l = " << machine.latency
      << ", "
      << (machine.broadcast ? "one address for all lanes is one request" : "without broadcast")
      << ")\n";
  for (Layout layout : options.layouts) {
    auto kernel = question.kernelFor(layout);
    if (!kernel)
      return kernel.takeError();
    auto staged = stagedAccesses(question, **kernel);
    if (!staged)
      return staged.takeError();
    const BulkInput counted = inputFor(question, **kernel, layout);
    auto cost = hmmCost(machine, **kernel, layout, counted, staged->high);
    if (!cost)
      return cost.takeError();
    const BulkInput ofLeast{made, all.arrays, all.count, counted.team};
    auto least = hmmCost(machine, **kernel, layout, ofLeast, staged->low);
    if (!least)
      return least.takeError();
    print(out, name(layout), *cost);
    if (cost->stepwiseMost)
      section.intervals = {"HMM"};
    json::Object object = costObject(*cost);
    if (!isFixed)
      print(out, "  least", *least);
    object["layout"] = name(layout);
    object["dmms"] = machine.dmms;
    object["width"] = machine.width;
    object["latency"] = machine.latency;
    object["broadcast"] = machine.broadcast;
    object["least"] = isFixed ? json::Value(nullptr) : costObject(*least);
    section.rows.push_back(std::move(object));
  }
  if (!isFixed)
    out << "  least: no lane makes an access that the data decides; else all lanes make each\n";
  return section;
}

} // namespace colonnade::model
