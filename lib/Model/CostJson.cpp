//===- CostJson.cpp - Costs as JSON ---------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostReport.h"

namespace colonnade::model {

namespace json = llvm::json;

static json::Value accessesJson(const AccessCounts &counts) {
  return json::Object{{"total", counts.total()},
                      {"loads", counts.loads},
                      {"stores", counts.stores},
                      {"scalar", counts.scalar},
                      {"local", counts.local},
                      {"uniform", counts.uniform},
                      {"table", counts.table},
                      {"always", counts.total() - counts.conditional},
                      {"conditional", counts.conditional}};
}

static json::Value siteJson(const CostReport &report, const Traffic &site) {
  json::Object object{{"array", report.certificate.array(site.array).name},
                      {"store", site.isStore},
                      {"space", name(site.space)},
                      {"conditional", site.isConditional},
                      {"requests", site.requests},
                      {"sectors", site.sectors},
                      {"access", nullptr},
                      {"location", nullptr}};
  if (site.op) {
    const ir::Op &op = report.certificate.op(site.op);
    object["access"] = op.accessId;
    object["location"] = report.module.sources.str(op.loc);
  }
  return object;
}

static json::Value layoutJson(const CostReport &report, const LayoutTraffic &layout) {
  json::Array spaces, sites;
  for (const SpaceTraffic &sum : bySpace(layout.sites))
    spaces.push_back(json::Object{{"space", name(sum.space)},
                                  {"requests", sum.requests},
                                  {"sectors", sum.sectors},
                                  {"conditional", sum.conditional}});
  for (const Traffic &site : layout.sites)
    sites.push_back(siteJson(report, site));
  return json::Object{
      {"layout", name(layout.layout)}, {"spaces", std::move(spaces)}, {"sites", std::move(sites)}};
}

static json::Object clocksJson(const BulkCost &cost) {
  return json::Object{{"stages", cost.stages},
                      {"stepwise", cost.stepwise},
                      {"pipelined", json::Array{cost.pipelined.low, cost.pipelined.high}},
                      {"lower_bound", cost.lowerBound}};
}

static json::Value machineJson(const MachineRow &row) {
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

static json::Value translationJson(const VatMachine &machine, const TranslationRow &row) {
  json::Array broken;
  for (const std::string &relation : brokenOrderRelations(machine, row.memory))
    broken.push_back(relation);
  return json::Object{{"model", "VAT"},
                      {"layout", name(row.layout)},
                      {"policy", name(row.policy)},
                      {"page_bytes", machine.pageBytes},
                      {"fanout", machine.fanout},
                      {"cache", machine.cache},
                      {"depth", row.memory.tree.depth},
                      {"tau", machine.tau},
                      {"resident", machine.resident},
                      {"memory_bytes", row.memory.bytes},
                      {"visits", row.cost.visits},
                      {"insertions", row.cost.insertions},
                      {"broken_order_relations", std::move(broken)}};
}

json::Value costJson(const CostReport &report) {
  json::Object arguments;
  for (const auto &[name, value] : report.arguments)
    arguments[name] = value;
  json::Array sectors, machines, translations;
  for (const LayoutTraffic &layout : report.sectors)
    sectors.push_back(layoutJson(report, layout));
  for (const MachineRow &row : report.machines)
    machines.push_back(machineJson(row));
  for (const TranslationRow &row : report.translations)
    translations.push_back(translationJson(report.vat, row));
  return json::Object{{"schema", 1},
                      {"name", report.certificate.name},
                      {"class", report.verdictClass},
                      {"arguments", std::move(arguments)},
                      {"count", report.count},
                      {"accesses", accessesJson(report.accesses)},
                      {"sectors", std::move(sectors)},
                      {"machines", std::move(machines)},
                      {"translations", std::move(translations)}};
}

} // namespace colonnade::model
