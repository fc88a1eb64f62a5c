//===- CostReport.cpp - What `colonnade cost` says ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
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

double ArraysOnce::microseconds() const {
  return static_cast<double>(bytes) / bandwidth.number / 1e3;
}

std::optional<ArraysOnce> arraysOnce(const ir::Function &certificate,
                                     llvm::ArrayRef<ModelArray> arrays,
                                     const CostOptions &options) {
  if (!options.machine || !options.machine->find("dram"))
    return std::nullopt;
  ArraysOnce once{0, options.machine->values.at("dram")};
  for (auto [array, info] : llvm::zip_equal(certificate.arrays, arrays)) {
    if (!array.isPassed())
      continue;
    const auto copies = static_cast<uint64_t>(info.isShared ? 1 : options.count);
    const auto times = uint64_t(array.reads) + uint64_t(array.writes);
    once.bytes += times * copies * static_cast<uint64_t>(info.cells * info.bytes);
  }
  return once;
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
  out << ", p = " << grouped(static_cast<uint64_t>(report.count));
  if (!report.machine.empty())
    out << ", on " << report.machine;
  out << '\n';
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

static void printOnce(llvm::raw_ostream &out, const ArraysOnce &once) {
  out << llvm::formatv(
      "arrays in and out      {0} bytes, each cell once: {1:F1} us at {2} GB/s ({3})\n",
      grouped(once.bytes), once.microseconds(), llvm::format("%g", once.bandwidth.number),
      name(once.bandwidth.origin));
}

std::string costText(const CostReport &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printHead(out, report);
  printAccesses(out, report.accesses);
  if (report.once)
    printOnce(out, *report.once);
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
  json::Value once = nullptr;
  if (report.once)
    once = json::Object{{"bytes", report.once->bytes},
                        {"gigabytes_a_second", report.once->bandwidth.number},
                        {"origin", name(report.once->bandwidth.origin)},
                        {"microseconds", report.once->microseconds()}};
  json::Object object{{"schema", 1},
                      {"name", report.name},
                      {"class", report.verdictClass},
                      {"arguments", std::move(arguments)},
                      {"count", report.count},
                      {"machine", report.machine.empty() ? json::Value(nullptr) : report.machine},
                      {"arrays_once", std::move(once)},
                      {"accesses", accessesJson(report.accesses)}};
  for (auto [group, section] : llvm::zip_equal(costModelGroups(), report.sections))
    object[group.key] = std::move(section.rows);
  return object;
}

} // namespace colonnade::model
