//===- CostReport.cpp - What `colonnade cost` says ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

namespace json = llvm::json;

AccessCounts countAccesses(const ir::Function &certificate, const AccessProfile &profile) {
  AccessCounts counts;
  for (const Site &site : profile.sites) {
    const ir::Array &array = certificate.array(site.array);
    const uint64_t total = site.total();
    if (array.isTable())
      counts.table += total;
    else if (array.isLocal())
      counts.local += total;
    else if (array.sharing == ir::Sharing::Uniform)
      counts.uniform += total;
    else if (array.role == ir::ArrayRole::Scalar)
      counts.scalar += total;
    else
      (site.isStore ? counts.stores : counts.loads) += total;
    counts.conditional += site.isConditional ? total : 0;
  }
  return counts;
}

llvm::Error priceAll(const CostQuestion &question, CostReport &report) {
  for (const CostModelGroup &group : costModelGroups()) {
    CostSection section;
    auto isWanted = [&](const char *model) { return question.options.wants(model); };
    if (llvm::any_of(group.models, isWanted)) {
      llvm::Expected<CostSection> priced = group.price(question);
      if (priced)
        section = std::move(*priced);
      else if (question.options.takesAllModels)
        section.text = std::string(group.title) +
                       "\n  not counted: " + llvm::toString(priced.takeError()) + "\n";
      else
        return priced.takeError();
    }
    report.sections.push_back(std::move(section));
  }
  return llvm::Error::success();
}

static void printHead(llvm::raw_ostream &out, const CostReport &report) {
  out << report.name << ", class " << report.verdictClass;
  for (const auto &[name, value] : report.arguments)
    out << ", " << name << " = " << value;
  out << ", p = " << grouped(static_cast<uint64_t>(report.count)) << '\n';
}

static void printAccesses(llvm::raw_ostream &out, const AccessCounts &counts) {
  out << "accesses an instance   " << grouped(counts.total()) << " (" << grouped(counts.loads)
      << " loads, " << grouped(counts.stores) << " stores";
  auto also = [&](uint64_t number, const char *what) {
    if (number > 0)
      out << ", " << grouped(number) << ' ' << what;
  };
  also(counts.scalar, "of scalars");
  also(counts.local, "of local arrays");
  also(counts.uniform, "of uniform arrays");
  also(counts.table, "of tables");
  out << "), ";
  if (counts.conditional > 0)
    out << grouped(counts.conditional) << " made only where the data says so\n";
  else
    out << "all made whatever the data\n";
}

std::string costText(const CostReport &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printHead(out, report);
  printAccesses(out, report.accesses);
  for (const CostSection &section : report.sections)
    if (!section.text.empty())
      out << '\n' << section.text;
  return text;
}

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

json::Value costJson(CostReport report) {
  json::Object arguments;
  for (const auto &[name, value] : report.arguments)
    arguments[name] = value;
  json::Object object{{"schema", 1},
                      {"name", report.name},
                      {"class", report.verdictClass},
                      {"arguments", std::move(arguments)},
                      {"count", report.count},
                      {"accesses", accessesJson(report.accesses)}};
  for (auto [group, section] : llvm::zip_equal(costModelGroups(), report.sections))
    object[group.key] = std::move(section.rows);
  return object;
}

} // namespace colonnade::model
