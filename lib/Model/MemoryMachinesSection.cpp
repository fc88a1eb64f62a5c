//===- MemoryMachinesSection.cpp - What is said of the UMM and the DMM ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostModels.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

namespace json = llvm::json;

namespace {

struct MachineRow {
  MemoryMachine machine;
  Layout layout;
  BulkCost cost;
  std::optional<BulkCost> least; // no access under a mask is made, if there is one
};

} // namespace

static std::string grouped(const Interval &interval) {
  return grouped(interval.low) + (interval.isExact() ? "" : " to " + grouped(interval.high));
}

static llvm::Expected<MachineRow> priced(const MemoryMachine &machine, Layout layout,
                                         const CostQuestion &question) {
  const BulkInput &all = question.input;
  llvm::Expected<BulkCost> cost = bulkCost(machine, layout, all);
  if (!cost)
    return cost.takeError();
  MachineRow row{machine, layout, *cost, std::nullopt};
  const AccessProfile made = unconditional(all.profile);
  if (made.total() == all.profile.total() && !all.profile.isBounds)
    return row;
  llvm::Expected<BulkCost> least = bulkCost(machine, layout, {made, all.arrays, all.count});
  if (!least)
    return least.takeError();
  row.least = *least;
  return row;
}

static void printClocks(llvm::raw_ostream &out, const char *model, const char *row,
                        const BulkCost &cost) {
  out << llvm::formatv("  {0,-3} {1,-7} {2,16} stepwise  {3,16} pipelined  {4,16} lower bound\n",
                       model, row, grouped(cost.stepwise), grouped(cost.pipelined),
                       grouped(cost.lowerBound));
}

static void print(llvm::raw_ostream &out, llvm::ArrayRef<MachineRow> rows) {
  const MemoryMachine &machine = rows.front().machine;
  out << "models (w = " << machine.warp << ", l = " << machine.latency << ", "
      << (machine.broadcast ? "one address for all lanes is one request" : "without broadcast")
      << ")\n";
  for (const MachineRow &row : rows) {
    printClocks(out, name(row.machine.model), name(row.layout), row.cost);
    if (row.least)
      printClocks(out, "", "  least", *row.least);
  }
  if (rows.front().least)
    out << "  least: no lane makes an access that the data decides; else all lanes make each\n";
}

static json::Object clocksJson(const BulkCost &cost) {
  return json::Object{{"stages", cost.stages},
                      {"stepwise", cost.stepwise},
                      {"pipelined", json::Array{cost.pipelined.low, cost.pipelined.high}},
                      {"lower_bound", cost.lowerBound}};
}

static json::Value rowJson(const MachineRow &row) {
  const MemoryMachine &machine = row.machine;
  json::Object object = clocksJson(row.cost);
  object["model"] = name(machine.model);
  object["layout"] = name(row.layout);
  object["width"] = machine.warp;
  object["latency"] = machine.latency;
  object["broadcast"] = machine.broadcast;
  // No access under a mask is made; null: there is none.
  object["least"] = row.least ? json::Value(clocksJson(*row.least)) : json::Value(nullptr);
  return object;
}

/// Of one machine whose pipelined time was neither computed nor simulated, the other is exact.
static void sayWhatIsExact(llvm::ArrayRef<MachineRow> rows, CostSection &section) {
  for (MemoryModel model : {MemoryModel::Umm, MemoryModel::Dmm}) {
    bool isThere = false, isExact = true;
    for (const MachineRow &row : rows) {
      if (row.machine.model != model)
        continue;
      isThere = true;
      isExact &= row.cost.pipelined.isExact() && (!row.least || row.least->pipelined.isExact());
    }
    if (isThere)
      section.exact.push_back(std::string(name(model)) + (isExact ? "" : " stepwise"));
    if (!isExact)
      section.intervals.push_back(std::string(name(model)) + " pipelined");
  }
}

llvm::Expected<CostSection> memoryMachinesSection(const CostQuestion &question) {
  const CostOptions &options = question.options;
  if (!options.latency)
    return unknownOfMachine(options, "latency");
  std::vector<MachineRow> rows;
  for (auto [wanted, model] :
       {std::pair("umm", MemoryModel::Umm), std::pair("dmm", MemoryModel::Dmm)}) {
    if (!options.wants(wanted))
      continue;
    const MemoryMachine machine{model, options.width, options.width, *options.latency,
                                options.broadcast};
    for (Layout layout : options.layouts) {
      auto row = priced(machine, layout, question);
      if (!row)
        return row.takeError();
      rows.push_back(std::move(*row));
    }
  }
  CostSection section;
  llvm::raw_string_ostream out(section.text);
  print(out, rows);
  for (const MachineRow &row : rows)
    section.rows.push_back(rowJson(row));
  sayWhatIsExact(rows, section);
  return section;
}

} // namespace colonnade::model
