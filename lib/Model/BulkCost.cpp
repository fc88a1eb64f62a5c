//===- BulkCost.cpp - A bulk execution on the UMM or the DMM --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/BulkCost.h"

#include "Model/Clocks.h"

#include "llvm/Support/MathExtras.h"

namespace colonnade::model {

static constexpr uint64_t MaxSteps = 100'000'000; // of runs of warps: about a second

namespace {

class Execution {
public:
  Execution(const MemoryMachine &machine, Layout layout, const BulkInput &input)
      : machine_(machine), layout_(layout), input_(input) {}

  llvm::Expected<BulkCost> run();

private:
  const WarpStages &warps(uint32_t site, uint32_t residue);
  void sumUp();
  std::vector<uint64_t> runsOfWarps() const;
  Interval pipelinedInAnyOrder(llvm::ArrayRef<uint64_t> runs) const;
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

/// Runs of warps that have the same k at every step: the full ones, and a last one that is not. Of
/// groups that do not divide what addresses grow by from warp to warp, each warp is one.
std::vector<uint64_t> Execution::runsOfWarps() const {
  const auto warp = static_cast<uint64_t>(machine_.warp);
  const uint64_t full = static_cast<uint64_t>(input_.count) / warp;
  const bool isAlike =
      llvm::all_of(stages_, [](const auto &place) { return llvm::all_equal(place.second.period); });
  std::vector<uint64_t> runs(isAlike ? full > 0 : full, isAlike ? full : 1);
  if (static_cast<uint64_t>(input_.count) % warp != 0)
    runs.push_back(1);
  return runs;
}

/// The same for any order of the accesses. A warp waits for its own completion where the q - 1
/// dispatches between two of its own fill fewer than l - 1 stages: where they never do, it never
/// does. Else no time is below that of the warp that takes longest and, at one step, all others
/// behind it; nor above, where q - 1 dispatches never fill more, so that all warps always wait.
Interval Execution::pipelinedInAnyOrder(llvm::ArrayRef<uint64_t> runs) const {
  const uint64_t wait = static_cast<uint64_t>(machine_.latency) - 1;
  const uint64_t full = static_cast<uint64_t>(input_.count / machine_.warp);
  uint64_t least = UINT64_MAX, most = 0, leastLast = UINT64_MAX, mostLast = 0;
  bool isLastLess = true; // than full ones, at every step
  for (const auto &[place, k] : stages_) {
    for (uint64_t of : k.period)
      least = std::min(least, of), most = std::max(most, of);
    leastLast = std::min(leastLast, k.partial), mostLast = std::max(mostLast, k.partial);
    isLastLess &= full == 0 || k.partial <= *llvm::min_element(k.period);
  }
  const bool hasLast = mostLast > 0;
  const uint64_t warps = full + hasLast;
  if (warps == 1)
    return {longestWarp_, longestWarp_};
  // Of the q - 1 others, one may be the last, which has the least if it has less than full ones.
  const uint64_t between =
      hasLast ? (warps - 2) * least + std::min(least, leastLast) : (warps - 1) * least;
  if (between >= wait)
    return {cost_.stages + wait, cost_.stages + wait};
  Interval time{std::max(cost_.stages + wait, longestWarp_), cost_.stepwise};
  const bool isAlike = runs.size() == 1 + size_t(hasLast);
  if (!isAlike)
    return time;
  const uint64_t others = longestWarp_ + (full - 1) * most;
  time.low = std::max(time.low, others + (hasLast ? leastLast : 0));
  if (isLastLess && (full - 1) * most + mostLast <= wait)
    time.high = others + mostLast;
  return time;
}

Interval Execution::pipelined() {
  const auto latency = static_cast<uint64_t>(machine_.latency);
  const auto warp = static_cast<uint64_t>(machine_.warp);
  const uint64_t numWarps = (static_cast<uint64_t>(input_.count) + warp - 1) / warp;
  if (std::optional<uint64_t> k = commonStages()) {
    const uint64_t time = pipelinedTimeOfEqual(cost_.accesses, numWarps, *k, latency);
    return {time, time};
  }
  const std::vector<uint64_t> runs = runsOfWarps();
  const Interval time = pipelinedInAnyOrder(runs);
  if (time.isExact() || !input_.profile.steps ||
      llvm::SaturatingMultiply(cost_.accesses, uint64_t(runs.size())) > MaxSteps)
    return time;
  std::vector<const WarpStages *> order;
  for (const Step &step : *input_.profile.steps)
    order.push_back(&warps(step.site, step.residue));
  auto stages = [&](uint64_t step, size_t run) {
    return order[step]->of(run + 1 < runs.size() ? run : numWarps - 1);
  };
  const uint64_t exact = pipelinedTime(BulkRuns{cost_.accesses, runs, stages}, latency);
  return {exact, exact};
}

llvm::Expected<BulkCost> bulkCost(const MemoryMachine &machine, Layout layout,
                                  const BulkInput &input) {
  return Execution(machine, layout, input).run();
}

} // namespace colonnade::model
