//===- SectorsSection.cpp - What is said of sectors -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostModels.h"
#include "Model/MergedAccesses.h"
#include "Model/Sectors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace colonnade::model {

namespace json = llvm::json;

static double quotient(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

static void print(llvm::raw_ostream &out, Layout layout, const SpaceTraffic &sum, uint64_t lines,
                  uint64_t warps) {
  const uint64_t requests = sum.requests * warps;
  out << llvm::formatv("{0,-8} {1,-10} {2,14} {3,17:F2} {4,15:F2} {5,16}", name(layout),
                       name(sum.space), grouped(sum.requests), quotient(sum.sectors, requests),
                       quotient(lines, requests), grouped(sum.sectors));
  if (sum.conditional > 0)
    out << ", " << grouped(sum.sectors - sum.conditional) << " if none does so on data";
  out << '\n';
}

/// Of each site. Both are in one order; a site that data makes ask for more sectors, but not for
/// more lines, is only among the former.
static std::vector<uint64_t> linesOf(llvm::ArrayRef<Traffic> sites,
                                     llvm::ArrayRef<Traffic> inLines) {
  std::vector<uint64_t> lines;
  for (const Traffic &site : sites) {
    const bool isThere =
        !inLines.empty() && inLines.front().op == site.op && inLines.front().array == site.array &&
        inLines.front().isStore == site.isStore && inLines.front().requests == site.requests;
    lines.push_back(isThere ? inLines.front().sectors : 0);
    inLines = inLines.drop_front(isThere);
  }
  return lines;
}

/// The loads of an instance that the compiler is expected to leave out, by access; of an instance
/// with many accesses they are not asked for.
static MergedAccesses mergedOf(const CostQuestion &question, const ir::Function &kernel) {
  constexpr uint64_t Many = 1'000'000;
  if (question.input.profile.total() > Many)
    return {};
  auto executions = kernelExecutions(question, kernel);
  if (executions)
    return mergedAccesses(kernel, *executions);
  llvm::consumeError(executions.takeError());
  return {};
}

static json::Value siteJson(const CostQuestion &question, const MergedAccesses &merged,
                            const Traffic &site, uint64_t lines) {
  json::Object object{{"array", question.certificate.array(site.array).name},
                      {"store", site.isStore},
                      {"space", name(site.space)},
                      {"conditional", site.isConditional},
                      {"of_team", site.isOfTeam},
                      {"parts", site.parts},
                      {"requests", site.requests},
                      {"excess_wavefronts", site.excessWavefronts},
                      {"excess_may_be_more", site.mayTakeMore},
                      {"asked_twice", site.askedTwice},
                      {"times", site.times},
                      {"list", site.isList},
                      {"requests_last_warp", site.ofLastWarp.value_or(site.requests)},
                      {"sectors", site.sectors},
                      {"lines", lines},
                      {"merged", 0},
                      {"access", nullptr},
                      {"location", nullptr}};
  if (site.op) {
    const ir::Op &op = question.certificate.op(site.op);
    object["access"] = op.accessId;
    object["merged"] = merged.of(op.accessId);
    object["location"] = question.module.sources.str(op.loc);
  } else if (site.space == ir::Space::Local) { // where it is declared
    object["location"] = question.module.sources.str(question.certificate.array(site.array).loc);
  }
  return object;
}

/// What the kernel's own accesses ask of rows in shared memory; null: it is not counted.
static json::Value sharedJson(const CostQuestion &question, const ir::Function &kernel,
                              Layout layout) {
  const std::optional<TeamRequests> &team = teamFinding(question, kernel, layout).requests;
  if (!team)
    return nullptr;
  json::Array result;
  for (const TeamSite &site : team->sites) {
    const ir::Array &array = kernel.array(site.array);
    if (!array.isShared())
      continue;
    const auto found =
        llvm::find_if(kernel.ops, [&](const ir::Op &op) { return op.accessId == site.accessId; });
    result.push_back(json::Object{{"array", array.name},
                                  {"access", site.accessId},
                                  {"location", question.module.sources.str(found->loc)},
                                  {"store", site.isStore},
                                  {"requests", site.requests},
                                  {"wavefronts", site.wavefronts},
                                  {"excess_wavefronts", site.excessWavefronts}});
  }
  return result;
}

static json::Value layoutJson(const CostQuestion &question, const ir::Function &kernel,
                              Layout layout, llvm::ArrayRef<Traffic> all,
                              llvm::ArrayRef<Traffic> inLines) {
  json::Array spaces, sites;
  const MergedAccesses merged = mergedOf(question, kernel);
  for (auto [sum, ofLines] : llvm::zip_equal(bySpace(all), bySpace(inLines)))
    spaces.push_back(json::Object{{"space", name(sum.space)},
                                  {"requests", sum.requests},
                                  {"sectors", sum.sectors},
                                  {"lines", ofLines.sectors},
                                  {"conditional", sum.conditional}});
  for (auto [site, lines] : llvm::zip_equal(all, linesOf(all, inLines)))
    sites.push_back(siteJson(question, merged, site, lines));
  return json::Object{{"layout", name(layout)},
                      {"instances_a_warp", instancesOfWarp(kernel)},
                      {"shared_accesses", sharedJson(question, kernel, layout)},
                      {"spaces", std::move(spaces)},
                      {"sites", std::move(sites)}};
}

/// Where sectors are not known, why.
static void sayOfTeams(const CostQuestion &question, const ir::Function &kernel, Layout layout,
                       llvm::ArrayRef<Traffic> all, CostSection &section) {
  std::set<std::string> names;
  for (const Traffic &site : all)
    if (site.isOfTeam)
      names.insert(question.certificate.array(site.array).name);
  if (names.empty())
    return;
  section.isEstimate = true;
  section.text +=
      std::string(name(layout)) + ": threads of a team may ask for cells of their own of '" +
      llvm::join(names, "', '") + "': each request is counted as one for one cell, as " +
      teamFinding(question, kernel, layout).why + "\n";
}

static std::vector<Traffic> allOf(const ir::Function &kernel, Layout layout, const BulkInput &input,
                                  const TrafficMachine &machine) {
  std::vector<Traffic> all = traffic(kernel, layout, input, machine);
  llvm::append_range(all, clearing(kernel, layout, input, machine));
  return all;
}

llvm::Expected<CostSection> sectorsSection(const CostQuestion &question) {
  CostSection section;
  llvm::raw_string_ostream out(section.text);
  out << "CUDA: sectors of 32 bytes, lines of 128, if all lanes make each access";
  if (question.options.base > 0)
    out << "; arrays begin " << grouped(static_cast<uint64_t>(question.options.base))
        << (question.options.base == 1 ? " cell" : " cells") << " behind a line";
  out << "\nlayout   space       requests/warp   sectors/request   lines/request          "
         "sectors\n";
  for (Layout layout : question.options.layouts) {
    auto kernel = question.kernelFor(layout);
    if (!kernel)
      return kernel.takeError();
    const auto instances = static_cast<uint64_t>(instancesOfWarp(**kernel)); // of a warp
    const uint64_t warps =
        (static_cast<uint64_t>(question.input.count) + instances - 1) / instances;
    const BulkInput input = inputFor(question, **kernel, layout);
    const std::vector<Traffic> all = allOf(**kernel, layout, input, {});
    const std::vector<Traffic> inLines = allOf(**kernel, layout, input, {LanesOfWarp, BytesOfLine});
    for (auto [sum, ofLines] : llvm::zip_equal(bySpace(all), bySpace(inLines)))
      print(out, layout, sum, ofLines.sectors, warps);
    sayOfTeams(question, **kernel, layout, all, section);
    section.rows.push_back(layoutJson(question, **kernel, layout, all, inLines));
  }
  return section;
}

} // namespace colonnade::model
