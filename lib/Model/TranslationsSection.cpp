//===- TranslationsSection.cpp - What is said of VAT ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/AccessProfile.h"
#include "Model/BulkTranslations.h"
#include "Model/CostModels.h"
#include "Model/Sectors.h"

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

/// In the layouts' order, the policies of each.
static llvm::Expected<std::vector<TranslationRow>> priced(const CostQuestion &question) {
  const CostOptions &options = question.options;
  if (!options.vatLacks.empty())
    return unknownOfMachine(options, options.vatLacks);
  auto accesses = accessesInOrder(question);
  if (!accesses)
    return accesses.takeError();
  const VatInput visits{*accesses, question.input.arrays, question.input.count, LanesOfWarp};
  std::vector<TranslationRow> rows;
  for (Layout layout : options.layouts) {
    auto memory = vatMemory(options.vat, layout, visits);
    if (!memory)
      return memory.takeError();
    for (Replacement policy : options.policies) {
      auto cost = vatCost(options.vat, layout, policy, visits);
      if (!cost)
        return cost.takeError();
      rows.push_back({layout, policy, *memory, *cost});
    }
  }
  return rows;
}

static void print(llvm::raw_ostream &out, const VatMachine &machine,
                  llvm::ArrayRef<TranslationRow> rows) {
  out << "VAT (pages of " << grouped(static_cast<uint64_t>(machine.pageBytes))
      << " bytes, K = " << machine.fanout << ", W = " << machine.cache
      << ", tau = " << llvm::format("%g", machine.tau) << ")\n";
  std::vector<std::string> broken;
  for (const TranslationRow &row : rows) {
    out << llvm::formatv("  {0,-5} {1,-7} {2,16} insertions  {3,16} page visits  d = {4}\n",
                         name(row.policy), name(row.layout), grouped(row.cost.insertions),
                         grouped(row.cost.visits), row.memory.tree.depth);
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
  const VatMachine &machine = question.options.vat;
  CostSection section;
  llvm::raw_string_ostream out(section.text);
  print(out, machine, *rows);
  for (const TranslationRow &row : *rows)
    section.rows.push_back(rowJson(machine, row));
  return section;
}

} // namespace colonnade::model
