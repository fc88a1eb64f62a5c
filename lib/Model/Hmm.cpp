//===- Hmm.cpp - A kernel on the hierarchical memory machine --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Hmm.h"

#include "Model/Sectors.h"
#include "Model/TeamRequests.h"

namespace colonnade::model {

using ir::Space;

static MemoryMachine dmmOf(const HmmMachine &machine) {
  return {MemoryModel::Dmm, machine.width, machine.width, 1, machine.broadcast};
}

static uint64_t divideUp(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

uint64_t globalTime(const HmmMachine &machine, llvm::ArrayRef<WarpAddresses> warps) {
  const MemoryMachine umm{MemoryModel::Umm, machine.width, machine.width, machine.latency, false};
  uint64_t sum = 0;
  for (const WarpAddresses &warp : warps)
    sum += stages(umm, warp);
  return sum == 0 ? 0 : sum + static_cast<uint64_t>(machine.latency) - 1;
}

uint64_t sharedTime(const HmmMachine &machine, llvm::ArrayRef<std::vector<WarpAddresses>> dmms) {
  uint64_t longest = 0;
  for (const std::vector<WarpAddresses> &dmm : dmms) {
    uint64_t sum = 0;
    for (const WarpAddresses &warp : dmm)
      sum += stages(dmmOf(machine), warp);
    longest = std::max(longest, sum);
  }
  return longest;
}

int64_t threadsOfFullestDmm(const HmmMachine &machine, int64_t count) {
  const auto warps = divideUp(static_cast<uint64_t>(count), static_cast<uint64_t>(machine.width));
  const auto most = divideUp(warps, static_cast<uint64_t>(machine.dmms));
  return std::min(count, static_cast<int64_t>(most) * machine.width);
}

/// Tables and local arrays are in the DMMs' memories, cell i of thread j at i + w a warp.
static bool isShared(Space space) { return space == Space::Constant || space == Space::Local; }

static WarpStages sharedStagesOf(const HmmMachine &machine, Space space, const ModelArray &array,
                                 int64_t threads, int64_t cell) {
  if (space == Space::Constant)
    return sharedStages(dmmOf(machine), threads);
  return warpStages(dmmOf(machine), {Layout::Tiled, array.cells, threads, machine.width}, cell);
}

/// Of the accesses of teams to rows, and of the copies of these.
struct TeamSteps {
  uint64_t steps = 0; // of a warp
  uint64_t time = 0;  // of the DMM with the most warps: whether it has the last one, too
};
static TeamSteps teamSteps(const HmmMachine &machine, const ir::Function &kernel,
                           const BulkInput &input, llvm::ArrayRef<Traffic> traffic, uint64_t warps,
                           bool hasLast) {
  TeamSteps sum;
  for (const Traffic &one : traffic)
    if (one.space == Space::Shared) {
      sum.steps += one.requests;
      sum.time +=
          one.requests * (warps - hasLast) + (hasLast ? one.ofLastWarp.value_or(one.requests) : 0);
    }
  const auto of = [&](const BankStages &stages) {
    return machine.broadcast ? stages.broadcast : stages.apart;
  };
  for (const TeamSite &site : input.team->sites)
    if (kernel.array(site.array).isShared() && !input.profile.leavesOut(site.accessId)) {
      sum.steps += site.requests;
      sum.time += of(site.stages) * (warps - hasLast) + (hasLast ? of(site.stagesOfLast) : 0);
    }
  return sum;
}

llvm::Expected<HmmCost> hmmCost(const HmmMachine &machine, const ir::Function &kernel,
                                Layout layout, const BulkInput &input, uint64_t stagedAccesses) {
  const int64_t all = input.count * kernel.team(); // threads
  const auto count = static_cast<uint64_t>(all), d = static_cast<uint64_t>(machine.dmms);
  const auto width = static_cast<uint64_t>(machine.width);
  const auto latency = static_cast<uint64_t>(machine.latency);
  const int64_t threads = threadsOfFullestDmm(machine, all);
  const uint64_t warps = divideUp(static_cast<uint64_t>(threads), width); // of the fullest DMM
  HmmCost cost;
  uint64_t globalStages = 0, sharedTime = 0, most;
  const std::vector<Traffic> asked = traffic(kernel, layout, input, {machine.width, std::nullopt});
  for (const Traffic &one : asked) {
    if (isShared(one.space))
      continue;
    cost.globalSteps += one.requests;
    globalStages += one.sectors;
    sharedTime += divideUp(one.excessWavefronts, d);
  }
  const bool isCounted = input.team && machine.width == LanesOfWarp;
  if (isCounted) {
    const auto allWarps = divideUp(count, width);
    const bool hasLast = warps == allWarps && input.count % instancesOfWarp(kernel) != 0;
    const TeamSteps steps = teamSteps(machine, kernel, input, asked, warps, hasLast);
    cost.sharedSteps += steps.steps;
    sharedTime += steps.time;
  } else {
    cost.sharedSteps += stagedAccesses;
    sharedTime += stagedAccesses * warps;
  }
  for (const Site &site : input.profile.sites) {
    const Space space = *kernel.array(site.array).space;
    if (!isShared(space))
      continue;
    cost.sharedSteps += site.total();
    auto ofOne = [&](uint32_t residue) {
      return sharedStagesOf(machine, space, input.arrays[site.array.index], threads, residue).sum();
    };
    forEachResidue(site, input.profile.isLeast, ofOne,
                   [&](uint32_t residue, uint64_t times) { sharedTime += times * ofOne(residue); });
  }
  if (__builtin_mul_overflow(cost.globalSteps + cost.sharedSteps, count + latency, &most))
    return llvm::createStringError("the time does not fit 64 bits: give fewer instances");
  cost.stepwise = globalStages + cost.globalSteps * (latency - 1) + sharedTime;
  if (kernel.team() > 1 && !isCounted)
    cost.stepwiseMost = cost.stepwise + stagedAccesses * warps * (width - 1);
  cost.lowerBound = std::max({divideUp(cost.globalSteps * count, width),
                              divideUp(cost.sharedSteps * count, d * width),
                              cost.globalSteps * latency + cost.sharedSteps});
  return cost;
}

} // namespace colonnade::model
