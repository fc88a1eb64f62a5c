//===- CostText.cpp - Costs as text ---------------------------------------===//
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

/// 24435099 as 24,435,099
static std::string grouped(uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0)
      text += ',';
    text += digits[at];
  }
  return text;
}

static std::string grouped(const Interval &interval) {
  return grouped(interval.low) + (interval.isExact() ? "" : " to " + grouped(interval.high));
}

static double quotient(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

namespace {

class CostPrinter {
public:
  explicit CostPrinter(const CostReport &report) : report_(report), out_(text_) {}

  std::string run() {
    printHead();
    printAccesses();
    if (!report_.sectors.empty())
      printSectors();
    if (!report_.machines.empty())
      printMachines();
    if (!report_.translations.empty() || !report_.noTranslations.empty())
      printTranslations();
    return text_;
  }

private:
  void printHead() {
    out_ << report_.certificate.name << ", class " << report_.verdictClass;
    for (const auto &[name, value] : report_.arguments)
      out_ << ", " << name << " = " << value;
    out_ << ", p = " << grouped(static_cast<uint64_t>(report_.count)) << '\n';
  }

  void printAccesses() {
    const AccessCounts &a = report_.accesses;
    out_ << "accesses an instance   " << grouped(a.total()) << " (" << grouped(a.loads)
         << " loads, " << grouped(a.stores) << " stores";
    auto also = [&](uint64_t number, const char *what) {
      if (number > 0)
        out_ << ", " << grouped(number) << ' ' << what;
    };
    also(a.scalar, "of scalars");
    also(a.local, "of local arrays");
    also(a.uniform, "of uniform arrays");
    also(a.table, "of tables");
    out_ << "), ";
    if (a.conditional > 0)
      out_ << grouped(a.conditional) << " made only where the data says so\n";
    else
      out_ << "all made whatever the data\n";
  }

  void printSectors() {
    const uint64_t warps =
        (static_cast<uint64_t>(report_.count) + LanesOfWarp - 1) / uint64_t(LanesOfWarp);
    out_ << "\nCUDA: sectors of 32 bytes, if all lanes make each access\n"
         << "layout   space       requests/warp   sectors/request          sectors\n";
    for (const LayoutTraffic &layout : report_.sectors)
      for (const SpaceTraffic &sum : bySpace(layout.sites)) {
        out_ << llvm::formatv("{0,-8} {1,-10} {2,14} {3,17:F2} {4,16}", name(layout.layout),
                              name(sum.space), grouped(sum.requests),
                              quotient(sum.sectors, sum.requests * warps), grouped(sum.sectors));
        if (sum.conditional > 0)
          out_ << ", " << grouped(sum.sectors - sum.conditional) << " if none does so on data";
        out_ << '\n';
      }
  }

  void printMachines() {
    const MemoryMachine &machine = report_.machines.front().machine;
    out_ << "\nmodels (w = " << machine.warp << ", l = " << machine.latency << ", "
         << (machine.broadcast ? "one address for all lanes is one request" : "without broadcast")
         << ")\n";
    for (const MachineRow &row : report_.machines) {
      printClocks(name(row.machine.model), name(row.layout), row.cost);
      if (row.least)
        printClocks("", "  least", *row.least);
    }
    if (report_.machines.front().least)
      out_ << "  least: no lane makes an access that the data decides; else all lanes make each\n";
  }

  void printClocks(const char *model, const char *row, const BulkCost &cost) {
    out_ << llvm::formatv("  {0,-3} {1,-7} {2,16} stepwise  {3,16} pipelined  {4,16} lower bound\n",
                          model, row, grouped(cost.stepwise), grouped(cost.pipelined),
                          grouped(cost.lowerBound));
  }

  void printTranslations() {
    const VatMachine &machine = report_.vat;
    out_ << "\nVAT (pages of " << grouped(static_cast<uint64_t>(machine.pageBytes))
         << " bytes, K = " << machine.fanout << ", W = " << machine.cache
         << ", tau = " << llvm::format("%g", machine.tau) << ")\n";
    if (!report_.noTranslations.empty())
      out_ << "  not counted: " << report_.noTranslations << '\n';
    for (const TranslationRow &row : report_.translations)
      out_ << llvm::formatv("  {0,-5} {1,-7} {2,16} insertions  {3,16} page visits  d = {4}\n",
                            name(row.policy), name(row.layout), grouped(row.cost.insertions),
                            grouped(row.cost.visits), row.memory.tree.depth);
    std::vector<std::string> broken;
    for (const TranslationRow &row : report_.translations)
      for (const std::string &relation : brokenOrderRelations(machine, row.memory))
        if (!llvm::is_contained(broken, relation))
          broken.push_back(relation);
    for (const std::string &relation : broken)
      out_ << "  does not hold here, though the model's analysis asks for it: " << relation << '\n';
  }

  const CostReport &report_;
  std::string text_;
  llvm::raw_string_ostream out_;
};

} // namespace

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

std::string costText(const CostReport &report) { return CostPrinter(report).run(); }

} // namespace colonnade::model
