//===- BulkCost.cpp - A bulk execution on the UMM or the DMM --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/BulkCost.h"

#include "Model/Clocks.h"

namespace colonnade::model {
namespace {

class Execution {
public:
  Execution(const MemoryMachine &machine, Layout layout, const BulkInput &input)
      : machine_(machine), layout_(layout), input_(input) {}

  llvm::Expected<BulkCost> run();

private:
  const WarpStages &warps(uint32_t site, uint32_t residue);
  void sumUp();
  Interval pipelined();
  std::optional<uint64_t> commonStages();

  const MemoryMachine &machine_;
  Layout layout_;
  const BulkInput &input_;
  // By array and residue.
  std::map<std::pair<uint32_t, uint32_t>, WarpStages> stages_;
  BulkCost cost_;
  uint64_t longestWarp_ = 0; // at least the time of the warp that takes longest
};

} // namespace

/// Warps have a stage a thread at most, so no sum is beyond steps * (instances + latency).
static bool fits64Bits(uint64_t accesses, int64_t count, int64_t latency) {
  uint64_t step, most;
  return !__builtin_add_overflow(static_cast<uint64_t>(count), static_cast<uint64_t>(latency),
                                 &step) &&
         !__builtin_mul_overflow(accesses, step, &most);
}

llvm::Expected<BulkCost> Execution::run() {
  cost_.accesses = input_.profile.total();
  if (!fits64Bits(cost_.accesses, input_.count, machine_.latency))
    return llvm::createStringError("the time does not fit 64 bits: give fewer instances");
  sumUp();
  const uint64_t requests = cost_.accesses * static_cast<uint64_t>(input_.count);
  const auto width = static_cast<uint64_t>(machine_.warp);
  cost_.lowerBound = std::max((requests + width - 1) / width,
                              cost_.accesses * static_cast<uint64_t>(machine_.latency));
  cost_.pipelined = pipelined();
  return cost_;
}

const WarpStages &Execution::warps(uint32_t site, uint32_t residue) {
  const ArrayId array = input_.profile.sites[site].array;
  auto [known, isNew] = stages_.try_emplace({array.index, residue});
  if (isNew) {
    const ModelArray &info = input_.arrays[array.index];
    known->second =
        info.isShared
            ? sharedStages(machine_, input_.count)
            : warpStages(machine_, {layout_, info.cells, input_.count, machine_.warp, info.base},
                         residue);
  }
  return known->second;
}

void Execution::sumUp() {
  const auto latency = static_cast<uint64_t>(machine_.latency);
  const AccessProfile &profile = input_.profile;
  for (uint32_t site = 0; site < profile.sites.size(); ++site)
    forEachResidue(
        profile.sites[site], profile.isLeast,
        [&](uint32_t residue) { return warps(site, residue).sum(); },
        [&](uint32_t residue, uint64_t times) {
          const WarpStages &k = warps(site, residue);
          cost_.stages += times * k.sum();
          cost_.stepwise += times * (k.sum() + latency - 1);
          longestWarp_ += times * (k.of(0) + latency - 1);
        });
}

/// k, if it is the same for all accesses and warps.
std::optional<uint64_t> Execution::commonStages() {
  std::optional<uint64_t> common;
  for (const auto &[place, warps] : stages_) {
    std::optional<uint64_t> k = warps.common();
    if (!k || (common && common != k))
      return std::nullopt;
    common = k;
  }
  return common.value_or(0);
}

Interval Execution::pipelined() {
  const auto latency = static_cast<uint64_t>(machine_.latency);
  const auto warp = static_cast<uint64_t>(machine_.warp);
  BulkSteps steps;
  steps.numSteps = cost_.accesses;
  steps.numWarps = (static_cast<uint64_t>(input_.count) + warp - 1) / warp;
  if (std::optional<uint64_t> k = commonStages()) {
    const uint64_t time = pipelinedTimeOfEqual(steps.numSteps, steps.numWarps, *k, latency);
    return {time, time};
  }
  uint64_t dispatches;
  if (!input_.profile.steps ||
      __builtin_mul_overflow(steps.numSteps, steps.numWarps, &dispatches) ||
      dispatches > input_.maxDispatches)
    return {std::max(cost_.stages + latency - 1, longestWarp_), cost_.stepwise};
  std::vector<const WarpStages *> order;
  for (const Step &step : *input_.profile.steps)
    order.push_back(&warps(step.site, step.residue));
  auto stages = [&](uint64_t step, uint64_t i) { return order[step]->of(i); };
  steps.stages = stages;
  const uint64_t time = pipelinedTime(steps, latency);
  return {time, time};
}

llvm::Expected<BulkCost> bulkCost(const MemoryMachine &machine, Layout layout,
                                  const BulkInput &input) {
  return Execution(machine, layout, input).run();
}

} // namespace colonnade::model
