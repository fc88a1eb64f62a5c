//===- CostReport.cpp - What `colonnade cost` says ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostReport.h"

#include "Model/Sectors.h"
#include "Model/TimeAdvice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

namespace json = llvm::json;

AccessCounts countAccesses(const ir::Function &certificate, const AccessProfile &profile) {
  AccessCounts counts;
  counts.isBounds = profile.isBounds;
  for (const Site &site : profile.sites) {
    const ir::Array &array = certificate.array(site.array);
    const uint64_t total = site.total();
    bool isOfInstance = false;
    if (array.isTable())
      counts.table += total;
    else if (array.isLocal())
      counts.local += total;
    else if (array.sharing == ir::Sharing::Uniform)
      counts.uniform += total;
    else if (array.role == ir::ArrayRole::Scalar)
      counts.scalar += total;
    else
      isOfInstance = true;
    if (isOfInstance)
      (site.isStore ? counts.stores : counts.loads) += total;
    if (site.isConditional)
      (isOfInstance ? counts.conditional : counts.otherConditional) += total;
  }
  return counts;
}

ArraysOnce arraysOnce(const ir::Function &certificate, llvm::ArrayRef<ModelArray> arrays,
                      int64_t count) {
  ArraysOnce once;
  for (auto [array, info] : llvm::zip_equal(certificate.arrays, arrays)) {
    if (!array.isPassed())
      continue;
    const int64_t bytes = info.cells * info.bytes * (info.isShared ? 1 : count);
    // A transposition reads all and writes all; one cell an instance lies alike in every layout.
    const int64_t times = 2 * (int64_t(array.reads) + int64_t(array.writes));
    if (!info.isShared && info.cells > 1)
      once.transposed += static_cast<uint64_t>(times * bytes);
    once.bytesIn += array.reads ? static_cast<uint64_t>(bytes) : 0;
    once.bytesOut += array.writes ? static_cast<uint64_t>(bytes) : 0;
    once.footprint += array.reads || array.writes ? static_cast<uint64_t>(bytes) : 0;
  }
  return once;
}

double microsecondsOf(uint64_t bytes, const Machine::Value &bandwidth) {
  return static_cast<double>(bytes) / bandwidth.number / 1e3;
}

static llvm::Expected<CostSection> priced(const CostModelGroup &group,
                                          const CostQuestion &question) {
  if (group.isOfGpu && !question.options.isOfGpu)
    return llvm::createStringError(std::string(group.title) +
                                   ": only of a CUDA kernel (--target cuda)");
  const std::optional<Machine> &machine = question.options.machine;
  if (group.hasCudaWarps && machine && machine->isReal && machine->find("warp") != LanesOfWarp)
    return llvm::createStringError(
        "%s: machine '%s' has warps of %g threads, and CUDA kernels have warps of %d", group.title,
        machine->name.c_str(), machine->find("warp").value_or(0), int(LanesOfWarp));
  return group.price(question);
}

/// Under its title, which the message need not say again.
static std::string leftOut(const CostModelGroup &group, llvm::StringRef why) {
  const std::string title = group.title;
  why.consume_front(title + ": ");
  return title + "\n  not counted: " + why.str() + "\n";
}

llvm::Error priceAll(const CostQuestion &question, CostReport &report) {
  for (const CostModelGroup &group : costModelGroups()) {
    CostSection section;
    auto isWanted = [&](const char *model) { return question.options.wants(model); };
    if (llvm::any_of(group.models, isWanted)) {
      llvm::Expected<CostSection> result = priced(group, question);
      if (result)
        section = std::move(*result);
      else if (question.options.takesAllModels && !(group.draws && question.options.wantsPlot))
        section.text = leftOut(group, llvm::toString(result.takeError()));
      else
        return result.takeError();
    }
    report.plot += section.plot;
    if (section.left)
      report.left = section.left;
    if (section.best)
      report.best = section.best;
    report.sections.push_back(std::move(section));
  }
  return llvm::Error::success();
}

static void printHead(llvm::raw_ostream &out, const CostReport &report) {
  out << report.name << ", class " << report.verdictClass;
  for (const auto &[name, value] : report.arguments)
    out << ", " << name << " = " << value;
  out << ", p = " << grouped(static_cast<uint64_t>(report.count));
  out << ", " << report.target;
  if (report.machine)
    out << " on " << report.machine->name;
  if (report.machine && !report.machine->measured.empty())
    out << " (measured " << report.machine->measured << ')';
  out << '\n';
}

static void printAccesses(llvm::raw_ostream &out, const AccessCounts &counts,
                          const std::optional<LeftAccesses> &left) {
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
  if (counts.isBounds)
    out << grouped(counts.conditional + counts.otherConditional) << " of them perhaps\n"
        << "bounds                 loops are neither counted at once nor walked: figures are the "
           "most; what is perhaps\n"
           "                       made is left out where only some data makes accesses\n";
  else if (const uint64_t all = counts.conditional + counts.otherConditional)
    out << grouped(all) << " made only where the data says so";
  else
    out << "all made whatever the data";
  if (left)
    out << "; " << grouped(left->number) << " after merging within " << left->within;
  if (!counts.isBounds)
    out << '\n';
}

