//===- KModelSection.cpp - What is said of the K-model --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostModels.h"
#include "Model/KModel.h"
#include "Model/Sectors.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

namespace json = llvm::json;

namespace {

/// Segments of all elements of the stream.
struct SegmentsRow {
  Layout layout;
  uint64_t all = 0;
  uint64_t conditional = 0;
};

} // namespace

static SegmentsRow segmentsOf(const CostQuestion &question, const ir::Function &kernel,
                              Layout layout) {
  SegmentsRow row{layout};
  for (const Traffic &one : traffic(kernel, layout, inputFor(question, kernel, layout),
                                    {question.options.width, std::nullopt})) {
    row.all += one.sectors;
    row.conditional += one.isConditional ? one.sectors : 0;
  }
  return row;
}

static double efficiency(const KCost &cost, int64_t k) {
  return cost.latency == 0 ? 1
                           : static_cast<double>(cost.length) / static_cast<double>(cost.latency) /
                                 static_cast<double>(k);
}

static void print(llvm::raw_ostream &out, const char *which, const KCost &cost, int64_t k) {
  out << llvm::formatv("  {0,-7} T {1,16}   W {2,16}   W/(kT) {3:F2}   longest queue {4}\n", which,
                       grouped(cost.latency), grouped(cost.length), efficiency(cost, k),
                       cost.longestQueue);
}

static json::Object costObject(const KCost &cost, int64_t k) {
  return json::Object{{"latency", cost.latency},
                      {"length", cost.length},
                      {"efficiency", efficiency(cost, k)},
                      {"longest_queue", cost.longestQueue}};
}

/// Of a layout's own kernel, where teams run its instances and elements are warps; else null.
static json::Value teamJson(const CostQuestion &question, const ir::Function &kernel, Layout layout,
                            llvm::raw_ostream &out) {
  const std::optional<TeamRequests> &team = teamFinding(question, kernel, layout).requests;
  if (!team || question.options.width != LanesOfWarp)
    return nullptr;
  const TeamLanes &lanes = team->lanes;
  out << llvm::formatv(
      "; teams of {0} threads: T {1}, W {2}, W/(kT) {3:F2}, members part {4} times a warp",
      kernel.team(), grouped(lanes.latency), grouped(lanes.length), lanes.efficiency(),
      grouped(team->partings));
  return json::Object{{"latency", lanes.latency},
                      {"length", lanes.length},
                      {"efficiency", lanes.efficiency()},
                      {"partings", team->partings}};
}

llvm::Expected<CostSection> kModelSection(const CostQuestion &question) {
  const KMachine machine{question.options.width, question.options.broadcast};
  auto kernel = question.kernel();
  if (!kernel)
    return kernel.takeError();
  auto executions = kernelExecutions(question, **kernel);
  if (!executions)
    return executions.takeError();
  const InstructionCounts counts = instructionCounts(**kernel, *executions);
  auto most = kCost(machine, counts, question.input.count, false);
  if (!most)
    return most.takeError();
  auto least = kCost(machine, counts, question.input.count, true);
  if (!least)
    return least.takeError();
  const bool isFixed = most->length == least->length && most->latency == least->latency;
  CostSection section;
  llvm::raw_string_ostream out(section.text);
  out << "K-model (k = " << machine.units << ", "
      << (machine.broadcast ? "one address for all units is one request" : "without broadcast")
      << ")\n";
  print(out, "all", *most, machine.units);
  if (!isFixed)
    print(out, "  least", *least, machine.units);
  out << "  branches on data: " << grouped(counts.branches.all) << " an instance";
  if (counts.routines.all > 0)
    out << ", and perhaps in " << grouped(counts.routines.all)
        << " square roots, divisions or other routines";
  out << '\n';
  json::Object object = costObject(*most, machine.units);
  json::Array layouts;
  for (Layout layout : question.options.layouts) {
    auto own = question.kernelFor(layout);
    if (!own)
      return own.takeError();
    const SegmentsRow row = segmentsOf(question, **own, layout);
    out << llvm::formatv("  {0,-7} G {1,16}", name(layout), grouped(row.all));
    if (row.conditional > 0)
      out << ", " << grouped(row.all - row.conditional) << " if none does so on data";
    json::Value team = teamJson(question, **own, layout, out);
    out << '\n';
    layouts.push_back(json::Object{{"layout", name(layout)},
                                   {"segments", row.all},
                                   {"conditional", row.conditional},
                                   {"team", std::move(team)}});
  }
  if (!isFixed)
    out << "  least: no lane does what the data decides; else some lanes go each way\n";
  object["units"] = machine.units;
  object["broadcast"] = machine.broadcast;
  object["data_branches"] = counts.branches.all;
  object["routines"] = counts.routines.all;
  object["least"] = isFixed ? json::Value(nullptr) : costObject(*least, machine.units);
  object["layouts"] = std::move(layouts);
  section.rows.push_back(std::move(object));
  return section;
}

} // namespace colonnade::model
