//===- Sectors.cpp - Requests and sectors of a CUDA kernel ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Sectors.h"

#include "Model/Banks.h"
#include "Model/ClearedArrays.h"
#include "Model/CopyTraffic.h"
#include "Model/StagedRows.h"
#include "Model/TeamRequests.h"

#include "IR/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>

namespace colonnade::model {

using ir::Array;
using ir::Space;

int64_t instancesOfWarp(const ir::Function &kernel, int64_t lanes) {
  return std::max<int64_t>(1, lanes / kernel.team());
}

namespace {

class KernelTraffic {
public:
  KernelTraffic(const ir::Function &kernel, Layout layout, const BulkInput &input,
                const TrafficMachine &machine)
      : kernel_(kernel), isStaged_(stagedArrays(kernel)), layout_(layout), input_(input),
        machine_(machine) {}

  std::vector<Traffic> run();
  std::vector<Traffic> clearing() const;

private:
  void addSite(const Site &site);
  void addTeamSites();
  uint64_t groupsOf(const TeamSite &site) const;
  void addRegisters(ArrayId id);
  void addRegisters(ArrayId id, bool isStore);
  uint64_t sectors(ArrayId id, Space space, int64_t cell) const;
  /// What a team's threads ask for is, for groups of such a size.
  bool isCounted() const {
    return input_.team && machine_.lanes == LanesOfWarp &&
           (!machine_.groupBytes || machine_.groupBytes == BytesOfSector ||
            machine_.groupBytes == BytesOfLine);
  }