static void printMachine(llvm::raw_ostream &out, const Machine &machine, const ArraysOnce &once) {
  const uint64_t both = once.bytesIn + once.bytesOut;
  if (auto dram = machine.values.find("dram"); dram != machine.values.end())
    out << "must move              " << grouped(both)
        << " bytes, each cell once: " << duration(microsecondsOf(both, dram->second))
        << atBandwidth(dram->second) << '\n';
}

/// What of the section is known like that: the title of its models, all of it or none, unless some
/// of its figures are intervals.
static std::vector<std::string> titlesOf(const CostModelGroup &group, const CostSection &section,
                                         Certainty certainty) {
  if (section.rows.empty())
    return {};
  if (!section.intervals.empty() && certainty != Certainty::Estimate)
    return certainty == Certainty::Exact ? section.exact : section.intervals;
  const Certainty of = section.isEstimate ? Certainty::Estimate : group.certainty;
  if (of != certainty || !section.intervals.empty())
    return {};
  return {group.title + (section.accuracy.empty() ? "" : " (" + section.accuracy + ")")};
}

/// "exact: sectors, UMM and DMM. estimated: time (half of an H200's within a factor of 1.14, …)."
static void printCertainty(llvm::raw_ostream &out, const CostReport &report) {
  std::string text;
  for (auto [certainty, word] :
       {std::pair(Certainty::Exact, "exact"), std::pair(Certainty::Interval, "an interval"),
        std::pair(Certainty::Estimate, "estimated")}) {
    std::vector<std::string> titles;
    for (auto [group, section] : llvm::zip_first(costModelGroups(), report.sections))
      llvm::append_range(titles, titlesOf(group, section, certainty));
    if (certainty == Certainty::Estimate && report.left)
      titles.push_back("what merging leaves");
    if (!titles.empty())
      text += (text.empty() ? "" : " ") + std::string(word) + ": " + llvm::join(titles, ", ") + ".";
  }
  if (!text.empty())
    out << '\n' << text << '\n';
}

std::string costText(const CostReport &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printHead(out, report);
  printAccesses(out, report.accesses, report.left);
  if (report.machine)
    printMachine(out, *report.machine, report.once);
  for (const CostSection &section : report.sections)
    if (!section.text.empty())
      out << '\n' << section.text;
  if (!report.accesses.isBounds)
    printCertainty(out, report);
  return text;
}

static json::Value accessesJson(const AccessCounts &counts,
                                const std::optional<LeftAccesses> &left) {
  return json::Object{{"total", counts.total()},
                      {"loads", counts.loads},
                      {"stores", counts.stores},
                      {"scalar", counts.scalar},
                      {"local", counts.local},
                      {"uniform", counts.uniform},
                      {"table", counts.table},
                      {"bounds", counts.isBounds},
                      {"always", counts.loads + counts.stores - counts.conditional},
                      {"conditional", counts.conditional},
                      {"other_conditional", counts.otherConditional},
                      {"merged", left ? json::Value(left->number) : json::Value(nullptr)}};
}

static json::Value machineJson(const Machine &machine, const ArraysOnce &once) {
  json::Object object{{"name", machine.name}, {"measured", nullptr}};
  if (!machine.measured.empty())
    object["measured"] = machine.measured;
  auto add = [&](const char *key, const char *field, uint64_t bytes) {
    auto found = machine.values.find(field);
    object[key] = found == machine.values.end() ? json::Value(nullptr)
                                                : json::Value(microsecondsOf(bytes, found->second));
  };
  add("arrays_microseconds", "dram", once.bytesIn + once.bytesOut);
  add("transposed_microseconds", "dram", once.transposed);
  add("host_link_in_microseconds", "host_link", once.bytesIn);
  add("host_link_out_microseconds", "host_link", once.bytesOut);
  const std::optional<int64_t> threads = machine.residentThreads();
  object["one_wave"] = threads ? json::Value(*threads) : json::Value(nullptr);
  return object;
}

json::Value costJson(CostReport report) {
  json::Object arguments;
  for (const auto &[name, value] : report.arguments)
    arguments[name] = value;
  json::Object object{
      {"schema", 1},
      {"name", report.name},
      {"class", report.verdictClass},
      {"arguments", std::move(arguments)},
      {"count", report.count},
      {"target", report.target},
      {"machine", report.machine ? machineJson(*report.machine, report.once) : nullptr},
      {"arrays_once", json::Object{{"bytes_in", report.once.bytesIn},
                                   {"bytes_out", report.once.bytesOut},
                                   {"footprint", report.once.footprint}}},
      {"accesses", accessesJson(report.accesses, report.left)}};
  for (auto [group, section] : llvm::zip_equal(costModelGroups(), report.sections))
    object[group.key] = std::move(section.rows);
  return object;
}

} // namespace colonnade::model
