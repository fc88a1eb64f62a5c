//===- TranslationsSection.cpp - What is said of VAT ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/AccessProfile.h"
#include "Model/BulkTranslations.h"
#include "Model/CostModels.h"
#include "Model/CostReport.h"
#include "Model/Sectors.h"
#include "Model/TimeAdvice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

namespace json = llvm::json;

namespace {

struct TranslationRow {
  Layout layout;
  Replacement policy;
  VatMemory memory;
  VatCost cost;
};

} // namespace

static constexpr uint64_t MaxUnasked = 3'000'000; // page visits, about a second in all

/// In the layouts' order, the policies of each.
static llvm::Expected<std::vector<TranslationRow>> priced(const CostQuestion &question) {
  const CostOptions &options = question.options;
  if (!options.vatLacks.empty())
    return unknownOfMachine(options, options.vatLacks);
  auto accesses = accessesInOrder(question);
  if (!accesses)
    return accesses.takeError();
  VatInput visits{*accesses, question.input.arrays, question.input.count, LanesOfWarp};
  if (options.takesAllModels)
    visits.maxTranslations = MaxUnasked;
  std::vector<TranslationRow> rows;
  for (Layout layout : options.layouts) {
    auto memory = vatMemory(options.vat, layout, visits);
    if (!memory)
      return memory.takeError();
    for (Replacement policy : options.policies) {
      auto cost = vatCost(options.vat, layout, policy, visits);
      if (!cost && options.takesAllModels)
        return llvm::createStringError(llvm::toString(cost.takeError()) +
                                       "; --model vat takes longer, and more of them");
      if (!cost)
        return cost.takeError();
      rows.push_back({layout, policy, *memory, *cost});
    }
  }
  return rows;
}

/// Where even one insertion after the other takes little of what memory needs for the arrays.
static std::string whatItTakes(const CostQuestion &question, uint64_t insertions) {
  static constexpr double Little = 0.05, NsOfUs = 1e3;
  const Machine &machine = *question.options.machine;
  const std::optional<double> latency = machine.find("dram_latency");
  const auto dram = machine.values.find("dram");
  if (!latency || dram == machine.values.end() || !machine.find("tau"))
    return "";
  const double microseconds =
      static_cast<double>(insertions) * question.options.vat.tau * *latency / NsOfUs;
  const ArraysOnce once =
      arraysOnce(question.certificate, question.input.arrays, question.input.count);
  const bool isLittle =
      microseconds <= Little * microsecondsOf(once.bytesIn + once.bytesOut, dram->second);
  return ", " + duration(microseconds) + (isLittle ? ": not a limit here" : " one after the other");
}

static void print(llvm::raw_ostream &out, const CostQuestion &question,
                  llvm::ArrayRef<TranslationRow> rows) {
  const VatMachine &machine = question.options.vat;
  out << "VAT (pages of " << grouped(static_cast<uint64_t>(machine.pageBytes))
      << " bytes, K = " << machine.fanout << ", W = " << machine.cache
      << ", tau = " << llvm::format("%g", machine.tau) << ")\n";
  std::vector<std::string> broken;
  for (const TranslationRow &row : rows) {
    out << llvm::formatv("  {0,-5} {1,-7} {2,16} insertions  {3,16} page visits  d = {4}{5}\n",
                         name(row.policy), name(row.layout), grouped(row.cost.insertions),
                         grouped(row.cost.visits), row.memory.tree.depth,
                         question.options.machine ? whatItTakes(question, row.cost.insertions)
                                                  : std::string());
    for (const std::string &relation : brokenOrderRelations(machine, row.memory))
      if (!llvm::is_contained(broken, relation))
        broken.push_back(relation);
  }
  for (const std::string &relation : broken)
    out << "  does not hold here, though the model's analysis asks for it: " << relation << '\n';
}

static json::Value rowJson(const VatMachine &machine, const TranslationRow &row) {
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

llvm::Expected<CostSection> translationsSection(const CostQuestion &question) {
  auto rows = priced(question);
  if (!rows)
    return rows.takeError();
  CostSection section;
  llvm::raw_string_ostream out(section.text);
  print(out, question, *rows);
  for (const TranslationRow &row : *rows)
    section.rows.push_back(rowJson(question.options.vat, row));
  return section;
}

} // namespace colonnade::model