  const ir::Function &kernel_;
  std::vector<bool> isStaged_; // by array
  Layout layout_;
  const BulkInput &input_;
  const TrafficMachine &machine_;
  std::vector<Traffic> traffic_;
};

} // namespace

std::vector<Traffic> KernelTraffic::run() {
  if (isCounted())
    addTeamSites();
  else
    for (const Site &site : input_.profile.sites)
      addSite(site);
  for (size_t a = 0; a < input_.arrays.size(); ++a)
    addRegisters(ArrayId(a));
  llvm::append_range(traffic_, copyTraffic(kernel_, layout_, input_, machine_));
  return std::move(traffic_);
}

/// The caller's cells are touched before and after the kernel's work, not at the site.
void KernelTraffic::addSite(const Site &site) {
  const Space space = *kernel_.array(site.array).space;
  if (space == Space::Registers || space == Space::Constant || space == Space::Shared ||
      isStaged_[site.array.index])
    return;
  Traffic traffic{site.array, site.op, space, site.isStore, site.isConditional, site.total()};
  traffic.isOfTeam = kernel_.team() > 1;
  auto ofOne = [&](uint32_t residue) { return sectors(site.array, space, residue); };
  auto ofAll = [&](bool isLeast) {
    uint64_t sum = 0;
    forEachResidue(site, isLeast, ofOne,
                   [&](uint32_t residue, uint64_t times) { sum += times * ofOne(residue); });
    return sum;
  };
  traffic.sectors = ofAll(!site.isConditional);
  if (traffic.requests > 0)
    traffic_.push_back(traffic);
  const uint64_t most = ofAll(false);
  if (most > traffic.sectors) { // of cells that are not known: no more requests
    traffic.isConditional = true;
    traffic.requests = 0;
    traffic.sectors = most - traffic.sectors;
    traffic_.push_back(traffic);
  }
}

uint64_t KernelTraffic::groupsOf(const TeamSite &site) const {
  if (!machine_.groupBytes)
    return site.groups;
  return machine_.groupBytes == BytesOfLine ? site.lines : site.sectors;
}

/// Under the site of the source that the kernel's accesses come from.
void KernelTraffic::addTeamSites() {
  for (const TeamSite &counted : input_.team->sites) {
    const Array &array = kernel_.array(counted.array);
    const auto site = llvm::find_if(
        input_.profile.sites, [&](const Site &one) { return one.accessId == counted.accessId; });
    if (array.isShared() || site == input_.profile.sites.end() ||
        input_.profile.leavesOut(counted.accessId))
      continue;
    traffic_.push_back({counted.array, site->op, *array.space, counted.isStore, site->isConditional,
                        counted.requests, input_.team->ofAll(groupsOf(counted), input_.count)});
  }
}

void KernelTraffic::addRegisters(ArrayId id) {
  const Array &array = kernel_.array(id);
  if ((array.space != Space::Registers && array.space != Space::Local) || !array.isPassed())
    return;
  if (array.loadedFirst)
    addRegisters(id, false);
  if (array.writes)
    addRegisters(id, true);
}

void KernelTraffic::addRegisters(ArrayId id, bool isStore) {
  const bool isLocal = kernel_.array(id).space == Space::Local;
  Traffic traffic{id, {}, isLocal ? Space::Memory : Space::Registers, isStore, false};
  for (int64_t cell = 0; cell < input_.arrays[id.index].cells; ++cell) {
    if (isStore ? !kernel_.array(id).isWrittenBack(cell)
                : !isLocal && !input_.profile.doesMatter(id, cell)) // the compiler drops that load
      continue;
    ++traffic.requests;
    traffic.sectors += sectors(id, Space::Memory, cell);
  }
  traffic_.push_back(traffic);
}

/// Local memory is asked for a word of each lane at a time.
std::vector<Traffic> KernelTraffic::clearing() const {
  std::vector<Traffic> result;
  for (size_t a = 0; a < input_.arrays.size(); ++a) {
    const Array &array = kernel_.array(ArrayId(a));
    if (!isCleared(kernel_, ArrayId(a)))
      continue;
    const auto cells = static_cast<uint64_t>(input_.arrays[a].cells);
    const auto words = std::max<uint64_t>(ir::sizeBytes(array.cell) / BytesOfWord, 1);
    result.push_back({ArrayId(a),
                      {},
                      Space::Local,
                      true,
                      false,
                      cells * words,
                      cells * sectors(ArrayId(a), Space::Local, 0)});
  }
  return result;
}

/// Of all warps, when each lane accesses the cell.
uint64_t KernelTraffic::sectors(ArrayId id, Space space, int64_t cell) const {
  const int64_t lanes = instancesOfWarp(kernel_, machine_.lanes),
                groupBytes = machine_.groupBytes.value_or(machine_.lanes * BytesOfWord);
  const int64_t bytes = machine_.groupBytes
                            ? static_cast<int64_t>(ir::sizeBytes(kernel_.array(id).cell))
                            : BytesOfWord;
  MemoryMachine machine{MemoryModel::Umm, lanes, groupBytes / bytes, 1, true};
  const ModelArray &array = input_.arrays[id.index];
  Arrangement arrangement{layout_, array.cells, input_.count, lanes, array.base};
  switch (space) {
  case Space::Uniform:
  case Space::Global:
    return sharedStages(machine, input_.count).sum();
  case Space::Local: {
    machine.group = groupBytes / BytesOfWord;
    arrangement.layout = Layout::Tiled;
    arrangement.base = 0;
    const auto words = static_cast<uint64_t>(std::max(bytes / BytesOfWord, int64_t(1)));
    return words * warpStages(machine, arrangement, 0).sum();
  }
  case Space::Scratch:
    arrangement.layout = Layout::Tiled; // each warp's threads side by side, aligned
    arrangement.base = 0;
    [[fallthrough]];
  default:
    return warpStages(machine, arrangement, cell).sum();
  }
}

uint64_t periodOf(llvm::ArrayRef<ModelArray> arrays, int64_t width) {
  int64_t least = BytesOfLine; // of a cell
  for (const ModelArray &array : arrays)
    least = std::min(least, array.bytes);
  return static_cast<uint64_t>(std::lcm(width, BytesOfLine / least));
}

std::vector<Traffic> traffic(const ir::Function &kernel, Layout layout, const BulkInput &input,
                             const TrafficMachine &machine) {
  return KernelTraffic(kernel, layout, input, machine).run();
}

std::vector<Traffic> clearing(const ir::Function &kernel, Layout layout, const BulkInput &input,
                              const TrafficMachine &machine) {
  return KernelTraffic(kernel, layout, input, machine).clearing();
}

std::vector<SpaceTraffic> bySpace(llvm::ArrayRef<Traffic> traffic) {
  std::map<Space, SpaceTraffic> spaces;
  for (const Traffic &one : traffic) {
    SpaceTraffic &sum = spaces[one.space];
    sum.space = one.space;
    sum.requests += one.requests;
    sum.sectors += one.sectors;
    sum.conditional += one.isConditional ? one.sectors : 0;
  }
  std::vector<SpaceTraffic> result;
  for (auto &[space, sum] : spaces)
    result.push_back(sum);
  return result;
}

} // namespace colonnade::model
